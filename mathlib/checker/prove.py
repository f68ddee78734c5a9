r"""Proofs of identities at every size, and of inequalities and implications.

The argument that carries an identity to every size: suppose that every term of left - right
carries at most p unit indices, the free ones included. Setting to zero all entries of the other
units leaves the coefficient of a monomial on those p units as it is, and any p units can be
renamed 1..p. So the difference vanishes for every N as soon as it does at N = p with symbolic
entries; a smaller N is a restriction of that. The same holds for every other kind of index, all
at once. p is read from the expanded expression (`terms.support`), never given by hand.
"""

from fractions import Fraction
from math import prod
from random import Random

from .answer import proved, refuted, undecided
from .evaluate import Undefined, value
from .expr import Mul, Num, derivative, exact
from .refute import counterexample, met, refute, sample, witness_of
from .sign import free_of_indices, sign_of
from .statement import (
    All,
    Equal,
    Iff,
    Implies,
    Less,
    LessEqual,
    Statement,
    hypotheses,
    implies,
    kinds_of,
    open_indices,
    symbols,
)
from .terms import CannotExpand, expand, patterns, polynomials, ratio, support
from .tex import quotient_tex, tex

__all__ = ["prove"]

LARGER = (7, 5, 3, 4)  # sizes of the exact check, lopsided on purpose
EFFORT = 300_000  # index choices beyond which the check one size up is left out


def prove(statement, using=None, rest=None, search=True):
    """Return the answer to `statement`: proved, refuted or undecided.

    Parameters
    ----------
    statement : Statement
        An equation, an inequality, an implication, an equivalence, or several at once.
    using : list, optional
        For an implication: one multiplier per hypothesis such that the claim's difference is
        their weighted sum plus something visibly non-negative. Found by itself where it can be.
    rest : Expr, optional
        That something, where it has to be shown rather than found.
    search : bool
        Whether to look for a counterexample where no proof of an implication was found.
    """
    if not isinstance(statement, Statement):
        raise TypeError(
            f"prove: expected a statement, such as eq(a, b) or a < b, got {statement!r}"
        )
    using = None if using is None else [exact(weight) for weight in using]
    if isinstance(statement, All):
        if using is not None or rest is not None:
            raise TypeError("using, rest: expected for one implication, got several statements")
        return _all(statement, statement.parts, search)
    given, then = hypotheses(statement)
    if isinstance(then, Iff):
        return _iff(statement, given, then, using, search)
    if isinstance(then, All):
        return _all(statement, [Implies(given, part) for part in then.parts], search)
    try:
        if isinstance(then, Equal) and not given:
            return _identity(statement)
        return _consequence(statement, given, then, using, rest, search)
    except CannotExpand as reason:
        return undecided(statement, str(reason))


def _all(statement, parts, search):
    return _together(statement, [prove(part, search=search) for part in parts])


def _iff(statement, given, then, using, search):
    left, right = then.parts
    inverse = None
    if given:
        using = None  # multipliers are those of one assumption and its inverse
    elif using:
        inverse = [exact(1) / weight for weight in using]
    there = prove(implies(*given, left, right), using, search=search)
    back = prove(implies(*given, right, left), inverse, search=search)
    return _together(statement, [there, back])


def _together(statement, answers):
    """Return the answer to `statement`, which holds when all that `answers` are to do."""
    for verdict in ("refuted", "undecided"):
        for answer in answers:
            if answer.verdict == verdict:
                return answer._replace(statement=statement)
    return proved(
        statement,
        "; ".join(dict.fromkeys(a.scope for a in answers)),
        "; ".join(dict.fromkeys(a.because for a in answers)),
        conditions=tuple(dict.fromkeys(c for a in answers for c in a.conditions)),
        certificate=r",\quad ".join(a.certificate for a in answers if a.certificate) or None,
    )


def _identity(statement):
    """Decide an equation by comparing two elements of one polynomial ring."""
    (top, below, left), (top2, below2, right) = (ratio(side) for side in statement.parts)
    conditions = _conditions(left + right)
    sides = [_times(top, below2), _times(top2, below)]
    free = open_indices(statement)
    expanded = [expand(side) for side in sides]
    most = support(expanded[0] + expanded[1], free)
    for kind in kinds_of(statement):
        most.setdefault(kind, 1)
    for at in patterns(free):
        _, (a, b) = polynomials(expanded, most, at)
        if a != b:
            return refute(statement)
    confirmed = _confirm(statement, expanded, most, free)
    if conditions and not any("exact" in how for how in confirmed):
        return undecided(statement, "no point was met at which both sides exist")
    because = _because(most, free, confirmed)
    return proved(statement, _scope(most), because, conditions=conditions)


def _times(top, bottom):
    return top if isinstance(bottom, Num) and bottom.value == 1 else Mul((top, bottom))


def _conditions(bottoms):
    firm = [b for b in bottoms if not sign_of(b).strict]
    return tuple(dict.fromkeys(tex(b) for b in firm))


def _scope(most):
    if not most:
        return "all values"
    return "all " + ", ".join(dict.fromkeys(kind.letter for kind in most))


def _confirm(statement, expanded, most, free):
    """Check again one size up and exactly at a larger size; to disagree would be a bug."""
    up = {kind: n + 1 for kind, n in most.items()}
    terms = [t for side in expanded for t in side]
    work = sum(prod(up[i.kind] for i in t.bound) for t in terms)
    done = []
    if most and work < EFFORT:
        for at in patterns(free):
            _, (a, b) = polynomials(expanded, up, at)
            if a != b:
                raise AssertionError("the support argument failed one size up")
        done.append(_sizes(up, "with symbols at "))
    large = {kind: max(n, most.get(kind, 1)) for kind, n in zip(most, LARGER, strict=False)}
    if _exactly(statement, large):
        done.append(_sizes(large, "in exact fractions at ") if large else "in exact fractions")
    return done


def _exactly(statement, sizes):
    random = Random(1)
    for _ in range(20):
        point = sample(statement, sizes, random)
        try:
            agree = _agree_everywhere(statement, point)
        except Undefined:
            continue
        if not agree:
            raise AssertionError(f"the two evaluations disagree at {witness_of(point)}")
        return True
    return False


def _agree_everywhere(statement, point):
    """Compare both sides at the point, and at two other components of the free indices."""
    for shift in range(3 if point.at else 1):
        at = {i: (n + shift) % point.sizes[i.kind] for i, n in point.at.items()}
        left, right = (value(side, point, at) for side in statement.parts)
        if left != right:
            return False
    return True


def _sizes(sizes, lead):
    return lead + ", ".join(f"{kind.letter} = {n}" for kind, n in sizes.items())


def _because(most, free, confirmed):
    again = "; checked again " + " and ".join(confirmed) if confirmed else ""
    if not most:
        return (
            "both sides are the same element of a polynomial ring in the scalars, through which"
            f" alone sizes enter{again}"
        )
    carried = ", ".join(f"{n} {kind.name}" for kind, n in most.items())
    one = ", in every way in which the free indices can coincide" if free else ""
    return (
        f"no term carries more indices than {carried}; both sides are the same polynomial"
        f" at {_sizes(most, '')}{one}{again}"
    )


def _difference(relation):
    return relation.right if _is_zero(relation.left) else relation.right - relation.left


def _consequence(statement, given, then, using, rest, search):
    """Prove that `then` follows: its difference is a visible combination of the hypotheses'."""
    differences = [_difference(g) for g in given]
    goal = _difference(then)
    if any(_impossible(g) for g in given):
        return proved(statement, "all values", "what is assumed is visibly impossible")
    for weights in [using] if using is not None else _candidates(differences, goal):
        if rest is not None or not _scalar_only(goal, differences):
            answer = _shown(statement, given, then, weights, rest)
        else:
            answer = _found(statement, given, then, weights)
        if answer is not None:
            if answer.conditions and not met(statement):
                return undecided(statement, "no point was met at which all of it exists and holds")
            return answer
    point = counterexample(statement) if search else None
    if point is not None:
        return refuted(statement, witness_of(point), "evaluated exactly at a small point")
    return undecided(statement, "no combination of the hypotheses makes the claim visible")


def _impossible(relation):
    """Whether an inequality that is assumed can be seen to hold nowhere."""
    difference = _difference(relation)
    sign = sign_of(difference)
    if isinstance(relation, Less):
        return sign.value < 0 or _is_zero(difference)
    return isinstance(relation, LessEqual) and sign.value < 0 and sign.strict


def _scalar_only(goal, differences):
    return all(free_of_indices(e) for e in (goal, *differences))


def _candidates(differences, goal):
    zeros = [exact(0)] * len(differences)
    yield zeros
    for n, d in enumerate(differences):
        if _scalar_only(goal, [d]):
            for weight in (_quotient(goal, d), *_eliminating(d, goal)):
                yield [*zeros[:n], weight, *zeros[n + 1 :]]
        yield [*zeros[:n], exact(1), *zeros[n + 1 :]]
    if len(differences) > 1:
        yield [exact(1)] * len(differences)


def _eliminating(hypothesis, goal):
    """Yield the weights that cancel an unbounded unknown standing in both."""
    for unknown in symbols(Equal(hypothesis, goal)):
        if unknown.above is None and unknown.at_least is None and unknown.values is None:
            rates = [derivative(e, {unknown: 1}) for e in (goal, hypothesis)]
            if not any(_vanishes(rate) for rate in rates):
                yield _quotient(*rates)


def _quotient(goal, d):
    """Return goal / d in lowest terms, so that nothing is divided by that could be zero."""
    (a, b, _), (c, e, _) = ratio(goal), ratio(d)
    sides = [expand(Mul((a, e))), expand(Mul((b, c)))]
    domain, (above, below) = polynomials(sides, {}, {})
    if not below:
        return exact(0)
    above, below = above.cancel(below)
    known = {s.name: s for s in symbols(Equal(goal, d))}
    return _expression(above, domain, known) / _expression(below, domain, known)


def _expression(element, domain, known):
    """Return a ring element over scalars as an expression."""
    total = exact(0)
    for monomial, coefficient in element.terms():
        term = exact(Fraction(int(coefficient.numerator), int(coefficient.denominator)))
        for name, power in zip(domain.symbols, monomial, strict=True):
            if power and str(name) not in known:
                raise CannotExpand(f"a quotient depends on the size {name}")
            if power:
                term = term * known[str(name)] ** power
        total = total + term
    return total


def _defined(weights, statement):
    """Whether every weight exists wherever the statement does."""
    given, then = hypotheses(statement)
    own = [b for r in (*given, then) for side in r.parts for b in ratio(side)[2]]
    for weight in weights:
        below = ratio(weight)[1]
        if sign_of(below).strict:
            continue
        if not free_of_indices(below):
            needed, given_away = (
                {_structure(b) for b in bottoms if not sign_of(b).strict}
                for bottoms in (ratio(weight)[2], own)
            )
            if not needed <= given_away:
                return False
            continue
        allowed = Mul(tuple(own)) if own else exact(1)
        _, (bottom, product) = polynomials([expand(below), expand(ratio(allowed)[0])], {}, {})
        for factor, _ in bottom.factor_list()[1]:
            if product.rem(factor) and not sign_of(_single(factor, below)).strict:
                return False
    return True


def _structure(expr):
    """Return what an expression is made of, by identity of its unknowns and indices."""
    if not expr.children and not hasattr(expr, "index"):
        return (type(expr), expr.value) if isinstance(expr, Num) else expr
    names = ("tensor", "index", "exponent", "bound", "different", "by")
    own = tuple(getattr(expr, name, None) for name in names)
    return (type(expr), own, tuple(_structure(child) for child in expr.children))


def _single(factor, expr):
    return _expression(factor, factor.ring, {s.name: s for s in symbols(Equal(expr, exact(0)))})


def _weights_allowed(given, weights):
    """Whether each hypothesis may be weighted so: an inequality only by what is not negative."""
    signs = [sign_of(w) for w in weights]
    fine = all(isinstance(g, Equal) or s.value > 0 for g, s in zip(given, signs, strict=True))
    firm = any(
        isinstance(g, Less) and s.strict and s.value > 0 for g, s in zip(given, signs, strict=True)
    )
    return fine, firm


def _combine(given, weights):
    total = exact(0)
    for g, w in zip(given, weights, strict=True):
        if not (isinstance(w, Num) and w.value == 0):
            total = total + w * _difference(g)
    return total


def _found(statement, given, then, weights):
    """Use the weights and see whether what is left over has a visible sign."""
    fine, firm = _weights_allowed(given, weights)
    if not fine:
        return None
    if not _defined(weights, statement):
        return None
    left_over = _difference(then) - _combine(given, weights)
    sign = sign_of(left_over)
    empty = _vanishes(left_over)
    if isinstance(then, Equal):
        used = [g for g, w in zip(given, weights, strict=True) if not _vanishes(w)]
        if not empty or not all(isinstance(g, Equal) for g in used):
            return None
    elif not (empty or sign.value > 0):
        return None
    elif isinstance(then, Less) and not (firm or (sign.strict and not empty)):
        return None
    return _proved_by(statement, given, weights, None if empty else left_over)


def _vanishes(expr):
    top, _, _ = ratio(expr)
    free = open_indices(Equal(top, exact(0)))
    terms = expand(top)
    most = support(terms, free)
    return all(not polynomials([terms], most, at)[1][0] for at in patterns(free))


def _shown(statement, given, then, weights, rest):
    """Check the identity claim = weighted hypotheses + rest at all sizes, and the rest's sign."""
    if rest is None:
        rest = exact(0) if any(not _is_zero(w) for w in weights) else _difference(then)
    rest = exact(rest)
    fine, firm = _weights_allowed(given, weights)
    sign = sign_of(rest)
    if isinstance(then, Equal):
        visible = all(isinstance(g, Equal) for g in given) and _is_zero(rest)
    elif isinstance(then, LessEqual):
        visible = fine and sign.value > 0
    else:
        visible = fine and sign.value > 0 and (firm or sign.strict)
    if not visible or not _defined(weights, statement):
        return None
    balance = prove(Equal(_difference(then), _combine(given, weights) + rest))
    if balance.verdict != "proved":
        return None
    return balance._replace(statement=statement, certificate=_certificate(given, weights, rest))


def _is_zero(expr):
    return isinstance(expr, Num) and expr.value == 0


def _proved_by(statement, given, weights, left_over):
    bottoms = []
    for part in (*(_difference(g) for g in given), _difference(hypotheses(statement)[1]), *weights):
        bottoms += ratio(part)[2]
    certificate = _certificate(given, weights, left_over)
    return proved(
        statement,
        "all values",
        "the claim is a visibly non-negative combination of what is given; sizes enter only through"
        " the scalars",
        conditions=_conditions(bottoms),
        certificate=certificate,
    )


def _certificate(given, weights, left_over):
    parts = []
    for relation, weight in zip(given, weights, strict=True):
        if not _vanishes(weight):
            shown = tidy(weight)
            factor = "" if shown == "1" else rf"\left({shown}\right)\cdot"
            parts.append(rf"{factor}\left({tex(_difference(relation))}\right)")
    if left_over is not None and not _is_zero(left_over):
        parts.append(tidy(left_over))
    return "+".join(parts) or "0"


def tidy(expr):
    """Return an index-free expression, factored and cancelled, as LaTeX; others as they are."""
    if not free_of_indices(expr):
        return tex(expr)
    top, bottom, _ = ratio(expr)
    _, (above, below) = polynomials([expand(top), expand(bottom)], {}, {})
    return quotient_tex(above, below, symbols(Equal(expr, exact(0))))

"""Near misses of a proved statement: a check that cannot fail proves nothing.

From every place in a statement come its mutants: a sign flipped, a term dropped, a factor
changed, an index or an exponent moved, a condition of a sum left out, an inequality turned
round. Each must be refuted by exact numbers; one that is true as well is listed with its reason.
"""

from dataclasses import replace
from random import Random

from .answer import Mutant
from .arrays import Component, Identity, Power, Product, Transpose
from .expr import Add, Entry, Expr, Mul, Num, Pow, Sum
from .prove import prove
from .refute import failing, hunted, sample
from .statement import Iff, Implies, Less, LessEqual, kinds_of, open_indices
from .terms import patterns
from .tex import tex

__all__ = ["mutations", "try_mutants"]


def mutations(statement):
    """Yield (what was changed, the changed statement) for every mutant of `statement`."""
    if isinstance(statement, (Less, LessEqual)):
        yield "turn the inequality round", type(statement)(statement.right, statement.left)
    if isinstance(statement, LessEqual):
        yield "make the inequality strict", Less(statement.left, statement.right)
    if isinstance(statement, Implies) and not isinstance(statement.then, Iff):
        for n, given in enumerate(statement.given):
            rest = statement.given[:n] + statement.given[n + 1 :]
            yield f"drop the assumption ${tex(given)}$", Implies(rest, statement.then)
    for n, part in enumerate(statement.parts):
        scope = open_indices(statement)
        source = _of_side(part, scope) if isinstance(part, Expr) else mutations(part)
        for change, mutated in source:
            parts = (*statement.parts[:n], mutated, *statement.parts[n + 1 :])
            yield change, statement.rebuild(parts)


def _of_side(expr, scope):
    if not isinstance(expr, (Add, Num)):
        yield f"double ${tex(expr)}$", 2 * expr
    yield from _of_expr(expr, scope)


def _of_expr(expr, scope):
    """Yield the mutants of one expression; `scope` lists the indices that may be named in it."""
    yield from _here(expr, scope)
    if isinstance(expr, Sum):
        scope = (*scope, *expr.bound)
    for n, child in enumerate(expr.children):
        for change, mutated in _of_expr(child, scope):
            yield change, expr.rebuild((*expr.children[:n], mutated, *expr.children[n + 1 :]))


def _here(expr, scope):
    if isinstance(expr, Num) and expr.value not in (0, -1):
        yield f"change {expr.value} to {expr.value + 1}", Num(expr.value + 1)
    if isinstance(expr, Add):
        yield from _of_add(expr)
    if isinstance(expr, Mul):
        yield from _of_mul(expr)
    if isinstance(expr, Pow):
        yield f"raise the exponent of ${tex(expr)}$", Pow(expr.base, expr.exponent + 1)
        if expr.exponent > 1:
            yield f"lower the exponent of ${tex(expr)}$", Pow(expr.base, expr.exponent - 1)
    if isinstance(expr, Sum):
        for n, (a, b) in enumerate(expr.different):
            left = expr.different[:n] + expr.different[n + 1 :]
            change = rf"forget ${a.name}\ne {b.name}$ in ${tex(expr)}$"
            yield change, Sum(expr.body, expr.bound, left)
    if isinstance(expr, (Entry, Component)):
        yield from _of_entry(expr, scope)


def _of_add(expr):
    for n, child in enumerate(expr.children):
        rest = (expr.children[:n], expr.children[n + 1 :])
        yield f"drop ${tex(child)}$", expr.rebuild((*rest[0], *rest[1]))
        yield f"flip the sign of ${tex(child)}$", Add((*rest[0], -child, *rest[1]))
        if not isinstance(child, Add):
            yield f"double ${tex(child)}$", Add((*rest[0], 2 * child, *rest[1]))


def _of_mul(expr):
    for n, child in enumerate(expr.children):
        if isinstance(child, Num) and child.value == -1:
            continue
        rest = (*expr.children[:n], *expr.children[n + 1 :])
        if rest and not isinstance(child, Num):
            yield f"drop the factor ${tex(child)}$ of ${tex(expr)}$", Mul(rest)


def _of_entry(expr, scope):
    for n, index in enumerate(expr.index):
        for other in dict.fromkeys(scope):
            if other.kind is index.kind and other is not index:
                moved = (*expr.index[:n], other, *expr.index[n + 1 :])
                change = f"read {other.name} for {index.name} in ${tex(expr)}$"
                yield change, type(expr)(expr.tensor, moved)
    if isinstance(expr, Component):
        for change, mutated in _of_array(expr.tensor):
            yield change, Component(mutated, expr.index)


def _of_array(a):
    """Yield the mutants of a matrix expression that keep its shape."""
    if isinstance(a, Product):
        for n, part in enumerate(a.parts):
            square = len(part.kinds) == 2 and part.kinds[0] is part.kinds[1]
            if square and len(a.parts) > 1 and not isinstance(part, Identity):
                rest = a.parts[:n] + a.parts[n + 1 :]
                lighter = rest[0] if len(rest) == 1 else Product(rest)
                if lighter.kinds == a.kinds:
                    yield f"drop ${tex(part)}$ from ${tex(a)}$", lighter
    if isinstance(a, Power):
        yield f"raise the exponent of ${tex(a)}$", Power(a.inner, a.exponent + 1)
    if isinstance(a, Transpose) and a.kinds[0] is a.kinds[1]:
        yield f"forget the transposition of ${tex(a.inner)}$", a.inner
    if hasattr(a, "terms"):
        yield from _of_combination(a)
        return
    inner = a.parts if not isinstance(a, (Power, Transpose)) else (a.inner,)
    for n, part in enumerate(inner):
        for change, mutated in _of_array(part):
            yield change, _replace_part(a, n, mutated)


def _of_combination(a):
    for n, (weight, part) in enumerate(a.terms):
        rest = a.terms[:n] + a.terms[n + 1 :]
        if rest:
            yield f"drop ${tex(part)}$ from ${tex(a)}$", type(a)(rest)
        flipped = (*a.terms[:n], (-weight, part), *a.terms[n + 1 :])
        yield f"flip the sign of ${tex(part)}$ in ${tex(a)}$", type(a)(flipped)


def _replace_part(a, n, part):
    if hasattr(a, "inner"):
        return Power(part, a.exponent) if isinstance(a, Power) else type(a)(part)
    return type(a)((*a.parts[:n], part, *a.parts[n + 1 :]))


def try_mutants(statement, using=None, spared=None):
    """Return a `Mutant` for each near miss: refuted, equivalent (true as well) or undecided.

    Parameters
    ----------
    statement : Statement
    using : list, optional
        The multipliers that proved the statement; tried on its mutants.
    spared : dict, optional
        For mutants that are true as well and whose proof must be shown: from the change, as
        this function words it, to the arguments ``using`` and ``rest`` of `prove`.
    """
    points, spared = _probes(statement), spared or {}
    return tuple(
        _judge(change, mutant, points, using, spared.get(change))
        for change, mutant in mutations(statement)
    )


def _probes(statement):
    """Return exact points with distinct entries at which most mutants already fail.

    Among them the free indices coincide in every way in which they can.
    """
    random, kinds, free = Random(7), kinds_of(statement), open_indices(statement)
    if not kinds:
        return [sample(statement, {}, random) for _ in range(60)]
    small, large = (dict(zip(kinds, s, strict=False)) for s in ((3, 2, 2, 2), (4, 3, 2, 2)))
    points = [sample(statement, s, random) for s in (small, large) for _ in range(2)]
    for at in patterns(free) if free else ():
        points += [replace(sample(statement, s, random), at=at) for s in (small, large)]
    return points


def _judge(change, mutant, points, using, proof):
    kinds = kinds_of(mutant)
    fits = [p for p in points if set(kinds) <= set(p.sizes) and _knows(p, mutant)]
    if failing(mutant, fits) is not None:
        return Mutant(change, "refuted")
    if proof is None:
        proof = {"using": using if _same_arity(mutant, using) else None}
    answer = prove(mutant, **proof, search=False)
    if answer.verdict == "proved":
        return Mutant(change, "equivalent", "proved in the same way")
    if answer.verdict == "refuted" or hunted(mutant):
        return Mutant(change, "refuted")
    return Mutant(change, "undecided", answer.because)


def _same_arity(mutant, using):
    return isinstance(mutant, Implies) and using is not None and len(using) == len(mutant.given)


def _knows(point, mutant):
    return set(open_indices(mutant)) <= set(point.at)

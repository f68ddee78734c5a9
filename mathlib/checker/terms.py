r"""Expansion into terms, and the numbers p and q that carry a check to every size.

A term is a coefficient times scalars, sizes and tensor entries, summed over bound indices, some
of which must disagree. Expanding renames every bound index anew, so nothing is captured.

A bound index that no tensor entry carries runs over all N values whatever the entries are:
`sum_j 1` is N. Such indices become powers of the symbol N (less the values that they must avoid)
before the support argument is applied; the others are carried, and for them the argument is good.
"""

from collections import Counter
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from sympy import QQ
from sympy.polys.rings import ring

from .expr import Add, Delta, Div, Mul, Num, Pow, Scalar, Size, Sum, rename

__all__ = ["Term", "CannotExpand", "ratio", "expand", "support", "patterns", "polynomials"]


class CannotExpand(ValueError):
    """The expression is outside of what the support argument covers; the message says why."""


class Term(NamedTuple):
    """coefficient * sizes * scalars * factors, summed over `bound` with `different` pairs."""

    coefficient: Fraction
    sizes: tuple = ()
    scalars: tuple = ()
    factors: tuple = ()
    bound: tuple = ()
    different: tuple = ()
    equal: tuple = ()


def ratio(expr):
    """Return (top, bottom, bottoms): `expr` as one fraction, and the factors that must not vanish.

    A denominator may not depend on an index that is summed over.
    """
    one = Num(Fraction(1))
    if not _divides(expr):
        return expr, one, ()
    if isinstance(expr, Div):
        (a, b, left), (c, d, right) = (ratio(side) for side in expr.children)
        bottom, top = (Mul((b, c)) if b is not one else c), (Mul((a, d)) if d is not one else a)
        return top, bottom, (*left, *right, c)
    if isinstance(expr, Pow):
        top, bottom, conditions = ratio(expr.base)
        return (
            expr.rebuild((top,)),
            (one if bottom is one else Pow(bottom, expr.exponent)),
            conditions,
        )
    if isinstance(expr, (Add, Mul)):
        return _ratio_of_many(expr)
    if isinstance(expr, Sum):
        return _ratio_of_sum(expr)
    return ratio(expr.define())


def _divides(expr):
    """Whether `expr`, or what it is made of, divides by anything else than a size."""
    if isinstance(expr, Div) and not _is_size(expr.bottom):
        return True
    if hasattr(expr, "define") and getattr(expr.tensor, "rule", True):
        return _divides(expr.define())
    return any(_divides(child) for child in expr.children)


def _is_size(expr):
    if isinstance(expr, (Mul, Pow)):
        return all(_is_size(child) for child in expr.children)
    return isinstance(expr, Size) or (isinstance(expr, Num) and expr.value != 0)


def _ratio_of_sum(expr):
    from .expr import free_indices

    inside = rename(expr, {})
    top, bottom, conditions = ratio(inside.body)
    if set(free_indices(bottom)) & set(inside.bound):
        raise CannotExpand("a denominator depends on an index that is summed over")
    return Sum(top, inside.bound, inside.different), bottom, conditions


def _ratio_of_many(expr):
    split = [ratio(child) for child in expr.children]
    conditions = tuple(c for part in split for c in part[2])
    bottom = Mul(tuple(b for _, b, c in split if c))
    if isinstance(expr, Mul):
        return Mul(tuple(t for t, _, _ in split)), bottom, conditions
    tops = []
    for n, (top, _, _) in enumerate(split):
        others = tuple(b for m, (_, b, c) in enumerate(split) if m != n and c)
        tops.append(Mul((top, *others)))
    return Add(tuple(tops)), bottom, conditions


def expand(expr):
    """Return `expr` as a list of terms whose coincidences of bound indices are resolved."""
    return [t for term in _expand(expr) if (t := _resolve(term)) is not None]


def _expand(expr):
    if isinstance(expr, Num):
        return [Term(expr.value)] if expr.value else []
    if isinstance(expr, Scalar):
        return [Term(Fraction(1), scalars=(expr,))]
    if isinstance(expr, Size):
        return [Term(Fraction(1), sizes=((expr.kind, 1),))]
    if isinstance(expr, Delta):
        return [Term(Fraction(1), equal=((expr.first, expr.second),))]
    if isinstance(expr, Add):
        return [term for child in expr.children for term in expand(child)]
    if isinstance(expr, Mul):
        return _multiply([expand(child) for child in expr.children])
    if isinstance(expr, Pow):
        return _multiply([expand(expr.base) for _ in range(expr.exponent)])
    if isinstance(expr, Sum):
        return _expand_sum(expr)
    if isinstance(expr, Div):
        return _expand_division(expr)
    if hasattr(expr, "define") and getattr(expr.tensor, "rule", True):
        return expand(expr.define())
    return [Term(Fraction(1), factors=((expr.tensor, expr.index),))]


def _expand_division(expr):
    """Divide by a power of sizes, the only denominators that may stand inside a polynomial."""
    below = expand(expr.bottom)
    if len(below) != 1 or below[0].scalars or below[0].factors or below[0].bound or below[0].equal:
        raise CannotExpand("a denominator other than a size is left inside an expression")
    inverse = Term(1 / below[0].coefficient, tuple((k, -n) for k, n in below[0].sizes))
    return _multiply([expand(expr.top), [inverse]])


def _multiply(lists):
    total = [Term(Fraction(1))]
    for terms in lists:
        total = [
            Term(a.coefficient * b.coefficient, *(x + y for x, y in zip(a[1:], b[1:], strict=True)))
            for a in total
            for b in terms
        ]
    return total


def _expand_sum(expr):
    made = []
    for term in expand(expr.body):
        new = {i: i.fresh() for i in expr.bound}
        pairs = tuple((new.get(a, a), new.get(b, b)) for a, b in expr.different)
        term = _rename(term, new)
        bound, different = (*term.bound, *new.values()), (*term.different, *pairs)
        made.append(term._replace(bound=bound, different=different))
    return made


def _rename(term, names):
    def swap(pairs):
        return tuple((names.get(a, a), names.get(b, b)) for a, b in pairs)

    factors = tuple((f, tuple(names.get(i, i) for i in index)) for f, index in term.factors)
    return term._replace(factors=factors, different=swap(term.different), equal=swap(term.equal))


def _resolve(term):
    """Substitute coincidences away; None where they contradict a pair that must disagree."""
    while term.equal:
        pending = [
            p for p in term.equal if p[0] in term.bound or p[1] in term.bound or p[0] is p[1]
        ]
        if not pending:
            break
        first, second = pending[0]
        rest = tuple(p for p in term.equal if p is not pending[0])
        term = term._replace(equal=rest)
        if first is not second:
            gone, kept = (first, second) if first in term.bound else (second, first)
            term = _rename(term, {gone: kept})
            term = term._replace(bound=tuple(i for i in term.bound if i is not gone))
    return None if any(a is b for a, b in term.different) else term


def _carried(term):
    in_factors = {i for _, index in term.factors for i in index}
    return tuple(i for i in term.bound if i in in_factors)


def support(terms, free):
    """Return {kind: p}, the most distinct indices of each kind that one term carries.

    The free indices count, for they are carried by the component that is looked at.
    """
    most = {}
    for term in terms:
        found = Counter(i.kind for i in dict.fromkeys((*free, *_carried(term))))
        for kind, number in found.items():
            most[kind] = max(most.get(kind, 1), number)
    for index in free:
        most[index.kind] = max(most.get(index.kind, 1), 1)
    for term in terms:
        for index in term.bound:
            most.setdefault(index.kind, 1)
    return most


def patterns(free):
    """Yield an assignment {index: number} for every way in which the free indices can coincide."""

    def grow(rest, at, used):
        if not rest:
            yield at
            return
        index, *rest = rest
        top = used.get(index.kind, 0)
        for n in range(top + 1):
            yield from grow(rest, {**at, index: n}, {**used, index.kind: max(top, n + 1)})

    yield from grow(list(free), {}, {})


def polynomials(expanded, sizes, at):
    """Return one element of one polynomial ring over QQ for each list of terms in `expanded`.

    The generators are the scalars, the entries at `sizes`, and the sizes as symbols, so that
    N and 1/N cancel against each other and against nothing else: all are multiplied by the
    powers of the sizes that stand below.
    """
    packed = _Packed()
    whole = lcm(*(t.coefficient.denominator for terms in expanded for t in terms))
    tables = [_table(terms, sizes, at, packed, whole) for terms in expanded]
    letters = {pair for table in tables for powers in table for pair in powers}
    below = {}
    for letter, n in letters:
        below[letter] = max(below.get(letter, 0), -n)
    for letter, n in letters:
        if n + below[letter] > 255:
            raise CannotExpand(f"expected powers of {_name(letter)} of at most 255")
    clear = packed.product(below.items())  # which also gives every size its place
    names = sorted(packed.place, key=_name)
    if len({_name(g) for g in names}) < len(names):
        raise CannotExpand("two different unknowns share a name")
    domain = ring([_name(g) for g in names] or ["_"], QQ)[0]
    elements = []
    for table in tables:
        element = {}
        for powers, monomials in table.items():
            shift = clear + packed.product(powers)
            for monomial, c in monomials.items():
                if c:
                    element[packed.exponents(monomial + shift, names)] = QQ(c, whole)
        elements.append(domain.from_dict(element))
    return domain, tuple(elements)


def _name(generator):
    family, where = generator
    return f"{family.name}[{'_'.join(map(str, where))}]" if where else family.name


class _Packed:
    """Monomials as integers, a byte an exponent, so that an addition multiplies two of them."""

    def __init__(self):
        self.place, self.made = {}, {}

    def generator(self, family, where=()):
        """Return the monomial that is one entry of `family`, or a scalar or size."""
        key = family, where
        if key not in self.made:
            name = (family, tuple(sorted(where))) if where and family.symmetric else key
            self.made[key] = 256 ** self.place.setdefault(name, len(self.place))
        return self.made[key]

    def product(self, powers):
        return sum(n * self.generator(*generator) for generator, n in powers)

    def exponents(self, monomial, names):
        """Return the powers of the generators `names`, in that order."""
        found = monomial.to_bytes(len(self.place), "little")
        return tuple([found[self.place[name]] for name in names]) or (0,)


def _table(terms, sizes, at, packed, whole):
    """Return {powers of sizes: {monomial: coefficient * whole}}."""
    table = {}
    for term in terms:
        if any(at[a] != at[b] for a, b in term.equal):
            continue
        if len(term.scalars + term.factors) > 255:
            raise CannotExpand("expected a degree of at most 255")
        carried = _carried(term)
        loose = tuple(i for i in term.bound if i not in carried)
        for where, monomials in _summed(term, carried, loose, sizes, at, packed):
            for powers, weight in _sizes(term, where, loose):
                part = table.setdefault(powers, {})
                scale = int(term.coefficient * weight * whole)
                for monomial, count in monomials.items():
                    part[monomial] = part.get(monomial, 0) + scale * count
    return table


def _summed(term, carried, loose, sizes, at, packed):
    """Yield ({index: value}, {monomial: how often}): the term summed over its carried indices.

    They are summed one after another; only those values are remembered that are asked for later.
    """
    start = sum(packed.generator(scalar) for scalar in term.scalars)
    partial, live = {(): {start: 1}}, ()
    for index, factors, apart, kept in _schedule(term, carried, loose):
        sums = {}
        for values, monomials in partial.items():
            where = {**at, **dict(zip(live, values, strict=True))}
            for n in range(sizes[index.kind]) if index else (None,):
                where[index] = n
                if any(where[a] == where[b] for a, b in apart):
                    continue
                entries = [(f, tuple([where[i] for i in places])) for f, places in factors]
                by = sum(packed.generator(*entry) for entry in entries)
                into = sums.setdefault(tuple([where[i] for i in kept]), {})
                for monomial, count in monomials.items():
                    into[monomial + by] = into.get(monomial + by, 0) + count
        partial, live = sums, kept
    for values, monomials in partial.items():
        yield {**at, **dict(zip(live, values, strict=True))}, monomials


def _schedule(term, carried, loose):
    """Return (index, factors, pairs, kept) for each sum in turn, the first of them over nothing.

    The factors and the pairs that must disagree are those whose indices all have values by then;
    kept are the indices that a later factor, a later pair or a loose index asks for.
    """
    turn = {index: n for n, index in enumerate(carried, start=1)}
    avoided = {i for pair in term.different if set(pair) & set(loose) for i in pair}
    factors, apart, asked = ([[] for _ in range(len(carried) + 1)] for _ in range(3))
    for factor in term.factors:
        last = max((turn.get(i, 0) for i in factor[1]), default=0)
        factors[last].append(factor)
        asked[last] += factor[1]
    for pair in term.different:
        if not set(pair) & set(loose):
            last = max(turn.get(i, 0) for i in pair)
            apart[last].append(pair)
            asked[last] += pair
    steps = []
    for n, index in enumerate((None, *carried)):
        later = avoided.union(*asked[n + 1 :])
        kept = tuple(i for i in carried[:n] if i in later)
        steps.append((index, factors[n], apart[n], kept))
    return steps


def _sizes(term, where, loose):
    """Yield (powers of sizes, weight): each loose index contributes N minus what it avoids."""
    powers = {}
    for kind, n in term.sizes:
        powers[kind] = powers.get(kind, 0) + n
    polynomial = [(powers, 1)]
    for index in loose:
        avoided = set()
        for pair in term.different:
            if index in pair:
                other = pair[0] if pair[1] is index else pair[1]
                if other in loose:
                    raise CannotExpand(
                        f"the sums over {index.name} and {other.name} are carried by no entry"
                        " and bound to each other"
                    )
                avoided.add(where[other])
        raised = [({**p, index.kind: p.get(index.kind, 0) + 1}, w) for p, w in polynomial]
        lowered = [(p, -len(avoided) * w) for p, w in polynomial if avoided]
        polynomial = raised + lowered
    for powers, weight in polynomial:
        shown = [((_Letter(kind.letter, kind), ()), n) for kind, n in powers.items() if n]
        yield tuple(sorted(shown, key=lambda pair: pair[0][0].name)), weight


class _Letter(NamedTuple):
    """The generator that a size is in the polynomial ring."""

    name: str
    kind: object

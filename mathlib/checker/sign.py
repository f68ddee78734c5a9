"""Signs that can be seen: which expressions are positive whatever values they take.

An expression is visibly positive if it is built by sums, products and even powers from parts
that are. One without indices is also factored, with each bounded unknown written as its bound
plus a non-negative rest: then every coefficient must be positive.
"""

from typing import NamedTuple

from .expr import Add, Delta, Div, Mul, Num, Pow, Scalar, Size, Sum, free_indices, walk
from .terms import CannotExpand, expand, polynomials, ratio

__all__ = ["Sign", "sign_of"]


class Sign(NamedTuple):
    """+1, -1 or 0 for unknown, and whether zero is excluded."""

    value: int
    strict: bool = False

    def __mul__(self, other):
        return Sign(self.value * other.value, self.strict and other.strict)


UNKNOWN = Sign(0)


def sign_of(expr):
    """Return the `Sign` that `expr` has at every point of its unknowns' domains."""
    if not _index_free(expr):
        return _visible(expr, sign_of)
    seen = _plain(expr)
    return seen if seen.value else _by_factors(expr)


def _plain(expr):
    """The sign that shows without factoring anything."""
    return _visible(expr, _plain)


def _index_free(expr):
    return not any(isinstance(n, (Sum, Delta)) or hasattr(n, "index") for n in walk(expr))


def _bounded(thing):
    if thing.above is not None and thing.above >= 0:
        return Sign(1, True)
    low = min(thing.values) if thing.values else thing.at_least
    if low is not None and low >= 0:
        return Sign(1, low > 0)
    return UNKNOWN


def _visible(expr, inner):
    if isinstance(expr, Num):
        return Sign(1 if expr.value >= 0 else -1, expr.value != 0)
    if isinstance(expr, Size):
        return Sign(1, True)
    if isinstance(expr, Delta):
        return Sign(1)
    if isinstance(expr, Scalar):
        return _bounded(expr)
    if isinstance(expr, Add):
        return _of_sum([inner(child) for child in expr.children])
    if isinstance(expr, (Mul, Div)):
        return _of_product(expr, inner)
    if isinstance(expr, Pow):
        base = inner(expr.base)
        if expr.exponent % 2 == 0:
            return Sign(1, expr.exponent == 0 or (base.strict and base.value != 0))
        return base
    if isinstance(expr, Sum):
        body = inner(expr.body)
        return Sign(body.value, body.strict and not expr.different)
    if getattr(expr.tensor, "rule", True):
        return inner(expr.define())
    return _bounded(expr.tensor)


def _of_sum(signs):
    values = {s.value for s in signs}
    if len(values) == 1 and 0 not in values:
        return Sign(values.pop(), any(s.strict for s in signs))
    return UNKNOWN


def _of_product(expr, inner):
    total, rest = Sign(1, True), list(expr.children)
    while rest:
        part = rest.pop()
        twin = next((r for r in rest if r is part), None) if isinstance(expr, Mul) else None
        if twin is not None:
            rest.remove(twin)
            part = Pow(part, 2)
        sign = inner(part)
        if not sign.value:
            return UNKNOWN
        total = total * sign
    return total if isinstance(expr, Mul) or inner(expr.bottom).strict else UNKNOWN


def _by_factors(expr):
    try:
        top, bottom, _ = ratio(expr)
        domain, (above, below) = polynomials([expand(top), expand(bottom)], {}, {})
    except CannotExpand:
        return UNKNOWN
    unknowns = {n.name: n for n in walk(expr) if isinstance(n, Scalar)}
    unknowns |= {n.kind.letter: n for n in walk(expr) if isinstance(n, Size)}
    under = element_sign(below, domain, unknowns)
    if not (under.value and under.strict):
        return UNKNOWN
    return element_sign(above, domain, unknowns) * under


def element_sign(element, domain, unknowns):
    """Return the sign of a ring element whose generators are the given scalars or sizes."""
    if not element:
        return Sign(1, False)
    whole = _factor_sign(element, domain, unknowns)
    if whole.value:
        return whole
    content, factors = element.factor_list()
    total = Sign(1 if content > 0 else -1, True)
    for factor, power in factors:
        sign = _factor_sign(factor, domain, unknowns)
        if power % 2 == 0:
            sign = Sign(1, sign.strict and sign.value != 0)
        total = total * sign
    return total


def _factor_sign(factor, domain, unknowns):
    strict, signed = set(), set()
    for position, generator in enumerate(domain.gens):
        unknown = unknowns.get(str(domain.symbols[position]))
        low, is_strict = _lowest(unknown)
        if low is not None:
            factor = factor.compose(generator, generator + domain.domain.convert(low))
            (strict if is_strict else signed).add(position)
    for value in (1, -1):
        if all(value * c > 0 for c in factor.values()) and all(
            n % 2 == 0 or p in strict or p in signed for m in factor for p, n in enumerate(m)
        ):
            firm = any(all(p in strict for p, n in enumerate(m) if n) for m in factor)
            return Sign(value, firm)
    return UNKNOWN


def _lowest(unknown):
    """Return (bound, strict) of a scalar; a size is at least 1; nothing is known of the rest."""
    if unknown is None:
        return None, False
    if isinstance(unknown, Size):
        return 1, False
    if unknown.values:
        return min(unknown.values), False
    if unknown.above is not None:
        return unknown.above, True
    return unknown.at_least, False


def free_of_indices(expr):
    """Whether `expr` mentions no index at all."""
    return _index_free(expr) and not free_indices(expr)

r"""Approximations: the exact order of what was dropped.

For a rational function f of a small $\varepsilon$, $f=c\,\varepsilon^n(1+O(\varepsilon))$ with n
and c read off the lowest terms of its numerator and denominator: no series is truncated.
"""

from typing import NamedTuple

from .expr import exact
from .prove import tidy
from .statement import Equal, symbols
from .terms import expand, polynomials, ratio
from .tex import quotient_tex

__all__ = ["Order", "order"]


class Order(NamedTuple):
    """`power` n and leading coefficient c (LaTeX) of c * small**n; None if f is zero."""

    power: int | None
    leading: str


def order(expr, small):
    r"""Return the exact order in the scalar `small` at 0 of an index-free rational `expr`."""
    top, bottom, _ = ratio(exact(expr))
    domain, (above, below) = polynomials([expand(top), expand(bottom)], {}, {})
    if not above:
        return Order(None, "0")
    names = [str(s) for s in domain.symbols]
    if small.name not in names:
        return Order(0, tidy(expr))
    position = names.index(small.name)
    (n, a), (m, b) = (_lowest(element, position) for element in (above, below))
    return Order(n - m, quotient_tex(a, b, symbols(Equal(exact(expr), exact(0)))))


def _lowest(element, position):
    """Return the least power of one generator and the coefficient, a ring element, there."""
    power = min(monomial[position] for monomial in element)
    kept = {m: c for m, c in element.items() if m[position] == power}
    stripped = {(*m[:position], 0, *m[position + 1 :]): c for m, c in kept.items()}
    return power, element.ring.from_dict(stripped)

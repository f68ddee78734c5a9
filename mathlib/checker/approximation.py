r"""Approximations: the exact order of what was dropped.

For a rational function f of a small $\varepsilon$, $f=c\,\varepsilon^n(1+O(\varepsilon))$ with n
and c read off the lowest terms of its numerator and denominator: no series is truncated.
"""

from typing import NamedTuple

from .expr import Scalar, exact, walk
from .terms import expand, polynomials, ratio

__all__ = ["Order", "order"]


class Order(NamedTuple):
    """`power` n and leading coefficient c (LaTeX) of c * small**n; None if f is zero."""

    power: int | None
    leading: str


def order(expr, small):
    r"""Return the exact order in the scalar `small` at 0 of an index-free rational `expr`."""
    from .prove import tidy

    top, bottom, _ = ratio(exact(expr))
    domain, (above, below) = polynomials([expand(top), expand(bottom)], {}, {})
    if not above:
        return Order(None, "0")
    names = [str(s) for s in domain.symbols]
    if small.name not in names:
        return Order(0, tidy(expr))
    position = names.index(small.name)
    (n, a), (m, b) = (_lowest(element, position) for element in (above, below))
    letters = {node.name: node.tex for node in walk(exact(expr)) if isinstance(node, Scalar)}
    return Order(n - m, _show(a, b, letters))


def _lowest(element, position):
    """Return the least power of one generator and the coefficient, a ring element, there."""
    power = min(monomial[position] for monomial in element)
    kept = {m: c for m, c in element.items() if m[position] == power}
    stripped = {(*m[:position], 0, *m[position + 1 :]): c for m, c in kept.items()}
    return power, element.ring.from_dict(stripped)


def _show(above, below, letters):
    from sympy import Symbol, factor, latex

    above, below = above.cancel(below)
    shown = {s: Symbol(letters.get(str(s), str(s))) for s in above.ring.symbols}
    return latex((factor(above.as_expr()) / factor(below.as_expr())).subs(shown))

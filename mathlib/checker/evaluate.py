r"""Exact values at a point, straight from the tree.

This is the second way to every identity: it knows nothing of how proofs expand an expression.
Sums are looped over, products of matrices are multiplied as matrices, N is the number it is.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import product

from .arrays import Component, Product
from .expr import Add, Delta, Derivative, Div, Entry, Index, Mul, Num, Pow, Scalar, Size, deep
from .statement import All, Equal, Iff, Implies, Less

__all__ = ["Point", "value", "holds", "Undefined"]


class Undefined(ArithmeticError):
    """The expression divides by zero at this point."""


@dataclass
class Point:
    """Where to evaluate: the sizes, the scalars' values, the tensors' entries, the free indices."""

    sizes: dict
    scalars: dict
    entries: dict
    at: dict = field(default_factory=dict)
    memo: dict = field(default_factory=dict)


def value(expr, point, at=None):
    """Return the exact value of `expr` at `point`; `Undefined` where it divides by zero."""
    at = point.at if at is None else at
    if isinstance(expr, Num):
        return expr.value
    if isinstance(expr, Scalar):
        return point.scalars[expr]
    if isinstance(expr, Size):
        return Fraction(point.sizes[expr.kind])
    if isinstance(expr, (Entry, Component)):
        return _entry(expr, point, at)
    if isinstance(expr, Derivative):
        return value(_defined(expr, point), point, at)
    if isinstance(expr, Delta):
        return Fraction(at[expr.first] == at[expr.second])
    if isinstance(expr, Add):
        return sum((value(child, point, at) for child in expr.children), Fraction(0))
    if isinstance(expr, Mul):
        return _product(expr.children, point, at)
    if isinstance(expr, Pow):
        return value(expr.base, point, at) ** expr.exponent
    if isinstance(expr, Div):
        bottom = value(expr.bottom, point, at)
        if bottom == 0:
            raise Undefined
        return value(expr.top, point, at) / bottom
    return _sum(expr, point, at)


def _product(factors, point, at):
    total = Fraction(1)
    for factor in factors:
        if total or _divides(factor):
            total *= value(factor, point, at)
    return total


@lru_cache(maxsize=4096)
def _divides(expr):
    """Whether `expr` could fail to exist, so that a zero beside it decides nothing."""
    return any(isinstance(node, Div) for node in deep([expr]))


def _sum(expr, point, at):
    total = Fraction(0)
    ranges = [range(point.sizes[i.kind]) for i in expr.bound]
    for choice in product(*ranges):
        inner = {**at, **dict(zip(expr.bound, choice, strict=True))}
        if all(inner[a] != inner[b] for a, b in expr.different):
            total += value(expr.body, point, inner)
    return total


def _entry(expr, point, at):
    where = tuple(at[i] for i in expr.index)
    family = expr.tensor
    if isinstance(expr, Entry) and family.rule is None:
        if family.symmetric:
            where = tuple(sorted(where))
        return point.entries[family][where]
    outer = {i: at[i] for i in getattr(family, "free", ())}
    key = (family, where, tuple(outer.values()))
    if key not in point.memo:
        if isinstance(family, Product) and len(family.parts) > 2:
            point.memo[key] = _chain(family, where, point, outer)
        else:
            inner = {**outer, **dict(zip(expr.index, where, strict=True))}
            point.memo[key] = value(expr.define(), point, inner)
    return point.memo[key]


def _defined(expr, point):
    if expr not in point.memo:
        point.memo[expr] = expr.define()
    return point.memo[expr]


def _chain(family, where, point, outer):
    """Multiply a chain of arrays from the left; what stands before the last is kept by its row."""
    left = where[:1] if len(family.parts[0].kinds) == 2 else ()
    key = (family, "row", left, *outer.items())
    if key not in point.memo:
        first, *middle = family.parts[:-1]
        row = [_array(first, (*left, j), point, outer) for j in _span(first, point)]
        for part in middle:
            row = [_dot(part, row, (j,), point, outer) for j in _span(part, point)]
        point.memo[key] = row
    return _dot(family.parts[-1], point.memo[key], where[len(left) :], point, outer)


def _span(part, point):
    return range(point.sizes[part.kinds[-1]])


def _dot(part, row, column, point, outer):
    pairs = ((x, i) for i, x in enumerate(row) if x)
    return sum((x * _array(part, (i, *column), point, outer) for x, i in pairs), Fraction(0))


def _array(part, where, point, outer):
    key = (part, where, *outer.items())
    if key not in point.memo:
        index = tuple(Index("i", kind) for kind in part.kinds)
        inner = {**outer, **dict(zip(index, where, strict=True))}
        point.memo[key] = value(part[index], point, inner)
    return point.memo[key]


def holds(statement, point):
    """Return whether `statement` is true at `point`; `Undefined` where a side does not exist."""
    if isinstance(statement, All):
        return all(holds(part, point) for part in statement.parts)
    if isinstance(statement, Implies):
        return not all(holds(g, point) for g in statement.given) or holds(statement.then, point)
    if isinstance(statement, Iff):
        return holds(statement.left, point) == holds(statement.right, point)
    left, right = (value(side, point) for side in statement.parts)
    if isinstance(statement, Equal):
        return left == right
    return left < right if isinstance(statement, Less) else left <= right

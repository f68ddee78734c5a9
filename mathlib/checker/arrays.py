r"""Vectors and matrices: `(P @ Z @ C)[i, j]` reads like the formula and is an exact expression.

An array is a recipe for its entries. A product makes new bound indices each time an entry is
asked for, so nothing can be captured; shapes are kinds of index, so a product of arrays that do
not fit is refused where it is written.
"""

from dataclasses import dataclass
from fractions import Fraction

from .expr import (
    Add,
    Delta,
    Entry,
    Expr,
    Index,
    Mul,
    Num,
    Sum,
    Tensor,
    _depends,
    _differentiate,
    delta,
    exact,
    free_indices,
)

__all__ = [
    "Array",
    "Component",
    "array",
    "identity",
    "ones",
    "diag",
    "hadamard",
    "outer",
    "trace",
    "square_norm",
]


class Array:
    """Base of vectors (one kind of index) and matrices (two kinds)."""

    kinds = ()
    parts = ()

    @property
    def free(self):
        """The indices, other than its own, on which the array's entries depend."""
        return tuple(dict.fromkeys(i for part in self.parts for i in part.free))

    def __getitem__(self, index):
        index = index if isinstance(index, tuple) else (index,)
        got = tuple(i.kind for i in index)
        if got != self.kinds:
            want = ", ".join(k.name for k in self.kinds)
            raise TypeError(f"expected indices ({want}), got ({', '.join(k.name for k in got)})")
        return Component(self, index)

    def __matmul__(self, other):
        product = Product(_factors(self) + _factors(other))
        return product if product.kinds else Component(product, ())

    def __add__(self, other):
        return Combination(_weighted(self) + _weighted(other))

    def __sub__(self, other):
        return Combination(_weighted(self) + tuple((-w, a) for w, a in _weighted(other)))

    def __rmul__(self, weight):
        return Combination(((exact(weight), self),))

    def __neg__(self):
        return Combination(((Num(Fraction(-1)), self),))

    def __pow__(self, exponent):
        return Power(self, exponent)

    @property
    def T(self):
        """The transpose; a vector is its own."""
        return self if len(self.kinds) == 1 else Transpose(self)


def _factors(a):
    return a.parts if isinstance(a, Product) else (a,)


def _weighted(a):
    return a.terms if isinstance(a, Combination) else ((Num(Fraction(1)), a),)


@dataclass(frozen=True, eq=False)
class Atom(Array):
    """A tensor with one or two indices, as an array; `tensor` None is the array of ones."""

    tensor: Tensor | None
    kinds: tuple

    def entry(self, index):
        return Entry(self.tensor, index) if self.tensor else Num(Fraction(1))


@dataclass(frozen=True, eq=False)
class Identity(Array):
    kinds: tuple

    def entry(self, index):
        return Delta(*index)


@dataclass(frozen=True, eq=False)
class Product(Array):
    parts: tuple

    def __post_init__(self):
        for left, right in zip(self.parts, self.parts[1:], strict=False):
            if left.kinds[-1] is not right.kinds[0]:
                raise TypeError(
                    f"a product needs equal inner kinds, got {left.kinds[-1].name}"
                    f" and {right.kinds[0].name}"
                )
        if any(len(p.kinds) == 1 for p in self.parts[1:-1]):
            raise TypeError("a vector stands only at an end of a product; write outer(a, b)")

    @property
    def kinds(self):
        first, last = self.parts[0].kinds, self.parts[-1].kinds
        return (first[:1] if len(first) == 2 else ()) + (last[1:] if len(last) == 2 else ())

    def differentiate(self, index, by):
        """Return the derivative of one entry, still as products of arrays."""
        terms = []
        for n, part in enumerate(self.parts):
            if _depends(_some_entry(part), by):
                changed = (*self.parts[:n], Derived(part, by), *self.parts[n + 1 :])
                terms.append(Component(Product(changed), index))
        return Add(tuple(terms))

    def entry(self, index):
        letters = "jklmnpqr"
        joints = tuple(
            Index(letters[n % 8], part.kinds[0]) for n, part in enumerate(self.parts[1:])
        )
        left = index[:1] if len(self.parts[0].kinds) == 2 else ()
        path = left + joints + index[len(left) :]
        factors, at = [], 0
        for part in self.parts:
            width = len(part.kinds)
            factors.append(part[path[at : at + width]])
            at += width - 1
        return Sum(Mul(tuple(factors)), joints)


@dataclass(frozen=True, eq=False)
class Transpose(Array):
    inner: Array

    @property
    def parts(self):
        return (self.inner,)

    @property
    def kinds(self):
        return self.inner.kinds[::-1]

    def entry(self, index):
        return self.inner[index[::-1]]


@dataclass(frozen=True, eq=False)
class Combination(Array):
    """A weighted sum of arrays of one shape; `terms` are pairs (weight, array)."""

    terms: tuple

    def __post_init__(self):
        for _, other in self.terms[1:]:
            if other.kinds != self.kinds:
                raise TypeError("a sum of arrays needs equal kinds of index")

    @property
    def parts(self):
        return tuple(a for _, a in self.terms)

    @property
    def kinds(self):
        return self.terms[0][1].kinds

    @property
    def free(self):
        inside = [i for weight, _ in self.terms for i in free_indices(weight)]
        return tuple(dict.fromkeys((*super().free, *inside)))

    def entry(self, index):
        total = None
        for weight, part in self.terms:
            term = Mul((weight, part[index]))
            total = term if total is None else total + term
        return total


@dataclass(frozen=True, eq=False)
class Hadamard(Array):
    parts: tuple

    def __post_init__(self):
        if any(p.kinds != self.parts[0].kinds for p in self.parts):
            raise TypeError("an entrywise product needs equal kinds of index")

    @property
    def kinds(self):
        return self.parts[0].kinds

    def entry(self, index):
        return Mul(tuple(p[index] for p in self.parts))


@dataclass(frozen=True, eq=False)
class Power(Array):
    inner: Array
    exponent: int

    @property
    def parts(self):
        return (self.inner,)

    @property
    def kinds(self):
        return self.inner.kinds

    def entry(self, index):
        return self.inner[index] ** self.exponent


@dataclass(frozen=True, eq=False)
class Diagonal(Array):
    """The diagonal matrix of a vector, or the diagonal of a square matrix."""

    inner: Array

    def __post_init__(self):
        if len(self.inner.kinds) == 2 and self.inner.kinds[0] is not self.inner.kinds[1]:
            raise TypeError("diag expects a vector or a square matrix")

    @property
    def parts(self):
        return (self.inner,)

    @property
    def kinds(self):
        kind = self.inner.kinds[0]
        return (kind,) if len(self.inner.kinds) == 2 else (kind, kind)

    def entry(self, index):
        if len(index) == 1:
            return self.inner[index[0], index[0]]
        return delta(*index) * self.inner[index[0]]


@dataclass(frozen=True, eq=False)
class Outer(Array):
    parts: tuple

    @property
    def kinds(self):
        return self.parts[0].kinds + self.parts[1].kinds

    def entry(self, index):
        return self.parts[0][index[0]] * self.parts[1][index[1]]


@dataclass(frozen=True, eq=False)
class Derived(Array):
    """An array's derivative by a scalar or by one entry, entry by entry."""

    inner: Array
    by: object

    @property
    def kinds(self):
        return self.inner.kinds

    @property
    def free(self):
        own = () if isinstance(self.by, dict) else getattr(self.by, "index", ())
        return tuple(dict.fromkeys((*self.inner.free, *own)))

    def entry(self, index):
        return _differentiate(self.inner[index], self.by)


def _some_entry(a):
    return a[tuple(Index("i", kind) for kind in a.kinds)]


@dataclass(frozen=True, eq=False)
class Component(Expr):
    """One entry of an array."""

    tensor: Array
    index: tuple

    def define(self):
        """Return the entry written out in sums."""
        return self.tensor.entry(self.index)


def array(tensor):
    """Return a tensor with one or two indices as a vector or matrix."""
    return Atom(tensor, tensor.kinds)


def identity(kind):
    """Return the identity matrix over a kind of index."""
    return Identity((kind, kind))


def ones(kind):
    """Return the vector of ones over a kind of index."""
    return Atom(None, (kind,))


def diag(a):
    """Return diag(a): a vector's diagonal matrix, or a square matrix's diagonal."""
    return Diagonal(a)


def hadamard(*parts):
    """Return the entrywise product."""
    return Hadamard(parts)


def outer(a, b):
    """Return the matrix a b^T of two vectors."""
    return Outer((a, b))


def trace(a):
    """Return the trace of a square matrix, as an expression."""
    i = Index("i", a.kinds[0])
    return Sum(a[i, i], (i,))


def square_norm(a):
    """Return the sum of the squares of all entries, as an expression."""
    index = tuple(Index(name, kind) for name, kind in zip("ij", a.kinds, strict=False))
    return Sum(a[index] ** 2, index)

r"""Exact expressions in scalars and in indexed quantities such as $\sum_{j\ne i} C_{ij}^2 z_j^2$.

An expression is a small tree of immutable nodes. Nothing in it is evaluated, reordered or
simplified when it is built, so that what is displayed, proved, mutated and evaluated is one
and the same object. Indices are objects, compared by identity: two sums never share a bound
index by having the same letter.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count
from numbers import Rational

__all__ = [
    "Kind",
    "Index",
    "indices",
    "Expr",
    "Num",
    "Size",
    "Scalar",
    "Tensor",
    "Entry",
    "Delta",
    "Add",
    "Mul",
    "Pow",
    "Div",
    "Sum",
    "scalar",
    "scalars",
    "tensor",
    "defined",
    "sum_",
    "delta",
    "exact",
    "walk",
    "deep",
    "free_indices",
    "rename",
    "derivative",
]

_fresh = count(1)


@dataclass(frozen=True, eq=False)
class Kind:
    """A family of indices (units, stimuli, words, dimensions) and the letter of its size."""

    name: str
    letter: str


@dataclass(frozen=True, eq=False)
class Index:
    """One index. Two indices are the same only if they are the same object."""

    name: str
    kind: Kind

    def fresh(self):
        """Return a new index of the same kind and letter, unequal to every other."""
        return Index(self.name, self.kind)


def indices(names, kind):
    """Return one new `Index` of `kind` for each of the space-separated `names`."""
    made = tuple(Index(name, kind) for name in names.split())
    return made[0] if len(made) == 1 else made


def exact(value):
    """Return `value` as an expression; a float is refused, for it is not exact."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, Rational):
        return Num(Fraction(value))
    raise TypeError(
        f"expected an expression, an int or a Fraction, got {type(value).__name__} {value!r}"
    )


class Expr:
    """Base of all expressions; arithmetic builds trees, comparisons build statements."""

    children = ()

    def rebuild(self, children):
        """Return this node over other children."""
        return self

    def __add__(self, other):
        return Add((self, exact(other)))

    def __radd__(self, other):
        return exact(other) + self

    def __sub__(self, other):
        return Add((self, -exact(other)))

    def __rsub__(self, other):
        return exact(other) - self

    def __mul__(self, other):
        if not isinstance(other, (Expr, Rational)):
            return NotImplemented
        return Mul((self, exact(other)))

    def __rmul__(self, other):
        return exact(other) * self

    def __truediv__(self, other):
        other = exact(other)
        if isinstance(other, Num) and other.value:
            return Mul((Num(1 / other.value), self))
        return Div(self, other)

    def __rtruediv__(self, other):
        return exact(other) / self

    def __pow__(self, exponent):
        if not isinstance(exponent, int) or exponent < 0:
            raise TypeError(f"expected a whole exponent >= 0, got {exponent!r}")
        return Pow(self, exponent)

    def __neg__(self):
        if isinstance(self, Num):
            return Num(-self.value)
        if isinstance(self, Mul) and isinstance(self.children[0], Num):
            first, *rest = self.children
            return Mul((Num(-first.value), *rest))
        return Mul((Num(Fraction(-1)), self))

    def __lt__(self, other):
        from .statement import Less

        return Less(self, exact(other))

    def __gt__(self, other):
        return exact(other) < self

    def __le__(self, other):
        from .statement import LessEqual

        return LessEqual(self, exact(other))

    def __ge__(self, other):
        return exact(other) <= self


@dataclass(frozen=True, eq=False)
class Num(Expr):
    """A rational constant."""

    value: Fraction


@dataclass(frozen=True, eq=False)
class Size(Expr):
    """The size of a kind, such as N: a symbol of its own, never the number at hand."""

    kind: Kind


@dataclass(frozen=True, eq=False)
class Scalar(Expr):
    """A real number; `above` and `at_least` bound it, `values` lists the only ones allowed."""

    name: str
    tex: str
    above: Fraction | None = None
    at_least: Fraction | None = None
    values: tuple | None = None


@dataclass(frozen=True, eq=False)
class Tensor:
    """An indexed family of numbers; with `rule`, one that is defined by an expression.

    `T[i, j]` is an entry. A symmetric tensor does not change under any exchange of its indices.
    """

    name: str
    kinds: tuple
    tex: str
    symmetric: bool = False
    above: Fraction | None = None
    at_least: Fraction | None = None
    values: tuple | None = None
    rule: object = None

    def __getitem__(self, index):
        index = index if isinstance(index, tuple) else (index,)
        got = tuple(i.kind for i in index)
        if got != self.kinds:
            want = ", ".join(k.name for k in self.kinds)
            raise TypeError(
                f"{self.name} expects indices ({want}), got ({', '.join(k.name for k in got)})"
            )
        return Entry(self, index)


@dataclass(frozen=True, eq=False)
class Entry(Expr):
    """One entry of a tensor."""

    tensor: Tensor
    index: tuple

    def define(self):
        """Return the expression that a defined tensor's entry stands for.

        The rule is given new indices, so a letter that it sums over captures none of these.
        """
        new = tuple(i.fresh() for i in self.index)
        return rename(exact(self.tensor.rule(*new)), dict(zip(new, self.index, strict=True)))


@dataclass(frozen=True, eq=False)
class Delta(Expr):
    """1 where two indices agree, else 0: the entries of an identity matrix."""

    first: Index
    second: Index


@dataclass(frozen=True, eq=False)
class Add(Expr):
    children: tuple

    def rebuild(self, children):
        return Add(tuple(children)) if children else Num(Fraction(0))


@dataclass(frozen=True, eq=False)
class Mul(Expr):
    children: tuple

    def rebuild(self, children):
        return Mul(tuple(children)) if children else Num(Fraction(1))


@dataclass(frozen=True, eq=False)
class Pow(Expr):
    base: Expr
    exponent: int

    @property
    def children(self):
        return (self.base,)

    def rebuild(self, children):
        return Pow(children[0], self.exponent)


@dataclass(frozen=True, eq=False)
class Div(Expr):
    top: Expr
    bottom: Expr

    @property
    def children(self):
        return (self.top, self.bottom)

    def rebuild(self, children):
        return Div(*children)


@dataclass(frozen=True, eq=False)
class Sum(Expr):
    """A sum of `body` over `bound` indices; each pair in `different` must disagree."""

    body: Expr
    bound: tuple
    different: tuple = field(default=())

    @property
    def children(self):
        return (self.body,)

    def rebuild(self, children):
        return Sum(children[0], self.bound, self.different)


def _values(values, *bounds):
    if values is None:
        return None
    if not values or any(isinstance(v, float) for v in values):
        raise ValueError(f"values: expected exact numbers, at least one, got {values}")
    if any(bound is not None for bound in bounds):
        raise ValueError("values: expected either values or bounds, got both")
    return tuple(values)


def _fraction(value):
    return None if value is None else Fraction(value)


def _plain(name):
    if not name or set(name) & set(" ,:()\t\n"):
        raise ValueError(f"expected a name without spaces, commas or brackets, got {name!r}")
    return name


def scalar(name, tex=None, *, above=None, at_least=None, values=None):
    r"""Return a real unknown, e.g. ``scalar("lam", r"\lambda", at_least=0)``."""
    values = _values(values, above, at_least)
    return Scalar(_plain(name), tex or name, _fraction(above), _fraction(at_least), values)


def scalars(names):
    """Return one unbounded real unknown for each of the space-separated names."""
    return tuple(scalar(name) for name in names.split())


def tensor(name, *kinds, tex=None, symmetric=False, above=None, at_least=None, values=None):
    """Return an indexed family of unknowns with an index of each of `kinds`."""
    if symmetric and len(set(kinds)) > 1:
        raise TypeError(f"{name}: expected one kind of index for a symmetric tensor")
    values = _values(values, above, at_least)
    return Tensor(
        _plain(name), kinds, tex or name, symmetric, _fraction(above), _fraction(at_least), values
    )


def defined(name, *kinds, rule, tex=None):
    """Return a tensor whose entries stand for ``rule(*indices)``, expanded where it matters."""
    own = [Index("i", kind) for kind in kinds]
    left = [i.name for i in free_indices(exact(rule(*own))) if i not in own]
    if left:
        raise ValueError(
            f"{name}: expected a rule in its own indices, got {', '.join(left)} as well"
        )
    return Tensor(name, kinds, tex or name, rule=rule)


def delta(first, second):
    """Return Kronecker's delta of two indices of one kind."""
    if first.kind is not second.kind:
        raise TypeError(
            f"delta expects two indices of one kind, got {first.kind.name} and {second.kind.name}"
        )
    return Delta(first, second)


def sum_(body, *over, different=()):
    r"""Return $\sum$ of `body` over the indices `over`.

    `different` is a chain of indices, or several, whose members all disagree:
    ``different=(i, j)`` is $j\ne i$; ``different=[(i, j), (i, k)]`` is $j,k\ne i$.
    """
    if not over or len(set(over)) < len(over):
        raise TypeError(f"sum_ expects different indices to sum over, got {[i.name for i in over]}")
    chains = [different] if different and isinstance(different[0], Index) else different
    pairs = []
    for chain in chains:
        pairs += [(a, b) for n, a in enumerate(chain) for b in chain[n + 1 :]]
    for a, b in pairs:
        if a.kind is not b.kind:
            raise TypeError(f"{a.name} and {b.name} are of different kinds and always disagree")
    return Sum(exact(body), tuple(over), tuple(pairs))


def walk(expr):
    """Yield every node of the tree, parents first; defined entries are not opened."""
    yield expr
    for child in expr.children:
        yield from walk(child)


def free_indices(expr):
    """Return the indices of `expr` that no sum binds, in the order of their appearance."""
    if isinstance(expr, Sum):
        inner = list(free_indices(expr.body)) + [i for pair in expr.different for i in pair]
        return tuple(dict.fromkeys(i for i in inner if i not in expr.bound))
    own = (*getattr(expr, "index", ()), *getattr(getattr(expr, "tensor", None), "free", ()))
    if isinstance(expr, Delta):
        own = (expr.first, expr.second)
    if isinstance(expr, Derivative):
        own = free_indices(expr.by)
    found = list(own)
    for child in expr.children:
        found += free_indices(child)
    return tuple(dict.fromkeys(found))


def rename(expr, names):
    """Return `expr` with free indices replaced by `names`, bound ones made new (no capture)."""
    if isinstance(expr, Sum):
        inner = {**names, **{i: i.fresh() for i in expr.bound}}
        pairs = tuple((inner.get(a, a), inner.get(b, b)) for a, b in expr.different)
        return Sum(rename(expr.body, inner), tuple(inner[i] for i in expr.bound), pairs)
    if isinstance(expr, Delta):
        return Delta(names.get(expr.first, expr.first), names.get(expr.second, expr.second))
    if isinstance(expr, Derivative):
        return Derivative(rename(expr.inner, names), rename(expr.by, names))
    if hasattr(expr, "index"):
        if set(names) & set(getattr(expr.tensor, "free", ())):
            raise TypeError("cannot sum over an index that the entries of a matrix depend on")
        return type(expr)(expr.tensor, tuple(names.get(i, i) for i in expr.index))
    return expr.rebuild(tuple(rename(child, names) for child in expr.children))


@dataclass(frozen=True, eq=False)
class Derivative(Expr):
    """The derivative of `inner` by a scalar or an entry; `define` carries it out."""

    inner: Expr
    by: Expr
    tensor = None

    @property
    def children(self):
        return (self.inner,)

    def rebuild(self, children):
        return Derivative(children[0], self.by)

    def define(self):
        """Return the derivative carried out by the product and chain rules."""
        return _differentiate(self.inner, self.by)


def derivative(expr, by):
    r"""Return the derivative of `expr`, exactly, as an expression.

    Parameters
    ----------
    expr : Expr
    by : Scalar, Entry or dict
        What to differentiate by: a scalar, an entry such as ``z[i]`` (then
        $\partial z_j/\partial z_i=\delta_{ij}$), or a dict from scalars to the expressions of
        their rates, or from tensors to tensors of the same kinds, for the chain rule along a
        flow or a differential, ``{z: dz}``. What the dict leaves out is constant.
    """
    expr = exact(expr)
    if isinstance(by, dict):
        for unknown, rate in by.items():
            _check_rate(unknown, rate)
        rates = {k: v if isinstance(v, Tensor) else exact(v) for k, v in by.items()}
        return _differentiate(expr, rates)
    if not isinstance(by, (Scalar, Entry)):
        raise TypeError(f"by: expected a scalar, an entry of a tensor or a dict, got {by!r}")
    if isinstance(by, Entry) and by.tensor.rule:
        raise TypeError(f"{by.tensor.name} is defined by other quantities: differentiate by those")
    return Derivative(expr, by)


def _check_rate(unknown, rate):
    if isinstance(unknown, Tensor) and unknown.rule is None:
        fits = isinstance(rate, Tensor) and rate.kinds == unknown.kinds
        if not fits or (unknown.symmetric and not rate.symmetric):
            same = "symmetric tensor" if unknown.symmetric else "tensor"
            raise TypeError(f"by: expected a {same} of the same kinds for {unknown.name}")
    elif not isinstance(unknown, Scalar):
        raise TypeError(f"by: expected scalars and tensors to differentiate by, got {unknown!r}")


def _differentiate(expr, by):
    if isinstance(expr, (Num, Size, Delta)) or not _depends(expr, by):
        return Num(Fraction(0))
    if isinstance(expr, (Scalar, Entry)) and not isinstance(by, dict):
        return _of_leaf(expr, by)
    if isinstance(expr, Scalar):
        return by[expr]
    if isinstance(expr, Entry) and isinstance(by, dict) and expr.tensor in by:
        return by[expr.tensor][expr.index]
    if isinstance(expr, Add):
        parts = [_differentiate(c, by) for c in expr.children if _depends(c, by)]
        return Add(tuple(parts))
    if isinstance(expr, Mul):
        return _of_product(expr.children, by)
    if isinstance(expr, Pow):
        lower = Pow(expr.base, expr.exponent - 1)
        return expr.exponent * lower * _differentiate(expr.base, by)
    if isinstance(expr, Div):
        top, bottom = expr.children
        change = _differentiate(top, by) * bottom - top * _differentiate(bottom, by)
        return Div(change, Pow(bottom, 2))
    if isinstance(expr, Sum):
        inside = rename(expr, {})
        return Sum(_differentiate(inside.body, by), inside.bound, inside.different)
    if hasattr(expr.tensor, "differentiate"):
        return expr.tensor.differentiate(expr.index, by)
    return _differentiate(expr.define(), by)


def _depends(expr, by):
    """Whether any leaf of `expr`, definitions opened, is what is differentiated by."""
    targets = set(by) if isinstance(by, dict) else {getattr(by, "tensor", by)}
    return any(getattr(n, "tensor", n) in targets for n in deep([expr]))


def _of_product(parts, by):
    terms = [
        Mul((*parts[:n], _differentiate(p, by), *parts[n + 1 :]))
        for n, p in enumerate(parts)
        if _depends(p, by)
    ]
    return Add(tuple(terms))


def _of_leaf(leaf, by):
    if isinstance(leaf, Entry) and leaf.tensor.rule:
        return _differentiate(leaf.define(), by)
    if isinstance(leaf, Entry) and leaf.tensor.symmetric and len(leaf.index) > 1:
        raise TypeError(f"the entries of the symmetric {leaf.tensor.name} are not independent")
    if leaf is by:
        return Num(Fraction(1))
    pairs = zip(leaf.index, by.index, strict=True)
    return Mul(tuple(Delta(a, b) for a, b in pairs))


def deep(exprs):
    """Yield every node of `exprs`, opening each definition once."""
    stack, seen = list(exprs)[::-1], set()
    while stack:
        for node in walk(stack.pop()):
            yield node
            if not hasattr(node, "define") or isinstance(node, Derivative):
                continue
            key = node.tensor
            if key in seen or (isinstance(node, Entry) and node.tensor.rule is None):
                continue
            seen.add(key)
            stack.append(node.define())

"""Statements about exact expressions: equations, inequalities, implications, equivalences."""

from dataclasses import dataclass
from functools import lru_cache

from .expr import Entry, Expr, Scalar, Size, deep, exact, free_indices

__all__ = [
    "Statement",
    "Equal",
    "Less",
    "LessEqual",
    "All",
    "Implies",
    "Iff",
    "eq",
    "both",
    "implies",
    "iff",
    "expressions",
    "hypotheses",
    "open_indices",
    "symbols",
    "kinds_of",
]


class Statement:
    """Base of all statements; `parts` are the statements or expressions that it is made of."""

    parts = ()

    def __bool__(self):
        raise TypeError("a statement is not true or false by itself: write a < b < c as two")


class Relation(Statement):
    """Two expressions and how they compare."""

    @property
    def parts(self):
        return (self.left, self.right)

    def rebuild(self, parts):
        return type(self)(*parts)

    def __iter__(self):
        return iter(self.parts)


@dataclass(frozen=True, eq=False)
class Equal(Relation):
    left: Expr
    right: Expr
    sign = "="


@dataclass(frozen=True, eq=False)
class Less(Relation):
    left: Expr
    right: Expr
    sign = "<"


@dataclass(frozen=True, eq=False)
class LessEqual(Relation):
    left: Expr
    right: Expr
    sign = r"\le"


@dataclass(frozen=True, eq=False)
class All(Statement):
    """All of the `parts` hold."""

    parts: tuple

    def rebuild(self, parts):
        return All(tuple(parts))


@dataclass(frozen=True, eq=False)
class Implies(Statement):
    """If all `given` hold, `then` does."""

    given: tuple
    then: Statement

    @property
    def parts(self):
        return (*self.given, self.then)

    def rebuild(self, parts):
        return Implies(tuple(parts[:-1]), parts[-1])


@dataclass(frozen=True, eq=False)
class Iff(Statement):
    """Each side holds exactly when the other does."""

    left: Statement
    right: Statement

    @property
    def parts(self):
        return (self.left, self.right)

    def rebuild(self, parts):
        return Iff(*parts)


def eq(left, right):
    """Return the statement that `left` equals `right`."""
    return Equal(exact(left), exact(right))


def both(*parts):
    """Return the statement that all of `parts` hold."""
    if not parts:
        raise TypeError("both: expected statements, got none")
    return All(tuple(parts))


def implies(*given_then):
    """Return the statement that the last argument follows from the ones before it."""
    *given, then = given_then
    for part in given:
        if not isinstance(part, (Relation, All)):
            raise TypeError(f"implies: expected relations as assumptions, got {part!r}")
    if not isinstance(then, (Relation, All, Iff)):
        raise TypeError(f"implies: expected a relation, several or an equivalence, got {then!r}")
    flat = [p for g in given for p in (g.parts if isinstance(g, All) else (g,))]
    return Implies(tuple(flat), then)


def iff(left, right):
    """Return the statement that `left` and `right` hold together or not at all."""
    for part in (left, right):
        if not isinstance(part, (Relation, All)):
            raise TypeError(f"iff: expected relations, or several of them, got {part!r}")
    return Iff(left, right)


def expressions(statement):
    """Yield every top-level expression in `statement`."""
    for part in statement.parts:
        if isinstance(part, Expr):
            yield part
        else:
            yield from expressions(part)


def hypotheses(statement):
    """Return what `statement` assumes and what it claims, as (tuple, statement)."""
    if isinstance(statement, Implies):
        return statement.given, statement.then
    return (), statement


def open_indices(statement):
    """Return the indices that no sum in `statement` binds, in order of appearance."""
    found = {}
    for expr in expressions(statement):
        found.update(dict.fromkeys(free_indices(expr)))
    return tuple(found)


@lru_cache(maxsize=4096)
def symbols(statement):
    """Return the scalars and undefined tensors that `statement` speaks of."""
    found = {}
    for node in deep(expressions(statement)):
        if isinstance(node, Scalar):
            found[node] = None
        elif isinstance(node, Entry) and node.tensor.rule is None:
            found[node.tensor] = None
    return tuple(found)


@lru_cache(maxsize=4096)
def kinds_of(statement):
    """Return the kinds of index that `statement` speaks of, in order of appearance."""
    found = {i.kind: None for i in open_indices(statement)}
    for node in deep(expressions(statement)):
        kinds = [i.kind for i in getattr(node, "bound", ())]
        kinds += getattr(getattr(node, "tensor", None), "kinds", ())
        found.update(dict.fromkeys(kinds))
        if isinstance(node, Size):
            found[node.kind] = None
    return tuple(found)

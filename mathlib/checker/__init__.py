"""A small exact checker: expressions in, one of three answers with its evidence out.

It rests on SymPy's polynomial rings and the standard library and knows nothing of the book.
"""

from .answer import Answer, Mutant
from .approximation import Order, order
from .arrays import array, diag, hadamard, identity, ones, outer, square_norm, trace
from .derivation import Step, derive
from .evaluate import Point, Undefined, holds, value
from .expr import (
    Index,
    Kind,
    Size,
    defined,
    delta,
    derivative,
    exact,
    indices,
    scalar,
    scalars,
    sum_,
    tensor,
)
from .mutants import mutations, try_mutants
from .prove import prove
from .refute import counterexample, refute, witness_of
from .sign import sign_of
from .statement import Statement, both, eq, iff, implies, symbols
from .tex import domain_tex, tex

__all__ = [
    "Answer",
    "Index",
    "Kind",
    "Mutant",
    "Order",
    "Point",
    "Size",
    "Statement",
    "Step",
    "Undefined",
    "array",
    "both",
    "counterexample",
    "defined",
    "delta",
    "derivative",
    "derive",
    "diag",
    "domain_tex",
    "eq",
    "exact",
    "hadamard",
    "holds",
    "identity",
    "iff",
    "implies",
    "indices",
    "mutations",
    "ones",
    "order",
    "outer",
    "prove",
    "refute",
    "scalar",
    "scalars",
    "sign_of",
    "square_norm",
    "sum_",
    "symbols",
    "tensor",
    "try_mutants",
    "tex",
    "trace",
    "value",
    "witness_of",
]

"""The checker against sympy.expand and sympy.simplify on the same identities."""

from fractions import Fraction
from time import perf_counter

import sympy
from sympy.core.cache import clear_cache

from mathlib.checker import (
    Kind,
    Size,
    array,
    derivative,
    diag,
    eq,
    hadamard,
    identity,
    indices,
    ones,
    outer,
    prove,
    scalar,
    square_norm,
    tensor,
    try_mutants,
)
from mathlib.checker.statement import open_indices
from mathlib.checker.terms import expand, polynomials, support

SIZES = {"N = 4, M = 2": (4, 2), "N = M = 4": (4, 4), "N = 7, M = 5": (7, 5)}


def centred_gradient():
    """Half the centred gradient, one component, as one statement about every N and M."""
    unit, stimulus = Kind("unit", "N"), Kind("stimulus", "M")
    i = indices("i", unit)
    size, half = Size(unit), Fraction(1, 2)
    X, z = array(tensor("X", unit, stimulus)), tensor("z", unit)
    S = array(tensor("S", stimulus, stimulus, symmetric=True))
    lam, v = scalar("lam", r"\lambda"), array(z)
    J = identity(unit) - 1 / size * outer(ones(unit), ones(unit))
    Z, C, K = diag(v), X @ X.T, X @ S @ X.T
    loss = half * square_norm(X.T @ Z @ J @ Z @ X - S) + half * lam * square_norm(v - ones(unit))
    by_hand = (
        (Z @ hadamard(C, C) @ v**2)[i]
        - (Z @ diag(K))[i]
        - 1 / size * (C @ diag(v**2) @ C @ v)[i]
        - 1 / size * (Z @ (C @ v) ** 2)[i]
        + 1 / size * (K @ v)[i]
        + (v @ C @ v) / size**2 * (C @ v)[i]
        + half * lam * (z[i] - 1)
    )
    return eq(half * derivative(loss, z[i]), by_hand)


def explicit(units, stimuli):
    """The same difference in explicit symbols, at one size."""
    X = sympy.Matrix(units, stimuli, lambda a, b: sympy.Symbol(f"X{a}_{b}"))
    low = lambda a, b: sympy.Symbol(f"S{min(a, b)}_{max(a, b)}")  # noqa: E731
    S = sympy.Matrix(stimuli, stimuli, low)
    z = sympy.Matrix(units, 1, lambda a, _: sympy.Symbol(f"z{a}"))
    nu, lam = sympy.symbols("nu lam")
    one, Z = sympy.ones(units, 1), sympy.diag(*z)
    J, C = sympy.eye(units) - nu * one * one.T, X * X.T
    E = X.T * Z * J * Z * X - S
    loss = sum(e**2 for e in E) / 2 + lam * sum((g - 1) ** 2 for g in z) / 2
    K, Cz = X * S * X.T, C * z
    by_hand = (
        z[0] * sum(C[0, b] ** 2 * z[b] ** 2 for b in range(units))
        - z[0] * K[0, 0]
        - nu * (C * sympy.diag(*[g**2 for g in z]) * Cz)[0]
        - nu * z[0] * Cz[0] ** 2
        + nu * (K * z)[0]
        + nu**2 * (z.T * Cz)[0] * Cz[0]
        + lam * (z[0] - 1) / 2
    )
    return loss, z[0], by_hand


def compared(statement, sizes):
    """Only what decides: both sides as elements of one ring, at these sizes."""
    sides = [expand(side) for side in statement.parts]
    (index,) = open_indices(statement)
    kinds = support(sides[0] + sides[1], (index,))
    _, (left, right) = polynomials(sides, dict(zip(kinds, sizes, strict=True)), {index: 0})
    assert left == right


def timed(run, times=3):
    """The shortest of a few runs, and what it returned."""
    spent = []
    for _ in range(times):
        clear_cache()  # SymPy remembers what it expanded before
        start = perf_counter()
        result = run()
        spent.append(perf_counter() - start)
    return min(spent), result


def expanded(loss, by, hand):
    """The same by SymPy: differentiate, and expand the difference."""
    assert sympy.expand(sympy.diff(loss, by) / 2 - hand) == 0


def measure():
    """Yield (what, seconds, peer, its seconds, target)."""
    statement = centred_gradient()
    ours, answer = timed(lambda: prove(statement))
    assert answer.verdict == "proved"
    proving = "prove it for all N and M, confirmed twice"
    for name, size in SIZES.items():
        parts = explicit(*size)
        theirs, _ = timed(lambda parts=parts: expanded(*parts))
        alone, _ = timed(lambda size=size: compared(statement, size))
        yield f"compare the centred gradient, {name}", alone, "sympy diff, expand", theirs, "10x"
        yield proving, ours, f"sympy diff, expand, {name}", theirs, ""
    loss, by, hand = explicit(2, 2)
    theirs, left = timed(lambda: sympy.simplify(sympy.diff(loss, by) / 2 - hand))
    assert left == 0
    yield proving, ours, "sympy diff, simplify, N = M = 2", theirs, ""
    many, mutants = timed(lambda: try_mutants(statement))
    assert all(m.outcome == "refuted" for m in mutants)
    yield f"refute its {len(mutants)} mutants", many, "proving it once", ours, ""

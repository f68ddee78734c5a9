"""Counterexamples, mutants, derivations and orders."""

from fractions import Fraction

import pytest

from mathlib.checker import (
    Kind,
    derive,
    eq,
    implies,
    indices,
    mutations,
    order,
    prove,
    refute,
    scalar,
    scalars,
    sum_,
    tensor,
    try_mutants,
)

a, c = scalars("a c")
eps = scalar("eps", r"\varepsilon")
k = scalar("k", above=1)
unit, stimulus = Kind("unit", "N"), Kind("stimulus", "M")
i, j, m = indices("i j m", unit)
al = indices(r"\alpha", stimulus)
z = tensor("z", unit)
C = tensor("C", unit, unit, symmetric=True)


def outcomes(statement):
    return {x.change: x.outcome for x in try_mutants(statement)}


def test_smallest_integers_come_first():
    assert refute(eq(a, 1)).witness == {"a": "0"}
    assert refute(eq(a**2, a)).witness == {"a": "-1"}
    assert refute(a**2 >= a).verdict == "refuted"
    assert refute(eq(a - a, 0)).verdict == "undecided"
    assert refute(k > 2).witness["k"] == "2"


def test_a_given_point_is_checked():
    assert refute(a < 5, at={a: 7}).verdict == "refuted"
    assert refute(a < 5, at={a: 3}).verdict == "undecided"
    total = sum_(z[j], j)
    answer = refute(eq(total, z[i]), at={z: [1, Fraction(1, 2)], i: 1})
    assert answer.witness == {"N": "2", "z": ["1", "1/2"], "i": "1"}


def test_points_where_a_side_is_undefined_refute_nothing():
    assert refute(eq(a / a, 1)).verdict == "undecided"


def test_every_mutant_of_a_sum_is_refuted():
    square = eq(sum_(z[j], j) ** 2, sum_(z[j] * z[m], j, m))
    found = outcomes(square)
    assert len(found) >= 6
    assert set(found.values()) <= {"refuted", "equivalent"}
    assert "refuted" in found.values()


def test_forgotten_conditions_and_moved_indices_are_mutants():
    statement = eq(
        z[i] * sum_(C[i, j] * z[j], j),
        C[i, i] * z[i] ** 2 + z[i] * sum_(C[i, j] * z[j], j, different=(j, i)),
    )
    assert prove(statement).verdict == "proved"
    found = outcomes(statement)
    assert any(change.startswith("forget") for change in found)
    assert any(change.startswith("read i for j") for change in found)
    assert any("sign" in change for change in found)
    assert any("exponent" in change for change in found)
    assert set(found.values()) == {"refuted"}


def test_true_mutants_are_proved_and_named():
    found = outcomes(eq(C[i, j] ** 2, C[i, j] * C[j, i]))
    assert "refuted" in found.values()
    weaker = outcomes(implies(a < c, a < c + 1))
    assert weaker["change 1 to 2"] == "equivalent"


def test_dropping_an_assumption_is_a_mutant():
    statement = implies(a > 0, c > 0, a * c > 0)
    changes = [change for change, _ in mutations(statement)]
    assert sum(change.startswith("drop the assumption") for change in changes) == 2


def test_derivation_names_the_wrong_line_and_judges_the_rest():
    right, wrong, again = a**2 + 2 * a * c + c**2, a**2 + a * c + c**2, (c + a) ** 2
    steps = derive((a + c) ** 2, right, wrong, again)
    assert [s.step.verdict for s in steps] == ["proved", "refuted", "refuted"]
    assert [s.overall.verdict for s in steps] == ["proved", "refuted", "proved"]
    assert steps[1].number == 3 and steps[1].step.witness
    with pytest.raises(ValueError, match="at least 2"):
        derive(a)


def test_derivation_of_implications():
    steps = derive(a < c, 2 * a < 2 * c, 2 * a < 2 * c + 1, a < c)
    assert [s.step.verdict for s in steps] == ["proved", "proved", "refuted"]
    assert steps[2].overall.verdict == "proved"


def test_order_of_what_is_dropped():
    assert order(a - a, eps).power is None
    assert order(a, eps).power == 0
    assert order(eps**2 / (1 + eps), eps) == (2, "1")
    assert order(1 / (1 + eps) - (1 - eps), eps) == (2, "1")
    assert order(1 / eps - 1, eps).power == -1
    assert order(1 / (1 + eps) - (1 - eps) - eps**2, eps).power == 3
    assert order(a * eps + eps**2, eps) == (1, "a")

"""Ways to a false answer that a sceptical reader found; each stays closed."""

import pytest

from mathlib.checker import (
    Kind,
    Size,
    defined,
    derivative,
    eq,
    exact,
    implies,
    indices,
    prove,
    refute,
    scalar,
    scalars,
    sum_,
    tensor,
)

unit = Kind("unit", "N")
i, j = indices("i j", unit)
z = tensor("z", unit)
a, x, y = scalars("a x y")


def test_a_zero_beside_a_pole_refutes_nothing():
    assert refute(eq(a * (1 / a), 1)).verdict == "undecided"
    assert prove(eq(a * (1 / a), 1)).verdict == "proved"
    assert prove(exact(0) < a * (1 / a)).verdict != "refuted"


def test_a_defined_entry_is_not_differentiated_by():
    twice = defined("twice", unit, rule=lambda n: 2 * z[n])
    with pytest.raises(TypeError, match="differentiate by those"):
        derivative(twice[i], twice[j])


def test_names_that_symbolic_packages_split_are_refused():
    for name in ("x ", "x y", "x,y", ""):
        with pytest.raises(ValueError, match="expected a name"):
            scalar(name)
    assert prove(exact(0) < scalar("a.b")).verdict == "refuted"


def test_two_sizes_with_one_letter_are_not_one():
    other = Kind("other", "N")
    assert prove(Size(other) <= Size(unit)).verdict != "proved"


def test_a_condition_is_the_same_only_if_its_unknowns_are():
    A, B = tensor("A", unit, tex="A"), tensor("B", unit, tex="A")
    given = eq(A[i] * x + B[i] / B[i] - B[i] / B[i], 0)
    assert prove(implies(given, eq(x, 0)), using=[1 / A[i]]).verdict != "proved"


def test_what_exists_nowhere_is_not_proved():
    assert prove(eq(x / (a - a), y / (a - a))).verdict == "undecided"
    assert prove(eq(exact(1) / exact(0), exact(2) / exact(0))).verdict == "undecided"


def test_sizes_in_quotients_and_repeated_indices():
    assert prove(implies(eq(Size(unit) * x, Size(unit) * y), eq(x, y))).verdict != "refuted"
    with pytest.raises(TypeError, match="different indices"):
        sum_(z[i], i, i)

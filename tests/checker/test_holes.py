"""Ways to a false answer that a sceptical reader found; each stays closed."""

from fractions import Fraction

import pytest

from mathlib.checker import (
    Kind,
    Size,
    array,
    both,
    defined,
    derivative,
    diag,
    eq,
    exact,
    iff,
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


def test_a_condition_is_the_same_only_if_its_sums_and_derivatives_are():
    every, others = sum_(z[j], j), sum_(z[j], j, different=(i, j))
    by_x, by_y = derivative(z[i] * x * y, x), derivative(z[i] * x * y, y)
    for below, beside in ((others, every), (by_y, by_x)):
        false = implies(eq(below * a + beside / beside - 1, 0), eq(a, 0))
        assert prove(false, using=[1 / below]).verdict != "proved"


def test_an_implication_that_never_applies_is_not_proved():
    assert prove(implies(eq(x, 0), eq(1 / x, 5))).verdict == "undecided"
    assert prove(implies(eq(a, y), eq(x / (a - y), 1 / (a - y)))).verdict == "undecided"
    assert prove(implies(eq(x * y, y), eq(x * y / y, 1))).verdict == "proved"


def test_large_powers_are_refused_before_they_run_into_each_other():
    N, M = Size(unit), Size(Kind("stimulus", "M"))
    for power in (N**256, N**128 * N**128):
        assert prove(-M <= -power).verdict != "proved"
        assert prove(eq(power, M)).verdict != "proved"
    assert prove(eq(N**300, N**300)).verdict == "undecided"
    assert prove(eq(x**300, x**300)).verdict == "undecided"


def test_two_derivatives_of_one_product():
    A, stimulus = array(tensor("A", unit, unit)), indices("p q", unit)
    Z = diag(array(z))
    cubic = (Z @ A @ Z @ A @ Z)[i, j]
    p, q = stimulus
    twice = derivative(derivative(cubic, z[p]), z[q])
    euler = eq(sum_(z[p] * z[q] * twice, p, q), 6 * cubic)
    assert refute(euler).verdict == "undecided"
    assert prove(euler).verdict == "proved"


def test_what_cannot_be_differentiated_by():
    S, D = tensor("S", unit, unit, symmetric=True), tensor("D", unit, unit)
    for by in (array(z)[i], 2 * x, Size(unit), {z[i]: 1}, {z: D}, {S: D}, {2 * x: 1}):
        with pytest.raises(TypeError, match="by: expected"):
            derivative(x**2 * z[i], by)


def test_a_chosen_counterexample_must_be_allowed():
    firm, e = scalar("p", above=0), tensor("e", unit, values=(0, 1))
    S = tensor("S", unit, unit, symmetric=True)
    for statement, at, match in (
        (exact(0) < firm, {firm: -1}, "p may not be -1"),
        (eq(e[i] ** 2, e[i]), {e: [2], i: 1}, "e may not be 2"),
        (eq(S[i, j], 0), {S: [[0, 1], [2, 0]], i: 1, j: 2}, "a symmetric S"),
        (eq(S[i, j], 0), {S: [[0, 1], [2]], i: 1, j: 2}, "one entry for each unit"),
        (eq(z[i], 0), {z: [1], i: 0}, "a whole number from 1 for i, got 0"),
        (eq(z[i] * x, 0), {z: [1], i: 1}, "a value for x as well"),
        (eq(Size(unit), x), {x: 2}, "the number of units"),
    ):
        with pytest.raises(ValueError, match=match):
            refute(statement, at)
    assert refute(eq(S[i, j], 0), {S: [[0, 1], [1, 0]], i: 1, j: 2}).verdict == "refuted"


def test_statements_of_the_wrong_make():
    with pytest.raises(TypeError, match="expected a statement"):
        prove(x)
    with pytest.raises(TypeError, match="relations as assumptions"):
        implies(iff(x < 0, a < 0), x < a)
    with pytest.raises(TypeError, match="a relation, several or an equivalence"):
        implies(x < 0, implies(x < 0, a < 0))
    with pytest.raises(TypeError, match="one implication"):
        prove(both(x**2 >= 0, a**2 >= 0), using=[exact(1)])
    with pytest.raises(TypeError, match="one kind of index"):
        tensor("S", unit, Kind("stimulus", "M"), symmetric=True)
    assert prove(implies(x < a, iff(y < x, y + a < x + a))).verdict == "proved"


def test_of_several_the_false_one_is_told():
    hard = a**4 + y**4 + 1 > a * y
    assert prove(both(hard, eq(x, 2 * x)), search=False).verdict == "refuted"
    told = prove(both(eq(x + x, 2 * x), eq(sum_(2 * z[i], i), 2 * sum_(z[i], i))))
    assert told.scope == "all values; all N" and "1 unit" in told.because


def test_a_weight_that_depends_on_an_index():
    A, (p, q) = array(tensor("A", unit, unit)), indices("p q", unit)
    assert prove(eq((z[i] * A)[p, q], z[i] * A[p, q])).verdict == "proved"
    summed = sum_((z[i] * A)[p, q], i)
    assert prove(eq(summed, sum_(z[i], i) * A[p, q])).verdict == "proved"
    assert prove(eq(summed, sum_(z[j], j, different=(i, j)) * A[p, q])).verdict == "refuted"


def test_points_that_cannot_be_are_no_counterexamples():
    N = Size(unit)
    for statement, at, match in (
        (exact(0) < N, {unit: 0}, "a whole number from 1 for N"),
        (exact(1) <= N, {unit: Fraction(1, 2)}, "a whole number from 1 for N"),
        (exact(0) < sum_(1 + z[i] ** 2, i), {z: []}, "one entry for each unit"),
        (eq(sum_(z[i], i), 6), {z: [1, 2, 3], unit: 1}, "one entry for each unit"),
        (eq(z[i], 0), {z: [1], i: 2}, "i from 1 to 1, got 2"),
        (eq(x, Fraction(1, 10)), {x: 0.1}, "the float 0.1"),
        (eq(x, 0), {x: 1, "y": 2}, "expected scalars"),
    ):
        with pytest.raises(ValueError, match=match):
            refute(statement, at)


def test_what_exists_nowhere_is_no_inequality_either():
    assert prove(x / (y - y) <= x / (y - y)).verdict == "undecided"


def test_values_and_bounds_exclude_each_other():
    for more in ({"values": (-1, 1), "above": 0}, {"values": ()}, {"values": (0.1,)}):
        with pytest.raises(ValueError, match="values: expected"):
            scalar("v", **more)
        with pytest.raises(ValueError, match="values: expected"):
            tensor("v", unit, **more)


def test_statements_are_built_from_relations():
    assert prove(iff(both(x < 0, y < 0), both(y < 0, x < 0))).verdict == "proved"
    for wrong in (lambda: iff(x, y), lambda: iff(x < 0, iff(y < 0, a < 0)), both):
        with pytest.raises(TypeError, match="expected"):
            wrong()
    with pytest.raises(TypeError, match="write a < b < c as two"):
        assert exact(0) < x < a


def test_one_entry_of_a_symmetric_tensor_does_not_vary_alone():
    S = tensor("S", unit, unit, symmetric=True)
    entry = S[i, j]
    with pytest.raises(TypeError, match="not independent"):
        prove(eq(derivative(entry**2, entry), 2 * entry))

"""Identities: the zero polynomial first, then every way in which the size argument could fail."""

from fractions import Fraction

import pytest

from mathlib.checker import (
    Kind,
    Size,
    array,
    defined,
    delta,
    derivative,
    diag,
    eq,
    exact,
    hadamard,
    identity,
    indices,
    ones,
    outer,
    prove,
    scalar,
    scalars,
    square_norm,
    sum_,
    tensor,
    trace,
)

unit, stimulus = Kind("unit", "N"), Kind("stimulus", "M")
i, j, k, m = indices("i j k m", unit)
al, be = indices(r"\alpha \beta", stimulus)
N = Size(unit)
x, y = scalars("x y")
lam = scalar("lam", r"\lambda", at_least=0)
z = tensor("z", unit)
X = tensor("X", unit, stimulus)
S = tensor("S", stimulus, stimulus, symmetric=True)
T = tensor("T", stimulus, stimulus)
C = defined("C", unit, unit, rule=lambda a, b: sum_(X[a, al] * X[b, al], al))
Xm, zm, Sm, Tm = array(X), array(z), array(S), array(T)
P = 1 / N * outer(ones(unit), ones(unit))
J = identity(unit) - P
Z = diag(zm)
Cm = Xm @ Xm.T


def verdict(left, right):
    return prove(eq(left, right)).verdict


def test_zero():
    assert verdict(0, 0) == "proved"
    assert verdict(0, 1) == "refuted"
    assert verdict(x - x, 0) == "proved"
    assert verdict(x, 0) == "refuted"
    assert verdict(sum_(exact(0), i), 0) == "proved"


def test_scalars():
    assert verdict((x + y) ** 2, x**2 + 2 * x * y + y**2) == "proved"
    assert verdict((x + y) ** 2, x**2 + y**2) == "refuted"
    assert verdict(x**0, 1) == "proved"
    assert verdict(Fraction(1, 3) * x, x / 3) == "proved"


def test_rational_functions_report_what_must_not_vanish():
    answer = prove(eq((x**2 - y**2) / (x - y), x + y))
    assert answer.verdict == "proved"
    assert answer.conditions == ("x-y",)
    assert verdict(1 / x + 1 / y, (x + y) / (x * y)) == "proved"
    assert verdict(1 / x + 1 / y, 2 / (x + y)) == "refuted"
    assert prove(eq(x / (1 + lam), x * (1 / (1 + lam)))).conditions == ()


def test_floats_are_refused():
    with pytest.raises(TypeError, match="float 0.5"):
        x + 0.5
    with pytest.raises(TypeError, match="whole exponent"):
        x**-1


def test_bound_names_do_not_matter_and_are_not_captured():
    assert verdict(sum_(z[i], i), sum_(z[j], j)) == "proved"
    assert verdict(sum_(z[j], j) ** 2, sum_(z[j] * z[k], j, k)) == "proved"
    assert verdict(sum_(z[j], j) ** 2, sum_(z[j] ** 2, j)) == "refuted"
    assert verdict(sum_(z[j] * sum_(z[j], j), j), sum_(z[i], i) ** 2) == "proved"
    assert verdict(sum_(z[i] * z[j], i), z[j] * sum_(z[k], k)) == "proved"


def test_a_term_with_three_units_is_looked_at_with_three():
    distinct = sum_(z[i] * z[j] * z[k], i, j, k, different=(i, j, k))
    answer = prove(eq(distinct, 0))
    assert answer.verdict == "refuted"
    assert answer.witness == {"N": "3", "z": ["1", "1", "1"]}
    power = sum_(z[i], i) ** 3
    split = distinct + 3 * sum_(z[i] ** 2 * z[j], i, j, different=(i, j)) + sum_(z[i] ** 3, i)
    assert verdict(power, split) == "proved"
    assert "3 unit" in prove(eq(power, split)).because


def test_uncarried_sums_become_the_size():
    assert verdict(sum_(1, j), N) == "proved"
    assert verdict(sum_(1, j), 2) == "refuted"
    assert verdict(sum_(z[i], j, different=(i, j)), (N - 1) * z[i]) == "proved"
    assert verdict(sum_((z[j] - 1) ** 2, j), sum_(z[j] ** 2 - 2 * z[j], j) + N) == "proved"
    assert verdict(sum_((z[j] - 1) ** 2, j), sum_(z[j] ** 2 - 2 * z[j], j) + 1) == "refuted"
    assert verdict(sum_(exact(1), j, k), N**2) == "proved"


def test_the_mean_is_taken_away_for_every_size():
    mean = 1 / N * sum_(z[j], j)
    assert verdict(sum_(z[i] - mean, i), 0) == "proved"
    assert verdict(sum_((z[i] - mean) ** 2, i), sum_(z[i] ** 2, i) - N * mean**2) == "proved"
    assert verdict(sum_((z[i] - mean) ** 2, i), sum_(z[i] ** 2, i) - mean**2) == "refuted"


def test_what_breaks_the_hypotheses_is_undecided():
    bound = sum_(1, j, k, different=(j, k))
    assert prove(eq(bound, N**2 - N)).verdict == "undecided"
    answer = prove(eq(sum_(1 / z[j], j) * z[i], sum_(z[i] / z[j], j)))
    assert answer.verdict == "undecided"
    assert "denominator" in answer.because


def test_centring_matrix():
    assert verdict((J @ J)[i, j], J[i, j]) == "proved"
    assert verdict((P @ P)[i, j], P[i, j]) == "proved"
    assert verdict((J @ P)[i, j], 0) == "proved"
    assert verdict((J @ J)[i, j], identity(unit)[i, j]) == "refuted"
    assert verdict(trace(J), N - 1) == "proved"


def test_free_indices_in_every_coincidence():
    assert verdict(delta(i, j) * z[i], delta(i, j) * z[j]) == "proved"
    assert verdict(delta(i, j), 0) == "refuted"
    assert verdict(z[i] * z[j], z[i] ** 2) == "refuted"
    assert verdict(C[i, j], C[j, i]) == "proved"


def test_symmetry_is_used_only_where_it_is_declared():
    assert verdict(S[al, be], S[be, al]) == "proved"
    assert verdict(T[al, be], T[be, al]) == "refuted"
    assert verdict((Xm @ Sm @ Xm.T)[i, j], (Xm @ Sm @ Xm.T)[j, i]) == "proved"
    assert verdict((Xm @ Tm @ Xm.T)[i, j], (Xm @ Tm @ Xm.T)[j, i]) == "refuted"


def test_products_need_fitting_kinds():
    with pytest.raises(TypeError, match="stimulus and unit"):
        Xm @ Xm
    with pytest.raises(TypeError, match="expects indices"):
        X[al, i]
    with pytest.raises(TypeError, match="one kind"):
        delta(i, al)


def test_matrix_calculus_that_symbolic_packages_get_wrong():
    A, W = tensor("A", unit, unit), tensor("W", unit, stimulus)
    Am, Wm = array(A), array(W)
    fit = square_norm(Am - Wm @ Wm.T)
    error = Wm @ Wm.T - Am
    gradient = 2 * ((error + error.T) @ Wm)[i, al]
    assert verdict(derivative(fit, W[i, al]), gradient) == "proved"
    both = fit + lam * trace(Wm.T @ Wm)
    assert verdict(derivative(both, W[i, al]), gradient + 2 * lam * W[i, al]) == "proved"
    assert verdict(derivative(both, W[i, al]), 0) == "refuted"
    spread = (trace(identity(unit)) - trace(Am)) ** 2
    assert verdict(derivative(spread, A[i, j]), -2 * (N - trace(Am)) * delta(i, j)) == "proved"
    assert verdict(derivative(sum_(z[j] ** 2, j), z[i]), 2 * z[i]) == "proved"
    with pytest.raises(TypeError, match="not independent"):
        prove(eq(derivative(square_norm(Sm), S[al, be]), 0))


def test_whole_centred_gradient_at_every_size():
    half = Fraction(1, 2)
    error = Xm.T @ Z @ J @ Z @ Xm - Sm
    loss = half * square_norm(error) + half * lam * square_norm(zm - ones(unit))
    by_hand = (
        (Z @ hadamard(Cm, Cm) @ zm**2)[i]
        - (Z @ diag(Xm @ Sm @ Xm.T))[i]
        - 1 / N * (Cm @ diag(zm**2) @ Cm @ zm)[i]
        - 1 / N * (Z @ (Cm @ zm) ** 2)[i]
        + 1 / N * (Xm @ Sm @ Xm.T @ zm)[i]
        + (zm @ Cm @ zm) / N**2 * (Cm @ zm)[i]
        + half * lam * (z[i] - 1)
    )
    answer = prove(eq(half * derivative(loss, z[i]), by_hand))
    assert answer.verdict == "proved"
    assert "4 unit" in answer.because and "N = 7" in answer.because
    assert verdict(half * derivative(loss, z[i]), by_hand + 1 / N**2 * z[i]) == "refuted"


def test_two_unknowns_with_one_name_are_refused():
    assert prove(eq(scalar("a"), scalar("a"))).verdict == "undecided"


def test_a_differential_follows_a_whole_tensor():
    dz = tensor("dz", unit)
    change = derivative(sum_(z[j] ** 3 * X[j, al], j), {z: dz})
    assert verdict(change, 3 * sum_(z[j] ** 2 * dz[j] * X[j, al], j)) == "proved"
    assert verdict(change, 3 * sum_(z[j] ** 2 * z[j] * X[j, al], j)) == "refuted"
    assert verdict(derivative(array(z) @ array(z), {X: X}), 0) == "proved"


def test_a_definition_captures_no_index_that_it_is_asked_at():
    row = defined("row", unit, rule=lambda a: z[a] * sum_(C[a, j] * z[j], j))
    assert verdict(row[j], z[j] * sum_(C[j, k] * z[k], k)) == "proved"
    assert verdict(sum_(row[j], j), array(z) @ Cm @ array(z)) == "proved"
    assert verdict(row[j], z[j] * C[j, j]) == "refuted"


def test_a_rule_speaks_of_its_own_indices():
    with pytest.raises(ValueError, match="row: expected a rule in its own indices, got j as well"):
        defined("row", unit, rule=lambda a: C[a, j])

from itertools import product

import numpy as np
import pytest

from mathlib.cubic import coordinate_loss
from mathlib.gains import loss
from mathlib.levels import (
    amplify_threshold,
    best_levels,
    decide,
    drop_threshold,
    level_sums,
    margins,
    quantise,
)


def problem(N, M, seed):
    random = np.random.default_rng(seed)
    X = random.normal(size=(N, M))
    return X, X.T @ np.diag(random.uniform(0, 4, N)) @ X / 2, 0.9


def test_a_silent_unit_stays_where_it_costs_nothing():
    assert decide(0.0, 0.0, 1.0, 2.0) == 1
    assert decide(0.0, 0.0, 0.0, 2.0) == 1


def test_decisions_against_the_three_losses():
    random = np.random.default_rng(1)
    a, b, lam = random.normal(size=1009) * 5, random.uniform(0, 3, 1009), random.uniform(0, 3, 1009)
    for k in (1.1, 2, 3.7):
        levels = np.array([0.0, 1.0, k])
        costs = coordinate_loss(levels, a[:, None], b[:, None], lam[:, None])
        assert np.array_equal(decide(a, b, lam, k), levels[np.argmin(costs, axis=1)])


def test_thresholds_are_where_two_losses_meet():
    b, lam, k = 0.7, 1.3, 2.9
    a = drop_threshold(b, lam, k)
    assert coordinate_loss(0, a, b, lam) == pytest.approx(coordinate_loss(k, a, b, lam))
    assert drop_threshold(b, lam) == pytest.approx((b - lam) / 2)
    a = amplify_threshold(b, lam, k)
    assert coordinate_loss(1, a, b, lam) == pytest.approx(coordinate_loss(k, a, b, lam))


@pytest.mark.parametrize("N, M", [(1, 1), (2, 3), (5, 3), (3, 5)])
def test_the_best_levels_by_loops(N, M):
    X, S, lam = problem(N, M, seed=2)
    tried = list(product((0.0, 1.0, 2.0), repeat=N))
    values = [loss(np.array(levels), X, S, lam) for levels in tried]
    assert np.array_equal(best_levels(X, S, lam, 2.0), tried[int(np.argmin(values))])


@pytest.mark.parametrize("N, M", [(1, 1), (7, 5), (5, 7)])
def test_margins_are_differences_of_the_whole_loss(N, M):
    X, S, lam = problem(N, M, seed=3)
    levels = np.random.default_rng(3).choice([0.0, 1.0, 1.7], N)
    got = margins(levels, X, S, lam, 1.7)
    for i, (column, level) in product(range(N), enumerate((0.0, 1.0, 1.7))):
        moved = levels.copy()
        moved[i] = level
        want = 2 * (loss(moved, X, S, lam) - loss(levels, X, S, lam))
        assert got[i, column] == pytest.approx(want, abs=1e-9)


def test_the_optimum_is_stable_and_descent_stops_at_a_stable_place():
    for seed in range(11):
        X, S, lam = problem(7, 5, seed)
        best = best_levels(X, S, lam, 2)
        found = quantise(np.ones(7), X, S, lam, 2)
        assert margins(best, X, S, lam, 2).min() >= 0
        assert margins(found, X, S, lam, 2).min() >= 0
        assert loss(best, X, S, lam) <= loss(found, X, S, lam) + 1e-12


def test_level_sums_make_up_the_estimate():
    X, _, _ = problem(7, 5, seed=4)
    levels = np.array([0, 1, 2.5, 2.5, 1, 0, 1])
    r_0, r_1, r_k = level_sums(levels, X, 2.5)
    assert r_0 == pytest.approx(np.outer(X[0], X[0]) + np.outer(X[5], X[5]))
    assert r_1 + 2.5**2 * r_k == pytest.approx(X.T @ np.diag(levels**2) @ X)
    assert np.all(level_sums(np.zeros(7), X, 2.5)[1:] == 0)


def test_bad_input_is_named():
    X, S, lam = problem(2, 3, seed=5)
    for call in (
        lambda k: amplify_threshold(1, 1, k),
        lambda k: decide(1, 1, 1, k),
        lambda k: margins(np.ones(2), X, S, lam, k),
        lambda k: best_levels(X, S, lam, k),
        lambda k: quantise(np.ones(2), X, S, lam, k),
    ):
        for k in (1, 0.5, np.nan, "two"):
            with pytest.raises(ValueError, match="^k: expected .* got "):
                call(k)
    with pytest.raises(ValueError, match="^levels: expected .* got 3"):
        margins(np.array([3.0, 1.0]), X, S, lam, 2)
    with pytest.raises(ValueError, match="^X: expected .* got 11"):
        best_levels(np.ones((11, 3)), S, lam, 2)

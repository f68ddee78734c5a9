"""The certified solver against its certificate, against SciPy, and at its edges."""

import numpy as np
import pytest
from scipy.optimize import minimize

from mathlib.cubic import descend, positive_root
from mathlib.data import digits
from mathlib.gains import gradient, loss
from mathlib.solver import Solution, path, proved_gap, solve


def problem(N, M, seed=3):
    random = np.random.default_rng(seed)
    X, S = random.normal(size=(N, M)), random.normal(size=(M, M))
    return X, S + S.T + M * np.eye(M)


def by_scipy(X, S, lam):
    found = minimize(
        lambda z: (loss(z, X, S, lam), gradient(z, X, S, lam)),
        np.ones(len(X)),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, None)] * len(X),
        options={"maxiter": 20000, "maxfun": 40000, "ftol": 0, "gtol": 1e-10},
    )
    return found.x


def test_one_unit_and_one_stimulus_is_the_cubic():
    found = solve(np.array([[2.0]]), np.array([[11.0]]), 3.0)
    assert found.converged
    assert found.gains[0] == pytest.approx(positive_root(44.0, 16.0, 3.0), rel=1e-6)


def test_a_target_that_is_met_costs_no_step():
    X, _ = problem(7, 5)
    assert solve(X, X.T @ X, 0.3)[1:] == (0.0, 0.0, 0, True)


@pytest.mark.parametrize("N, M", [(7, 5), (13, 7), (29, 3), (53, 5)])  # both sides of M (M + 1) / 2
@pytest.mark.parametrize("lam", [0.01, 1.0, 100.0])
def test_no_worse_than_scipy(N, M, lam):
    X, S = problem(N, M)
    found = solve(X, S, lam)
    assert found.converged and found.gap <= 1e-10
    assert np.all(found.gains > 0)
    assert found.loss == pytest.approx(loss(found.gains, X, S, lam), rel=1e-14)
    peer = by_scipy(X, S, lam)
    assert found.loss <= loss(peer, X, S, lam) * (1 + 1e-10)
    assert found.gains == pytest.approx(peer, abs=2e-3)


def test_the_units_of_the_data_do_not_matter():
    X, S = problem(13, 7)
    plain, scaled = solve(X, S, 0.7), solve(1e3 * X, 1e6 * S, 0.7e12)
    assert scaled.converged
    assert scaled.gains == pytest.approx(plain.gains, rel=1e-5)
    assert scaled.loss == pytest.approx(1e12 * plain.loss, rel=1e-9)


def test_the_bound_holds_everywhere():
    X, S = problem(7, 5)
    random = np.random.default_rng(11)
    for lam in (1e-3, 1.0, 1e3):
        low = solve(X, S, lam).loss
        for z in random.normal(size=(200, 7)) * random.choice([0.1, 1, 10], size=(200, 1)):
            at = loss(z, X, S, lam)
            assert at - proved_gap(z, X, S, lam) <= low * (1 + 1e-9)
            assert low <= at * (1 + 1e-9)


def test_the_bound_is_the_exact_one_for_one_unit():
    # x = 1, S = 1, lam = 2, z = 1/2: L = 9/32 + 1/4, the minimum is 0 and t = 2 - 3/2
    one = np.ones((1, 1))
    z = np.array([0.5])
    assert proved_gap(z, one, one, 2.0) == pytest.approx(0.5 * (0.25 - 2) ** 2 / 0.5)


def test_a_unit_without_response_keeps_its_gain():
    X, S = problem(13, 7)
    X[4] = 0
    assert solve(X, S, 50.0).gains[4] == pytest.approx(1, abs=1e-6)
    data = digits(2)
    found = solve(data.X, data.S, 1.0)
    dark = ~np.any(data.X, axis=1)
    assert dark.any() and found.converged
    assert found.gains[dark] == pytest.approx(1, abs=1e-4)


def test_coordinate_descent_ends_at_the_same_gains():
    X, S = problem(7, 5)
    slow = descend(np.ones(7), X, S, 2.0, sweeps=5000, tolerance=1e-13)
    assert solve(X, S, 2.0, tolerance=1e-14).gains == pytest.approx(slow, abs=1e-6)


def test_a_path_finds_what_single_solutions_find():
    X, S = problem(29, 5)
    lams = [30.0, 3.0, 0.3]
    for lam, found in zip(lams, path(X, S, lams), strict=True):
        assert found.converged
        assert found.loss == pytest.approx(solve(X, S, lam).loss, rel=2e-10)


def test_a_poor_start_is_given_up():
    X, S = problem(13, 7)
    found = solve(X, S, 0.1, start=np.geomspace(1e-9, 1e5, 13))
    assert found.converged
    assert found.loss == pytest.approx(solve(X, S, 0.1).loss, rel=2e-10)


def test_stopping_short_is_said():
    X, S = problem(13, 7)
    found = solve(X, S, 0.1, limit=2)
    assert isinstance(found, Solution)
    assert not found.converged and found.steps == 2 and found.gap > 1e-10
    assert found.loss * (1 - found.gap) <= solve(X, S, 0.1).loss


@pytest.mark.parametrize("lam, said", [(0.0, "lam: expected a penalty above 0"), (-1, "lam: ")])
def test_a_penalty_of_nothing_is_refused(lam, said):
    with pytest.raises(ValueError, match=said):
        solve(*problem(7, 5), lam)


@pytest.mark.parametrize("start", [np.zeros(7), -np.ones(7), np.ones(5), np.full(7, np.nan)])
def test_a_start_that_is_not_positive_is_refused(start):
    with pytest.raises(ValueError, match="start: expected 7 finite gains above 0"):
        solve(*problem(7, 5), 1.0, start)


def test_steps_that_would_cycle():
    # an interior-point method left to itself goes back and forth between gains of 2.5 and 0.8
    X, S = np.array([[2.0], [2.0]]), np.array([[29.0]])
    for start in (None, [1.5, 1.5], [1.9, 1.9]):
        found = solve(X, S, 50.0, start=start)
        assert found.converged and found.loss < 36.71


def test_targets_that_the_atoms_can_reach():
    random = np.random.default_rng(5)
    for _ in range(60):
        N, M = random.choice([8, 30]), random.choice([1, 2, 5])
        X = random.normal(size=(N, M))
        S = X.T @ (random.uniform(0, 3, (N, 1)) * X)
        S = (S + S.T) / 2
        lam = np.sum(S * S) * 10.0 ** random.uniform(-6, 1)
        found = solve(X, S, lam)
        assert found.converged and found.loss <= loss(np.ones(N), X, S, lam) * (1 + 1e-10)


def test_a_loss_of_zero_is_reached():
    X = np.linspace(1, 2, 7)[:, None]
    found = solve(X, X.T @ X, 1e-6)
    assert found.converged and found.loss < 1e-20
    assert solve(X, 0 * X.T @ X, 1.0).converged
    nothing = solve(np.zeros((3, 2)), np.zeros((2, 2)), 1.0)
    assert nothing.converged and nothing.gap == 0 and nothing.loss == 0


def test_numbers_too_large_for_a_loss():
    X, S = np.array([[1.0], [2.0]]), np.array([[3.0]])
    with pytest.raises(ValueError, match="loss is finite"):
        solve(X, S * 1e160, 1.0)
    with pytest.raises(ValueError, match="loss is finite"):
        solve(X, S, 1.0, start=[1e200, 1e200])
    with pytest.raises(ValueError, match="loss is finite"):
        proved_gap([1e120, 1e120], X, S, 1.0)
    tiny = solve(X, S, 1.0, start=[1e-300, 1e-300])
    assert tiny.converged and np.all(np.isfinite(tiny.gains))


def test_lists_do_and_a_negative_limit_does_not():
    assert solve([[1.0], [2.0]], [[3.0]], 1.0).converged
    assert proved_gap([1.0, 1.0], [[1.0], [2.0]], [[3.0]], 1.0) >= 0
    with pytest.raises(ValueError, match="limit: expected a number of steps, 0 or more, got -1"):
        solve([[1.0]], [[1.0]], 1.0, limit=-1)
    with pytest.raises(ValueError, match="limit: expected a number of steps"):
        solve([[1.0]], [[1.0]], 1.0, limit=2.5)
    with pytest.raises(ValueError, match="tolerance: expected a number above 0, got nan"):
        solve([[1.0]], [[1.0]], 1.0, tolerance=float("nan"))


def test_one_stimulus_and_a_target_that_few_units_reach():
    x = np.array([-0.5, 0.6, 1.8, 1, -0.9, -0.9, -1.1, -0.3])
    found = solve(x[:, None], [[1.8]], 0.4250818989305803)
    assert found.converged and abs(found.loss - 0.2962788) < 1e-7
    random = np.random.default_rng(1)
    for _ in range(300):
        X = random.normal(size=(random.integers(1, 12), 1)).round(2)
        assert solve(X, [[random.uniform(0.1, 5)]], 10 ** random.uniform(-2, 1)).converged

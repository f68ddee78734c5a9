import numpy as np
import pytest

from mathlib.gains import (
    atom_norms,
    components,
    gradient,
    local_minimum,
    loss,
    overlaps,
    pieces,
    residual_overlaps,
    target_overlaps,
    weighted_overlaps,
)

SIZES = [(1, 1), (2, 1), (7, 5), (5, 7), (13, 11)]


def problem(N, M, seed=3):
    random = np.random.default_rng(seed)
    S = random.normal(size=(M, M))
    return random.normal(size=N), random.normal(size=(N, M)), S + S.T, 0.3


def loss_by_loops(z, X, S, lam, centred):
    N, M = X.shape
    total = 0.0
    for a in range(M):
        for b in range(M):
            predicted = sum(z[i] ** 2 * X[i, a] * X[i, b] for i in range(N))
            if centred:
                sums = [sum(z[i] * X[i, c] for i in range(N)) for c in (a, b)]
                predicted -= sums[0] * sums[1] / N
            total += (predicted - S[a, b]) ** 2 / 2
    return total + lam / 2 * sum((z[i] - 1) ** 2 for i in range(N))


def test_a_perfect_fit_costs_nothing():
    X = np.array([[1.0, 2.0]])
    assert loss([1.0], X, X.T @ X, 5.0) == 0
    assert np.all(gradient([1.0], X, X.T @ X, 5.0) == 0)


def test_one_unit_is_its_own_mean():
    z, X, S, lam = problem(1, 1)
    assert loss(z, X, S, 0.0, centred=True) == pytest.approx(np.sum(S**2) / 2)
    assert gradient(z, X, S, 0.0, centred=True) == pytest.approx(0)


@pytest.mark.parametrize("centred", [False, True])
@pytest.mark.parametrize("N, M", SIZES)
def test_loss_against_loops(N, M, centred):
    z, X, S, lam = problem(N, M)
    assert loss(z, X, S, lam, centred) == pytest.approx(loss_by_loops(z, X, S, lam, centred))


@pytest.mark.parametrize("centred", [False, True])
@pytest.mark.parametrize("N, M", SIZES)
def test_gradient_by_complex_step(N, M, centred):
    z, X, S, lam = problem(N, M)
    step = 1e-30
    slopes = [loss(z + 1j * step * e, X, S, lam, centred).imag / step for e in np.eye(N)]
    assert gradient(z, X, S, lam, centred) == pytest.approx(np.array(slopes), rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("N, M", SIZES)
def test_components_against_c14_written_out_and_against_the_gradient(N, M):
    z, X, S, lam = problem(N, M)
    C, Z = X @ X.T, np.diag(z)
    want = [
        Z @ (C * C) @ z**2,
        -Z @ np.diag(X @ S @ X.T),
        -C @ np.diag(z**2) @ C @ z / N,
        -Z @ (C @ z) ** 2 / N,
        X @ S @ X.T @ z / N,
        (z @ C @ z) / N**2 * C @ z,
        lam / 2 * (z - 1),
    ]
    got = components(z, X, S, lam)
    for one, other in zip(got, want, strict=True):
        assert one == pytest.approx(other, rel=1e-11, abs=1e-11)
    assert 2 * sum(got) == pytest.approx(gradient(z, X, S, lam, True), rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("N, M", SIZES)
def test_overlaps_are_those_of_the_atoms(N, M):
    z, X, S, _ = problem(N, M)
    R = np.array([np.outer(x, x).ravel() for x in X]).T
    residuals = [S.ravel() - R @ (z**2 * (np.arange(N) != i)) for i in range(N)]
    assert overlaps(X) == pytest.approx(R.T @ R)
    assert atom_norms(X) == pytest.approx(np.linalg.norm(R, axis=0))
    assert target_overlaps(X, S) == pytest.approx(R.T @ S.ravel())
    assert weighted_overlaps(z, X) == pytest.approx(R.T @ R @ z)
    want = [R[:, i] @ residuals[i] for i in range(N)]
    assert residual_overlaps(z, X, S) == pytest.approx(np.array(want))


@pytest.mark.parametrize(
    "name, change",
    [
        ("X", {"X": np.ones(5)}),
        ("X", {"X": np.full((7, 5), np.nan)}),
        ("X", {"X": np.array([["a"]])}),
        ("z", {"z": np.ones(5)}),
        ("z", {"z": np.full(7, np.inf)}),
        ("S", {"S": np.ones((7, 7))}),
        ("S", {"S": np.triu(np.ones((5, 5)))}),
        ("S", {"S": np.full((5, 5), np.nan)}),
        ("lam", {"lam": -1.0}),
        ("lam", {"lam": np.nan}),
        ("lam", {"lam": "much"}),
    ],
)
@pytest.mark.parametrize("function", [loss, gradient, components])
def test_bad_input_is_named(function, name, change):
    z, X, S, lam = problem(7, 5)
    with pytest.raises(ValueError, match=f"^{name}: expected .* got "):
        function(**{"z": z, "X": X, "S": S, "lam": lam, **change})


def pieces_by_loops(z, X):
    N, C = len(X), X @ X.T
    want = np.zeros((5, N))
    for i in range(N):
        for j in range(N):
            for k in range(N):
                term = C[i, j] * C[j, k] * z[j] ** 2 * z[k]
                if j == i:
                    want[0 if k == i else 1, i] += term
                elif k == i:
                    want[2, i] += term
                else:
                    want[3 if j == k else 4, i] += term
    return want


@pytest.mark.parametrize("N, M", SIZES)
def test_pieces_against_triple_loops_and_their_sum_against_the_component(N, M):
    z, X, S, lam = problem(N, M)
    got = pieces(z, X)
    assert np.array(got) == pytest.approx(pieces_by_loops(z, X), rel=1e-10, abs=1e-10)
    whole = -N * components(z, X, S, lam).mean_prediction
    assert sum(got) == pytest.approx(whole, rel=1e-10, abs=1e-10)


def test_two_units_leave_no_third():
    z, X, _, _ = problem(2, 3)
    assert pieces(z, X).distinct == pytest.approx(np.zeros(2), abs=1e-12)


def test_one_centred_unit_is_left_to_the_penalty():
    assert local_minimum([[2.0]], [[3.0]], 1.0, centred=True, start=[5.0]) == pytest.approx(1)


@pytest.mark.parametrize("centred", [False, True])
def test_a_local_minimum_is_stationary_and_no_neighbour_is_lower(centred):
    _, X, S, lam = problem(7, 5)
    z = local_minimum(X, S, lam, centred)
    scale = np.max(np.abs(X @ S @ X.T))
    assert gradient(z, X, S, lam, centred) == pytest.approx(np.zeros(7), abs=1e-5 * scale)
    best = loss(z, X, S, lam, centred)
    for step in 1e-3 * np.random.default_rng(5).normal(size=(31, 7)):
        assert loss(z + step, X, S, lam, centred) > best


@pytest.mark.parametrize("name, z, X", [("X", np.ones(3), np.ones(3)), ("z", [1.0], np.eye(3))])
def test_pieces_name_bad_input(name, z, X):
    with pytest.raises(ValueError, match=f"^{name}: expected .* got "):
        pieces(z, X)

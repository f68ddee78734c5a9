"""The quadratic word model, against naive loops, complex steps and numerical minimisation."""

import numpy as np
import pytest
from scipy.optimize import minimize

from mathlib import embedding as em

V, D = 7, 3


def counts_to_P(seed=0, size=V):
    counts = np.random.default_rng(seed).integers(1, 30, (size, size))
    counts = counts + counts.T
    return counts / counts.sum()


@pytest.fixture
def P():
    return counts_to_P()


@pytest.fixture
def psi():
    made = np.random.default_rng(1).uniform(0.5, 2, (2, V, V))
    return em.Weights(*(made + made.transpose(0, 2, 1)))


@pytest.fixture
def M():
    made = np.random.default_rng(2).standard_normal((V, V))
    return made + made.T


def rows(seed=3, d=D):
    return np.random.default_rng(seed).standard_normal((V, d)) / 2


def complex_step(f, W):
    made = np.zeros(W.shape)
    for at in np.ndindex(W.shape):
        moved = W.astype(complex)
        moved[at] += 1e-30j
        made[at] = f(moved).imag / 1e-30
    return made


def naive(P, psi):
    """Return G and M* by loops over the definition."""
    size = len(P)
    p = [sum(P[i][j] for j in range(size)) for i in range(size)]
    G, M = np.zeros((size, size)), np.zeros((size, size))
    for i in range(size):
        for j in range(size):
            a, b = psi.positive[i][j] * P[i][j], psi.negative[i][j] * p[i] * p[j]
            G[i, j], M[i, j] = a + b, (a - b) / ((a + b) / 2)
    return G, M


def test_one_word_is_independent_of_itself():
    P = np.ones((1, 1))
    assert em.target(P, em.weights(P, "balanced")) == 0
    assert em.weighting(P, em.weights(P, "balanced")) == 1
    assert np.all(em.closed_form(np.zeros((1, 1)), 1) == 0)


def test_target_and_weighting_follow_their_definitions(P, psi):
    G, M = naive(P, psi)
    np.testing.assert_allclose(em.weighting(P, psi), G, rtol=1e-13)
    np.testing.assert_allclose(em.target(P, psi), M, rtol=1e-12, atol=1e-14)


def test_balanced_weights_make_the_weighting_one(P):
    psi = em.weights(P, "balanced")
    np.testing.assert_allclose(em.weighting(P, psi), 1, rtol=1e-14)
    assert np.all(np.abs(em.target(P, psi)) < 2)


def test_balanced_target_of_a_pair_never_seen_is_minus_two(P):
    P[0, 1] = P[1, 0] = 0
    P /= P.sum()
    assert em.target(P, em.weights(P, "balanced"))[0, 1] == -2


def test_a_constant_weighting_does_not_fix_the_target(P):
    p = P.sum(1)
    psi = em.Weights(0.75 / P, 0.25 / np.outer(p, p))
    np.testing.assert_allclose(em.weighting(P, psi), 1, rtol=1e-14)
    np.testing.assert_allclose(em.target(P, psi), 1, rtol=1e-12)


def test_losses_are_sums_over_pairs(P, psi):
    W, contexts, p = rows(), rows(4), P.sum(1)
    w2v = quadratic = 0.0
    for i in range(V):
        for j in range(V):
            a, b = psi.positive[i, j] * P[i, j], psi.negative[i, j] * p[i] * p[j]
            x, y = W[i] @ contexts[j], W[i] @ W[j]
            w2v += a * np.log(1 + np.exp(-x)) + b * np.log(1 + np.exp(x))
            quadratic += a * (y**2 / 4 - y) + b * (y**2 / 4 + y)
    assert em.word2vec_loss(W, contexts, P, psi) == pytest.approx(w2v, rel=1e-13)
    assert em.quadratic_loss(W, P, psi) == pytest.approx(quadratic, rel=1e-12)


def test_quadratic_loss_bounds_the_word2vec_loss_from_above(P, psi):
    W = rows()
    G, x = em.weighting(P, psi), W @ W.T
    above = np.log(2) * G.sum() + em.quadratic_loss(W, P, psi) / 2
    gap = above - em.word2vec_loss(W, W, P, psi)
    assert 0 < gap < np.sum(G * x**4) / 192


def test_gradients_by_complex_step(P, psi, M):
    W = rows()
    want = complex_step(lambda w: em.quadratic_loss(w, P, psi), W)
    np.testing.assert_allclose(em.quadratic_gradient(W, P, psi), want, rtol=1e-12, atol=1e-14)
    want = complex_step(lambda w: em.factorisation_loss(w, M, 1.7), W)
    np.testing.assert_allclose(em.factorisation_gradient(W, M, 1.7), want, rtol=1e-12)


def test_gradient_of_counts_that_are_not_symmetric(psi):
    P = np.random.default_rng(5).uniform(0.1, 1, (V, V))
    P /= P.sum()
    W = rows()
    want = complex_step(lambda w: em.quadratic_loss(w, P, psi), W)
    np.testing.assert_allclose(em.quadratic_gradient(W, P, psi), want, rtol=1e-12, atol=1e-14)


def test_spectrum_is_sorted_signed_and_repeatable(M):
    values, vectors = em.spectrum(M, 5)
    assert np.all(np.diff(values) <= 0)
    np.testing.assert_allclose(M @ vectors, vectors * values, atol=1e-12)
    largest = np.argmax(np.abs(vectors), axis=0)
    assert np.all(vectors[largest, range(5)] > 0)
    assert vectors.tobytes() == em.spectrum(M, 5)[1].tobytes()


@pytest.mark.parametrize("d", [1, 3, 6, 7])
def test_closed_form_is_what_minimisation_finds(M, d):
    def loss_and_gradient(w):
        w = w.reshape(V, d)
        return em.factorisation_loss(w, M), em.factorisation_gradient(w, M).ravel()

    starts = np.random.default_rng(6).standard_normal((5, V * d))
    best = min(minimize(loss_and_gradient, s, jac=True, tol=1e-13).fun for s in starts)
    assert em.factorisation_loss(em.closed_form(M, d), M) == pytest.approx(best, rel=1e-8)


def test_closed_form_keeps_no_negative_eigenvalue():
    W = em.closed_form(np.diag([3.0, 1.0, -0.5, -4.0]), 3)
    assert np.linalg.matrix_rank(W) == 2
    assert 4 * em.factorisation_loss(W, np.diag([3.0, 1.0, -0.5, -4.0])) == pytest.approx(16.25)


def test_weighted_closed_form_is_what_minimisation_finds(M):
    g, d = np.array([2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0]) / 10, 2

    def loss_and_gradient(w):
        w = w.reshape(V, d)
        off = np.outer(g, g) * (w @ w.T - M)
        return np.sum(off * (w @ w.T - M)) / 4, (off @ w).ravel()

    starts = np.random.default_rng(7).standard_normal((6, V * d))
    best = min(minimize(loss_and_gradient, s, jac=True, tol=1e-13).fun for s in starts)
    W = em.closed_form_weighted(M, g, d)
    assert loss_and_gradient(W.ravel())[0] == pytest.approx(best, rel=1e-8)
    same = em.closed_form_weighted(M, np.full(V, 2.0), d)
    np.testing.assert_allclose(same, em.closed_form(M, d), atol=1e-13)


def test_aligned_squares_start_where_told_and_obey_the_logistic_equation():
    values, start = np.array([2.0, 0.5, 0.0, -1.0]), np.array([1e-3, 4.0, 0.3, 0.2])
    t, h, g = np.linspace(0, 3, 7), 1e-5, 0.7
    y = em.aligned_squares(t, start, values, g)
    np.testing.assert_allclose(y[0], start, rtol=1e-14)
    later, sooner = (em.aligned_squares(t + s, start, values, g) for s in (h, -h))
    np.testing.assert_allclose(
        (later - sooner) / (2 * h), 2 * g * y * (values - y), rtol=1e-6, atol=1e-10
    )


def test_aligned_squares_reach_the_eigenvalue_or_zero_without_overflow():
    y = em.aligned_squares([1e4], [1e-9, 0.5, 0.0], [3.0, -2.0, 1.0])
    np.testing.assert_allclose(y[0], [3.0, 0.0, 0.0], rtol=1e-12)


def test_flow_from_an_aligned_start_is_the_closed_form(M):
    values, vectors = em.spectrum(M, D)
    turn = np.linalg.qr(rows(8, D)[:D])[0]
    start = np.array([0.3, 0.02, 1.5])
    times = np.linspace(0, 1.1, 5)
    path = em.flow(vectors * np.sqrt(start) @ turn.T, M, times, g=0.6)
    squares = np.linalg.svd(path, compute_uv=False) ** 2
    want = np.sort(em.aligned_squares(times, start, values, 0.6))[:, ::-1]
    np.testing.assert_allclose(squares, want, rtol=1e-8)


def test_descent_is_off_the_flow_by_the_order_of_the_step(M):
    values, vectors = em.spectrum(M, D)
    start = np.array([0.1, 0.2, 0.3])
    exact = em.aligned_squares([1.0], start, values)[0]
    errors = []
    for steps in (200, 400):
        last = em.descent(vectors * np.sqrt(start), M, 1 / steps, steps)[-1]
        errors.append(np.max(np.abs(np.sum((vectors.T @ last) ** 2, axis=1) - exact)))
    assert errors[1] / errors[0] == pytest.approx(0.5, abs=0.02)


def test_start_amplitudes_are_a_gram_schmidt_of_the_modes(M):
    W = rows()
    _, vectors = em.spectrum(M, D)
    seen, want = [], []
    for k in range(D):
        rest = W.T @ vectors[:, k]
        for direction in seen:
            rest = rest - (direction @ rest) * direction
        want.append(np.linalg.norm(rest))
        seen.append(rest / want[-1])
    np.testing.assert_allclose(em.start_amplitudes(W, M), want, rtol=1e-12)


@pytest.mark.parametrize(
    "call, name",
    [
        (lambda: em.weights(counts_to_P(), "best"), "choice"),
        (lambda: em.weights(np.ones((2, 2)), "plain"), "P"),
        (lambda: em.weights(np.diag([1.0, 0.0]), "balanced"), "P"),
        (lambda: em.target(counts_to_P(), em.Weights(np.ones(3), np.ones(3))), "psi"),
        (lambda: em.target(np.diag([1.0, 0.0]), em.weights(np.diag([1.0, 0.0]), "plain")), "psi"),
        (lambda: em.closed_form(np.triu(np.ones((3, 3))), 1), "M"),
        (lambda: em.closed_form(np.full((3, 3), np.nan), 1), "M"),
        (lambda: em.closed_form(np.ones((3, 3)), 4), "d"),
        (lambda: em.closed_form_weighted(np.ones((2, 2)), [1.0, -1.0], 1), "g"),
        (lambda: em.factorisation_loss(np.ones((2, 1)), np.ones((3, 3))), "W"),
        (lambda: em.aligned_squares([0.0], [-1.0], [1.0]), "start"),
        (lambda: em.flow(np.ones((2, 1)), np.eye(2), [1.0, 0.0]), "times"),
        (lambda: em.descent(np.ones((2, 1)), np.eye(2), 0.0, 3), "step"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=rf"^{name}"):
        call()

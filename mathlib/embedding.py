r"""The quadratic word embedding model: its target, its losses, its minimisers and its dynamics.

Everything here is dense, for vocabularies of up to a few thousand words; `mathlib.cooccurrence`
reaches the same embedding for larger ones without a V x V matrix. V counts words, d dimensions;
P is the matrix of co-occurrence probabilities and :math:`P_i=\sum_j P_{ij}`.
"""

from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import eigh, qr

__all__ = [
    "Weights",
    "weights",
    "weighting",
    "target",
    "word2vec_loss",
    "quadratic_loss",
    "quadratic_gradient",
    "factorisation_loss",
    "factorisation_gradient",
    "spectrum",
    "closed_form",
    "closed_form_weighted",
    "aligned_squares",
    "flow",
    "descent",
    "start_amplitudes",
]


class Weights(NamedTuple):
    """The weights of the pairs seen, `positive`, and of the random pairs, `negative`; V x V."""

    positive: np.ndarray
    negative: np.ndarray


CHOICES = ("balanced", "plain")


def weights(P, choice):
    r""":math:`\Psi^+_{ij}=\Psi^-_{ij}=1/(P_{ij}+P_iP_j)` if balanced, and :math:`1` if plain.

    The balanced choice gives :math:`G_{ij}=1` and :math:`-2\le M^*_{ij}<2`. Many other choices
    make G constant, each with a target of its own, so the choice has to be named.

    Parameters
    ----------
    P : (V, V) array of co-occurrence probabilities
    choice : "balanced" or "plain"

    Returns
    -------
    Weights

    Raises
    ------
    ValueError
        If `P` is not a matrix of probabilities, the choice is unknown, or a word never occurs.

    Notes
    -----
    Equation q02, q08.
    """
    P = _probabilities(P)
    if choice not in CHOICES:
        raise ValueError(f"choice: expected one of {', '.join(CHOICES)}, got {choice!r}")
    if choice == "plain":
        return Weights(np.ones_like(P), np.ones_like(P))
    total = P + _independent(P)
    if np.any(total == 0):
        raise ValueError("P: expected every word to occur, got a word of probability 0")
    return Weights(1 / total, 1 / total)


def weighting(P, psi):
    r""":math:`G_{ij}=\Psi^+_{ij}P_{ij}+\Psi^-_{ij}P_iP_j`.

    Parameters
    ----------
    P : (V, V) array of co-occurrence probabilities
    psi : Weights

    Returns
    -------
    (V, V) array

    Notes
    -----
    Equation q08.
    """
    seen, random = _pulls(P, psi)
    return seen + random


def target(P, psi):
    r""":math:`M^*_{ij}=2\,(A_{ij}-B_{ij})/(A_{ij}+B_{ij})`.

    Here :math:`A_{ij}=\Psi^+_{ij}P_{ij}` and :math:`B_{ij}=\Psi^-_{ij}P_iP_j`.

    Parameters
    ----------
    P : (V, V) array of co-occurrence probabilities
    psi : Weights

    Returns
    -------
    (V, V) array

    Raises
    ------
    ValueError
        If a pair has total weight 0, so that the target says nothing about it.

    Notes
    -----
    Equation q06.
    """
    seen, random = _pulls(P, psi)
    if np.any(seen + random == 0):
        raise ValueError("psi: expected a nonzero total weight for every pair, got 0")
    return 2 * (seen - random) / (seen + random)


def word2vec_loss(W, contexts, P, psi):
    r""":math:`\sum_{ij}A_{ij}\log(1+e^{-x_{ij}})+B_{ij}\log(1+e^{x_{ij}})`.

    Here :math:`A_{ij}=\Psi^+_{ij}P_{ij}`, :math:`B_{ij}=\Psi^-_{ij}P_iP_j`
    and :math:`x_{ij}=w_i^Tw'_j`.

    Parameters
    ----------
    W, contexts : (V, d) arrays, a word a row
    P : (V, V) array of co-occurrence probabilities
    psi : Weights

    Returns
    -------
    float

    Notes
    -----
    Equation q02.
    """
    seen, random = _pulls(P, psi)
    x = _rows(W, len(seen), "W") @ _rows(contexts, len(seen), "contexts").T
    return float(np.sum(seen * np.logaddexp(0, -x) + random * np.logaddexp(0, x)))


def quadratic_loss(W, P, psi):
    r""":math:`\sum_{ij}A_{ij}(x_{ij}^2/4-x_{ij})+B_{ij}(x_{ij}^2/4+x_{ij})`.

    Here :math:`A_{ij}=\Psi^+_{ij}P_{ij}`, :math:`B_{ij}=\Psi^-_{ij}P_iP_j`
    and :math:`x_{ij}=w_i^Tw_j`.

    Parameters
    ----------
    W : (V, d) array, a word a row
    P : (V, V) array of co-occurrence probabilities
    psi : Weights

    Returns
    -------
    float, or complex if W is

    Notes
    -----
    Equation q05, q12.
    """
    seen, random = _pulls(P, psi)
    W = _rows(W, len(seen), "W")
    x = W @ W.T
    return np.sum(seen * (x**2 / 4 - x) + random * (x**2 / 4 + x))


def quadratic_gradient(W, P, psi):
    r""":math:`\nabla L_w=(A+A^T)W` with :math:`A=\tfrac12G\odot(WW^T-M^*)`.

    Parameters
    ----------
    W : (V, d) array
    P : (V, V) array of co-occurrence probabilities, symmetric or not
    psi : Weights

    Returns
    -------
    (V, d) array

    Notes
    -----
    Equation q17.
    """
    seen, random = _pulls(P, psi)
    W = _rows(W, len(seen), "W")
    A = (seen + random) * (W @ W.T) / 2 - (seen - random)
    return (A + A.T) @ W


def factorisation_loss(W, M, g=1.0):
    r""":math:`\tfrac g4\lVert WW^T-M^*\rVert_F^2`.

    Parameters
    ----------
    W : (V, d) array
    M : (V, V) array, the target
    g : float, the constant weighting

    Returns
    -------
    float, or complex if W is

    Notes
    -----
    Equation q11, q15.
    """
    M = _square(M, "M")
    W = _rows(W, len(M), "W")
    return g / 4 * np.sum((W @ W.T - M) ** 2)


def factorisation_gradient(W, M, g=1.0):
    r""":math:`g\,(WW^T-M^*)W` for a symmetric target.

    Parameters
    ----------
    W : (V, d) array
    M : (V, V) symmetric array
    g : float

    Returns
    -------
    (V, d) array

    Notes
    -----
    Equation q19.
    """
    M = _symmetric(M, "M")
    W = _rows(W, len(M), "W")
    return g * (W @ (W.T @ W) - M @ W)


def spectrum(M, d):
    r""":math:`M^*V^*_{[:,:d]}=V^*_{[:,:d]}\Lambda_{[:d,:d]}`, eigenvalues in falling order.

    The entry of largest modulus in each eigenvector is positive, so that the result is the same
    each time; where eigenvalues coincide, the basis of their space is still a choice.

    Parameters
    ----------
    M : (V, V) symmetric array
    d : int, between 1 and V

    Returns
    -------
    (d,) array of eigenvalues, (V, d) array of eigenvectors

    Notes
    -----
    Equation q10.
    """
    M = _symmetric(M, "M")
    if not 1 <= d <= len(M):
        raise ValueError(f"d: expected a whole number from 1 to V = {len(M)}, got {d!r}")
    values, vectors = eigh(M, subset_by_index=(len(M) - d, len(M) - 1))
    return values[::-1], fix_signs(vectors[:, ::-1])


def fix_signs(vectors):
    """Return the columns with signs such that the entry of largest modulus is positive."""
    largest = np.argmax(np.abs(vectors), axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return vectors * np.where(signs == 0, 1.0, signs)


def closed_form(M, d):
    r""":math:`W=V^*_{[:,:d]}\max(\Lambda_{[:d,:d]},0)^{1/2}`.

    A minimiser of :math:`\lVert WW^T-M^*\rVert_F`, the only one up to a rotation if
    :math:`\lambda_d>\lambda_{d+1}` or :math:`\lambda_d\le0` or :math:`d=V`.

    Parameters
    ----------
    M : (V, V) symmetric array
    d : int, between 1 and V

    Returns
    -------
    (V, d) array

    Raises
    ------
    ValueError
        If `M` is not square, finite and symmetric, or `d` is out of range.

    Notes
    -----
    Equation q16.
    """
    values, vectors = spectrum(M, d)
    return vectors * np.sqrt(np.maximum(values, 0))


def closed_form_weighted(M, g, d):
    r""":math:`W=\Gamma^{-1}Y`, with Y the closed form for :math:`\Gamma M^*\Gamma`.

    A minimiser of :math:`\tfrac14\sum_{ij}g_ig_j((WW^T)_{ij}-M^*_{ij})^2`. The diagonal matrix
    :math:`\Gamma` holds the roots of g.

    Parameters
    ----------
    M : (V, V) symmetric array
    g : (V,) array, positive
    d : int, between 1 and V

    Returns
    -------
    (V, d) array

    Raises
    ------
    ValueError
        If a weight is not positive, or as for `closed_form`.

    Notes
    -----
    Equation q18.
    """
    M, g = _symmetric(M, "M"), np.asarray(g, float)
    if g.shape != (len(M),) or not np.all(g > 0):
        raise ValueError(f"g: expected {len(M)} positive numbers, got {g!r}")
    root = np.sqrt(g)
    return closed_form(root[:, None] * M * root, d) / root[:, None]


def aligned_squares(times, start, values, g=1.0):
    r""":math:`s_k^2(t)=y/(e^{-a}+y\,(1-e^{-a})/\lambda_k)`, where :math:`a=2g\lambda_kt`.

    The squared singular values along gradient flow, :math:`dW/dt=-\nabla L_w`, from an aligned
    start with :math:`y=s_k^2(0)`.

    Parameters
    ----------
    times : (T,) array, in units of 1/g over those of the eigenvalues
    start : (d,) array, the squares at time 0, none negative
    values : (d,) array, the eigenvalues, of any sign
    g : float

    Returns
    -------
    (T, d) array

    Notes
    -----
    Equation q20.
    """
    start, values = np.asarray(start, float), np.asarray(values, float)
    if start.shape != values.shape or np.any(start < 0):
        raise ValueError(f"start: expected {len(values)} squares, none negative, got {start!r}")
    clock = 2 * g * np.asarray(times, float)[:, None]
    with np.errstate(over="ignore"):
        safe = np.where(values == 0, 1.0, values)
        grown = np.where(values == 0, clock, -np.expm1(-clock * values) / safe)
        below = np.exp(-clock * values) + start * grown
    return start / np.where(start == 0, 1.0, below)


def flow(W, M, times, g=1.0):
    r""":math:`dW/dt=g\,(M^*-WW^T)W`, integrated numerically to about ten digits.

    Parameters
    ----------
    W : (V, d) array, the start
    M : (V, V) symmetric array
    times : (T,) array, increasing from 0
    g : float

    Returns
    -------
    (T, V, d) array

    Notes
    -----
    Equation q19.
    """
    M = _symmetric(M, "M")
    W, times = _rows(W, len(M), "W"), np.asarray(times, float)
    if times.ndim != 1 or times[0] != 0 or np.any(np.diff(times) <= 0):
        raise ValueError("times: expected times that increase from 0")

    def velocity(_, w):
        w = w.reshape(W.shape)
        return g * (M @ w - w @ (w.T @ w)).ravel()

    found = solve_ivp(velocity, times[[0, -1]], W.ravel(), "DOP853", times, rtol=1e-11, atol=1e-13)
    return found.y.T.reshape(len(times), *W.shape)


def descent(W, M, step, steps, g=1.0):
    r""":math:`W\leftarrow W-\eta\,g\,(WW^T-M^*)W`, gradient descent with step size :math:`\eta`.

    Parameters
    ----------
    W : (V, d) array, the start
    M : (V, V) symmetric array
    step : float, positive
    steps : int
    g : float

    Returns
    -------
    (steps + 1, V, d) array, the start included

    Notes
    -----
    Equation q19.
    """
    if not step > 0:
        raise ValueError(f"step: expected a positive number, got {step!r}")
    path = [_rows(W, len(M), "W")]
    for _ in range(steps):
        path.append(path[-1] - step * factorisation_gradient(path[-1], M, g))
    return np.array(path)


def start_amplitudes(W, M):
    r""":math:`q_k=\lvert R_{kk}\rvert`, with R from the QR factorisation of :math:`W(0)^TV^*`.

    The amplitude from which mode k grows out of a small random start: the part of
    :math:`W(0)^Tv_k` that is orthogonal to those of the modes learned before it.

    Parameters
    ----------
    W : (V, d) array, the start
    M : (V, V) symmetric array

    Returns
    -------
    (d,) array

    Notes
    -----
    Equation q19.
    """
    W = _rows(W, len(M), "W")
    _, vectors = spectrum(M, W.shape[1])
    return np.abs(np.diag(qr(W.T @ vectors, mode="r")[0]))


def _pulls(P, psi):
    """Return the two V x V arrays that pull a pair together and apart."""
    P = _probabilities(P)
    for name, psi_part in zip(Weights._fields, psi, strict=True):
        if np.shape(psi_part) != P.shape:
            raise ValueError(f"psi.{name}: expected shape {P.shape}, got {np.shape(psi_part)}")
    return psi[0] * P, psi[1] * _independent(P)


def _independent(P):
    return np.outer(P.sum(1), P.sum(1))


def _probabilities(P):
    P = _square(P, "P")
    if np.any(P < 0) or not np.isclose(P.sum(), 1):
        raise ValueError(f"P: expected probabilities that add up to 1, got a sum of {P.sum()}")
    return P


def _square(A, name):
    A = np.asarray(A)
    if A.ndim != 2 or A.shape[0] != A.shape[1] or not np.all(np.isfinite(A)):
        raise ValueError(f"{name}: expected a square matrix of finite numbers, got {A.shape}")
    return A


def _symmetric(M, name):
    M = _square(M, name)
    if not np.allclose(M, M.T, rtol=1e-10, atol=1e-12):
        raise ValueError(f"{name}: expected a symmetric matrix, got one that is not")
    return M


def _rows(W, V, name):
    W = np.asarray(W)
    if W.ndim != 2 or len(W) != V or W.shape[1] == 0:
        raise ValueError(f"{name}: expected an array of {V} rows and columns, got {W.shape}")
    return W

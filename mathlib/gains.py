"""The loss over gains, its gradient and the components of it: uncentred and centred, one problem.

A population of N units with responses X (N x M) is rescaled by gains z so that its similarity
matrix X' Z J^c Z X comes close to a target S. J^c is the identity, or, in the centred case, the
matrix J = I - 11'/N that takes the mean over units away. The atom of unit i is R_i = vec(x_i x_i').
"""

from numbers import Real
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

__all__ = [
    "Components",
    "Pieces",
    "atom_norms",
    "components",
    "gradient",
    "local_minimum",
    "loss",
    "overlaps",
    "pieces",
    "residual_overlaps",
    "target_overlaps",
    "weighted_overlaps",
]


class Components(NamedTuple):
    """The seven terms of half the centred gradient, in the order and with the signs of c14."""

    prediction: np.ndarray
    target: np.ndarray
    mean_prediction: np.ndarray
    prediction_mean: np.ndarray
    mean_target: np.ndarray
    mean_mean: np.ndarray
    penalty: np.ndarray


class Pieces(NamedTuple):
    """The five parts of [C diag(z^2) C z]_i, a sum over j and k, by which of i, j, k coincide."""

    own: np.ndarray  # j = k = i
    first: np.ndarray  # j = i, k another unit
    last: np.ndarray  # k = i, j another unit
    paired: np.ndarray  # j = k, another unit than i
    distinct: np.ndarray  # i, j and k three different units


def loss(z, X, S, lam, centred=False):
    r"""Return :math:`L = \frac12\|X^\top Z J^c Z X - S\|_F^2 + \frac\lambda2\|z - 1\|^2`.

    Parameters
    ----------
    z : (N,) array
        Gains.
    X : (N, M) array
        Responses, a unit a row.
    S : (M, M) array
        Symmetric target.
    lam : float
        Penalty, at least 0.
    centred : bool
        Whether the mean over units is subtracted (J^c = J) or not (J^c = I).

    Returns
    -------
    float
        In the units of S squared.

    Raises
    ------
    ValueError
        If an argument has another shape, is not finite, S is not symmetric or lam negative.

    Notes
    -----
    Statements t01, t02 (uncentred) and c01 (centred). Takes O(N M^2) time, O(N M + M^2) memory.
    """
    z, X, S, lam = _checked(z, X, S, lam)
    error = _error(z, X, S, centred)
    return 0.5 * np.sum(error * error) + 0.5 * lam * np.sum((z - 1) ** 2)


def gradient(z, X, S, lam, centred=False):
    r"""Return :math:`\nabla L = 2\,\mathrm{diag}(J^c Z X E X^\top) + \lambda (z - 1)`.

    E is the error, prediction minus target. The parameters, errors and cost are those of `loss`.

    Returns
    -------
    (N,) array
        Statements t45 (uncentred) and c03 (centred).
    """
    z, X, S, lam = _checked(z, X, S, lam)
    error = _error(z, X, S, centred)
    return 2 * np.sum(_scaled(z, X, centred) @ error * X, axis=1) + lam * (z - 1)


def components(z, X, S, lam):
    r"""Return the seven terms of half the centred gradient; they add up to it.

    .. math:: \tfrac12\nabla L = Z(C\circ C)z^2 - Z\,\mathrm{diag}(XSX^\top)
        - \tfrac1N C\,\mathrm{diag}(z^2)Cz - \tfrac1N Z(Cz)^2 + \tfrac1N XSX^\top z
        + \tfrac{z^\top Cz}{N^2}Cz + \tfrac\lambda2(z-1)

    Parameters and errors as in `loss`; C = X X', which is formed only where N < M.

    Returns
    -------
    Components
        Seven (N,) arrays, signs included: statement c14.
    """
    z, X, S, lam = _checked(z, X, S, lam)
    N = len(z)
    mean = z @ X / N
    Cz = N * X @ mean
    return Components(
        prediction=z * _weighted(X, z**2),
        target=-z * np.sum(X @ S * X, axis=1),
        mean_prediction=-X @ (X.T @ (z**2 * (X @ mean))),
        prediction_mean=-z * Cz**2 / N,
        mean_target=X @ (S @ mean),
        mean_mean=(mean @ mean) * Cz,
        penalty=0.5 * lam * (z - 1),
    )


def pieces(z, X):
    r"""Return the five parts of :math:`[C\,\mathrm{diag}(z^2)Cz]_i=\sum_{jk}C_{ij}C_{jk}z_j^2z_k`.

    Split by which of i, j and k coincide, in O(N M min(N, M)) time: no triple sum is carried out.

    Parameters
    ----------
    z : (N,) array
        Gains.
    X : (N, M) array
        Responses, a unit a row.

    Returns
    -------
    Pieces
        Five (N,) arrays: statements c42b to c42f.

    Raises
    ------
    ValueError
        If an argument has another shape or is not finite.
    """
    X = _responses(X)
    z = _vector("z", z, len(X))
    norms = atom_norms(X)
    others = X @ (z @ X) - norms * z
    own = norms**2 * z**3
    first = norms * z**2 * others
    last = z * _weighted(X, z**2) - own
    paired = X @ (X.T @ (norms * z**3)) - own
    distinct = X @ (X.T @ (z**2 * others)) - first - last
    return Pieces(own, first, last, paired, distinct)


def local_minimum(X, S, lam, centred=False, start=None):
    r"""Return gains at which :math:`\nabla L = 0`, a local minimum reached downhill from `start`.

    L-BFGS with exact gradients. The loss is not convex in the gains: another start may lead
    elsewhere, and nothing says that the minimum is the lowest.

    Parameters
    ----------
    X, S, lam, centred
        As in `loss`.
    start : (N,) array, optional
        All ones where it is left out.

    Returns
    -------
    (N,) array
        Gains; the gradient there is below 1e-6 of its largest component at the start.

    Raises
    ------
    ValueError
        As `loss`.
    ArithmeticError
        If the descent stops before the gradient is that small.
    """
    z = np.ones(len(_responses(X))) if start is None else start
    scale = max(np.max(np.abs(part)) for part in components(z, X, S, lam)) or 1.0
    found = minimize(
        lambda z: (loss(z, X, S, lam, centred), gradient(z, X, S, lam, centred)),
        z,
        jac=True,
        method="L-BFGS-B",
        options={
            "maxiter": 50_000,
            "maxfun": 100_000,
            "ftol": 0.0,
            "gtol": 1e-9 * scale,
            "maxcor": 30,
        },
    )
    left = np.max(np.abs(found.jac)) / scale
    if not left <= 1e-6:
        raise ArithmeticError(f"stopped with a gradient of {left:.1e} of the scale")
    return found.x


def overlaps(X):
    r"""Return :math:`R_i^\top R_j = (x_i^\top x_j)^2`, the matrix (X X') o (X X').

    Parameters
    ----------
    X : (N, M) array
        Responses, a unit a row.

    Returns
    -------
    (N, N) array
        Squared overlaps, none of them negative: statement c24.

    Raises
    ------
    ValueError
        If X is not two-dimensional or not finite.
    """
    X = _responses(X)
    return (X @ X.T) ** 2


def atom_norms(X):
    r"""Return :math:`\|R_i\| = \|x_i\|^2`, an (N,) array (c23); X and errors as in `overlaps`."""
    X = _responses(X)
    return np.sum(X * X, axis=1)


def target_overlaps(X, S):
    r"""Return :math:`R_i^\top s = x_i^\top S x_i`, an (N,) array; X, S and errors as in `loss`."""
    X = _responses(X)
    return np.sum(X @ _target(S, X) * X, axis=1)


def weighted_overlaps(w, X):
    r"""Return :math:`R_i^\top R w = \sum_j (x_i^\top x_j)^2 w_j` of every unit.

    Goes through the N x N squared overlaps or through the M x M prediction, whichever is smaller.

    Parameters
    ----------
    w : (N,) array
        Weights of the atoms, the squared gains.
    X : (N, M) array
        Responses, a unit a row.

    Returns
    -------
    (N,) array

    Raises
    ------
    ValueError
        If an argument has another shape or is not finite.
    """
    X = _responses(X)
    return _weighted(X, _vector("w", w, len(X)))


def residual_overlaps(z, X, S):
    r"""Return :math:`\Delta_i^\top R_i` with :math:`\Delta_i = s - \sum_{j\ne i} R_j z_j^2`.

    Parameters and errors as in `loss`, of the uncentred problem.

    Returns
    -------
    (N,) array
        How far each atom points to what the other units leave of the target: statement t48.
    """
    X = _responses(X)
    z = _vector("z", z, len(X))
    return target_overlaps(X, S) - _weighted(X, z**2) + atom_norms(X) ** 2 * z**2


def _scaled(z, X, centred):
    scaled = z[:, None] * X
    return scaled - scaled.mean(axis=0) if centred else scaled


def _error(z, X, S, centred):
    scaled = _scaled(z, X, centred)
    return scaled.T @ scaled - S


def _weighted(X, w):
    N, M = X.shape
    if N < M:
        return (X @ X.T) ** 2 @ w
    return np.sum(X @ (X.T @ (w[:, None] * X)) * X, axis=1)


def _checked(z, X, S, lam):
    X = _responses(X)
    z = _vector("z", z, len(X))
    return z, X, _target(S, X), _penalty(lam)


def _responses(X):
    X = np.asarray(X)
    if X.ndim != 2 or X.size == 0:
        raise ValueError(f"X: expected a two-dimensional array, units x stimuli, got {X.shape}")
    _finite("X", X)
    return X


def _vector(name, v, size):
    v = np.asarray(v)
    if v.shape != (size,):
        raise ValueError(f"{name}: expected one number a unit, shape ({size},), got {v.shape}")
    _finite(name, v)
    return v


def _target(S, X):
    S, M = np.asarray(S), X.shape[1]
    if S.shape != (M, M):
        raise ValueError(f"S: expected one row and column a stimulus, ({M}, {M}), got {S.shape}")
    _finite("S", S)
    gap = np.max(np.abs(S - S.T))
    if gap > 1e-10 * np.max(np.abs(S)):
        raise ValueError(f"S: expected a symmetric matrix, got entries that differ by {gap:.3g}")
    return S


def _penalty(lam):
    if not (isinstance(lam, Real) and 0 <= lam < np.inf):
        raise ValueError(f"lam: expected a finite number, 0 or above, got {lam!r}")
    return lam


def _finite(name, values):
    numeric = np.issubdtype(values.dtype, np.number)
    if not numeric or not np.all(np.isfinite(values)):
        what = f"{np.sum(~np.isfinite(values))} that are not" if numeric else values.dtype
        raise ValueError(f"{name}: expected finite numbers, got {what}")

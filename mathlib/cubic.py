"""The cubic that decides one gain while the others are held, and its positive root.

With a = Delta_i.R_i (how far the atom points to what the others leave of the target) and
b = ||R_i||^2, the loss of unit i's gain k is b k^4 - 2 a k^2 + lambda (k - 1)^2 up to a constant.
"""

from typing import NamedTuple

import numpy as np

from .gains import overlaps, target_overlaps

__all__ = ["Regimes", "coordinate_loss", "descend", "positive_root", "regimes"]


class Regimes(NamedTuple):
    """The three approximations of the positive root; NaN where one has no meaning."""

    small: np.ndarray
    middle: np.ndarray
    large: np.ndarray


def coordinate_loss(k, a, b, lam):
    r"""Return :math:`L_i(k) = b k^4 - 2 a k^2 + \lambda (k - 1)^2`.

    Parameters
    ----------
    k : array
        Gains of the unit, dimensionless.
    a, b : array
        Overlap Delta_i.R_i and squared norm ||R_i||^2, both in the units of X to the fourth.
    lam : array
        Penalty in the same units.

    Returns
    -------
    array
        Statement t07, the broadcast shape of the arguments.
    """
    k, a, b, lam = np.broadcast_arrays(k, a, b, lam)
    return b * k**4 - 2 * a * k**2 + lam * (k - 1) ** 2


def positive_root(a, b, lam):
    r"""Return the root :math:`k \ge 0` of :math:`4 b k^3 + (2\lambda - 4a) k - 2\lambda = 0`.

    For lam > 0 there is exactly one, and it is the global minimum of `coordinate_loss` over all
    real k. For lam = 0 the minimum at k >= 0 is returned. A unit without response (a = b = 0)
    keeps its gain at 1. The relative error is a few roundings for any ratio of the coefficients.

    Parameters
    ----------
    a, b, lam : array
        Overlap Delta_i.R_i (any sign), squared norm ||R_i||^2 >= 0 and penalty >= 0, all in the
        same units; broadcast against each other.

    Returns
    -------
    array
        Gains, dimensionless: statements t45 and t46.

    Raises
    ------
    ValueError
        If an argument is not finite, b or lam is negative, or b is 0 where a is not.
    """
    a, b, lam = _checked(a, b, lam)
    silent = b == 0
    b = np.where(silent, 1.0, b)
    P, Q = (lam / 2 - a) / b / 3, lam / b / 4
    t = np.abs(P) ** 1.5
    root = np.where(P >= 0, _one_root(P, Q, t), _largest_root(P, Q, t))
    return np.where(silent, 1.0, root)


def regimes(a, b, lam):
    r"""Return the approximations of `positive_root` for small, middling and large gains.

    .. math:: k \approx \frac{\lambda}{\lambda - 2a}, \qquad
        k \approx \Big(\frac{\lambda}{2b}\Big)^{1/3}, \qquad
        k \approx \sqrt{\frac{2a - \lambda}{2b}}

    Parameters and errors as in `positive_root`.

    Returns
    -------
    Regimes
        Three arrays: the first needs 2 a < lambda, the last 2 a > lambda; NaN elsewhere. Statements
        t49 (of which the first is the form that keeps lambda k / 2), t50 and t52.
    """
    a, b, lam = _checked(a, b, lam)
    slope = lam - 2 * a
    with np.errstate(divide="ignore", invalid="ignore"):
        small = np.where(slope > 0, lam / slope, np.nan)
        middle = np.cbrt(lam / (2 * b))
        large = np.sqrt(np.where(slope < 0, -slope, np.nan) / (2 * b))
    return Regimes(small, middle, large)


def descend(z, X, S, lam, sweeps=100, tolerance=1e-9):
    r"""Descend the uncentred loss, :math:`z_i \leftarrow \arg\min_k L_i(k)` for i = 1, 2, ..., N.

    Each unit in turn is put at the positive root of its cubic, the others held.

    Parameters
    ----------
    z, X, S, lam : (N,) array, (N, M) array, (M, M) array, float
        Gains to start from and the problem, as in `mathlib.gains.loss`. lam is to be above 0
        wherever a unit responds to nothing.
    sweeps : int
        At most so many rounds over all units.
    tolerance : float
        Stop when no gain moved by more than this in a round.

    Returns
    -------
    (N,) array
        Gains, none negative; the loss never rises on the way.

    Raises
    ------
    ValueError
        As `mathlib.gains.loss`.
    """
    C2, target = overlaps(X), target_overlaps(X, S)
    b = np.diag(C2)
    w = np.asarray(z, dtype=float) ** 2
    for _ in range(sweeps):
        before = w.copy()
        for i in range(len(w)):
            a = target[i] - C2[i] @ w + b[i] * w[i]
            w[i] = positive_root(a, b[i], lam) ** 2
        if np.max(np.abs(np.sqrt(w) - np.sqrt(before))) <= tolerance:
            break
    return np.sqrt(w)


def _one_root(P, Q, t):
    """The only real root of k^3 + 3 P k = 2 Q for P >= 0, written without a difference."""
    u = np.cbrt(Q + np.hypot(Q, t))
    v = np.divide(P, u, out=np.zeros_like(P), where=u > 0)
    return np.divide(2 * Q, u * u + P + v * v, out=np.zeros_like(P), where=u > 0)


def _largest_root(P, Q, t):
    """The largest root of k^3 + 3 P k = 2 Q for P < 0 <= Q: Cardano above Q = t, cosine below."""
    spread = np.sqrt(np.maximum(Q - t, 0)) * np.sqrt(Q + t)
    u = np.cbrt(Q + spread)
    cardano = u + np.divide(np.abs(P), u, out=np.zeros_like(P), where=u > 0)
    ratio = np.divide(Q, t, out=np.ones_like(P), where=t > Q)
    cosine = 2 * np.sqrt(np.abs(P)) * np.cos(np.arccos(ratio) / 3)
    return np.where(Q >= t, cardano, cosine)


def _checked(a, b, lam):
    values = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (a, b, lam)))
    for name, value in zip(("a", "b", "lam"), values, strict=True):
        if not np.all(np.isfinite(value)):
            strange = value[~np.isfinite(value)][0]
            raise ValueError(f"{name}: expected finite numbers, got {strange}")
        if name != "a" and np.any(value < 0):
            raise ValueError(f"{name}: expected numbers of 0 or above, got {value.min():.3g}")
    a, b, lam = values
    if np.any((b == 0) & (a != 0)):
        raise ValueError(f"b: expected above 0 where a is not 0, got 0 with a = {a[b == 0].max()}")
    return a, b, lam

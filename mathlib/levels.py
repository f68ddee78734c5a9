"""Gains held to three levels, 0, 1 and k > 1: thresholds, decisions, margins and true optima.

Throughout, a = Delta_i.R_i is how far atom i points to what the other units leave of the target
(`mathlib.gains.residual_overlaps`), b = ||R_i||^2 its squared norm, lam the penalty, all three in
the same units.
"""

from itertools import product
from numbers import Real

import numpy as np

from .cubic import coordinate_loss
from .gains import loss, overlaps, residual_overlaps, target_overlaps

__all__ = [
    "amplify_threshold",
    "best_levels",
    "decide",
    "drop_threshold",
    "level_sums",
    "margins",
    "quantise",
]


def drop_threshold(b, lam, k=1):
    r"""Return :math:`\theta(k) = \frac12 b k^2 + \frac\lambda2 \frac{k - 2}{k}`.

    A unit costs less at level 0 than at level k where a lies below this.

    Parameters
    ----------
    b : array
        Squared norms of the atoms.
    lam : array
        Penalty.
    k : float
        The level that 0 is compared with; 1 gives the threshold that decides dropping.

    Returns
    -------
    array
        Statement t10; t15 at k = 1.
    """
    return 0.5 * (b * k**2 + lam * (k - 2) / k)


def amplify_threshold(b, lam, k):
    r"""Return :math:`\frac12\big(b (k^2 + 1) + \lambda \frac{k - 1}{k + 1}\big)`.

    A unit costs less at level k than at level 1 where a lies above this.

    Parameters
    ----------
    b, lam : array
        Squared norms of the atoms and the penalty.
    k : float
        The upper level, above 1.

    Returns
    -------
    array
        Statement t21.

    Raises
    ------
    ValueError
        If k is not above 1.
    """
    k = _level(k)
    return 0.5 * (b * (k**2 + 1) + lam * (k - 1) / (k + 1))


def decide(a, b, lam, k):
    r"""Return the level among 0, 1 and k that costs a unit least, the others held.

    .. math:: 0 \text{ if } a < \theta(1), \quad k \text{ if } a > \tfrac12\big(b (k^2 + 1)
        + \lambda \tfrac{k - 1}{k + 1}\big), \quad 1 \text{ otherwise}

    At a tie the unit stays at 1.

    Parameters
    ----------
    a, b, lam : array
        Overlap with the residual, squared norm and penalty.
    k : float
        The upper level, above 1.

    Returns
    -------
    array
        Levels, dimensionless: statements t14, t15 and t21.

    Raises
    ------
    ValueError
        If k is not above 1.
    """
    a = np.asarray(a, dtype=float)
    return np.where(
        a < drop_threshold(b, lam), 0.0, np.where(a > amplify_threshold(b, lam, k), float(k), 1.0)
    )


def margins(levels, X, S, lam, k):
    r"""Return :math:`L_i(0), L_i(1), L_i(k)`, each less :math:`L_i` at the unit's own level.

    Parameters
    ----------
    levels : (N,) array
        The gains, each 0, 1 or k.
    X, S, lam : (N, M) array, (M, M) array, float
        The problem, as in `mathlib.gains.loss`.
    k : float
        The upper level, above 1.

    Returns
    -------
    (N, 3) array
        What moving each unit alone to each level costs, in the units of S squared and in the scale
        of t03 (twice `mathlib.gains.loss`). No move pays where none is negative: t27, t31, t34 and
        t39b.

    Raises
    ------
    ValueError
        As `mathlib.gains.loss`; if k is not above 1 or a level is none of 0, 1 and k.
    """
    levels = _levels(levels, k)
    a, b = residual_overlaps(levels, X, S), np.diag(overlaps(X))
    costs = coordinate_loss(np.array([0.0, 1.0, k]), a[:, None], b[:, None], lam)
    return costs - coordinate_loss(levels, a, b, lam)[:, None]


def level_sums(levels, X, k):
    r"""Return :math:`r_\ell = \sum_{i: z_i = \ell} R_i` for the levels l = 0, 1, k.

    Parameters
    ----------
    levels : (N,) array
        The gains, each 0, 1 or k.
    X : (N, M) array
        Responses, a unit a row.
    k : float
        The upper level, above 1.

    Returns
    -------
    (3, M, M) array
        The sums as matrices: statement t26. The estimate is r_1 + k^2 r_k.

    Raises
    ------
    ValueError
        If k is not above 1 or a level is none of 0, 1 and k.
    """
    levels = _levels(levels, k)
    members = [X[levels == level] for level in (0, 1, k)]
    return np.array([x.T @ x for x in members])


def best_levels(X, S, lam, k):
    """Return the gains in {0, 1, k}^N of the least loss, by trying all 3^N.

    Parameters
    ----------
    X, S, lam : (N, M) array, (M, M) array, float
        The problem, as in `mathlib.gains.loss`, with N at most 10.
    k : float
        The upper level, above 1.

    Returns
    -------
    (N,) array
        The first of the best in the order of `itertools.product`.

    Raises
    ------
    ValueError
        As `mathlib.gains.loss`; if k is not above 1 or there are more than ten units.
    """
    N = len(X)
    if N > 10:
        raise ValueError(f"X: expected at most 10 units to enumerate, got {N}")
    loss(np.ones(N), X, S, lam)
    levels = np.array(list(product((0.0, 1.0, _level(k)), repeat=N)))
    w = levels**2
    fits = np.sum(w @ overlaps(X) * w, axis=1) - 2 * w @ target_overlaps(X, S)
    return levels[np.argmin(fits + lam * np.sum((levels - 1) ** 2, axis=1))]


def quantise(levels, X, S, lam, k, sweeps=100):
    """Descend unit by unit over the levels 0, 1 and k until no single move lowers the loss.

    Parameters
    ----------
    levels : (N,) array
        Gains to start from, any numbers; every unit is decided anew.
    X, S, lam : (N, M) array, (M, M) array, float
        The problem, as in `mathlib.gains.loss`.
    k : float
        The upper level, above 1.
    sweeps : int
        At most so many rounds over all units.

    Returns
    -------
    (N,) array
        Gains, each 0, 1 or k; stable unless the rounds ran out.

    Raises
    ------
    ValueError
        As `mathlib.gains.loss`; if k is not above 1.
    """
    levels, k = np.array(levels, dtype=float), _level(k)
    loss(levels, X, S, lam)
    C2, target = overlaps(X), target_overlaps(X, S)
    b = np.diag(C2)
    for _ in range(sweeps):
        before = levels.copy()
        for i in range(len(levels)):
            a = target[i] - C2[i] @ levels**2 + b[i] * levels[i] ** 2
            levels[i] = decide(a, b[i], lam, k)
        if np.array_equal(levels, before):
            break
    return levels


def _level(k):
    if not (isinstance(k, Real) and 1 < k < np.inf):
        raise ValueError(f"k: expected a finite number above 1, got {k!r}")
    return k


def _levels(levels, k):
    levels, k = np.asarray(levels, dtype=float), _level(k)
    strange = levels[(levels != 0) & (levels != 1) & (levels != k)]
    if strange.size:
        raise ValueError(f"levels: expected each to be 0, 1 or {k:g}, got {strange[0]:g}")
    return levels

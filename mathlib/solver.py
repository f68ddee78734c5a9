"""The uncentred gain problem solved to a proved distance from its global minimum.

In w = z^2 the loss is convex: a convex quadratic plus lam (w - 2 sqrt(w) + 1) a unit. With
D = S - X' Z^2 X, the residual, and t_i = lam - 2 x_i' D x_i, its minimum is where t_i z_i = lam for
all units. The solver keeps z and t positive and takes Newton steps on these equations, as a
primal-dual interior-point method does, so it never meets the local minima at negative gains.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from tqdm import tqdm

from .gains import loss, overlaps

__all__ = ["Solution", "path", "proved_gap", "solve"]

PATIENCE = 12  # steps after which a start that has not led to the solution is given up for ones


class Solution(NamedTuple):
    """Gains, their loss, how far at most that is above the minimum, and how they were found."""

    gains: np.ndarray
    loss: float
    gap: float  # relative: loss - minimum <= gap * loss, proved
    steps: int
    converged: bool  # whether the gap came below the tolerance


def solve(X, S, lam, start=None, tolerance=1e-10, limit=100):
    r"""Return :math:`\arg\min_z \frac12\|X^\top Z^2X-S\|_F^2+\frac\lambda2\|z-1\|^2`, certified.

    Each step solves one positive definite system of the size min(N, M (M + 1) / 2), so the cost is
    cubic in that; where M (M + 1) / 2 < N no N x N matrix is formed.

    Parameters
    ----------
    X : (N, M) array
        Responses, a unit a row.
    S : (M, M) array
        Symmetric target.
    lam : float
        Penalty, above 0 (at 0 the minimum need not be unique), in the units of S squared.
    start : (N,) array, optional
        Positive gains near the solution, such as that of another penalty.
    tolerance : float
        Stop when the relative gap is proved to be no larger.
    limit : int
        At most so many steps.

    Returns
    -------
    Solution
        Statement b06 bounds its gap. Where `converged` is false the gains with the smallest gap
        that was met are returned, and that gap.

    Raises
    ------
    ValueError
        As `mathlib.gains.loss`; if lam is 0, or a start is not positive.
    """
    ones = np.ones(len(X))
    loss(ones, X, S, lam)
    _above_zero(lam)
    system = _system(X)
    if start is None:
        return _run(ones, X, S, lam, system, tolerance, limit)
    start = _positive(start, len(X))
    near = _run(start, X, S, lam, system, tolerance, min(limit, PATIENCE), warm=True)
    if near.converged or near.steps == limit:
        return near
    far = _run(ones, X, S, lam, system, tolerance, limit - near.steps)
    return min(near, far, key=lambda found: found.gap)._replace(steps=near.steps + far.steps)


def path(X, S, lams, tolerance=1e-10, limit=100):
    """Return the `Solution` for each penalty of `lams`, each started from the one before.

    Parameters
    ----------
    X, S, tolerance, limit
        As in `solve`.
    lams : sequence of float
        Penalties, best in falling or rising order.

    Returns
    -------
    list of Solution
    """
    found = []
    for lam in tqdm(lams, desc="penalties", disable=None, delay=2):
        start = found[-1].gains if found else None
        found.append(solve(X, S, lam, start, tolerance, limit))
    return found


def proved_gap(z, X, S, lam):
    r"""Return :math:`\frac12(1-\theta)^2\|\Delta\|^2+\frac12\sum_i\frac{(t_iz_i-\lambda)^2}{t_i}`.

    Here t_i = lam - 2 theta Delta.R_i, and theta is 1 where that leaves all t_i positive, and
    otherwise just small enough to. No gains of any sign have a loss lower than L(z) less this.

    Parameters
    ----------
    z : (N,) array
        Gains, of any sign.
    X, S, lam : (N, M) array, (M, M) array, float
        The problem, as in `solve`.

    Returns
    -------
    float
        In the units of the loss: statement b06.

    Raises
    ------
    ValueError
        As `mathlib.gains.loss`; if lam is 0.
    """
    fit = 2 * loss(z, X, S, lam) - lam * np.sum((z - 1) ** 2)
    _above_zero(lam)
    aligned = _alignments(z, X, S)
    largest = np.max(aligned)
    theta = 1.0 if largest < lam else 0.99 * lam / largest
    t = lam - theta * aligned
    return 0.5 * (1 - theta) ** 2 * fit + 0.5 * np.sum((t * z - lam) ** 2 / t)


def _run(z, X, S, lam, system, tolerance, limit, warm=False):
    """Step from z until the gap is small enough; the best gains met and the steps taken."""
    t = lam - _alignments(z, X, S)
    t = np.maximum(t, lam / z if warm else max(lam, 0.1 * np.mean(np.abs(t))))
    best = Solution(z, float(loss(z, X, S, lam)), np.inf, 0, False)
    with tqdm(total=limit, desc="Newton steps", disable=None, delay=2, leave=False) as bar:
        for step in range(limit + 1):
            height = float(loss(z, X, S, lam))
            gap = float(proved_gap(z, X, S, lam)) / height if height > 0 else 0.0
            if gap < best.gap:
                best = Solution(z, height, gap, step, gap <= tolerance)
            if best.converged or step == limit:
                break
            bar.set_postfix(gap=f"{gap:.1e}", refresh=False)
            bar.update()
            try:
                z, t = _step(z, t, lam - _alignments(z, X, S), lam, system(z, t))
            except (np.linalg.LinAlgError, ValueError):  # rounding has left nothing to solve
                break
    return best._replace(steps=step)


def _alignments(z, X, S):
    """2 Delta.R_i for all units."""
    return 2 * np.sum(X @ (S - (X.T * z**2) @ X) * X, axis=1)


def _positive(start, N):
    start = np.asarray(start, dtype=float)
    if start.shape != (N,) or not np.all((start > 0) & (start < np.inf)):
        raise ValueError(f"start: expected {N} finite gains above 0, got {start}")
    return start


def _above_zero(lam):
    if not lam > 0:
        raise ValueError(f"lam: expected a penalty above 0, got {lam}: the minimum is not unique")


def _system(X):
    """Return (z, t) -> solver of (4 Z (R'R) Z + diag(t)) dz = g, in whichever size is smaller."""
    N, M = X.shape
    if M * (M + 1) // 2 >= N:
        C2 = overlaps(X)
        return lambda z, t: _dense(C2, z, t)
    rows, columns = np.triu_indices(M)
    atoms = X[:, rows] * X[:, columns]
    atoms[:, rows != columns] *= np.sqrt(2)
    return lambda z, t: _low_rank(atoms, z, t)


def _dense(C2, z, t):
    H = C2 * (4 * z)[:, None]
    H *= z
    H[np.diag_indices_from(H)] += t
    factor = cho_factor(H, overwrite_a=True)
    return lambda g: cho_solve(factor, g)


def _low_rank(atoms, z, t):
    """The same by Woodbury's identity, with a matrix the size of an atom."""
    scaled = atoms * (z / np.sqrt(t))[:, None]
    H = scaled.T @ scaled
    H[np.diag_indices_from(H)] += 0.25
    factor = cho_factor(H, overwrite_a=True)
    return lambda g: (g - z * (atoms @ cho_solve(factor, atoms.T @ (z * g / t)))) / t


def _step(z, t, true_t, lam, solver):
    """One predictor-corrector step towards t z = lam and t = lam - 2 R' Delta."""
    product = z * t
    off = z * (t - true_t)

    def direction(goal):
        dz = solver(goal - product + off)
        return dz, (goal - product - t * dz) / z

    dz, dt = direction(lam)
    length = _length(z, t, dz, dt, 0.999)
    reached = np.mean(np.sqrt(z**2 + 2 * length * z * dz) * (t + length * dt))
    excess = np.mean(product) - lam
    share = np.clip((reached - lam) / excess, 0, 1) ** 3 if excess > 0 else 0.0
    bend = dz * dt - t * dz**2 / (2 * z)
    dz, dt = direction(lam + share * max(excess, 0) - length * bend)
    length = _length(z, t, dz, dt, 0.98)
    return np.sqrt(z**2 + 2 * length * z * dz), t + length * dt


def _length(z, t, dz, dt, most):
    """The longest step up to 1 that uses up at most so much of any w = z^2 and t."""
    used = max(np.max(-2 * dz / z), np.max(-dt / t))
    return 1.0 if used <= most else most / used

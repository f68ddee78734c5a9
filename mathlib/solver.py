"""The uncentred gain problem solved to a proved distance from its global minimum.

In w = z^2 the loss is convex: a convex quadratic plus lam (w - 2 sqrt(w) + 1) a unit. With
D = S - X' Z^2 X, the residual, and t_i = lam - 2 x_i' D x_i, its minimum is where t_i z_i = lam for
all units. The solver keeps z and t positive and takes Newton steps on these equations, as a
primal-dual interior-point method does, so it never meets the local minima at negative gains. Such
steps may cycle; after a few that led up, Newton steps in w with a line search take their place.

The Newton matrix is diag(t) + 4 Z (C o C) Z. Next to t_i, only those units have a share in its
second part whose gain is not small, so a factor of few rows stands in for it: partial Cholesky,
the unit with the largest remainder next, and the more rows the closer the solution. What it leaves
out costs steps, and the proved gap does not rest on it.
"""

from numbers import Integral
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from tqdm import tqdm

from .gains import loss

__all__ = ["Solution", "path", "proved_gap", "solve"]

REMAINDER = 30  # what the factor of the Newton matrix leaves out, in all, in units of t
SMALL = 1e-6  # of ||S||^2 / 2: what a smaller loss is measured against, so that 0 can be reached
HIGHER = 10  # times the loss before, to which a step may lead up
SHARE = 0.03  # of the matrix, that its factor may leave out at most
RISES = 10  # steps that may lead up, as interior-point steps do at first; then only safe ones
PATIENCE = 12  # steps after which a start that has not led to the solution is given up


class Solution(NamedTuple):
    """Gains, their loss, how far at most that is above the minimum, and how they were found."""

    gains: np.ndarray
    loss: float
    gap: float  # relative and proved: loss - minimum <= gap * max(loss, 1e-6 ||S||^2 / 2)
    steps: int
    converged: bool  # whether the gap came below the tolerance


def solve(X, S, lam, start=None, tolerance=1e-10, limit=100):
    r"""Return :math:`\arg\min_z \frac12\|X^\top Z^2X-S\|_F^2+\frac\lambda2\|z-1\|^2`, certified.

    A step costs N (M + r) r, where r is about the number of units whose gain is not small, and at
    most min(N, M (M + 1) / 2). No N x N matrix is formed.

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
        Statement b06 bounds its gap, up to the rounding of ||S||^2. Where `converged` is false
        `gap` says how far from the minimum the gains may still be.

    Raises
    ------
    ValueError
        As `mathlib.gains.loss`; if lam, the tolerance or a start is not positive, the limit is
        negative, or the numbers are so large that the loss is not finite.
    """
    X, S = np.asarray(X, dtype=float), np.asarray(S, dtype=float)
    loss(np.ones(len(X)), X, S, lam)
    _above_zero(lam)
    if not isinstance(limit, Integral) or limit < 0:
        raise ValueError(f"limit: expected a number of steps, 0 or more, got {limit}")
    if not tolerance > 0:
        raise ValueError(f"tolerance: expected a number above 0, got {tolerance}")
    if start is None:
        return _run(_no_overshoot(X, S), X, S, lam, tolerance, limit)
    start = _positive(start, len(X))
    near = _run(start, X, S, lam, tolerance, min(limit, PATIENCE), warm=True)
    if near.converged or near.steps == limit:
        return near
    far = _run(_no_overshoot(X, S), X, S, lam, tolerance, limit - near.steps)
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
        As `mathlib.gains.loss`; if lam is 0 or the loss is not finite.
    """
    loss(z, X, S, lam)
    _above_zero(lam)
    return _finite(_measured(np.asarray(z), np.asarray(X), np.asarray(S), lam)).gap


@np.errstate(all="ignore")  # what is not finite is refused where it is measured
def _no_overshoot(X, S):
    """Gains of 1, or less where a unit's atom alone would be longer than the target."""
    length = np.linalg.norm(S)
    atoms = np.sum(X * X, axis=1)
    return np.sqrt(length / np.maximum(atoms, length)) if length > 0 else np.ones(len(X))


def _run(z, X, S, lam, tolerance, limit, warm=False):
    """Step from z until the gap is small enough; the gains of the lowest loss, and the steps."""
    now, small = _finite(_measured(z, X, S, lam)), 0.5 * SMALL * np.sum(S * S)
    least = lam / z if warm else max(lam, 0.1 * np.mean(np.abs(lam - now.aligned)))
    t, rises, step, best = np.maximum(lam - now.aligned, least), RISES, 0, None
    with tqdm(total=limit, desc="Newton steps", disable=None, delay=2, leave=False) as bar:
        while True:
            gap = now.gap / max(now.loss, small) if now.gap > 0 else 0.0
            if best is None or now.loss <= best.loss or gap <= tolerance:
                best = Solution(z, float(now.loss), float(gap), step, bool(gap <= tolerance))
            if best.converged or step == limit:
                break
            bar.set_postfix(gap=f"{gap:.1e}", refresh=False)
            bar.update()
            before = now.loss
            try:
                z, t, now = _next(z, t, now, X, S, lam, gap, rises > 0)
            except (np.linalg.LinAlgError, ValueError):  # rounding has left nothing to solve
                break
            step += 1
            rises -= now.loss >= before
    return best._replace(steps=step)


class _Measures(NamedTuple):
    """What one set of gains gives: the loss, a bound on its excess, and 2 Delta.R_i."""

    loss: float
    gap: float
    aligned: np.ndarray


@np.errstate(all="ignore")
def _measured(z, X, S, lam):
    error = S - (X.T * z**2) @ X
    fit, aligned = np.sum(error * error), 2 * np.sum(X @ error * X, axis=1)
    found = 0.5 * fit + 0.5 * lam * np.sum((z - 1) ** 2)
    return _Measures(found, _gap(z, lam, fit, aligned), aligned)


def _finite(measured):
    if not np.isfinite(measured.loss + measured.gap):
        raise ValueError(f"expected numbers whose loss is finite, got a loss of {measured.loss}")
    return measured


@np.errstate(all="ignore")
def _next(z, t, now, X, S, lam, gap, may_rise):
    """Return the next (z, t, measures): an interior-point step, or where it leads up, a safe one.

    The safe step is Newton's in w, for which t z = lam, halved until the loss falls as it should.
    """
    solver = _newton(X, z, t, REMAINDER * np.clip(gap, 0.01, 1))
    new_z, new_t = _step(z, t, lam - now.aligned, lam, solver)
    then = _measured(new_z, X, S, lam)
    if then.loss < (HIGHER if may_rise else 1) * now.loss and np.isfinite(then.gap):
        return new_z, new_t, then
    slope = z * (lam - now.aligned) - lam
    dz = -_newton(X, z, lam / z, 0.01)(slope)
    length = _length(0.95, 2 * dz / z)
    while length > 1e-12:
        new_z = np.sqrt(z**2 + 2 * length * z * dz)
        then = _measured(new_z, X, S, lam)
        if then.loss < now.loss + 1e-4 * length * (slope @ dz):
            return new_z, lam / new_z, then
        length /= 2
    raise ValueError("no step leads down")


def _gap(z, lam, fit, aligned):
    largest = np.max(aligned)
    theta = 1.0 if largest < lam else 0.99 * lam / largest
    t = lam - theta * aligned
    return 0.5 * (1 - theta) ** 2 * fit + 0.5 * np.sum((t * z - lam) ** 2 / t)


def _positive(start, N):
    start = np.asarray(start, dtype=float)
    if start.shape != (N,) or not np.all((start > 0) & (start < np.inf)):
        raise ValueError(f"start: expected {N} finite gains above 0, got {start}")
    return start


def _above_zero(lam):
    if not lam > 0:
        raise ValueError(f"lam: expected a penalty above 0, got {lam}: the minimum is not unique")


def _newton(X, z, t, allowed):
    """Return a solver of (diag(t) + 4 Z (C o C) Z) dz = g, in units in which t is 1.

    With L'L for the second part and its remainder's diagonal added to the first, Woodbury's
    identity leaves a system of as many equations as L has rows.
    """
    root = np.sqrt(t)
    L, left = _factor(X, 2 * z / root, allowed)
    own = 1 + left
    H = (L / own) @ L.T
    H[np.diag_indices_from(H)] += 1
    factor = cho_factor(H, overwrite_a=True)

    def solve(g):
        g = g / root
        return (g - cho_solve(factor, L @ (g / own)) @ L) / (own * root)

    return solve


def _factor(X, scale, allowed):
    """Return L, and the diagonal of diag(scale) (C o C) diag(scale) - L'L, its sum as allowed."""
    N, M = X.shape
    left = (scale * np.sum(X * X, axis=1)) ** 2
    allowed = min(allowed, SHARE * np.sum(left))
    L = np.empty((min(N, M * (M + 1) // 2), N))
    for n in range(len(L)):
        if not np.sum(left) > allowed:
            return L[:n], left
        unit = np.argmax(left)
        row = (X @ X[unit]) ** 2 * (scale[unit] * scale) - L[:n, unit] @ L[:n]
        L[n] = row / np.sqrt(left[unit])
        left = np.maximum(left - L[n] ** 2, 0)
        left[unit] = 0
    return L, left


def _step(z, t, true_t, lam, solver):
    """One predictor-corrector step towards t z = lam and t = lam - 2 R' Delta."""
    product = z * t
    off = z * (t - true_t)

    def direction(goal):
        dz = solver(goal - product + off)
        return dz, (goal - product - t * dz) / z

    dz, dt = direction(lam)
    length = _length(0.999, 2 * dz / z, dt / t)
    reached = np.mean(np.sqrt(z**2 + 2 * length * z * dz) * (t + length * dt))
    excess = np.mean(product) - lam
    share = np.clip((reached - lam) / excess, 0, 1) ** 3 if excess > 0 else 0.0
    bend = dz * dt - t * dz**2 / (2 * z)
    dz, dt = direction(lam + share * max(excess, 0) - length * bend)
    length = _length(0.98, 2 * dz / z, dt / t)
    return np.sqrt(z**2 + 2 * length * z * dz), t + length * dt


def _length(most, *rates):
    """The longest step up to 1 that uses up at most so much of anything that changes at a rate."""
    used = max(np.max(-rate) for rate in rates)
    return 1.0 if used <= most else most / used

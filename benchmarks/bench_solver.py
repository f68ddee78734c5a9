"""The certified solver against L-BFGS-B, Clarabel and coordinate descent, to the same loss."""

import resource
from time import perf_counter

import cvxpy as cp
import numpy as np
from scipy.optimize import minimize

from mathlib.cubic import positive_root
from mathlib.data import synthetic
from mathlib.gains import atom_norms, overlaps, target_overlaps
from mathlib.solver import path, proved_gap, solve

TOLERANCE = 1e-10
PATIENCE = 60  # seconds after which a peer is stopped; its time is then a lower bound


def timed(run):
    start = perf_counter()
    result = run()
    return perf_counter() - start, result


def fast_loss(X, S, lam):
    """The loss and its gradient as a peer would write them, through the smaller matrix."""
    N, M = X.shape
    C2, target, constant = overlaps(X), target_overlaps(X, S), 0.5 * np.sum(S * S)

    def few(z):
        pull = C2 @ z**2
        value = 0.5 * z**2 @ (pull - 2 * target) + constant + 0.5 * lam * np.sum((z - 1) ** 2)
        return value, 2 * z * (pull - target) + lam * (z - 1)

    def many(z):
        error = (X.T * z**2) @ X - S
        value = 0.5 * np.sum(error * error) + 0.5 * lam * np.sum((z - 1) ** 2)
        return value, 2 * z * np.sum(X @ error * X, axis=1) + lam * (z - 1)

    return few if N <= 2 * M else many


def by_lbfgs(X, S, lam, goal, proved=False):
    """Seconds, iterations and whether the goal was met; stopped from outside as soon as it is.

    The goal is a loss, which a user would not know, or the same proved gap that `solve` reaches,
    looked at every 20 iterations.
    """
    f, start, taken, met = fast_loss(X, S, lam), perf_counter(), 0, False

    def stop(intermediate_result):
        nonlocal taken, met
        taken += 1
        if not proved:
            met = intermediate_result.fun <= goal
        elif taken % 20 == 0:
            z = intermediate_result.x
            met = proved_gap(z, X, S, lam) <= TOLERANCE * intermediate_result.fun
        if met or perf_counter() - start > PATIENCE:
            raise StopIteration

    minimize(
        f,
        np.ones(len(X)),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0, None)] * len(X),
        callback=stop,
        options={"maxiter": 10**6, "maxfun": 10**7, "ftol": 0, "gtol": 0, "maxcor": 10},
    )
    return perf_counter() - start, taken, met


def by_descent(X, S, lam, goal):
    """Exact cyclic coordinate descent by the cubic; C2 w is kept up to date as gains move."""
    f, start, sweeps = fast_loss(X, S, lam), perf_counter(), 0
    C2, target = overlaps(X), target_overlaps(X, S)
    b, w = np.diag(C2).copy(), np.ones(len(X))
    pull = C2 @ w
    while perf_counter() - start < PATIENCE:
        sweeps += 1
        for i in range(len(w)):
            new = float(positive_root(target[i] - pull[i] + b[i] * w[i], b[i], lam)) ** 2
            pull += (new - w[i]) * C2[i]
            w[i] = new
        if f(np.sqrt(w))[0] <= goal:
            return perf_counter() - start, sweeps, True
    return perf_counter() - start, sweeps, False


def by_clarabel(X, S, lam):
    """The convex form in w = z^2, given to a cone solver with its tolerances at 1e-10."""
    N, M = X.shape
    rows, columns = np.triu_indices(M)
    weights = np.where(rows == columns, 1.0, np.sqrt(2))
    atoms = (X[:, rows] * X[:, columns] * weights).T
    w = cp.Variable(N, nonneg=True)
    fit = cp.sum_squares(atoms @ w - S[rows, columns] * weights) / 2
    problem = cp.Problem(cp.Minimize(fit + lam / 2 * (cp.sum(w) - 2 * cp.sum(cp.sqrt(w)) + N)))
    exact = {"tol_gap_abs": TOLERANCE, "tol_gap_rel": TOLERANCE, "tol_feas": TOLERANCE}
    options = {**exact, "time_limit": PATIENCE}
    spent, _ = timed(lambda: problem.solve(solver=cp.CLARABEL, **options))
    return spent, problem.status == "optimal"


def row(ours, peer, spent, reached, target):
    note = "" if reached else " (stopped short)"
    return ours[0], ours[1], peer + note, spent, target


def measure():
    M = 50
    for N in (100, 1000, 3000):
        X, S, _ = synthetic(N, M)
        typical = np.median(atom_norms(X) ** 2)
        for scale in (1e-3, 1e-2, 0.1, 1.0):
            lam = scale * typical
            solve(X, S, lam, limit=1)
            spent, found = timed(lambda X=X, S=S, lam=lam: solve(X, S, lam))
            assert found.converged
            ours = f"solve, N = {N}, M = {M}, lam = {scale:g} med: {found.steps} steps, s", spent
            goal = found.loss * (1 + TOLERANCE)
            took, steps, reached = by_lbfgs(X, S, lam, goal)
            aim = "20x" if N == 1000 else ""
            yield row(ours, f"L-BFGS-B to that loss, {steps} steps", took, reached, aim)
            took, steps, reached = by_lbfgs(X, S, lam, goal, proved=True)
            yield row(ours, f"L-BFGS-B to a proved gap, {steps} steps", took, reached, aim)
            if N < 3000 or scale == 1.0:
                took, sweeps, reached = by_descent(X, S, lam, goal)
                yield row(ours, f"coordinate descent, {sweeps} sweeps", took, reached, "")
                took, reached = by_clarabel(X, S, lam)
                yield row(ours, "Clarabel", took, reached, "10x" if N == 1000 else "")
    X, S, _ = synthetic(1000, M)
    lams = np.geomspace(1, 1e-3, 20) * np.median(atom_norms(X) ** 2)
    spent, warm = timed(lambda: path(X, S, lams))
    took, cold = timed(lambda: [solve(X, S, lam) for lam in lams])
    ours = f"path of 20 penalties, N = 1000: {sum(at.steps for at in warm)} steps, s", spent
    yield row(ours, f"each by itself, {sum(at.steps for at in cold)} steps", took, True, "")
    X = np.eye(400)  # responses that do not overlap
    S = synthetic(10, 400).S / 400
    solve(X, S, 0.1, limit=1)
    spent, found = timed(lambda: solve(X, S, 0.1))
    ours = f"solve, N = M = 400, orthonormal: {found.steps} steps, s", spent
    took, sweeps, reached = by_descent(X, S, 0.1, found.loss * (1 + TOLERANCE))
    yield row(ours, f"coordinate descent, {sweeps} sweeps", took, reached, "")
    X, S, _ = synthetic(10000, 40)
    spent, found = timed(lambda: solve(X, S, 1e-3 * np.median(atom_norms(X) ** 2)))
    assert found.converged
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    yield f"solve, N = 10000, M = 40: {found.steps} steps, s", spent, "", "", "under 60"
    yield "peak memory of this whole benchmark, GB", peak, "", "", "under 4"

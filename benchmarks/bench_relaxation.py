"""The centred problem from below: its semidefinite relaxation against the best of many descents."""

import cvxpy as cp
import numpy as np

from mathlib.data import synthetic
from mathlib.gains import atom_norms, local_minimum, loss
from mathlib.solver import solve


def relaxed(X, S, lam):
    """The least loss over W >= z z' in the semidefinite order: below the loss of all gains."""
    N = len(X)
    V = cp.Variable((N + 1, N + 1), PSD=True)  # the gains z are its last column, W the rest
    J = np.eye(N) - 1 / N
    error = X.T @ cp.multiply(J, V[:N, :N]) @ X - S
    penalty = cp.trace(V[:N, :N]) - 2 * cp.sum(V[:N, N]) + N
    problem = cp.Problem(cp.Minimize(cp.sum_squares(error) / 2 + lam / 2 * penalty), [V[N, N] == 1])
    return problem.solve(solver=cp.CLARABEL)


def descended(X, S, lam, starts):
    """The least loss of descents from the uncentred minimum and from random gains."""
    random = np.random.default_rng(5)
    begin = [solve(X, S, lam).gains, np.ones(len(X))]
    begin += list(random.normal(size=(starts, len(X))) * 2)
    ends = [local_minimum(X, S, lam, centred=True, start=z) for z in begin]
    return min(loss(z, X, S, lam, centred=True) for z in ends)


def measure():
    for N in (8, 16, 32, 40):
        X, S, _ = synthetic(N, 7)
        typical = np.median(atom_norms(X) ** 2)
        for scale in (0.01, 1.0, 100.0):
            lam = scale * typical
            below, above = relaxed(X, S, lam), descended(X, S, lam, 40)
            what = f"centred: best of 42 descents above the bound, N = {N}, lam = {scale:g} med, %"
            yield what, 100 * float(above - below) / float(above), "", "", ""

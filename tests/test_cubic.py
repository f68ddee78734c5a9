import mpmath
import numpy as np
import pytest

from mathlib.cubic import coordinate_loss, descend, positive_root, regimes
from mathlib.gains import gradient, loss, residual_overlaps


def exact(a, b, lam):
    """The positive root to 50 digits: Newton from the right, where the cubic is convex."""
    with mpmath.workdps(50):
        a, b, lam = map(mpmath.mpf, (float(a), float(b), float(lam)))
        p, q = (lam / 2 - a) / b, lam / (2 * b)
        k = mpmath.cbrt(q) + mpmath.sqrt(abs(p))
        while True:
            step = (k**3 + p * k - q) / (3 * k * k + p)
            k -= step
            if abs(step) < k * mpmath.mpf(10) ** -40:
                return k


def coefficients(n, seed):
    random = np.random.default_rng(seed)
    a, b, lam = 10 ** random.uniform(-12.5, 12.5, (3, n))
    return a * random.choice([-1, 1], n), b, lam, 10 ** random.uniform(-16, -1, n)


def test_the_simplest_roots():
    assert positive_root(0, 0, 0) == 1
    assert positive_root(0, 0, 2) == 1
    assert positive_root(4, 1, 0) == 2
    assert positive_root(-4, 1, 0) == 0
    assert positive_root(0, 1, 0) == 0
    assert positive_root(2, 2, [0.5, 7, 1e9]) == pytest.approx(1, rel=1e-15)


def worst_error(a, b, lam):
    roots = positive_root(a, b, lam)
    wanted = (exact(*v) for v in zip(a, b, lam, strict=True))
    return max(abs(k / want - 1) for k, want in zip(roots, wanted, strict=True))


def test_against_fifty_digits_over_25_orders_of_magnitude():
    a, b, lam, _ = coefficients(1009, seed=1)
    assert worst_error(a, b, lam) < 1e-14


def test_where_the_middle_coefficient_or_the_discriminant_nearly_vanishes():
    _, b, lam, small = coefficients(503, seed=2)
    assert worst_error(lam / 2 * (1 + small), b, lam) < 1e-14
    double = lam / 2 + 3 * b * (lam / (4 * b)) ** (2 / 3)
    assert worst_error(double * (1 + small), b, lam) < 1e-14
    assert worst_error(double * (1 - small), b, lam) < 1e-14


def test_it_is_the_global_minimum():
    random = np.random.default_rng(3)
    grid = np.linspace(-5, 5, 4001)
    for a, b, lam in random.normal(size=(101, 3)) ** 2 * [2, 1, 1] - [1, 0, 0]:
        k = positive_root(a, b, lam)
        assert coordinate_loss(k, a, b, lam) <= coordinate_loss(grid, a, b, lam).min() + 1e-12


def test_loss_differs_by_what_is_common():
    random = np.random.default_rng(4)
    X, S = random.normal(size=(7, 5)), random.normal(size=(5, 5))
    S, z, lam = S + S.T, random.normal(size=7), 0.7
    a, b = residual_overlaps(z, X, S)[3], np.sum(X[3] ** 2) ** 2

    def twice(k):
        moved = z.copy()
        moved[3] = k
        return 2 * loss(moved, X, S, lam)

    for k in (-1.3, 0.0, 2.9):
        want = twice(k) - twice(1.0)
        got = coordinate_loss(k, a, b, lam) - coordinate_loss(1.0, a, b, lam)
        assert got == pytest.approx(want)


def test_each_regime_is_good_at_its_end():
    far = regimes([-1e6, 0.5, 1e6], 1.0, 1.0)
    near = positive_root([-1e6, 0.5, 1e6], 1.0, 1.0)
    for approximation, place in zip(far, range(3), strict=True):
        assert approximation[place] == pytest.approx(near[place], rel=1e-6)
    assert np.isnan(far.small[2]) and np.isnan(far.large[0])


def test_descend_ends_where_the_gradient_vanishes():
    random = np.random.default_rng(5)
    X = random.normal(size=(7, 5))
    S = X.T @ np.diag(random.uniform(0, 3, 7)) @ X
    z = descend(np.ones(7), X, S, 0.3, sweeps=2000, tolerance=1e-12)
    assert gradient(z, X, S, 0.3) == pytest.approx(np.zeros(7), abs=1e-8)
    assert np.all(z > 0)


def test_descend_never_rises():
    random = np.random.default_rng(6)
    X, z = random.normal(size=(5, 7)), np.ones(5)
    values = [loss(z, X, np.eye(7), 0.1)]
    for _ in range(11):
        z = descend(z, X, np.eye(7), 0.1, sweeps=1)
        values.append(loss(z, X, np.eye(7), 0.1))
    assert np.all(np.diff(values) <= 1e-12)


@pytest.mark.parametrize(
    "name, values",
    [
        ("a", (np.nan, 1, 1)),
        ("b", (1, -1, 1)),
        ("b", (1, 0, 1)),
        ("b", (1, np.inf, 1)),
        ("lam", (1, 1, -2)),
    ],
)
def test_bad_input_is_named(name, values):
    with pytest.raises(ValueError, match=f"^{name}: expected .* got "):
        positive_root(*values)

import hashlib

import numpy as np
import pytest

from mathlib.data import digits, same_class, separate, synthetic


def test_the_smallest_population():
    data = synthetic(N=1, M=1, classes=1)
    assert data.X == pytest.approx(1)
    assert data.S == pytest.approx(1)


def test_targets_by_loops():
    X, labels = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]]), [0, 1, 0]
    assert np.array_equal(separate(X), np.diag([1.0, 5.0, 9.0]))
    assert np.array_equal(same_class(X, labels), [[5, 0, 5], [0, 5, 0], [5, 0, 5]])


@pytest.mark.parametrize("make", [synthetic, digits, lambda: digits(3, "separate")])
def test_same_bytes_every_time(make):
    first, second = make(), make()
    for one, other in zip(first, second, strict=True):
        digest = [hashlib.sha256(np.ascontiguousarray(a).tobytes()).digest() for a in (one, other)]
        assert digest[0] == digest[1]


def test_synthetic_is_positive_and_scaled():
    X, S, labels = synthetic(N=101, M=13, seed=5)
    assert X.shape == (101, 13) and S.shape == (13, 13) and np.all(X > 0)
    assert np.sum(X * X) == pytest.approx(101)
    assert np.array_equal(S, S.T) and set(labels) == set(range(5))


def test_digits_are_balanced_pixels():
    X, S, labels = digits(7)
    assert X.shape == (64, 70) and S.shape == (70, 70)
    assert np.array_equal(np.bincount(labels), [7] * 10)
    assert np.all(X >= 0) and np.sum(X * X) == pytest.approx(64)
    assert np.count_nonzero(digits(7, "separate").S) == 70


@pytest.mark.parametrize(
    "make, name",
    [
        (lambda: synthetic(N=0), "N"),
        (lambda: synthetic(M=0), "M"),
        (lambda: synthetic(classes=0), "classes"),
        (lambda: digits(0), "per_class"),
        (lambda: digits(1000), "per_class"),
        (lambda: digits(target="cat"), "target"),
    ],
)
def test_bad_input_is_named(make, name):
    with pytest.raises(ValueError, match=f"^{name}: expected .* got "):
        make()

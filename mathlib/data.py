"""The two data sets on which the book shows the gain problem: one made up, one of real images."""

from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_digits

__all__ = ["Data", "digits", "same_class", "separate", "synthetic"]


class Data(NamedTuple):
    """Responses X (N x M, a unit a row), target S (M x M) and a label for each stimulus."""

    X: np.ndarray
    S: np.ndarray
    labels: np.ndarray


def separate(X):
    r"""Return :math:`S = \mathrm{diag}(X^\top X)`: every stimulus keeps its power, none overlap.

    Parameters
    ----------
    X : (N, M) array
        Responses, a unit a row.

    Returns
    -------
    (M, M) array
        Target similarities, in the units of X squared.
    """
    return np.diag(np.sum(X * X, axis=0))


def same_class(X, labels):
    r"""Return :math:`S_{\alpha\beta} = \frac{\|X\|_F^2}{M}` within a class and 0 between classes.

    Parameters
    ----------
    X : (N, M) array
        Responses, a unit a row; only their total power counts.
    labels : (M,) array
        The class of each stimulus.

    Returns
    -------
    (M, M) array
        Target similarities, in the units of X squared.
    """
    labels = np.asarray(labels)
    return np.sum(X * X) / len(labels) * (labels[:, None] == labels[None, :])


def synthetic(N=500, M=50, seed=7, classes=5):
    r"""Return responses :math:`x_{i\alpha} = e^{m_i + t_{i\,c(\alpha)} + n_{i\alpha}}` and classes.

    Positive, log-normal in every factor: the unit's magnitude m (spread 0.5), its tuning t to the
    class of the stimulus (spread 1) and noise n (spread 0.5). The whole is scaled to a mean
    squared norm of one a unit, so that atoms have norms around one.

    Parameters
    ----------
    N, M : int
        Units and stimuli.
    seed : int
        The same seed gives the same numbers.
    classes : int
        Number of classes; stimulus number alpha belongs to class alpha modulo this.

    Returns
    -------
    Data
        With the target `same_class`.

    Raises
    ------
    ValueError
        If a size is below one.
    """
    for name, size in (("N", N), ("M", M), ("classes", classes)):
        if size < 1:
            raise ValueError(f"{name}: expected at least 1, got {size}")
    random = np.random.default_rng(seed)
    labels = np.arange(M) % classes
    magnitude, tuning = random.normal(size=(N, 1)), random.normal(size=(N, classes))
    X = np.exp(0.5 * magnitude + tuning[:, labels] + 0.5 * random.normal(size=(N, M)))
    X *= np.sqrt(N / np.sum(X * X))
    return Data(X, same_class(X, labels), labels)


def digits(per_class=10, target="class"):
    """Return scikit-learn's handwritten digits: 64 pixels as units, images as stimuli.

    Parameters
    ----------
    per_class : int
        Images of each of the ten digits, the first ones in the data set's order; 1 to 174.
    target : str
        "class" for `same_class`, "separate" for `separate`.

    Returns
    -------
    Data
        X is (64, 10 per_class), row i the pixel (i // 8, i % 8), scaled as in `synthetic`. Some
        pixels are dark in every image: their rows are zero.

    Raises
    ------
    ValueError
        If there are not so many images of each digit, or the target has another name.
    """
    if target not in ("class", "separate"):
        raise ValueError(f"target: expected 'class' or 'separate', got {target!r}")
    images, labels = load_digits(return_X_y=True)
    most = np.bincount(labels).min()
    if not 1 <= per_class <= most:
        raise ValueError(f"per_class: expected 1 to {most}, got {per_class}")
    chosen = np.concatenate([np.flatnonzero(labels == digit)[:per_class] for digit in range(10)])
    X, labels = images[chosen].T, labels[chosen]
    X = X * np.sqrt(len(X) / np.sum(X * X))
    return Data(X, same_class(X, labels) if target == "class" else separate(X), labels)

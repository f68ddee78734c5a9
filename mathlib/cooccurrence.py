r"""From tokens to an embedding without a V x V matrix.

Counts of co-occurrence are sparse. With balanced weights the target is sparse plus a constant,
:math:`M^*=S-2\,\mathbf 1\mathbf 1^T` with :math:`S_{ij}=4P_{ij}/(P_{ij}+P_iP_j)` on the pairs that
were seen, so its product with a vector costs as much as the pairs that were seen.
"""

from collections import Counter
from itertools import chain

import numpy as np
from scipy.sparse import coo_array, csr_array
from scipy.sparse.linalg import LinearOperator, eigsh, svds

from .embedding import fix_signs

__all__ = [
    "vocabulary",
    "count",
    "balanced_part",
    "target_operator",
    "top_eigenpairs",
    "embed",
    "ppmi",
    "embed_ppmi",
]


def vocabulary(texts, least):
    """Return the words that occur at least `least` times, the most frequent first.

    Words of equal frequency are in alphabetical order.

    Parameters
    ----------
    texts : list of lists of str
    least : int, at least 1

    Returns
    -------
    list of str
    """
    if least < 1:
        raise ValueError(f"least: expected a whole number from 1, got {least!r}")
    found = Counter(chain.from_iterable(texts))
    return sorted((w for w, n in found.items() if n >= least), key=lambda w: (-found[w], w))


def count(texts, words, window):
    r""":math:`N_{ij}=\#\{(s,t):\text{word }i\text{ at }s,\ j\text{ at }t,\ 1\le|s-t|\le h\}`.

    Words outside of `words` are taken out first, and no pair crosses the end of a text.

    Parameters
    ----------
    texts : list of lists of str
    words : list of V different str
    window : int, the reach h

    Returns
    -------
    (V, V) csr_array of whole numbers as floats, symmetric

    Raises
    ------
    ValueError
        If the window is not positive or no pair of words is seen.

    Notes
    -----
    Equation q01.
    """
    if window < 1:
        raise ValueError(f"window: expected a whole number from 1, got {window!r}")
    place = {word: n for n, word in enumerate(words)}
    known = [[place[w] for w in text if w in place] for text in texts]
    ids = np.fromiter(chain.from_iterable(known), np.int32)
    text = np.repeat(np.arange(len(known)), [len(k) for k in known])
    left, right = [], []
    for gap in range(1, min(window, len(ids) - 1) + 1):
        near = text[:-gap] == text[gap:]
        left.append(ids[:-gap][near])
        right.append(ids[gap:][near])
    if not any(len(part) for part in left):
        raise ValueError("texts: expected words near each other, got no pair")
    left, right = np.concatenate(left), np.concatenate(right)
    once = coo_array((np.ones(len(left)), (left, right)), shape=(len(words),) * 2).tocsr()
    return csr_array(once + once.T)


def balanced_part(counts):
    r""":math:`S_{ij}=4P_{ij}/(P_{ij}+P_iP_j)`, so that :math:`M^*=S-2\,\mathbf 1\mathbf 1^T`.

    Parameters
    ----------
    counts : (V, V) sparse array, symmetric, every row with a positive sum

    Returns
    -------
    (V, V) csr_array with the pattern of `counts`

    Notes
    -----
    Equation q06, with balanced weights.
    """
    P, p = _shares(counts)
    rows = np.repeat(np.arange(len(p)), np.diff(P.indptr))
    seen = P.data
    return csr_array((4 * seen / (seen + p[rows] * p[P.indices]), P.indices, P.indptr), P.shape)


def target_operator(counts):
    r""":math:`v\mapsto M^*v=Sv-2\,(\mathbf 1^Tv)\,\mathbf 1`, with balanced weights.

    Parameters
    ----------
    counts : (V, V) sparse array, symmetric

    Returns
    -------
    LinearOperator of shape (V, V)

    Notes
    -----
    Equation q06.
    """
    S = balanced_part(counts)
    return LinearOperator(S.shape, dtype=float, matvec=lambda v: S @ v - 2 * v.sum())


def top_eigenpairs(operator, d):
    r""":math:`M^*v_k=\lambda_kv_k` for the d algebraically largest eigenvalues, in falling order.

    The largest in modulus would be the wrong ones: the target has one huge negative eigenvalue
    and many more negative ones. Start vector and signs are fixed, so that a second call returns
    the same bytes; where eigenvalues coincide, the basis of their space is still a choice.

    Parameters
    ----------
    operator : LinearOperator or array, (V, V) and symmetric
    d : int, between 1 and V - 1

    Returns
    -------
    (d,) array, (V, d) array

    Notes
    -----
    Equation q10.
    """
    V = operator.shape[0]
    if not 1 <= d < V:
        raise ValueError(f"d: expected a whole number from 1 to V - 1 = {V - 1}, got {d!r}")
    values, vectors = eigsh(operator, k=d, which="LA", v0=_start(V))
    order = np.argsort(-values, kind="stable")
    return values[order], fix_signs(vectors[:, order])


def embed(counts, d):
    r""":math:`W=V^*_{[:,:d]}\max(\Lambda_{[:d,:d]},0)^{1/2}` for the balanced target of `counts`.

    Parameters
    ----------
    counts : (V, V) sparse array, symmetric
    d : int, between 1 and V - 1

    Returns
    -------
    (V, d) array

    Notes
    -----
    Equation q16.
    """
    values, vectors = top_eigenpairs(target_operator(counts), d)
    return vectors * np.sqrt(np.maximum(values, 0))


def ppmi(counts):
    r""":math:`\max(0,\log P_{ij}/(P_iP_j))` on the pairs that were seen.

    Parameters
    ----------
    counts : (V, V) sparse array, symmetric

    Returns
    -------
    (V, V) csr_array
    """
    P, p = _shares(counts)
    rows = np.repeat(np.arange(len(p)), np.diff(P.indptr))
    made = csr_array((np.log(P.data / (p[rows] * p[P.indices])), P.indices, P.indptr), P.shape)
    made.data = np.maximum(made.data, 0)
    made.eliminate_zeros()
    return made


def embed_ppmi(counts, d):
    r""":math:`W=U_d\Sigma_d^{1/2}` from the singular values of the PPMI matrix, the usual baseline.

    Parameters
    ----------
    counts : (V, V) sparse array, symmetric
    d : int, between 1 and V - 1

    Returns
    -------
    (V, d) array
    """
    u, s, _ = svds(ppmi(counts), k=d, v0=_start(counts.shape[0]))
    order = np.argsort(-s, kind="stable")
    return fix_signs(u[:, order]) * np.sqrt(s[order])


def _shares(counts):
    counts = csr_array(counts, dtype=float, copy=True)
    if counts.shape[0] != counts.shape[1] or np.any(counts.data < 0):
        raise ValueError(f"counts: expected a square array of counts, got shape {counts.shape}")
    if (counts != counts.T).nnz:
        raise ValueError("counts: expected a symmetric array, got one that is not")
    counts.eliminate_zeros()
    counts.sort_indices()
    P = counts / counts.sum()
    p = np.asarray(P.sum(axis=1)).ravel()
    if np.any(p == 0):
        raise ValueError("counts: expected every word to be seen with another, got an empty row")
    return csr_array(P), p


def _start(V):
    """Return a start vector that favours no mode and is the same each time."""
    return np.random.default_rng(0).standard_normal(V)

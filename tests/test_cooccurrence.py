"""Counting and the implicit target, against naive loops and the dense target."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from mathlib import cooccurrence as co
from mathlib import embedding as em
from mathlib.corpus import made_text

TEXTS = made_text(300, seed=5)


@pytest.fixture(scope="module")
def words():
    return co.vocabulary(TEXTS, 2)


@pytest.fixture(scope="module")
def counts(words):
    return co.count(TEXTS, words, 3)


def naive_counts(texts, words, window):
    made = np.zeros((len(words), len(words)))
    for text in texts:
        kept = [w for w in text if w in words]
        for s, a in enumerate(kept):
            for t, b in enumerate(kept):
                if s != t and abs(s - t) <= window:
                    made[words.index(a), words.index(b)] += 1
    return made


def test_vocabulary_is_sorted_by_frequency_then_letters():
    assert co.vocabulary([], 1) == []
    assert co.vocabulary([["b", "a"], ["b", "c", "a", "d", "b"]], 2) == ["b", "a"]


def test_two_words_are_one_pair_seen_both_ways():
    assert co.count([["a", "b"]], ["a", "b"], 1).toarray().tolist() == [[0, 1], [1, 0]]


def test_a_word_next_to_itself_counts_from_both_ends():
    assert co.count([["a", "a"]], ["a"], 2).toarray().tolist() == [[2]]


def test_counts_follow_their_definition(words, counts):
    assert np.array_equal(counts.toarray(), naive_counts(TEXTS, words, 3))


def test_words_out_of_vocabulary_are_taken_out_before_counting():
    assert co.count([["a", "x", "b"], ["b"]], ["a", "b"], 1).toarray()[0, 1] == 1


def test_implicit_target_is_the_dense_one(counts):
    P = counts.toarray() / counts.sum()
    M = em.target(P, em.weights(P, "balanced"))
    S = co.balanced_part(counts)
    np.testing.assert_allclose(S.toarray() - 2, M, rtol=1e-13, atol=1e-14)
    assert S.nnz == counts.nnz < len(P) ** 2
    v = np.random.default_rng(0).standard_normal(len(P))
    np.testing.assert_allclose(co.target_operator(counts) @ v, M @ v, rtol=1e-11)


def test_implicit_embedding_is_the_closed_form(counts):
    P = counts.toarray() / counts.sum()
    M = em.target(P, em.weights(P, "balanced"))
    values, _ = em.spectrum(M, 7)
    np.testing.assert_allclose(co.top_eigenpairs(co.target_operator(counts), 7)[0], values)
    W, want = co.embed(counts, 7), em.closed_form(M, 7)
    np.testing.assert_allclose(W @ W.T, want @ want.T, atol=1e-9)


def test_largest_modulus_would_be_the_wrong_mode(counts):
    P = counts.toarray() / counts.sum()
    values = np.linalg.eigvalsh(em.target(P, em.weights(P, "balanced")))
    assert abs(values[0]) > values[-1] > 0
    assert co.top_eigenpairs(co.target_operator(counts), 1)[0][0] == pytest.approx(values[-1])


def test_same_input_same_bytes(words, counts):
    again = co.count(TEXTS, words, 3)
    assert again.data.tobytes() == counts.data.tobytes()
    assert co.embed(again, 5).tobytes() == co.embed(counts, 5).tobytes()
    assert co.embed_ppmi(again, 5).tobytes() == co.embed_ppmi(counts, 5).tobytes()


def test_ppmi_is_the_positive_logarithm(counts):
    P = counts.toarray() / counts.sum()
    p = P.sum(1)
    with np.errstate(divide="ignore"):
        want = np.maximum(0, np.log(P / np.outer(p, p)))
    np.testing.assert_allclose(co.ppmi(counts).toarray(), want, atol=1e-13)
    W = co.embed_ppmi(counts, 7)
    np.testing.assert_allclose(
        np.sum(W**2, axis=0), np.linalg.svd(want, compute_uv=False)[:7], rtol=1e-9
    )


@pytest.mark.parametrize(
    "call, name",
    [
        (lambda: co.vocabulary([], 0), "least"),
        (lambda: co.count([["a", "b"]], ["a", "b"], 0), "window"),
        (lambda: co.count([["a"], ["b"]], ["a", "b"], 1), "texts"),
        (lambda: co.count([], ["a"], 1), "texts"),
        (lambda: co.balanced_part(csr_array([[0, 1], [2, 0]])), "counts"),
        (lambda: co.balanced_part(csr_array([[1, 0], [0, 0]])), "counts"),
        (lambda: co.top_eigenpairs(np.eye(3), 3), "d"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=rf"^{name}"):
        call()

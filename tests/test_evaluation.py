"""Scores of embeddings whose answers are known by construction."""

import numpy as np
import pytest

from mathlib import evaluation as ev

WORDS = ["man", "woman", "king", "queen", "stone"]
W = np.array([[1.0, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1], [-1, -1, -1]])


def test_rows_of_length_one_and_a_row_of_zeros():
    made = ev.unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]]))
    assert made.tolist() == [[0.6, 0.8], [0.0, 0.0]]


def test_nearest_leaves_the_word_itself_out():
    assert ev.nearest(W, WORDS, "queen", 2) == ["woman", "king"]


def test_similarity_counts_the_pairs_that_are_covered():
    pairs = [
        ("man", "stone", 1.0),
        ("man", "woman", 5.0),
        ("woman", "queen", 9.0),
        ("cat", "man", 3),
    ]
    score = ev.similarity_score(W, WORDS, pairs)
    assert score.items == 3
    assert score.value == pytest.approx(1)
    assert ev.similarity_score(-W @ np.diag([1, 0, 0]), WORDS, pairs[:2]).items == 2


def test_analogies_exclude_the_words_of_the_question():
    questions = [("man", "woman", "king", "queen"), ("man", "king", "woman", "stone"), ("a",) * 4]
    score = ev.analogy_score(W, WORDS, questions)
    assert score == ev.Score(0.5, 2)


def test_packaged_test_sets():
    pairs, questions = ev.similarity_pairs(), ev.analogy_questions()
    if pairs is None:
        pytest.skip("gensim is not installed: pip install gensim")
    assert len(pairs) == 353 and ("tiger", "cat", 7.35) in pairs
    assert len(questions) == 19544 and {len(q) for q in questions} == {4}


@pytest.mark.parametrize(
    "call, name",
    [
        (lambda: ev.nearest(W, WORDS, "cat"), "word"),
        (lambda: ev.similarity_score(W, WORDS, []), "pairs"),
        (lambda: ev.analogy_score(W, WORDS, [("a", "b", "c", "d")]), "questions"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=rf"^{name}"):
        call()

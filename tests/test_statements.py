"""The statements: complete, unchanged since they were transcribed, and found by id."""

from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

from mathlib.statements import UnknownId, expand_macros, find, load

FROZEN = Path(__file__).with_name("statements.txt")


def digest(statement):
    return sha256(f"{statement.kind}\n{statement.tex}".encode()).hexdigest()[:16]


def test_no_macros():
    assert expand_macros("") == ""
    assert expand_macros("x^2") == "x^2"


def test_macros_are_written_out():
    assert expand_macros(r"\m{X}^T\v{z}") == r"\mathbf{X}^T\boldsymbol{z}"
    assert expand_macros(r"\m{\Lambda}\1") == r"\boldsymbol{\Lambda}\mathbf{1}"
    assert expand_macros(r"\mathbb{R}\vec") == r"\mathbb{R}\vec"


def test_every_statement_of_the_sources_is_there():
    sources = Counter(s.source for s in load().values())
    assert (sources["q"], sources["t"], sources["c"]) == (21, 70, 52)
    assert all(name[0] == s.source for name, s in load().items())


def test_statements_are_as_they_were_transcribed():
    """An edited statement is a different statement: its line in statements.txt must change too."""
    frozen = dict(line.split() for line in FROZEN.read_text(encoding="utf-8").splitlines())
    now = {name: digest(s) for name, s in load().items()}
    assert now == frozen


def test_unknown_ids_name_the_nearest():
    with pytest.raises(UnknownId, match="'t4'; the nearest are t4"):
        find("t4")
    assert find("t46").kind == "implication"

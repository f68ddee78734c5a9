"""The book against the sources: every statement claimed, each with the evidence it needs."""

from fractions import Fraction
from pathlib import Path

import pytest

from mathlib.ledger import records
from mathlib.recheck import recheck
from mathlib.statements import load

RECORDS = records()
ANCHORS = Path(__file__).with_name("anchors.txt")
NOTEBOOKS = sorted({r["notebook"] for r in RECORDS.values()})


def test_every_statement_has_a_claim():
    assert [name for name in load() if name not in RECORDS] == []


@pytest.mark.parametrize("name", RECORDS)
def test_evidence(name):
    """What a verdict needs is in its record, whatever wrote it."""
    record = RECORDS[name]
    verdict, mutants = record["verdict"], record["mutants"]
    assert record["scope"]
    assert mutants["refuted"] + mutants["equivalent"] == mutants["tried"]
    assert len(record["equivalent"]) == mutants["equivalent"]
    if verdict in ("holds", "conditional", "wrong"):
        assert mutants["refuted"] > 0
    if verdict in ("holds", "conditional", "wrong", "approximation"):
        assert "numeric" in record["routes"] and len(record["routes"]) >= 2
    if verdict in ("conditional", "wrong"):
        assert record["witness"]
    assert bool(record["corrected"]) == (verdict == "wrong")
    assert bool(record["assumes"]) or verdict != "conditional"


@pytest.mark.parametrize("name", [n for n, r in RECORDS.items() if r["witness"]])
def test_counterexamples_are_small_and_exact(name):
    """Numbers that a person can redo: integers and fractions, not many of them."""
    for witness in RECORDS[name]["witnesses"]:
        numbers = [n for key, value in witness.items() if key != "then" for n in flat(value)]
        assert all(abs(Fraction(n)) <= 100 for n in numbers if number(n))
        assert len(numbers) <= 40


def flat(value):
    return [n for inner in value for n in flat(inner)] if isinstance(value, list) else [value]


def number(text):
    try:
        return bool(Fraction(text)) or True
    except ValueError:
        return False


def test_anchors_are_never_given_up():
    published = ANCHORS.read_text(encoding="utf-8").split()
    assert len(set(published)) == len(published)
    assert sorted(r["page"] for r in RECORDS.values()) == sorted(published)


@pytest.mark.parametrize("notebook", NOTEBOOKS)
def test_a_claim_can_be_checked_by_itself(notebook):
    """The first and the last claim of each page run from the cells that they need."""
    names = [n for n, r in RECORDS.items() if r["notebook"] == notebook]
    for name in dict.fromkeys((names[0], names[-1])):
        record, _ = recheck(notebook, name)
        stored = {k: v for k, v in RECORDS[name].items() if k not in ("page", "notebook")}
        assert record == stored

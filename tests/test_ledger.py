"""The ledger, the errata, and the command line: all read from stored outputs."""

import json

import nbformat
import pytest

from mathlib.__main__ import main
from mathlib.claims import MIME
from mathlib.ledger import Errata, Ledger, cite, entries, records, show, totals
from mathlib.recheck import needed_cells, recheck
from mathlib.statements import load

CELLS = [
    "from mathlib.checker import eq, scalars\nfrom mathlib.claims import claim",
    "a, c = scalars('a c')",
    "unused = 1 / 0",
    "def square(x):\n    return x**2",
    (
        "with claim('t46', 'wrong') as it:\n"
        "    it.refutes(eq(square(a + c), a**2 + c**2))\n"
        "    it.corrects(eq(square(a + c), a**2 + 2*a*c + c**2))\n"
        "    it.numeric([1.0], [1.0], on='one number')"
    ),
]


def record(name="t46", **changes):
    space = {}
    shown = []
    import mathlib.claims as claims

    kept, claims._show = claims._show, shown.append
    try:
        for source in (CELLS[0], CELLS[1], CELLS[3], CELLS[4].replace("t46", name)):
            exec(source, space)
    finally:
        claims._show = kept
    return {**shown[0].record, **changes}


@pytest.fixture
def book(tmp_path):
    def write(*stored, name="gains/cubic.ipynb"):
        nb = nbformat.v4.new_notebook()
        nb.cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
        for entry in stored:
            output = nbformat.v4.new_output("display_data", {MIME: entry})
            nb.cells.append(nbformat.v4.new_code_cell("", outputs=[output]))
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(nb, path)
        return tmp_path

    return write


def test_an_empty_book_has_done_nothing(tmp_path):
    rows = entries(tmp_path)
    assert [r["id"] for r in rows] == sorted(load())
    assert all(r["verdict"] is None and r["page"] is None for r in rows)
    assert all(r["mutants"] == {"tried": 0, "refuted": 0, "equivalent": 0} for r in rows)
    assert "not yet" in repr(Ledger(tmp_path))


def test_a_record_becomes_a_row(book):
    root = book(record())
    row = next(r for r in entries(root) if r["id"] == "t46")
    assert row["verdict"] == "wrong" and row["page"] == "gains/cubic.html#t46"
    assert row["mutants"]["tried"] == row["mutants"]["refuted"] > 5
    assert row["routes"] == ["symbolic", "numeric"] and row["witness"] == {"a": "1", "c": "1"}
    assert totals(entries(root))["t"]["wrong"] == 1
    assert json.loads(json.dumps(row)) == row


def test_pages_are_made_from_records(book):
    root = book(record())
    assert 'href="gains/cubic.html#t46"' in Ledger(root)._repr_html_()
    assert "a = 1, c = 1" in Errata(root)._repr_html_()
    assert "Wrong as written: 1" in repr(Errata(root))
    assert "t46  wrong" in show("t46", root)
    assert "not done yet" in show("q01", root)
    assert cite("t46", root).count("{") == cite("t46", root).count("}")


def test_what_does_not_fit_is_refused(book):
    root = book(record(), record())
    with pytest.raises(ValueError, match="claimed in .* already"):
        records(root)
    with pytest.raises(ValueError, match="no source has"):
        records(book(record(id="t999")))
    with pytest.raises(ValueError, match="another statement"):
        records(book(record(statement="x=x")))


def test_a_claim_needs_only_the_cells_behind_it():
    assert needed_cells(CELLS, "t46") == [CELLS[0], CELLS[1], CELLS[3], CELLS[4]]
    with pytest.raises(ValueError, match="expected a cell that claims q01"):
        needed_cells(CELLS, "q01")


def test_recheck_runs_the_claim_now(book):
    root = book(record())
    again, seconds = recheck(root / "gains/cubic.ipynb", "t46")
    assert again == record() and seconds > 0


def test_unknown_ids_end_with_code_2(capsys):
    for command in ("show", "check", "cite"):
        assert main([command, "t4"]) == 2
        assert "nearest are t4" in capsys.readouterr().err


def test_the_json_ledger_has_every_id_once(capsys):
    assert main(["ledger", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [r["id"] for r in rows] == sorted(load())
    assert set(rows[0]) == {
        "id", "source", "kind", "verdict", "scope", "assumes", "routes", "mutants",
        "corrected", "witness", "page",
    }  # fmt: skip

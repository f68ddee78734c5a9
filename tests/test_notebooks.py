"""The stored notebooks, and whether `problems` sees what nbval would pass."""

import copy
import struct
import zlib
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from mathlib import notebooks

ROOT = Path(__file__).parent.parent
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.mark.parametrize("path", notebooks.find(), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_stored_notebook_has_no_problems(path):
    assert notebooks.problems(notebooks.read(path)) == []


def good():
    """A notebook as it is stored: prose, a printing cell, a value, a figure."""
    figure = new_output("display_data", data={"image/png": PIXEL, "text/plain": "<Figure>"})
    alt = {"mystnb": {"image": {"alt": "one dot"}}}
    return notebooks.normalise(
        new_notebook(
            cells=[
                new_markdown_cell("# A page"),
                new_code_cell("from mathlib import plots"),
                new_code_cell(
                    "print(2)", outputs=[new_output("stream", name="stdout", text="2\n")]
                ),
                new_code_cell(
                    "1 + 1", outputs=[new_output("execute_result", data={"text/plain": "2"})]
                ),
                new_code_cell("plots.draw()", outputs=[figure], metadata=alt),
            ]
        )
    )


def renewed(nb):
    """The digests renewed without a run, so that only the other checks speak."""
    nb.metadata.mathlib["cells"] = notebooks.cells_digest(nb)
    nb.metadata.mathlib["code"] = notebooks.code_digest(nb)
    return nb


def test_a_good_notebook_has_no_problems():
    assert notebooks.problems(good()) == []


def test_an_empty_notebook_has_no_problems():
    assert notebooks.problems(notebooks.normalise(new_notebook())) == []


def never_run(nb):
    nb.cells[2].execution_count = None


def out_of_order(nb):
    nb.cells[2].execution_count = 7


def with_error(nb):
    nb.cells[2].outputs = [new_output("error", ename="NameError", evalue="x", traceback=[])]


def with_warning(nb):
    nb.cells[2].outputs.append(new_output("stream", name="stderr", text="beware"))


def ignored(nb):
    nb.cells[2].source = "# NBVAL_IGNORE_OUTPUT\nprint(2)"


def skipped_with_an_empty_reason(nb):
    nb.cells[2].source = "# NBVAL_SKIP\n# not compared: \nprint(2)"


def ignored_by_a_tag(nb):
    nb.cells[2].metadata.tags = ["nbval-ignore-output"]


def raising_by_a_tag(nb):
    nb.cells[2].metadata.tags = ["raises-exception"]


def without_alt_text(nb):
    nb.cells[4].metadata = nbformat.from_dict({})


def with_a_magic(nb):
    nb.cells[2].source = "%time print(2)"


def empty(nb):
    nb.cells[2].source = "  \n"


def same_id_twice(nb):
    nb.cells[2].id = nb.cells[3].id


@pytest.mark.parametrize(
    "break_it, message",
    [
        (never_run, "was never run"),
        (out_of_order, "was run as number 7, not in order"),
        (with_error, "stores an error, NameError"),
        (with_warning, "stores a warning: beware"),
        (ignored, "does not say why"),
        (skipped_with_an_empty_reason, "does not say why"),
        (ignored_by_a_tag, "does not say why"),
        (raising_by_a_tag, "does not say why"),
        (without_alt_text, "without alt text"),
        (with_a_magic, "is not plain Python"),
        (empty, "is empty"),
        (same_id_twice, "lack an id or share one"),
    ],
)
def test_each_fault_is_named_and_nothing_else(break_it, message):
    nb = good()
    break_it(nb)
    found = notebooks.problems(renewed(nb))
    assert len(found) == 1
    assert message in found[0]


def test_a_reason_makes_an_ignore_acceptable():
    nb = good()
    nb.cells[
        2
    ].source = "# NBVAL_IGNORE_OUTPUT\n# not compared: differs between processors\nprint(2)"
    assert notebooks.problems(renewed(nb)) == []


def deleted_print(nb):
    nb.cells[2].outputs = []


def deleted_figure(nb):
    nb.cells[4].outputs = []


def edited_output(nb):
    nb.cells[3].outputs[0].data["text/plain"] = "3"


def edited_code(nb):
    nb.cells[3].source = "1 + 2"


@pytest.mark.parametrize("edit", [deleted_print, deleted_figure, edited_output, edited_code])
def test_edits_after_the_run_are_seen(edit):
    nb = good()
    edit(nb)
    assert any("changed after the last run" in found for found in notebooks.problems(nb))


def test_edited_prose_needs_no_run():
    nb = good()
    nb.cells[0].source = "# Another title"
    assert notebooks.problems(nb) == []


def test_a_foreign_notebook_is_refused():
    nb = good()
    del nb.metadata["mathlib"]
    assert "not stored by this project" in notebooks.problems(nb)[0]


@pytest.fixture
def package(tmp_path):
    """A package in which a imports b, b imports the subpackage's c, and d stands alone."""
    root = tmp_path / "mathlib"
    (root / "sub").mkdir(parents=True)
    (root / "__init__.py").write_text("")
    (root / "a.py").write_text("from .b import f\n")
    (root / "b.py").write_text("def f():\n    from mathlib.sub import c\n")
    (root / "sub/__init__.py").write_text("")
    (root / "sub/c.py").write_text("from ..a import f\n")
    (root / "d.py").write_text("")
    (root / "data.yml").write_text("x: 1\n")
    return root


def names(paths, root):
    return sorted(path.relative_to(root).as_posix() for path in paths)


def test_closure_follows_imports(package):
    found = notebooks.closure("from mathlib.a import f", package)
    assert names(found, package) == ["__init__.py", "a.py", "b.py", "sub/__init__.py", "sub/c.py"]


def test_closure_of_nothing(package):
    assert notebooks.closure("import numpy", package) == set()
    assert names(notebooks.closure("import mathlib.d", package), package) == ["__init__.py", "d.py"]


@pytest.mark.parametrize("file, stale", [("sub/c.py", True), ("data.yml", False), ("d.py", False)])
def test_a_change_makes_stale_what_uses_it(package, file, stale):
    nb = new_notebook(cells=[new_code_cell("from mathlib.a import f")])
    before = notebooks.code_digest(nb, package)
    (package / file).write_text("y = 2\n")
    assert (notebooks.code_digest(nb, package) != before) is stale


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def test_a_figure_loses_its_maker_and_keeps_its_pixels():
    head, pixels = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", b"12345"), chunk(b"IDAT", b"6789")
    end = chunk(b"IEND", b"")
    marked = head + chunk(b"tEXt", b"Software\0someone") + pixels + chunk(b"tIME", b"now") + end
    assert notebooks.strip_png(marked) == head + pixels + end
    assert notebooks.strip_png(head + pixels + end) == head + pixels + end


def test_normalise_twice_changes_nothing():
    once = good()
    assert notebooks.normalise(copy.deepcopy(once)) == once


def test_ids_are_kept_and_doubles_renamed():
    nb = new_notebook(cells=[new_markdown_cell("a"), new_markdown_cell("b")])
    nb.cells[0].id = nb.cells[1].id = "here"
    first, second = (cell.id for cell in notebooks.normalise(nb).cells)
    assert first == "here" != second


def test_running_twice_changes_no_byte(tmp_path):
    path = tmp_path / "page.ipynb"
    draw = "import matplotlib.pyplot as plt\nfig = plt.figure()\nax = fig.add_subplot()"
    cells = [new_code_cell("print(1)\nprint(2)"), new_code_cell(draw), new_code_cell("3 + 4")]
    cells[1].metadata = nbformat.from_dict({"mystnb": {"image": {"alt": "axes"}}, "scrolled": True})
    nbformat.write(new_notebook(cells=cells), path)
    assert notebooks.main([str(path)]) == 0
    first = path.read_bytes()
    assert b"scrolled" not in first and b"image/png" in first and first.endswith(b"}\n")
    assert notebooks.main([str(path)]) == 0
    assert path.read_bytes() == first
    assert notebooks.problems(notebooks.read(path)) == []


def test_a_failing_notebook_is_named_and_left_as_it_was(tmp_path, capsys):
    path = tmp_path / "page.ipynb"
    nbformat.write(new_notebook(cells=[new_code_cell("1 / 0")]), path)
    before = path.read_bytes()
    assert notebooks.main([str(path)]) == 1
    assert path.read_bytes() == before
    err = capsys.readouterr().err
    assert "page.ipynb" in err and "ZeroDivisionError" in err


def test_what_is_no_notebook_is_refused(tmp_path):
    with pytest.raises(ValueError, match="path: expected a Jupyter notebook"):
        notebooks.read(tmp_path / "missing.ipynb")
    bad = tmp_path / "bad.ipynb"
    for text, expected in (("no", "a Jupyter notebook"), ('{"nbformat": 3}', "nbformat 4, got 3")):
        bad.write_text(text)
        with pytest.raises(ValueError, match=f"path: expected {expected}"):
            notebooks.read(bad)


def test_reading_repairs_nothing(tmp_path):
    nb = good()
    nb.cells[2].id = nb.cells[3].id
    path = tmp_path / "page.ipynb"
    path.write_text(nbformat.v4.writes(nb))
    assert "share one" in notebooks.problems(notebooks.read(path))[0]


def test_the_ledger_and_the_errata_run_last(tmp_path):
    for file in ("ledger.ipynb", "a.ipynb", "z.ipynb", "errata.ipynb"):
        (tmp_path / file).touch()
    order = [path.name for path in notebooks.find(tmp_path)]
    assert order == ["a.ipynb", "z.ipynb", "ledger.ipynb", "errata.ipynb"]

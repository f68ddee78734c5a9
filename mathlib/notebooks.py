"""Run the notebooks, store their outputs so that a second run changes no byte, and find bad ones.

nbval compares what a cell prints with what is stored, but it passes a cell that was never run, a
figure that was deleted and an output that was told to be ignored. `problems` refuses those. Two
digests in a notebook's metadata do most of the work:

- `cells`: the code and the stored outputs, as the last run left them;
- `code`: the modules of this package that the notebook imports, directly or not. The statements
  are no part of it: a record holds the formula that it was run on, and the ledger compares them.

From the command line: `python -m mathlib.notebooks [--check] [PATH ...]`.
"""

import argparse
import ast
import base64
import hashlib
import json
import os
import re
import struct
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from tqdm import tqdm

PACKAGE = Path(__file__).parent
BOOK = PACKAGE.parent / "book"
# These read the stored outputs of all the others, so they run after them.
LAST = ("ledger.ipynb", "errata.ipynb")
KEEP = ("tags", "mystnb")
IGNORES = re.compile(
    r"NBVAL_(IGNORE_OUTPUT|SKIP|RAISES_EXCEPTION)|PYTEST_VALIDATE_IGNORE_OUTPUT"
    r"|raises-exception|skip-execution"
)
REASON = re.compile(r"^# not compared: \S", re.MULTILINE)
FIGURES = ("image/png", "image/jpeg", "image/svg+xml")
RERUN = "run `make notebooks`"


def find(book=BOOK):
    """All notebooks of the book, in the order in which they are to run."""
    paths = (p for p in Path(book).rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)
    return sorted(paths, key=_order)


def _order(path):
    return (LAST.index(path.name) if path.name in LAST else -1, path.as_posix())


def read(path):
    """The notebook at `path` as it stands, unrepaired; raises ValueError where there is none."""
    try:
        text = Path(path).read_text(encoding="utf-8")
        version = json.loads(text)["nbformat"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ValueError(f"path: expected a Jupyter notebook, got {path} ({error})") from error
    if version != 4:
        raise ValueError(f"path: expected nbformat 4, got {version} in {path}")
    return nbformat.v4.reads(text)


def code_cells(nb):
    """The code cells, in order."""
    return [cell for cell in nb.cells if cell.cell_type == "code"]


# What must not be there


def problems(nb):
    """Everything in a notebook that nbval would pass and a reader should not have to.

    Parameters
    ----------
    nb : NotebookNode

    Returns
    -------
    list of str
        One sentence a problem, naming the cell; empty where there is none.
    """
    found = []
    for number, cell in enumerate(code_cells(nb), start=1):
        where = f"code cell {number} ({cell.source.strip().splitlines()[:1] or 'empty'})"
        found += [f"{where} {what}" for what in _cell_problems(cell, number)]
    ids = [cell.get("id") for cell in nb.cells]
    if None in ids or len(set(ids)) < len(ids):
        found.append(f"cells lack an id or share one: {RERUN}")
    return found + _stale(nb)


def _cell_problems(cell, number):
    if not cell.source.strip():
        yield "is empty"
    try:
        ast.parse(cell.source)
    except SyntaxError:
        yield "is not plain Python (a magic or a shell command?)"
    if cell.execution_count is None:
        yield f"was never run: {RERUN}"
    elif cell.execution_count != number:
        yield f"was run as number {cell.execution_count}, not in order: {RERUN}"
    for output in cell.outputs:
        if output.output_type == "error":
            yield f"stores an error, {output.ename}: {output.evalue}"
        if output.get("name") == "stderr":
            yield f"stores a warning: {output.text.strip()[:80]}"
    if _ignored(cell) and not REASON.search(cell.source):
        yield "is not compared and does not say why; add a line `# not compared: <reason>`"
    if _has_figure(cell) and not _alt_text(cell):
        yield "shows a figure without alt text (cell metadata mystnb.image.alt)"


def _ignored(cell):
    tags = " ".join(cell.metadata.get("tags", []))
    as_comments = tags.upper().replace("-", "_")
    return IGNORES.search(cell.source) or IGNORES.search(tags) or IGNORES.search(as_comments)


def _has_figure(cell):
    return any(kind in output.get("data", {}) for output in cell.outputs for kind in FIGURES)


def _alt_text(cell):
    return cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "").strip()


def _stale(nb):
    stored = nb.metadata.get("mathlib", {})
    if not stored:
        return [f"its outputs were not stored by this project: {RERUN}"]
    found = []
    if stored.get("cells") != cells_digest(nb):
        found.append(f"code or outputs were changed after the last run: {RERUN}")
    if stored.get("code") != code_digest(nb):
        found.append(f"mathlib was changed after the last run, so outputs may be stale: {RERUN}")
    return found


# Digests


def cells_digest(nb):
    """A digest of the code and of what it printed and drew."""
    cells = [[cell.source, cell.outputs] for cell in code_cells(nb)]
    return _digest([json.dumps(cells, sort_keys=True, ensure_ascii=False).encode()])


def code_digest(nb, package=PACKAGE):
    """A digest of the modules that the notebook imports, with theirs."""
    source = "\n".join(cell.source for cell in code_cells(nb))
    parts = []
    for path in sorted(closure(source, package)):
        parts += [path.relative_to(package).as_posix().encode(), _text(path)]
    return _digest(parts)


def closure(source, package=PACKAGE):
    """The files of `package` that Python source imports, directly or through one another."""
    seen, queue = set(), list(_imports(source, (), package))
    while queue:
        path = queue.pop()
        if path in seen:
            continue
        seen.add(path)
        parents = (package.name, *path.relative_to(package).parent.parts)
        queue += _imports(path.read_text(encoding="utf-8"), parents, package)
    return seen


def _imports(source, parents, package):
    """Files behind the import statements of a module that lives in the package `parents`."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = list(parents[: len(parents) - node.level + 1]) if node.level else []
            base += node.module.split(".") if node.module else []
            names = [base, *(base + [alias.name] for alias in node.names)]
        else:
            continue
        for name in names:
            if name[:1] == [package.name]:
                yield from _files(name[1:], package)


def _files(parts, package):
    """The modules that importing package.a.b runs: each __init__ on the way, and b itself."""
    for depth in range(len(parts) + 1):
        stem = package.joinpath(*parts[:depth])
        for path in (stem / "__init__.py", stem.with_suffix(".py")):
            if path.is_relative_to(package) and path.is_file():
                yield path


def _text(path):
    return path.read_bytes().replace(b"\r\n", b"\n")


def _digest(parts):
    total = hashlib.sha256()
    for part in parts:
        total.update(struct.pack(">q", len(part)))
        total.update(part)
    return total.hexdigest()[:32]


# Run and store


def execute(path):
    """The notebook at `path`, run from top to bottom in its own folder; nothing is written.

    Raises
    ------
    RuntimeError
        If a cell raises: names the notebook and shows the cell's traceback.
    """
    nb = read(path)
    client = NotebookClient(
        nb,
        timeout=900,
        kernel_name="python3",
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(Path(path).resolve().parent)}},
    )
    try:
        client.execute()
    except CellExecutionError as error:
        raise RuntimeError(f"{path}: {error}") from error
    return nb


def normalise(nb):
    """The same notebook, in the one form in which it is stored.

    Counts run 1, 2, ..., n; of the metadata only what the book uses stays; ids that are missing
    or shared are made from the cell's place and text; figures lose the name of the program that
    drew them; the two digests are renewed.
    """
    taken = set()
    for place, cell in enumerate(nb.cells):
        if not cell.get("id") or cell.id in taken:
            cell.id = _digest([str(place).encode(), cell.source.encode()])[:8]
        taken.add(cell.id)
        cell.metadata = nbformat.from_dict(
            {k: cell.metadata[k] for k in KEEP if k in cell.metadata}
        )
    for number, cell in enumerate(code_cells(nb), start=1):
        cell.execution_count = number
        cell.outputs = _merge_streams(cell.outputs)
        for output in cell.outputs:
            _normalise_output(output, number)
    nb.nbformat, nb.nbformat_minor = 4, 5
    nb.metadata = nbformat.from_dict(
        {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "mathlib": {"cells": cells_digest(nb), "code": code_digest(nb)},
        }
    )
    return nb


def _merge_streams(outputs):
    """Neighbouring pieces of one stream as one: how they were cut depends on timing."""
    merged = []
    for output in outputs:
        last = merged[-1] if merged else {}
        if output.output_type == "stream" and last.get("name") == output.name:
            last["text"] += output.text
        else:
            merged.append(output)
    return merged


def _normalise_output(output, number):
    if output.output_type == "execute_result":
        output.execution_count = number
    if "transient" in output:
        del output["transient"]
    data = output.get("data", {})
    if "image/png" in data:
        png = strip_png(base64.b64decode(data["image/png"]))
        data["image/png"] = base64.b64encode(png).decode("ascii")


def strip_png(png):
    """A PNG without its text and time chunks; pixels are untouched."""
    kept, at = [png[:8]], 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        chunk = png[at : at + 12 + length]
        if chunk[4:8] not in (b"tEXt", b"zTXt", b"iTXt", b"tIME"):
            kept.append(chunk)
        at += len(chunk)
    return b"".join(kept)


def write(nb, path):
    """Store a notebook, whole or not at all; True if the file's bytes changed."""
    text = nbformat.writes(nb).rstrip("\n") + "\n"
    path, new = Path(path), text.encode("utf-8")
    if path.is_file() and path.read_bytes() == new:
        return False
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(new)
    os.replace(partial, path)
    return True


def main(argv=None):
    """Run and store the notebooks named, or all of them; with --check only look."""
    parser = argparse.ArgumentParser(prog="mathlib notebooks", description=main.__doc__)
    parser.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="default: the whole book"
    )
    parser.add_argument("--check", action="store_true", help="run nothing, list what is wrong")
    options = parser.parse_args(argv)
    paths = sorted(options.paths, key=_order) or find()
    bad = 0
    bar = tqdm(paths, unit="notebook", disable=None)
    for path in bar:
        bar.set_postfix_str(path.name)
        try:
            if not options.check:
                nb = normalise(execute(path))
                tqdm.write(f"{'changed  ' if write(nb, path) else 'unchanged'}  {path}")
            complaints = problems(read(path))
        except (RuntimeError, ValueError) as error:
            complaints = [str(error)]
        for complaint in complaints:
            tqdm.write(f"{path}: {complaint}", file=sys.stderr)
        bad += bool(complaints)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

"""Run one claim again: its cell and the cells that define what it uses, and nothing else."""

import ast
import builtins
import os
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from time import perf_counter

from .notebooks import code_cells, read

__all__ = ["needed_cells", "recheck"]


def _names(source):
    """Return (names that the code uses, names that it sets at its top level)."""
    tree = ast.parse(source)
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    made = {
        n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
    }
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            made.add(node.name)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            made |= {(a.asname or a.name).split(".")[0] for a in node.names}
    return used, made


def _claims(source, name):
    """Whether the code opens a claim, and of this id (any id where `name` is None)."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "claim":
            first = node.args[0] if node.args else None
            if name is None or (isinstance(first, ast.Constant) and first.value == name):
                return True
    return False


def needed_cells(sources, name):
    """Return the cells, in order, that the claim `name` needs: a backward slice by names.

    Parameters
    ----------
    sources : list of str
        The code cells of a notebook, in order.
    name : str

    Raises
    ------
    ValueError
        If no cell claims `name`.
    """
    place = next((n for n, s in enumerate(sources) if _claims(s, name)), None)
    if place is None:
        raise ValueError(f"expected a cell that claims {name}, got none in this notebook")
    kept, wanted = [sources[place]], _names(sources[place])[0] - set(dir(builtins))
    for source in reversed(sources[:place]):
        used, made = _names(source)
        star = "import *" in source
        if star or (made & wanted and not _claims(source, None)):
            kept.append(source)
            wanted |= used - set(dir(builtins))
    return kept[::-1]


def recheck(path, name):
    """Run the claim `name` of the notebook at `path` now; return (its record, seconds).

    Raises
    ------
    ClaimError
        If the evidence no longer bears the claim out.
    """
    from . import claims

    sources = [cell.source for cell in code_cells(read(path))]
    cells = needed_cells(sources, name)
    made = []
    shown, claims._show = claims._show, made.append
    backend = os.environ.get("MPLBACKEND")
    os.environ["MPLBACKEND"] = "agg"
    start = perf_counter()
    try:
        with chdir(Path(path).parent), redirect_stdout(StringIO()):
            space = {"__name__": "__recheck__"}
            for source in cells:
                exec(compile(source, str(path), "exec"), space)
    finally:
        claims._show = shown
        if backend is None:
            del os.environ["MPLBACKEND"]
        else:
            os.environ["MPLBACKEND"] = backend
    record = next(card.record for card in made if card.record["id"] == name)
    return record, perf_counter() - start

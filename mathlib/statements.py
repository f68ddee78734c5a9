"""The statements of the sources, as the sources have them, kept apart from every check."""

from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files
from re import sub
from typing import NamedTuple

import yaml

__all__ = ["Statement", "UnknownId", "load", "find", "expand_macros"]


class Statement(NamedTuple):
    """One statement of a source: its permanent id, what kind it is, and the formula there."""

    id: str
    source: str
    kind: str
    tex: str


class UnknownId(KeyError):
    """No statement has this id; the message names the nearest ones."""

    def __str__(self):
        return self.args[0]


def expand_macros(tex):
    r"""Return LaTeX with the book's macros \v, \m and \1 written out, for pages without them."""
    tex = sub(r"\\m\{(\\[A-Za-z]+)\}", r"\\boldsymbol{\1}", tex)
    tex = sub(r"\\m\{", r"\\mathbf{", tex)
    tex = sub(r"\\v\{", r"\\boldsymbol{", tex)
    return tex.replace(r"\1", r"\mathbf{1}")


@lru_cache(maxsize=1)
def load():
    """Return {id: Statement} for every statement, in the order of the sources."""
    text = files("mathlib").joinpath("statements.yml").read_text(encoding="utf-8")
    found = {}
    for letter, source in yaml.safe_load(text).items():
        for entry in source["equations"]:
            if entry["id"] in found:
                raise ValueError(f"statements.yml: the id {entry['id']} stands there twice")
            made = Statement(entry["id"], letter, entry["kind"], expand_macros(entry["tex"]))
            found[made.id] = made
    return found


def titles():
    """Return {letter: title} of the sources."""
    text = files("mathlib").joinpath("statements.yml").read_text(encoding="utf-8")
    return {letter: source["title"] for letter, source in yaml.safe_load(text).items()}


def find(name):
    """Return the statement with the id `name`, or raise `UnknownId` with the nearest ids."""
    statements = load()
    if name in statements:
        return statements[name]
    near = get_close_matches(str(name), statements, n=3, cutoff=0.0)
    raise UnknownId(f"no statement has the id {name!r}; the nearest are {', '.join(near)}")

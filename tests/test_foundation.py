"""The project's own files: pinned versions, settings, layout, and who may import whom."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from mathlib.notebooks import closure

ROOT = Path(__file__).parent.parent
BOOK = ROOT / "book"
LOCKS = [
    ROOT / "requirements.txt",
    ROOT / "requirements-lab.txt",
    ROOT / "benchmarks/requirements.txt",
]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PIN = re.compile(r"[a-z0-9.-]+==[0-9][\w.]*( ; .+)?")
CHECKER = sorted((ROOT / "mathlib/checker").glob("*.py"))


# The numerics are the modules that work on arrays, apart from those that tie claims together.
TIES = {"claims", "ledger", "recheck", "__main__"}


def package(requirement):
    return re.match(r"[\w.-]+", requirement)[0].lower().replace("_", "-")


@pytest.mark.parametrize("lock", LOCKS, ids=lambda p: p.name)
def test_every_version_is_pinned(lock):
    assert [line for line in lock.read_text().splitlines() if not PIN.fullmatch(line)] == []


def test_locks_agree():
    pins = {}
    for lock in LOCKS:
        for line in lock.read_text().splitlines():
            pin = line.split(" ;")[0]
            pins.setdefault(package(pin), set()).add(pin)
    assert [versions for versions in pins.values() if len(versions) > 1] == []


def test_what_the_project_asks_for_is_locked():
    extras = PROJECT["optional-dependencies"]
    asked = PROJECT["dependencies"] + extras["book"] + extras["corpus"] + extras["test"]
    locked = {package(line) for line in LOCKS[0].read_text().splitlines()}
    assert {package(requirement) for requirement in asked} - locked == set()


def test_pages_and_contents_agree():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text())
    listed = re.findall(r"'(?:file|root)': '([^']+)'", str(toc))
    pages = {
        page.relative_to(BOOK).with_suffix("").as_posix()
        for page in BOOK.rglob("*")
        if page.suffix in (".md", ".ipynb") and ".ipynb_checkpoints" not in page.parts
    }
    assert len(listed) == len(set(listed))
    assert set(listed) == pages


def test_the_build_runs_no_notebook():
    config = yaml.safe_load((ROOT / "_config.yml").read_text())
    assert config["execute"]["execute_notebooks"] == "off"


def test_the_citation_names_an_entity_and_invents_no_address():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert [set(author) for author in citation["authors"]] == [{"name"}]
    assert citation["version"] == PROJECT["version"]
    assert not {"doi", "url", "identifiers", "repository", "repository-code"} & set(citation)


def imported(path):
    """Names of the top-level packages that a module imports from outside its own package."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("module", CHECKER, ids=lambda p: p.stem)
def test_the_checker_needs_sympy_and_nothing_else(module):
    assert set(imported(module)) - set(sys.stdlib_module_names) - {"sympy"} == set()
    here = closure(f"import mathlib.checker.{module.stem}")
    assert {p for p in here if p.parent != module.parent} == {ROOT / "mathlib/__init__.py"}


NUMERICS = [
    path
    for path in sorted((ROOT / "mathlib").glob("*.py"))
    if path.stem not in TIES and {"numpy", "scipy"} & set(imported(path))
]


@pytest.mark.parametrize("module", NUMERICS, ids=lambda p: p.stem)
def test_the_numerics_know_no_computer_algebra(module):
    used = closure(f"import mathlib.{module.stem}")
    assert all("sympy" not in imported(path) for path in used)
    assert not [path for path in used if "checker" in path.parts or path.stem == "claims"]


def test_nothing_is_left_over():
    marks = "|".join(
        ["TO" + "DO", "FIX" + "ME", "X" + "XX", "/wo" + "rk/", "/ro" + "ot/", "/ho" + "me/"]
    )
    left = []
    for folder in ("book", "mathlib", "tests", "benchmarks", ".ci"):
        for path in (ROOT / folder).rglob("*"):
            if (
                path.suffix in (".py", ".md", ".ipynb", ".yml", ".css", ".bib", "")
                and path.is_file()
            ):
                pixels = r'"image/png": "[^"]*"'
                text = re.sub(pixels, "", path.read_text(encoding="utf-8"))
                found = re.search(rf"\b({marks})|(?<=\W)({marks})", text)
                left += [f"{path.relative_to(ROOT)}: {found[0]}"] if found else []
    assert left == []


def test_the_code_is_clean():
    ruff = [sys.executable, "-m", "ruff"]
    for command in (["check", "-q", "."], ["format", "-q", "--check", "."]):
        run = subprocess.run([*ruff, *command], cwd=ROOT, capture_output=True, text=True)
        assert run.returncode == 0, run.stdout + run.stderr

"""The command line: python -m mathlib ledger | show | check | cite | notebooks."""

import argparse
import sys

from .claims import Card, ClaimError
from .ledger import Ledger, as_json, cite, notebook_of, show
from .notebooks import main as notebooks
from .recheck import recheck
from .statements import UnknownId, find


def _check(name):
    find(name)
    path = notebook_of(name)
    if path is None:
        print(f"{name}: not done yet, so there is nothing to check")
        return 1
    try:
        record, seconds = recheck(path, name)
    except ClaimError as error:
        print(f"{name}: FAILED: {error}")
        return 1
    print(f"{Card(record)!r}\nchecked now in {seconds:.2f} s")
    return 0


def main(argv=None):
    """Run one command; exit code 2 for an unknown id, with the nearest ids."""
    argv = sys.argv[1:] if argv is None else argv
    if argv[:1] == ["notebooks"]:
        return notebooks(argv[1:])
    parser = argparse.ArgumentParser(prog="python -m mathlib", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("ledger", help="every statement and its verdict")
    listing.add_argument("--json", action="store_true", help="as a JSON list, one object an id")
    for command, about in (
        ("show", "what the book says of one id"),
        ("check", "run that claim again now"),
        ("cite", "BibTeX and LaTeX for one id"),
    ):
        commands.add_parser(command, help=about).add_argument("id", help="such as t46")
    commands.add_parser("notebooks", help="run and store the notebooks (see notebooks --help)")
    options = parser.parse_args(argv)
    if options.command == "ledger":
        print(as_json() if options.json else Ledger())
        return 0
    try:
        if options.command == "check":
            return _check(options.id)
        print((show if options.command == "show" else cite)(options.id))
    except UnknownId as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

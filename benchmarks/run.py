"""All benchmarks in one run: `make bench`, or `python benchmarks/run.py [NAME ...]`.

A benchmark is a file `bench_NAME.py` beside this one with a function `measure()` that yields rows
(what, seconds or another measure, against what, its measure, target or ""). Printed is what the
reader needs: the ratio. Each benchmark runs in a process of its own, so that one does not warm
the caches or hold the memory of another, and on one thread, so that a ratio compares work and not
how well two libraries share the cores.
"""

import argparse
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

from tqdm import tqdm

HERE = Path(__file__).parent
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
HEAD = ("what", "measured", "against", "measured", "ratio", "target")


def names():
    return sorted(path.stem.removeprefix("bench_") for path in HERE.glob("bench_*.py"))


def rows(name):
    """The rows of one benchmark, measured in a process of its own."""
    run = subprocess.run(
        [sys.executable, __file__, "--here", name],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **ONE_THREAD},
    )
    if run.returncode:
        return [[f"{name} failed", "", "", "", ""]]
    return json.loads(run.stdout.splitlines()[-1])


def number(value):
    return f"{value:.3g}" if isinstance(value, int | float) else str(value)


def finished(row):
    """A row with the ratio: by how much the other measure is larger."""
    what, mine, other, its, target = row
    both = isinstance(mine, int | float) and isinstance(its, int | float) and mine
    return [what, number(mine), other, number(its), f"{its / mine:.3g}x" if both else "", target]


def table(lines):
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names())}")
    parser.add_argument("--here", metavar="NAME", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        measure = runpy.run_path(str(HERE / f"bench_{options.here}.py"))["measure"]
        print(json.dumps([list(row) for row in measure()]))
        return 0
    unknown = sorted(set(options.names) - set(names()))
    if unknown:
        parser.error(f"NAME: expected of {', '.join(names())}; got {', '.join(unknown)}")
    lines = [list(HEAD)]
    for name in tqdm(options.names or names(), unit="benchmark", disable=None):
        lines += [finished(row) for row in rows(name)]
    print(table(lines))
    return any(line[0].endswith(" failed") for line in lines)


if __name__ == "__main__":
    sys.exit(main())

"""The strict build and the parts of the test suite, in seconds."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
NBVAL = ["--nbval", "--nbval-current-env"]
TESTS = {
    "the built site in a browser": ["tests/test_site.py"],
    "every notebook run and compared": ["book", *NBVAL],
    "the other tests": ["tests", "--ignore=tests/test_site.py"],
}


def seconds(*command):
    start = time.perf_counter()
    run = subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    spent = time.perf_counter() - start
    return spent if run.returncode == 0 else f"{spent:.1f} (failed)"


def measure():
    python = sys.executable
    with tempfile.TemporaryDirectory() as folder:
        jupyter_book = str(Path(python).with_name("jupyter-book"))
        build = [jupyter_book, "build", "book", "--toc", str(ROOT / "_toc.yml"), "-W", "-n"]
        spent = seconds(*build, "--keep-going", "--path-output", folder)
    yield "strict build, s", spent, "", "", "under 15"
    workers = ["-n", "2", "--dist", "loadfile"]
    for what, arguments in TESTS.items():
        yield f"{what}, s", seconds(python, "-m", "pytest", "-q", *workers, *arguments), "", "", ""

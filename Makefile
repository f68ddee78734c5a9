# make book       build the book and say where to open it
# make test       prove every claim again: unit tests, every notebook, the built book
# make notebooks  run every notebook again and store its outputs
# make lab        open the notebooks in JupyterLab
# make bench      ratios against other tools, measured in one run
# make clean      remove what was built

.PHONY: book test notebooks lab bench lock clean
.DEFAULT_GOAL := book

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
ENV := .venv/installed
SITE := _build/html/built
PAGES := $(shell find book mathlib -type f -not -path '*/.*' -not -name '*.pyc')

# Two test workers share the cores: one thread each for the linear algebra.
export OMP_NUM_THREADS ?= 1
export OPENBLAS_NUM_THREADS ?= 1

$(ENV): requirements.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer was not found; name it: make PYTHON=/path/to/python"; exit 1; }
	@echo "Installing the environment into .venv (a minute or two)"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) -r requirements.txt
	PYTHONWARNINGS=ignore $(PIP) --no-deps --no-build-isolation -e .
	@touch $@

.venv/installed-lab: requirements-lab.txt $(ENV)
	$(PIP) -r requirements-lab.txt
	@touch $@

.venv/installed-bench: benchmarks/requirements.txt $(ENV)
	$(PIP) -r benchmarks/requirements.txt
	@touch $@

# Always from nothing: a second, incremental build would not repeat the first one's warnings.
$(SITE): $(ENV) $(PAGES) _config.yml _toc.yml
	rm -rf _build
	$(BIN)/jupyter-book build book --toc "$(CURDIR)/_toc.yml" -W -n --keep-going --quiet
	@touch $@

book: $(SITE)
	@echo "Open file://$(CURDIR)/_build/html/index.html"

test: $(SITE)
	$(BIN)/python -m pytest tests book --nbval --nbval-current-env -n 2 --dist loadfile -q

notebooks: $(ENV)
	$(BIN)/python -m mathlib.notebooks

lab: .venv/installed-lab
	$(BIN)/jupyter lab book

bench: .venv/installed-bench $(SITE)
	$(BIN)/python benchmarks/run.py

# Only when a dependency is added or raised; the result is committed.
LOCK := $(BIN)/uv pip compile --universal --python-version 3.11 --fork-strategy fewest \
	--no-annotate --no-header --quiet pyproject.toml
lock: $(ENV)
	$(PIP) uv
	$(LOCK) --extra book --extra test --extra corpus -o requirements.txt
	$(LOCK) --extra lab -c requirements.txt -o requirements-lab.txt
	$(LOCK) --extra bench --extra corpus -c requirements.txt -o benchmarks/requirements.txt

clean:
	rm -rf _build .venv .pytest_cache .ruff_cache *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

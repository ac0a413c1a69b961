# Everything starts from Python >= 3.11 and make: 'make book' and 'make test' do the rest.

.DEFAULT_GOAL := help
.PHONY: help book test pdf site-check links list ledger benchmarks lock clean

# The first interpreter that is new enough, unless PYTHON says which.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

help: ## list the targets
	@echo "make book   executes the chapters and renders the site into _build/book/html"
	@echo "make test   unit tests, doctests, the chapters at the quick profile, the site's checks"
	@echo "make pdf    the book as one file, _build/book/companion.pdf (needs Chromium)"
	@echo "make site-check  every page of the book's site in light and dark, wide and narrow (needs Chromium)"
	@echo "make links  asks for the addresses outside the site that it links to (needs the network)"
	@echo "make list   the chapters and their parameters"
	@echo "make ledger every statement and its verdict in the last build"
	@echo "make benchmarks  speed and memory as ratios, in an environment of their own"
	@echo "make lock   resolves the lock files anew from pyproject.toml (needs uv)"
	@echo "make clean  removes what was built (_build); .venv stays"

# Touched last, so that an interrupted installation is not taken for a finished one.
.venv/installed: requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "make: found no Python >= 3.11; install one, or name it: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "make: $(PYTHON) is $$($(PYTHON) -V 2>&1); the book needs Python >= 3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { echo "make: $(PYTHON) has no venv module; install it (on Debian and Ubuntu: apt install python3-venv)" >&2; exit 1; }
	@rm -f $@
	$(PYTHON) -m venv .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

book: .venv/installed
	@.venv/bin/companion build

pdf: .venv/installed
	@.venv/bin/companion pdf

# Whole files go to each worker; the first that needs the built book builds it.
test: .venv/installed
	.venv/bin/python -m pytest -n logical --maxprocesses 4 --dist loadfile

# What 'make test' looks at in one of four ways, and with small runs.
site-check: .venv/installed
	.venv/bin/python -m pytest tests/site --every-way --site-profile book

links: book
	.venv/bin/python tests/links.py _build/book/html

list ledger: .venv/installed
	@.venv/bin/companion $@

LOCK = uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--custom-compile-command "make lock" --quiet
.benchmarks/installed: .venv/installed requirements-benchmarks.lock
	.venv/bin/python -m venv .benchmarks
	.benchmarks/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-benchmarks.lock
	.benchmarks/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

benchmarks: .benchmarks/installed
	@mkdir -p _build/benchmarks
	.benchmarks/bin/python benchmarks/measures.py --json _build/benchmarks/measures.json
	.benchmarks/bin/python benchmarks/simulation.py --json _build/benchmarks/simulation.json
	.benchmarks/bin/python benchmarks/pairwise.py --json _build/benchmarks/pairwise.json
	.benchmarks/bin/python benchmarks/experiment.py --json _build/benchmarks/experiment.json

lock:
	$(LOCK) --extra test --output-file requirements.lock
	$(LOCK) --extra benchmarks --constraint requirements.lock --no-annotate --output-file requirements-benchmarks.lock

clean:
	rm -rf _build

# This file needs only Python >= 3.11 and make: 'make book' and 'make test' install everything else.

.DEFAULT_GOAL := help
.PHONY: help book test test-companion test-report test-claimbook test-conformance test-quick test-all lint format pdf archive dist metadata site-check proofs proofs-read wayout look links list ledger benchmarks conformance conformance-lock lock clean

# Tests and builds start about a hundred processes. Without bytecode files, each would compile the packages again.
unexport PYTHONDONTWRITEBYTECODE

# Use the first interpreter that is new enough, unless PYTHON is set.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
PIP = python -m pip install --quiet --disable-pip-version-check
# Idle workers take tests from busy ones; the first worker that needs the built book builds it.
PYTEST = .venv/bin/python -m pytest -n logical --maxprocesses 4 --dist worksteal
# One call installs the four projects, because they depend on each other and are not on a package index.
PROJECTS = --editable . --editable packages/claimbook --editable packages/ranking-report --editable packages/ndcg-conformance
CODE = src packages tests benchmarks chapters

help: ## lists the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-16s  %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# The file is touched last, so that an interrupted installation does not look complete.
.venv/installed: requirements.lock pyproject.toml $(wildcard packages/*/pyproject.toml)
	@test -n "$(PYTHON)" || { echo "make: no Python >= 3.11 found; install one, or set its path: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "make: $(PYTHON) is $$($(PYTHON) -V 2>&1); the book needs Python >= 3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { echo "make: $(PYTHON) has no venv module; install it (on Debian and Ubuntu: apt install python3-venv)" >&2; exit 1; }
	@rm -f $@
	$(PYTHON) -m venv .venv
	.venv/bin/$(PIP) --require-hashes -r requirements.lock
	.venv/bin/$(PIP) --no-deps --no-build-isolation $(PROJECTS)
	@touch $@

book: .venv/installed ## executes the chapters and renders the site into _build/book/html
	@.venv/bin/companion build

test: .venv/installed ## tests all four projects: unit tests, doctests, chapters at the quick profile, checks of the site
	$(PYTEST)

test-companion: .venv/installed ## tests only the book and its library
	$(PYTEST) src tests

test-report: .venv/installed ## tests only ranking-report
	$(PYTEST) -c packages/ranking-report/pyproject.toml packages/ranking-report

test-claimbook: .venv/installed ## tests only claimbook
	$(PYTEST) -c packages/claimbook/pyproject.toml packages/claimbook

test-conformance: .venv/installed ## tests only ndcg-conformance
	$(PYTEST) -c packages/ndcg-conformance/pyproject.toml packages/ndcg-conformance

test-quick: .venv/installed ## tests only the packages with formulas, in two minutes
	$(PYTEST) src/ndcg_companion/measures src/ndcg_companion/theory src/ndcg_companion/simulation \
		tests/measures tests/theory tests/simulation

test-all: .venv/installed ## runs all tests of 'make test' and the nightly tests
	$(PYTEST) -m ''

lint: .venv/installed ## runs ruff, mypy and the rules for chapters, without changing a file
	.venv/bin/ruff format --check $(CODE)
	.venv/bin/ruff check $(CODE)
	.venv/bin/mypy
	.venv/bin/companion lint

format: .venv/installed ## formats the code and fixes what ruff can fix
	.venv/bin/ruff format $(CODE)
	.venv/bin/ruff check --fix $(CODE)

pdf: .venv/installed ## prints the book as one PDF, _build/book/companion.pdf (requires Chromium)
	@.venv/bin/companion pdf

archive: pdf ## puts the site, the PDF, the executed notebooks and the sources into one folder
	@.venv/bin/companion archive

metadata: .venv/installed ## updates the citation, the addresses and the README's figure from their sources
	@.venv/bin/python -m claimbook.publish.metadata

.release/installed: .venv/installed requirements-release.lock
	@rm -f $@
	.venv/bin/python -m venv .release
	.release/bin/$(PIP) --require-hashes -r requirements-release.lock
	@touch $@

dist: .release/installed ## builds both archives of each of the four projects in dist/ and checks them strictly
	rm -rf dist
	for project in . packages/*/; do .release/bin/python -m build --no-isolation --outdir dist $$project || exit 1; done
	.release/bin/twine check --strict dist/*

site-check: .venv/installed ## checks every page of the site in light and dark, wide and narrow (requires Chromium)
	$(PYTEST) tests/site -m '' --site-profile book

# The packages of the core and of the chapters keep their versions, because only the renderer is tested here.
.wayout/installed: .venv/installed requirements-newest.in
	@rm -f $@
	.venv/bin/python -m venv .wayout
	sed 's/ *\\$$//; /--hash/d' requirements.lock > .wayout/all.txt
	grep -E '^(numpy|scipy|pandas|matplotlib|seaborn|scikit-learn|pyarrow|joblib)==' .wayout/all.txt > .wayout/pins.txt
	.wayout/bin/$(PIP) -r requirements-newest.in -c .wayout/pins.txt \
		'.[chapter]' './packages/claimbook[page]' './packages/ranking-report[parquet]' ./packages/ndcg-conformance
	.wayout/bin/$(PIP) --no-deps --no-build-isolation $(PROJECTS)
	@touch $@

wayout: .wayout/installed ## renders the book with the newest Sphinx and theme, without Jupyter Book, and compares pages
	@.venv/bin/companion build --profile quick
	.wayout/bin/python tests/wayout.py _build/quick

look: book ## counts, for each page, pixels above the first figure, words, formulas and lines of code
	@.venv/bin/python tests/look.py _build/book/html

proofs: ## checks all proofs with Coq and writes proofs/results.json (requires Coq)
	@test -n "$$(command -v coqc)" || { echo "make: no coqc found; REFERENCE.md lists the packages to install" >&2; exit 1; }
	$(PYTHON) proofs/check.py

proofs-read: ## shows printed and formal statements that have changed since a reader compared them
	@$(PYTHON) proofs/check.py --read

links: book ## checks the links to other sites (requires the network)
	.venv/bin/python tests/links.py _build/book/html

list: .venv/installed ## lists the chapters and their parameters
	@.venv/bin/companion list

ledger: .venv/installed ## lists every statement with its verdict in the last build
	@.venv/bin/companion ledger

.benchmarks/installed: .venv/installed requirements-benchmarks.lock
	@rm -f $@
	.venv/bin/python -m venv .benchmarks
	.benchmarks/bin/$(PIP) --require-hashes -r requirements-benchmarks.lock
	.benchmarks/bin/$(PIP) --no-deps --no-build-isolation $(PROJECTS)
	@touch $@

benchmarks: .benchmarks/installed ## measures speed and memory as ratios, in a separate environment
	@mkdir -p _build/benchmarks
	.benchmarks/bin/python benchmarks/measures.py --json _build/benchmarks/measures.json
	.benchmarks/bin/python benchmarks/simulation.py --json _build/benchmarks/simulation.json
	.benchmarks/bin/python benchmarks/pairwise.py --json _build/benchmarks/pairwise.json
	.benchmarks/bin/python benchmarks/experiment.py --json _build/benchmarks/experiment.json
	.benchmarks/bin/python benchmarks/report.py --json _build/benchmarks/report.json

conformance: .venv/installed ## asks libraries for their NDCG, each in its own environment
	.venv/bin/ndcg-conformance --libraries .conformance

# The lock needs the wheel of torch without CUDA: configure pip and uv to find it.
conformance-lock: ## updates the lock files of the libraries (requires uv)
	@for list in $(basename $(wildcard packages/ndcg-conformance/src/ndcg_conformance/locks/*.in)); do \
		uv pip compile $$list.in --universal --python-version 3.11 --generate-hashes --no-annotate --upgrade --quiet \
			--no-emit-index-url --no-emit-find-links --custom-compile-command "make conformance-lock" \
			--output-file $$list.lock > /dev/null || echo "$$list.lock is unchanged" >&2; done

# The four projects are left out, because a folder has no hash.
OURS = $(foreach name,ndcg-companion claimbook ranking-report ndcg-conformance,--no-emit-package $(name))
LOCK = uv pip compile pyproject.toml $(OURS) --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--custom-compile-command "make lock" --quiet
lock: ## updates the lock files from pyproject.toml (requires uv)
	$(LOCK) packages/*/pyproject.toml --extra test --output-file requirements.lock
	$(LOCK) --extra release --no-annotate --output-file requirements-release.lock
	$(LOCK) --extra benchmarks --constraint requirements.lock --no-annotate --output-file requirements-benchmarks.lock

clean: ## deletes _build but keeps .venv
	rm -rf _build

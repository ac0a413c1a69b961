# Everything starts from Python >= 3.11 and make: 'make book' and 'make test' do the rest.

.DEFAULT_GOAL := help
.PHONY: help book test test-companion test-report test-claimbook test-conformance test-quick test-all lint format pdf archive dist metadata site-check proofs proofs-read wayout look links list ledger benchmarks conformance conformance-lock lock clean

# Tests and builds start some hundred processes, each of which would compile the packages anew without bytecode.
unexport PYTHONDONTWRITEBYTECODE

# The first interpreter that is new enough, unless PYTHON says which.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
PIP = python -m pip install --quiet --disable-pip-version-check
# Of several workers each takes tests from the others when it has none left; the first that needs the built book builds it.
PYTEST = .venv/bin/python -m pytest -n logical --maxprocesses 4 --dist worksteal
# The four projects: the names that depend on each other are on no index, so that one call installs them all.
PROJECTS = --editable . --editable packages/claimbook --editable packages/ranking-report --editable packages/ndcg-conformance
CODE = src packages tests benchmarks chapters

help: ## lists the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-16s  %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Touched last, so that an interrupted installation is not taken for a finished one.
.venv/installed: requirements.lock pyproject.toml $(wildcard packages/*/pyproject.toml)
	@test -n "$(PYTHON)" || { echo "make: found no Python >= 3.11; install one, or name it: make PYTHON=/path/to/python3" >&2; exit 1; }
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

test: .venv/installed ## all four projects: unit tests, doctests, the chapters at the quick profile, the site's checks
	$(PYTEST)

test-companion: .venv/installed ## the book and its library alone
	$(PYTEST) src tests

test-report: .venv/installed ## ranking-report alone
	$(PYTEST) -c packages/ranking-report/pyproject.toml packages/ranking-report

test-claimbook: .venv/installed ## claimbook alone
	$(PYTEST) -c packages/claimbook/pyproject.toml packages/claimbook

test-conformance: .venv/installed ## ndcg-conformance alone
	$(PYTEST) -c packages/ndcg-conformance/pyproject.toml packages/ndcg-conformance

test-quick: .venv/installed ## the packages with formulas alone, in two minutes
	$(PYTEST) src/ndcg_companion/measures src/ndcg_companion/theory src/ndcg_companion/simulation \
		tests/measures tests/theory tests/simulation

test-all: .venv/installed ## the same with all that takes long and finds little, as each night
	$(PYTEST) -m ''

lint: .venv/installed ## what ruff, mypy and the rules for chapters have to say, without changing a file
	.venv/bin/ruff format --check $(CODE)
	.venv/bin/ruff check $(CODE)
	.venv/bin/mypy
	.venv/bin/companion lint

format: .venv/installed ## lets ruff lay out the code and mend what it can
	.venv/bin/ruff format $(CODE)
	.venv/bin/ruff check --fix $(CODE)

pdf: .venv/installed ## the book as one file, _build/book/companion.pdf (needs Chromium)
	@.venv/bin/companion pdf

archive: pdf ## the site, the PDF, the executed notebooks and the sources in one folder that lasts
	@.venv/bin/companion archive

metadata: .venv/installed ## how to cite the project, its addresses and the README's figure, from their sources
	@.venv/bin/python -m claimbook.publish.metadata

.release/installed: .venv/installed requirements-release.lock
	@rm -f $@
	.venv/bin/python -m venv .release
	.release/bin/$(PIP) --require-hashes -r requirements-release.lock
	@touch $@

dist: .release/installed ## both archives of each of the four projects, judged strictly, in dist/
	rm -rf dist
	for project in . packages/*/; do .release/bin/python -m build --no-isolation --outdir dist $$project || exit 1; done
	.release/bin/twine check --strict dist/*

site-check: .venv/installed ## every page of the book's site in light and dark, wide and narrow (needs Chromium)
	$(PYTEST) tests/site -m '' --site-profile book

# The core and the chapters' packages keep their versions: what is asked here is who renders.
.wayout/installed: .venv/installed requirements-newest.in
	@rm -f $@
	.venv/bin/python -m venv .wayout
	sed 's/ *\\$$//; /--hash/d' requirements.lock > .wayout/all.txt
	grep -E '^(numpy|scipy|pandas|matplotlib|seaborn|scikit-learn|pyarrow|joblib)==' .wayout/all.txt > .wayout/pins.txt
	.wayout/bin/$(PIP) -r requirements-newest.in -c .wayout/pins.txt \
		'.[chapter]' './packages/claimbook[page]' './packages/ranking-report[parquet]' ./packages/ndcg-conformance
	.wayout/bin/$(PIP) --no-deps --no-build-isolation $(PROJECTS)
	@touch $@

wayout: .wayout/installed ## the book with the newest Sphinx and theme, without Jupyter Book: same pages, no warning
	@.venv/bin/companion build --profile quick
	.wayout/bin/python tests/wayout.py _build/quick

look: book ## what a reader meets on each page: pixels above the first figure, words, formulas, code
	@.venv/bin/python tests/look.py _build/book/html

proofs: ## asks Coq whether all proofs hold, and writes proofs/results.json (needs Coq)
	@test -n "$$(command -v coqc)" || { echo "make: found no coqc; REFERENCE.md names the packages" >&2; exit 1; }
	$(PYTHON) proofs/check.py

proofs-read: ## printed and formal statements side by side, where one changed since they were read
	@$(PYTHON) proofs/check.py --read

links: book ## asks for the addresses outside the site that it links to (needs the network)
	.venv/bin/python tests/links.py _build/book/html

list: .venv/installed ## the chapters and their parameters
	@.venv/bin/companion list

ledger: .venv/installed ## every statement and its verdict in the last build
	@.venv/bin/companion ledger

.benchmarks/installed: .venv/installed requirements-benchmarks.lock
	@rm -f $@
	.venv/bin/python -m venv .benchmarks
	.benchmarks/bin/$(PIP) --require-hashes -r requirements-benchmarks.lock
	.benchmarks/bin/$(PIP) --no-deps --no-build-isolation $(PROJECTS)
	@touch $@

benchmarks: .benchmarks/installed ## speed and memory as ratios, in an environment of their own
	@mkdir -p _build/benchmarks
	.benchmarks/bin/python benchmarks/measures.py --json _build/benchmarks/measures.json
	.benchmarks/bin/python benchmarks/simulation.py --json _build/benchmarks/simulation.json
	.benchmarks/bin/python benchmarks/pairwise.py --json _build/benchmarks/pairwise.json
	.benchmarks/bin/python benchmarks/experiment.py --json _build/benchmarks/experiment.json
	.benchmarks/bin/python benchmarks/report.py --json _build/benchmarks/report.json

conformance: .venv/installed ## asks libraries for their NDCG, in environments of their own
	.venv/bin/ndcg-conformance --libraries .conformance

# The wheel of torch is the one without CUDA: pip and uv must be told where they find it.
conformance-lock: ## resolves the lock files of those libraries anew (needs uv)
	@for list in $(basename $(wildcard packages/ndcg-conformance/src/ndcg_conformance/locks/*.in)); do \
		uv pip compile $$list.in --universal --python-version 3.11 --generate-hashes --no-annotate --upgrade --quiet \
			--no-emit-index-url --no-emit-find-links --custom-compile-command "make conformance-lock" \
			--output-file $$list.lock > /dev/null || echo "$$list.lock stays as it is" >&2; done

# Not the four projects themselves: a hash of a folder is none.
OURS = $(foreach name,ndcg-companion claimbook ranking-report ndcg-conformance,--no-emit-package $(name))
LOCK = uv pip compile pyproject.toml $(OURS) --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--custom-compile-command "make lock" --quiet
lock: ## resolves the lock files anew from pyproject.toml (needs uv)
	$(LOCK) packages/*/pyproject.toml --extra test --output-file requirements.lock
	$(LOCK) --extra release --no-annotate --output-file requirements-release.lock
	$(LOCK) --extra benchmarks --constraint requirements.lock --no-annotate --output-file requirements-benchmarks.lock

clean: ## removes what was built (_build); .venv stays
	rm -rf _build

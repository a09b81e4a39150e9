# The two commands of the README: `make play` and `make test`. Both set everything up first.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: setup play test lint types layers tests chromium bench mutants requirements clean help

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: .venv/ready  ## a working .venv with .venv/bin/quiltwork

.venv/ready: requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed; set PYTHON=/path/to/python3")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	$(BIN)/python -m quiltwork.rules.warm
	$(BIN)/python -m quiltwork.agents.warm
	touch $@

play: setup  ## play
	$(BIN)/quiltwork

test: setup lint types layers tests  ## everything that CI checks

lint: setup  ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup  ## strict types
	$(BIN)/mypy

layers: setup  ## imports go down only
	$(BIN)/lint-imports

tests: setup chromium  ## the tests
	$(BIN)/pytest

chromium:
	@command -v chromium >/dev/null \
	  || { command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -qq -y chromium >/dev/null; } \
	  || echo "chromium is missing and cannot be installed here: the tests in a browser are skipped"

bench: setup  ## speed, as ratios measured in one run
	$(BIN)/python bench/kernel.py
	$(BIN)/python bench/library.py

mutants: setup  ## flip rule lines one by one; a test must notice each
	$(BIN)/python tools/mutants.py

requirements:  ## pin the dependencies anew (needs uv)
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header pyproject.toml -o requirements/base.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header pyproject.toml --group dev -o requirements/dev.txt

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis bench/build

# The two commands of the README: `make play` and `make test`. Both set everything up first.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
UV := uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header
TYPESCRIPT := 5.9.3

.PHONY: setup play test docs lint types page-types layers package tests chromium firefox postgresql bench mutants requirements clean help

help:  ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

setup: .venv/ready  ## a working .venv with .venv/bin/quiltwork

.venv/ready: requirements/base.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed; set PYTHON=/path/to/python3")'
	@echo "Installing what playing needs into .venv ..."
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) --require-hashes -r requirements/base.txt
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@

.venv/tools: .venv/ready requirements/dev.txt
	@echo "Installing what the checks need into .venv ..."
	$(PIP) --require-hashes -r requirements/dev.txt
	$(BIN)/python -m quiltwork.rules.warm
	$(BIN)/python -m quiltwork.agents.warm
	touch $@

play: setup  ## play
	$(BIN)/quiltwork

test: .venv/tools lint types page-types layers package docs tests  ## everything that CI checks

lint: .venv/tools  ## style
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/tools  ## strict types
	$(BIN)/mypy

page-types: .venv/node/node_modules/.bin/tsc  ## the types in the page's comments
	@if test -x $<; then $< -p src/quiltwork/web/tsconfig.json; elif test -n "$$CI"; then exit 1; fi

layers: .venv/tools  ## imports go down only
	$(BIN)/lint-imports

package: .venv/tools  ## build the wheel, install it elsewhere, play a game through it
	$(BIN)/python tools/try_package.py

tests: .venv/tools chromium firefox postgresql  ## the tests
	$(BIN)/pytest

# $(1): the program that is looked for, $(2): Debian's package, $(3): what is skipped without it
define debian
	@command -v $(1) >/dev/null || ls /usr/lib/postgresql/*/bin/$(1) >/dev/null 2>&1 \
	  || { command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -qq -y $(2) >/dev/null; } \
	  || echo "$(2) is missing and cannot be installed here: $(3) are skipped"
endef

chromium:
	$(call debian,chromium,chromium,the tests in a browser)

firefox:
	$(call debian,firefox-esr,firefox-esr,the game in Firefox)

postgresql:
	$(call debian,initdb,postgresql,the tests on PostgreSQL)

.venv/node/node_modules/.bin/tsc: .venv/tools
	$(call debian,npm,npm,the types of the page)
	@command -v npm >/dev/null \
	  && npm install --silent --no-audit --no-fund --prefix .venv/node typescript@$(TYPESCRIPT) \
	  || echo "typescript cannot be installed here: the types of the page are skipped"

docs: .venv/site  ## the documentation as a site, in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

.venv/site: .venv/ready requirements/docs.txt
	@echo "Installing what the site needs into .venv ..."
	$(PIP) --require-hashes -r requirements/docs.txt
	touch $@

bench: .venv/tools  ## speed, as ratios measured in one run
	$(BIN)/python bench/kernel.py
	$(BIN)/python bench/library.py

mutants: .venv/tools  ## flip rule lines one by one; a test must notice each
	$(BIN)/python tools/mutants.py

requirements:  ## pin the dependencies anew (needs uv)
	$(UV) pyproject.toml --group build -o requirements/base.txt
	$(UV) pyproject.toml --extra postgres --group build -o requirements/postgres.txt
	$(UV) pyproject.toml --group dev -o requirements/dev.txt
	$(UV) pyproject.toml --group docs -c requirements/dev.txt -o requirements/docs.txt

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis bench/build

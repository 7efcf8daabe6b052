# Needs: make, and Python 3.11 or newer as `python3` (or PYTHON=/path/to/python).
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
PYTEST_ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help setup run test check docs bench clean

help:           ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY) ## make .venv with the exact pinned packages

# uv is fetched by hash first and does the rest in seconds; where only pip can reach the package
# mirror, pip does it. --compile-bytecode: without .pyc files `import litellm` costs 5 s more.
$(READY): requirements.lock requirements-bootstrap.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Eristic needs Python 3.11 or newer; $(PYTHON) is older. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install -q --require-hashes -r requirements-bootstrap.lock
	$(BIN)/uv pip install -q --python $(BIN)/python --require-hashes --compile-bytecode -r requirements.lock \
	  || $(BIN)/pip install -q --require-hashes -r requirements.lock
	$(BIN)/uv pip install -q --python $(BIN)/python --no-deps --no-build-isolation -e . \
	  || $(BIN)/pip install -q --no-deps --no-build-isolation -e .
	@touch $(READY)

run: $(READY)   ## the main job: a small LOGICOM sweep with a real model on this CPU
	$(BIN)/eristic run examples/quick.toml
	@echo "To look around: . $(BIN)/activate && eristic show quick 1"

test: $(READY)  ## the whole test suite
	$(BIN)/python -m pytest $(PYTEST_ARGS)

check: $(READY) ## ruff, mypy, pyright, import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/lint-imports --no-cache

docs: $(READY)  ## regenerate the reference pages
	$(BIN)/python docs/_generate.py

bench: $(READY) ## measure; prints and records figures under bench/out/
	$(BIN)/python bench/run.py

clean:          ## remove what make made (never your runs in .eristic/)
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

# Two commands on a fresh machine (Python 3.11+, git, make):
#   make demo   sets up, builds the concise edition, and answers
#   make test   sets up, and passes the tests

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
EXTRAS ?= dev
KB = demo-kb
WORKERS ?= 2

.PHONY: demo test exhaustive check bench setup setup-dev clean

demo: setup
	$(BIN)/mtgkb build --kb $(KB)
	$(BIN)/mtgkb card karn --kb $(KB)
	$(BIN)/mtgkb ask restart-state --columns state,outcome,rule,ruling,value --kb $(KB)

test: setup-dev check
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile

exhaustive: setup-dev
	$(BIN)/python -m pytest -m exhaustive -n $(WORKERS) --dist loadfile

check: setup-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: setup-dev
	$(BIN)/python -m benchmarks

setup: $(VENV)/.setup

setup-dev: $(VENV)/.setup-dev

$(VENV)/.setup: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.setup-dev: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[$(EXTRAS)]"
	touch $@

clean:
	rm -rf $(VENV) $(KB) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis

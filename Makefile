# Two commands to start with: make train, make test.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
EXTRAS ?= dev,web,plots
# Versions that bgnet is tested with; another file (or /dev/null) lets you choose your own.
CONSTRAINTS ?= constraints.txt
# One thread a process: training uses several processes, and benchmarks compare single cores.
export OMP_NUM_THREADS ?= 1

.PHONY: help install install-peers train test lint bench report clean

help:            ## these commands
	@grep -E '^[a-z-]+: .*##|^[a-z-]+:  *##' Makefile | sed -E 's/:.*##/:/' | column -t -s:

$(BIN)/bgnet: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -c $(CONSTRAINTS) -e '.[$(EXTRAS)]'
	touch $(BIN)/bgnet

install: $(BIN)/bgnet  ## create .venv and install bgnet into it

install-peers: install  ## gnubg-nn and OpenSpiel as opponents and oracles
	$(BIN)/python -m pip install --quiet -c $(CONSTRAINTS) -e '.[peers]'

train: install   ## train a network in five minutes, then measure it
	$(BIN)/python -m training quick --out runs/quick-$$(date +%Y%m%d-%H%M%S)
	$(BIN)/bgnet report $$(ls -td runs/quick-*/ | head -1)net.safetensors --games 1000

test: install    ## all tests
	$(BIN)/python -m pytest

lint: install    ## style and types
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: install   ## every speed figure, beside its peer
	$(BIN)/python -m training.bench

clean:           ## remove what make install and tests have made
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

# `make` or `make help` lists the targets. Everything happens in .venv, which the first target that needs it builds.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
SGLANG := .venv-sglang
SGLANG_FILES := tests/sglang/environment
export OMP_NUM_THREADS ?= 1
export OMP_WAIT_POLICY ?= passive
export TOKENIZERS_PARALLELISM ?= false
export HF_HUB_OFFLINE ?= 1

.DEFAULT_GOAL := help
.PHONY: help install demo study test check fmt test-slow test-sglang test-sglang-slow update-golden bench gpu clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

install: $(STAMP) ## build .venv with everything the demo and the tests need

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "harness-dsl needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)"; exit 2; }
	$(PYTHON) -m venv $(VENV)
	@# torch first and alone: resolved together with the rest, a CUDA build of several GB can be chosen on machines without a GPU
	$(BIN)/pip install --disable-pip-version-check -q "torch==2.13.0"
	$(BIN)/pip install --disable-pip-version-check -q -e ".[train,serve,dev,bench]"
	@# the extra `grammar` without triton, which it names for GPUs alone: a gigabyte
	$(BIN)/pip install --disable-pip-version-check -q --no-deps "xgrammar==0.2.8" "apache-tvm-ffi>=0.1.10,<0.2"
	@touch $(STAMP)

demo: $(STAMP) ## the whole journey: compile, augment, train twice, evaluate, serve, hot-swap (under 5 minutes)
	$(BIN)/python examples/demo.py

study: $(STAMP) ## the demo's comparison with more steps and three seeds (up to 30 minutes)
	$(BIN)/python examples/study.py

test: check ## lint, types, layers and the fast tests
	$(BIN)/python -m pytest

check: $(STAMP) ## lint, formatting, types, import rules
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fmt: $(STAMP) ## format the Python code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

test-slow: $(STAMP) ## the tests that take minutes
	$(BIN)/python -m pytest -m slow --run-slow

$(SGLANG)/.installed: $(SGLANG_FILES)/install.sh $(SGLANG_FILES)/requirements.txt $(wildcard $(SGLANG_FILES)/packages/*.py $(SGLANG_FILES)/packages/*/*.py)
	@# where it cannot be built the tests say so, each of them, with the reason that it leaves
	@$(SGLANG_FILES)/install.sh $(SGLANG) $(PYTHON) || test $$? -eq 3

test-sglang: $(STAMP) $(SGLANG)/.installed ## the tests against the real SGLang server, on the CPU (builds .venv-sglang)
	$(BIN)/python -m pytest tests/sglang --run-sglang

test-sglang-slow: $(STAMP) $(SGLANG)/.installed ## speculative decoding on the real server, in interpreted kernels
	$(BIN)/python -m pytest tests/sglang --run-sglang --run-slow -m slow

update-golden: $(STAMP) ## rewrite golden files and generated pages; read the diff before you commit it
	UPDATE_GOLDEN=1 $(BIN)/python -m pytest -q -m golden
	$(BIN)/harnessc explain --all --format markdown > docs/diagnostics.md
	$(BIN)/harnessc explain --operators docs/operators
	$(BIN)/harnessc compile --target ir-schema -o docs/ir.schema.json

bench: $(STAMP) ## every benchmark, each beside its peer
	@missed=; for script in benchmarks/*.py; do echo "== $$script"; $(BIN)/python $$script || missed="$$missed $$script"; done; \
	 test -z "$$missed" || { echo "a bar is missed:$$missed"; exit 1; }

gpu: $(STAMP) ## the checks that need an accelerator
	$(BIN)/python -m pytest -m gpu --run-gpu

clean: ## remove build outputs and caches, keep .venv
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -not -path './$(VENV)/*' -prune -exec rm -rf {} +

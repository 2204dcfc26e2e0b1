# `make demo` and `make test` are all the set-up there is.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
JOBS   ?= auto

.DEFAULT_GOAL := help
.PHONY: help demo test check bench bench-docs screenshots clean

help: ## what there is
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*##/\t/' | expand -t 13

# What `$(1)` names is installed with uv where there is one, which is several times quicker, else with pip. Neither
# compiles it all beforehand, which takes longer than all that the demo imports.
define install
	@if command -v uv >/dev/null 2>&1; then \
	  echo 'Making the environment in $(VENV) with uv: some seconds …'; \
	  uv venv --quiet --allow-existing --python $(PYTHON) $(VENV) && \
	  uv pip install --quiet --python $(BIN)/python --constraint constraints.txt --editable '$(1)'; \
	else \
	  echo 'Making the environment in $(VENV) with pip: about a minute …'; \
	  $(PYTHON) -m venv $(VENV) && \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint constraints.txt --editable '$(1)'; \
	fi
	@touch $@
endef

$(VENV)/.ready: pyproject.toml constraints.txt
	$(call install,.[semantic])

# The tests' own tools come on top, so that the demo need not wait for them.
$(VENV)/.ready-to-test: pyproject.toml constraints.txt
	$(call install,.[test])

demo: $(VENV)/.ready ## open the page: a local workspace, the gateway, the three journeys
	@$(BIN)/sliceway demo

test: $(VENV)/.ready-to-test ## every test a fresh machine can run, in parallel and in random order
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

check: $(VENV)/.ready-to-test ## floors, types and style only
	@$(BIN)/python -m pytest -q tests/unit/test_house.py

bench: $(VENV)/.ready-to-test ## measure; prints figures, judges none
	@$(BIN)/python -m pytest -q -s -p no:randomly -m bench tests/bench

# What docs/benchmarks.md shows, by the names of files and tests.
SHOWN := side_by_side or cold_start or quality or paraphrases_and_names or growth or walls_cost
bench-docs: $(VENV)/.ready-to-test ## measure what docs/benchmarks.md shows, and put it there; wants a quiet machine
	@SLICEWAY_BENCH_OUT=docs/figures $(BIN)/python -m pytest -q -s -p no:randomly -m bench tests/bench -k '$(SHOWN)'
	@$(BIN)/python -m tests.bench.report

screenshots: $(VENV)/.ready-to-test ## take the README's pictures anew; wants Chromium
	@$(BIN)/python -m tests.browser.shoot

clean: ## drop the environment and caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# The one list of checks; .ci/run calls these and adds only set-up. `make help` prints it.
# Needs Python 3.11 or later and make. PYTHON=/path/to/python3.12 chooses another interpreter.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

VENV ?= .venv
PY := $(VENV)/bin/python
WORKERS ?= 2
PYTEST := $(PY) -m pytest -n $(WORKERS)
REDOCLY := 2.77.0
export REDOCLY_TELEMETRY := off
export REDOCLY_SUPPRESS_UPDATE_NOTICE := true

.PHONY: help
help:  ## print this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 30

# --- set-up -----------------------------------------------------------------------------------------------------------------------
$(VENV)/.made:
	@tools/make_venv.sh $(VENV)
	@touch $@

$(VENV)/.run: $(VENV)/.made pyproject.toml
	@echo "installing drums-sdk[all]: the SDK, the local daemon, the command"
	@$(PY) -m pip install --quiet --editable '.[all]'
	@touch $@

$(VENV)/.dev: $(VENV)/.run pyproject.toml
	@echo "installing what the checks need"
	@$(PY) -m pip install --quiet --editable '.[all,verifiers]' --group dev
	@touch $@

.PHONY: install
install: $(VENV)/.run  ## make .venv with the package and everything it can use

# --- use --------------------------------------------------------------------------------------------------------------------------
.PHONY: desktops
desktops: $(VENV)/.run  ## prepare this host for real desktops, as root (Debian, Ubuntu); IMAGES="desktop office"
	@$(VENV)/bin/drums setup $(foreach image,$(or $(IMAGES),desktop),--image $(image))

.PHONY: demo
demo: $(VENV)/.run  ## a task, a verified reward, a fork of four; writes demo/index.html
	@$(PY) examples/demo.py

# --- tests ------------------------------------------------------------------------------------------------------------------------
.PHONY: audit test test-verifiers test-long test-ci test-versions test-desktops test-desktops-long bench bench-desktops
test: $(VENV)/.dev  ## the tests, under five minutes on two cores
	@$(PYTEST) -m "not long and not desktops" --ignore tests/verifiers $(ARGS)

test-verifiers: $(VENV)/.dev  ## the tests of drums_verifiers: rollouts under verifiers, about two minutes
	@$(PYTEST) -m "not long and not desktops" tests/verifiers $(ARGS)

test-long: $(VENV)/.dev  ## the tests that take longer
	@$(PYTEST) -m "long and not desktops" $(ARGS)

test-ci: $(VENV)/.dev  ## every property with 1,000 examples or more, and the long tests
	@HYPOTHESIS_PROFILE=ci $(PYTEST) -m "(hypothesis or long) and not desktops" --timeout 900 $(ARGS)

test-versions: $(VENV)/.dev  ## the tests on every Python from 3.11 to 3.13 found here
	@$(PY) tools/test_versions.py 3.11 3.12 3.13 $(ARGS)

audit: $(VENV)/.run  ## play every task that comes with it, on simulated desktops: its solution, near misses, giving up
	@DRUMS_URL=local $(VENV)/bin/drums audit-task --require-proof $(ARGS)

test-desktops: $(VENV)/.dev  ## the tests of real desktops, after `make desktops`, as root
	@DRUMS_DESKTOPS_REQUIRED=1 $(PY) -m pytest -n 0 -m "desktops and not long" tests/desktops tests/verifiers $(ARGS)

test-desktops-long: $(VENV)/.dev  ## 200 cycles of a desktop's life, 50 daemons killed at random moments
	@DRUMS_DESKTOPS_REQUIRED=1 $(PY) -m pytest -n 0 -m "desktops and long" tests/desktops $(ARGS)

bench-desktops: $(VENV)/.dev  ## what real desktops cost here, beside stock runc
	@$(PY) -m benchmarks.real_desktops $(ARGS)

bench: $(VENV)/.dev  ## what things cost, as ratios against peers in the same run
	@$(PY) -m benchmarks $(ARGS)

# --- checks -----------------------------------------------------------------------------------------------------------------------
.PHONY: check format lint types verifytypes imports drift spec wheel
check: lint types verifytypes imports drift spec  ## every check that is not a test

format: $(VENV)/.dev  ## format the code that is written by hand
	@$(PY) -m ruff check --fix --quiet . || true
	@$(PY) -m ruff format .

lint: $(VENV)/.dev  ## ruff
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .

types: $(VENV)/.dev  ## mypy --strict and pyright
	@$(PY) -m mypy
	@$(PY) -m pyright

verifytypes: $(VENV)/.dev  ## the public API is typed to 100 %
	@$(PY) tools/verify_types.py drums

imports: $(VENV)/.dev  ## who may import whom
	@$(VENV)/bin/lint-imports

drift: $(VENV)/.dev  ## what is generated is what its source gives
	@$(PY) tools/generate.py --check
	@$(PY) tools/generate_sync.py --check
	@$(PY) tools/print_errors.py --check

spec: $(VENV)/.dev  ## the OpenAPI description is sound
	@$(PY) -m openapi_spec_validator spec/openapi.yaml
	@tools/redocly.sh $(REDOCLY) lint spec/openapi.yaml --config spec/redocly.yaml

.PHONY: compat conform clients
compat: $(VENV)/.dev  ## nothing breaks for users of the last release: HTTP API and Python API
	@$(PY) tools/check_compat.py

conform: $(VENV)/.dev  ## the local daemon keeps every rule of the API; URL=http://... checks another
	@$(PY) tools/conform.py $(URL)

clients: $(VENV)/.dev  ## generate, build and run a client in TypeScript, Go, Java and Rust, where their tools are
	@$(PY) tools/clients.py --try $(LANGUAGES)

generate: $(VENV)/.dev  ## make everything that is generated
	@$(PY) tools/generate.py
	@$(PY) tools/generate_sync.py
	@$(PY) tools/print_errors.py

wheel: $(VENV)/.dev  ## build the wheel and run the quickstart from it in an empty environment
	@$(PY) tools/test_wheel.py

.PHONY: clean generate
clean:  ## remove what was built
	rm -rf $(VENV) .cache build dist demo .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

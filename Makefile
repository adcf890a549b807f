# Gleaner. `make demo` and `make test` set up all that they need; a second run takes seconds.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.8
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)

.PHONY: demo test setup lock format lint check unit clean

# The main job on a small shop: the real state machine, the real browser, a scripted model.
demo: setup
	@$(BIN)/gleaner demo

# All that CI runs.
test: setup lint
	$(BIN)/pytest -n $(JOBS) --dist loadfile

setup: $(VENV)/.ready $(VENV)/.browser

$(VENV)/.ready: requirements.lock layers/core/pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: install it, or say where it is: make PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "uv==$(UV_VERSION)"
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/uv pip install --quiet --require-hashes -r requirements.lock
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/uv pip install --quiet --no-deps --no-build-isolation -e layers/core
	@touch $@

$(VENV)/.browser: $(VENV)/.ready scripts/install_chromium.py layers/chromium/package-lock.json
	@$(BIN)/python scripts/install_chromium.py
	@touch $@

# What the Lambda runtime brings.
RUNTIME_PACKAGES := boto3 botocore s3transfer jmespath python-dateutil six urllib3

# The lock file holds names, versions and hashes, so that it serves any package index.
lock:
	$(BIN)/uv lock
	$(BIN)/uv export --frozen --all-groups --no-emit-workspace --no-header --no-annotate --quiet > requirements.lock
	$(BIN)/uv pip compile --quiet --generate-hashes --python-version 3.13 --python-platform x86_64-manylinux_2_28 \
		--only-binary :all: --no-header --no-annotate $(addprefix --no-emit-package ,$(RUNTIME_PACKAGES)) \
		layers/core/pyproject.toml -o layers/core/requirements.lock
	sed -i '1i # For the Lambda runtime python3.13 on x86_64; made by: make lock' layers/core/requirements.lock

format: setup
	$(BIN)/ruff format . && $(BIN)/ruff check --fix .

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/lint-imports

# The AWS SAM CLI pins what this project pins otherwise, so it has an environment of its own.
SAM_CLI_VERSION := 1.170.0
SAM := .cache/sam/bin/sam
export SAM_CLI_TELEMETRY := 0

.PHONY: sam-check sam-build

$(SAM): $(VENV)/.ready
	@$(BIN)/uv venv --quiet --python $(BIN)/python .cache/sam
	@VIRTUAL_ENV=$(CURDIR)/.cache/sam $(BIN)/uv pip install --quiet "aws-sam-cli==$(SAM_CLI_VERSION)"

# The template as SAM expands it, and as cfn-lint reads it. No account and no credentials are needed.
sam-check: $(SAM)
	@$(SAM) validate --lint --region eu-central-1

# All functions and layers into .aws-sam/build. Needs node 20, npm, GNU make and binutils; python3.13 adds the bytecode.
sam-build: $(SAM)
	@$(SAM) build

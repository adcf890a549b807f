# Gleaner. `make demo` and `make test` set up all that they need; a second run takes seconds.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
VENV := .venv
BIN := $(VENV)/bin
CONSENT := layers/core/src/gleaner/adapters/browser/consent/autoconsent.zip
SIZES := tests/template/test_function_sizes.py
UV_VERSION := 0.13.8
PIP_VERSION := 26.3
# One more than there are cores: some tests wait, for a browser or for a process.
JOBS ?= $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)

# Tests start hundreds of processes: bytecode that is not kept doubles the time that each takes to start.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test pytest setup lock format lint measure ratchet ablate mutants measure-llm peers measure-peers

# The main job on a small shop: the real state machine, the real browser, a scripted model.
demo: setup
	@$(BIN)/gleaner demo

# All that CI runs, at once: tests wait for browsers and processes, and the checks use the time. Only the tests wait for
# the browser.
test: $(VENV)/.ready
	@$(MAKE) --no-print-directory -j 3 pytest lint sam-check ratchet docs

# But for the sizes of what sam-check builds, which it looks at itself.
pytest: setup
	$(BIN)/pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder --ignore $(SIZES)

# Everything that says how good Gleaner is, on real pages and on generated ones: two tables, about ten minutes.
measure: setup
	PYTHONPATH=benchmarks $(BIN)/python -m measure
	$(BIN)/python scripts/write_measurements.py

# The subset that may not get worse.
ratchet: $(VENV)/.ready
	PYTHONPATH=benchmarks $(BIN)/python -m measure --quick

setup: $(VENV)/.ready $(VENV)/.browser $(CONSENT)

$(VENV)/.ready: requirements.lock layers/core/pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: install it, or say where it is: make PYTHON=/path/to/python3.11"; exit 1; }
	@test -x $(BIN)/python || "$(PYTHON)" -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "uv==$(UV_VERSION)" "pip==$(PIP_VERSION)"
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/uv pip install --quiet --require-hashes -r requirements.lock
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/uv pip install --quiet --no-deps --no-build-isolation -e layers/core
	@touch $@

$(VENV)/.browser: $(VENV)/.ready layers/chromium/package-lock.json
	@if test "$$(uname -sm)" = "Linux x86_64"; then $(BIN)/gleaner install-browser --from npm --into .chromium; \
	else $(BIN)/gleaner install-browser; fi
	@touch $@

# The rules that know consent dialogs: the wheel and the layers carry them.
$(CONSENT): layers/core/consent/package-lock.json | $(VENV)/.ready
	@$(BIN)/python layers/core/consent/pack.py

# The package for PyPI, into dist/. GLEANER_REPOSITORY_URL turns the README's links into URLs.
.PHONY: wheel

wheel: $(VENV)/.ready $(CONSENT)
	@rm -rf dist && mkdir dist
	@cd layers/core && $(CURDIR)/$(BIN)/python -c "from hatchling.build import build_wheel; print('dist/' + build_wheel('$(CURDIR)/dist'))"

# The documentation site, into site/; a warning is an error. It has an environment of its own.
DOCS := .cache/docs
DOCS_TOOLS := mkdocs==1.6.1 mkdocs-material==9.8.2 pymdown-extensions==13.1.2 pygments==2.21.0
export NO_MKDOCS_2_WARNING := 1

.PHONY: docs

docs: $(DOCS)/.ready
	@$(DOCS)/bin/mkdocs build --quiet --strict

$(DOCS)/.ready: $(VENV)/.ready
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(DOCS)
	@$(BIN)/uv pip install --quiet --python $(DOCS)/bin/python $(DOCS_TOOLS)
	@touch $@

# What the Lambda runtime brings.
RUNTIME_PACKAGES := boto3 botocore s3transfer jmespath python-dateutil six urllib3

# The lock file holds names, versions and hashes, so that it serves any package index.
lock:
	$(BIN)/uv lock
	$(BIN)/uv export --frozen --all-groups --no-emit-workspace --no-header --no-annotate --quiet > requirements.lock
	$(BIN)/uv pip compile --quiet --generate-hashes --python-version 3.13 --python-platform x86_64-manylinux_2_28 \
		--only-binary :all: --no-header --no-annotate $(addprefix --no-emit-package ,$(RUNTIME_PACKAGES)) \
		layers/core/requirements.in -o layers/core/requirements.lock
	sed -i '1i # For the Lambda runtime python3.13 on x86_64; made by: make lock' layers/core/requirements.lock

format: setup
	$(BIN)/ruff format . && $(BIN)/ruff check --fix .

# What mechanisms earn: switches them off and measures again, one after another (NAMES="proof.labels wrappers.guard"
# for some), a group at once (TOGETHER="proof verdict=nothing"), or everything but a few (ONLY="proof.values").
ablate: setup
	PYTHONPATH=benchmarks nice $(BIN)/python -m measure.ablate $(NAMES) $(if $(TOGETHER),--together "$(TOGETHER)") \
		$(if $(ONLY),--only "$(ONLY)") $(ARGS)

# Does a test notice when a promise is broken? Breaks each of tests/mutants in a copy and runs tests. IDS="P1 P2" for some.
mutants: setup
	nice $(BIN)/python -m tests.mutants $(IDS)

lint: $(VENV)/.ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/lint-imports

# Gleaner and one unchecked call on a small real model (SmolLM2-135M, 125 MB from PyPI), in under ten minutes; on demand.
.PHONY: measure-llm
measure-llm: setup
	PYTHONPATH=benchmarks $(BIN)/python -m measure.llm $(ARGS)

# The AWS SAM CLI pins what this project pins otherwise, so it has an environment of its own.
SAM_CLI_VERSION := 1.170.0
SAM := .cache/sam/bin/sam
export SAM_CLI_TELEMETRY := 0

# Lambda's own runtime client, and what the layers hold for the interpreter that is here: theirs is compiled for 3.13.
RUNTIME := .cache/runtime
RUNTIME_CLIENT := awslambdaric==4.2.2 boto3

.PHONY: sam-check sam-build

# To look at what is built, bytecode is not needed; to deploy, it is: `sam build` fails without python3.13.
sam-check: export NO_BYTECODE := 1

$(RUNTIME)/.ready: $(VENV)/.ready layers/core/requirements.in layers/mcp/requirements.in
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(RUNTIME)
	@$(BIN)/uv pip install --quiet --only-binary :all: --python $(RUNTIME)/bin/python $(RUNTIME_CLIENT)
	@for layer in Core:layers/core/requirements.in Mcp:layers/mcp/requirements.in; do \
		$(BIN)/uv pip install --quiet --only-binary :all: --python $(RUNTIME)/bin/python -c requirements.lock \
			-r $${layer#*:} --target $(RUNTIME)/$${layer%:*}Layer/python; done
	@touch $@

$(SAM): $(VENV)/.ready
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python .cache/sam
	@VIRTUAL_ENV=$(CURDIR)/.cache/sam $(BIN)/uv pip install --quiet "aws-sam-cli==$(SAM_CLI_VERSION)"

# What `sam deploy` would take: the template as SAM expands it and cfn-lint reads it, all functions and layers built, and
# each built function answering under Lambda's runtime client, and small enough for it. No account is needed.
sam-check: sam-build $(RUNTIME)/.ready
	@$(SAM) validate --lint --region eu-central-1
	@if test "$$(uname -sm)" = "Linux x86_64"; then \
		$(BIN)/python scripts/check_built_functions.py $(CURDIR)/$(RUNTIME) .cache/sam; \
	else echo "The built functions are for Linux on x86-64: they are not tried here"; fi
	@$(BIN)/pytest -q $(SIZES)

# All functions and layers into .aws-sam/build. Needs node 20, npm, GNU make and python3.13, for the bytecode; GNU
# strip makes the browser's layers small enough.
sam-build: $(SAM) $(CONSENT)
	@strip --version 2> /dev/null | grep -q GNU || test "$$(id -u)" != 0 || ! command -v apt-get > /dev/null || \
		{ apt-get update -q && apt-get install -q -y binutils; } > /dev/null || true
	@PYTHON=$(CURDIR)/$(BIN)/python $(SAM) build > .cache/sam/build.log 2>&1 || { cat .cache/sam/build.log; exit 1; }

CYCLONEDX_VERSION := 7.5.0

# What the layers hold, for a release: an SBOM of each and a table of all licences, into dist/sbom.
.PHONY: sbom

sbom: sam-build
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python .cache/sbom
	@$(BIN)/uv pip install --quiet --python .cache/sbom/bin/python cyclonedx-bom==$(CYCLONEDX_VERSION)
	@$(BIN)/python scripts/sbom.py .cache/sbom/bin/cyclonedx-py dist/sbom

# The real deployment on an emulator of AWS (docs/deploy.md): before each release. Linux on x86-64 as root, python3.13.
EMULATOR := .cache/emulator
LAMBDA := .cache/lambda

.PHONY: cloud-check cloud-shell cloud-parts cloud-lock

cloud-check: cloud-parts
	@$(BIN)/python -m tests.cloud

# A shell beside the deployed stack, with the variables that docs/operations.md speaks of.
cloud-shell: cloud-parts
	@$(BIN)/python -m tests.cloud --shell

# What is missing is said before anything is built.
cloud-parts: setup
	@python="$$($(BIN)/python -m tests.cloud.needs --python)" && \
		$(MAKE) --no-print-directory $(EMULATOR)/.ready $(LAMBDA)/.ready PYTHON313="$$python" && \
		PATH="$$(dirname "$$python"):$$PATH" $(MAKE) --no-print-directory sam-build

$(EMULATOR)/.ready: $(VENV)/.ready tests/cloud/emulator/requirements.txt
	@$(BIN)/uv venv --quiet --clear --python "$(PYTHON313)" $(EMULATOR)
	@$(BIN)/uv pip install --quiet --require-hashes --python $(EMULATOR)/bin/python -r tests/cloud/emulator/requirements.txt
	@touch $@

$(LAMBDA)/.ready: $(VENV)/.ready tests/cloud/emulator/runtime.txt
	@rm -rf $(LAMBDA)
	@$(BIN)/uv pip install --quiet --require-hashes --only-binary :all: --python "$(PYTHON313)" --target $(LAMBDA) \
		-r tests/cloud/emulator/runtime.txt
	@touch $@

cloud-lock: setup
	cd tests/cloud/emulator && for name in requirements runtime; do \
		$(CURDIR)/$(BIN)/uv pip compile --quiet --generate-hashes --python-version 3.13 --no-header --no-annotate \
			--python-platform x86_64-manylinux_2_28 $$name.in -o $$name.txt; done

# Other tools, measured beside Gleaner by `make measure`, in an environment of their own.
PEERS := .cache/peers
# autoscraper finds nothing with newer versions of beautifulsoup4.
PEER_TOOLS := trafilatura==2.3.1 autoscraper==1.1.14 beautifulsoup4==4.12.3

.PHONY: peers

peers: $(PEERS)/.ready

$(PEERS)/.ready: $(VENV)/.ready
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(PEERS)
	@$(BIN)/uv pip install --quiet --python $(PEERS)/bin/python $(PEER_TOOLS)
	@touch $@

# Other tools that ask a model for records, with one stand-in model on loopback: what they claim, lose and serve. On
# demand, three minutes on two idle cores; 1 GB of packages. ScrapeGraphAI needs Python 3.12.
LLM_PEERS := .cache/llm-peers
LLM_PEER_TOOLS := crawl4ai==0.9.5 scrapegraphai==2.3.1 "langextract[openai]==1.7.1" instructor==1.17.0

measure-peers: setup $(LLM_PEERS)/.ready
	PYTHONPATH=benchmarks $(BIN)/python -m llm_peers $(ARGS)
	$(BIN)/python scripts/write_peers.py

$(LLM_PEERS)/.ready: $(VENV)/.ready
	@python="$$($(BIN)/python -c 'from tests.cloud.needs import python313; print(python313() or "")')"; \
		test -n "$$python" || { echo "measure-peers needs python3.13"; exit 1; }; \
		$(BIN)/uv venv --quiet --clear --python "$$python" $(LLM_PEERS)
	@$(BIN)/uv pip install --quiet --python $(LLM_PEERS)/bin/python $(LLM_PEER_TOOLS)
	@touch $@

# Readers of PDFs, beside which benchmarks/documents.py measures tables.
DOCUMENT_PEERS := .cache/document-peers

.PHONY: document-peers

document-peers: $(VENV)/.ready
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(DOCUMENT_PEERS)
	@$(BIN)/uv pip install --quiet --python $(DOCUMENT_PEERS)/bin/python pdfplumber==0.11.10 camelot-py==2.0.0 markitdown[pdf]==0.1.9

# scrapy, beside which benchmarks/crawl.py measures what a crawled page costs.
SCRAPY := .cache/scrapy

.PHONY: crawl-peers

crawl-peers: $(SCRAPY)/.ready

$(SCRAPY)/.ready: $(VENV)/.ready
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(SCRAPY)
	@$(BIN)/uv pip install --quiet --python $(SCRAPY)/bin/python scrapy==2.19.0
	@touch $@

# The listings of real programs, each filled with 300 invented records (CONTRIBUTING.md). Needs node, npm and git.
PROGRAMS := .cache/programs

.PHONY: sites-check

sites-check: $(PROGRAMS)/.ready
	@$(BIN)/python -m tests.programs $(NAMES)

$(PROGRAMS)/.ready: $(VENV)/.ready tests/programs/requirements.txt tests/programs/package.json
	@for name in node npm git; do command -v $$name > /dev/null || { echo "sites-check needs $$name"; exit 1; }; done
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(PROGRAMS)/python
	@$(BIN)/uv pip install --quiet --python $(PROGRAMS)/python/bin/python -r tests/programs/requirements.txt
	@mkdir -p $(PROGRAMS)/node && cp tests/programs/package.json $(PROGRAMS)/node/
	@cd $(PROGRAMS)/node && npm install --silent --no-audit --no-fund
	@touch $@

# LangChain, LlamaIndex, and a TypeScript client made from the OpenAPI document, tried with the real packages. Needs node
# and npm.
INTEGRATIONS := .cache/integrations
INTEGRATION_TOOLS := langchain-core==1.8.1 llama-index-core==0.14.25
TYPESCRIPT_TOOLS := openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3 @types/node@22.20.7

.PHONY: integrations

integrations: $(INTEGRATIONS)/.ready
	@cp tests/integrations/client.ts tests/integrations/tsconfig.json $(INTEGRATIONS)/node/
	@cd $(INTEGRATIONS)/node && npx openapi-typescript $(CURDIR)/docs/openapi.json --default-non-nullable false -o gleaner.d.ts > /dev/null && npx tsc -p .
	@$(INTEGRATIONS)/python/bin/python -m tests.integrations $(INTEGRATIONS)/node/out/client.js

$(INTEGRATIONS)/.ready: $(VENV)/.ready
	@for name in node npm; do command -v $$name > /dev/null || { echo "integrations needs $$name"; exit 1; }; done
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(INTEGRATIONS)/python
	@$(BIN)/uv pip install --quiet --python $(INTEGRATIONS)/python/bin/python -e layers/core $(INTEGRATION_TOOLS)
	@mkdir -p $(INTEGRATIONS)/node && cd $(INTEGRATIONS)/node && echo '{"type": "module"}' > package.json && \
		npm install --silent --no-audit --no-fund $(TYPESCRIPT_TOOLS)
	@touch $@

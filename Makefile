# Needs make, sh and Python 3.11 or 3.12; everything else comes from lock files.
#   make PYTHON=/path/to/python3.12 …   another Python than the first that is found
#   make VENV=/elsewhere …              another environment than .venv

VENV ?= .venv
PYTHON ?=
# What the environment has.
LOCK := requirements-dev.lock
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LOCKED := $(VENV)/.locked
# The face engine's: converted and checked here, no weights are in the repository.
MODELS := $(VENV)/share/acredita/models/manifest.json
# The pages' scripts and the browser SDK, inside the package, as the wheel has them.
WEB := src/acredita/web/built/manifest.json
WEB_SOURCES := $(shell find web -name node_modules -prune -o -name dist -prune -o -type f -print)
# The console for staff, inside the package as well; its types come from openapi.json.
CONSOLE := src/acredita/web/console/manifest.json
CONSOLE_SOURCES := openapi.json $(shell find console \
    \( -name node_modules -o -name schema.ts \) -prune -o -type f -print)
NODE_CLIENT := clients/node/dist/index.js
NODE_CLIENT_SOURCES := openapi.json $(shell find clients/node \
    \( -name node_modules -o -name dist -o -name schema.ts \) -prune -o -type f -print)
# The guide, inside the package as well.
GUIDE := src/acredita/web/guide/manifest.json
GUIDE_SOURCES := $(shell find docs deploy tools/guide -type f) openapi.json CHANGELOG.md
export PYTHON
# Without bytecode, each of the hundreds of processes of the tests would compile the whole service.
unexport PYTHONDONTWRITEBYTECODE

# A command with PostgreSQL and Redis of its own, thrown away afterwards.
WITH_SERVERS := $(BIN)/python -m acredita.embedded run --

# The Python client's types, from openapi.json; settings in its pyproject.toml.
CLIENT_TYPES := cd clients/python && $(abspath $(BIN))/datamodel-codegen

# Tests given by name run in one process: no start-up of workers, output as it comes.
T ?=
# Otherwise in parallel, the slow files first (tests/conftest.py).
PARALLEL := --numprocesses logical --dist loadfile --no-loadscope-reorder
# Of `make test`; the others have targets of their own.
USUAL := not deployment and not faults and not thorough
PYTEST := $(BIN)/pytest $(if $(T),$(T),-m "$(USUAL)" $(PARALLEL))

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

##@ Run

.PHONY: demo
demo: $(READY) ## Verify a synthetic identity from end to end, without any set-up
	$(BIN)/acredita demo

.PHONY: dev
dev: $(READY) ## Run API and worker with embedded PostgreSQL and Redis until Ctrl-C
	$(BIN)/acredita dev

.PHONY: install
install: $(READY) $(GUIDE) ## Install the service, the embedded servers and all development tools into .venv

# What builds the models and the pages is in an environment of its own, which is removed.
.PHONY: install-production
install-production: ## Install only what a production machine needs into .venv
	@$(MAKE) --jobs=2 VENV="$(VENV).build" LOCK=requirements-models.lock models web console docs
	@sh scripts/make-environment "$(VENV)" requirements.lock
	@mkdir -p "$(VENV)/share/acredita"
	@mv "$(VENV).build/share/acredita/models" "$(VENV)/share/acredita/models"
	@sh scripts/link-checkout "$(VENV)"
	@rm -rf "$(VENV).build" web/node_modules console/node_modules

.PHONY: models
models: $(MODELS) ## Build the face engine's models from the packages that publish them

.PHONY: web
web: $(WEB) ## Build the capture page and the browser SDK from their sources in web/

.PHONY: console
console: $(CONSOLE) ## Build the console from its sources in console/ and openapi.json

.PHONY: node-client
node-client: $(NODE_CLIENT) ## Build the Node client from its sources and openapi.json

# http.server's folder has more than the guide, which thus has the address that it has in the service.
.PHONY: docs
docs: $(GUIDE) ## Build the guide, which the service serves under /guide; SERVE=8001 serves it there
	@$(if $(SERVE),echo "The guide: http://127.0.0.1:$(SERVE)/guide/ (Ctrl-C stops it)"; \
	    $(BIN)/python -m http.server --bind 127.0.0.1 --directory src/acredita/web $(SERVE),\
	    echo "The guide is built. The service serves it under /guide, and so does: make docs SERVE=8001")

.PHONY: migrate
migrate: $(READY) ## Upgrade the database of ACREDITA_DATABASE_URL to the newest schema
	$(BIN)/acredita migrate

##@ Check

.PHONY: check
check: ## Everything that CI checks
	@$(MAKE) --jobs=2 $(READY) $(NODE_CLIENT)
	@$(MAKE) --jobs=2 types lint imports migrations-check openapi-check
	@$(MAKE) test

.PHONY: test
test: $(READY) ## Run all tests, or those of T=path
	$(PYTEST)

.PHONY: test-fast
test-fast: $(READY) ## Run the tests that take no more than a few seconds each
	$(PYTEST) -m "not slow and $(USUAL)"

.PHONY: faults
faults: $(READY) ## Run the fault tests, one kind of fault each; takes some minutes
	$(BIN)/pytest -m faults

.PHONY: thorough
thorough: $(READY) $(VENV)/deploy/.ready ## Run more cases of what make test shows in small; takes some minutes
	PATH="$(abspath $(VENV))/deploy/bin:$$PATH" $(BIN)/pytest \
	    -m "thorough or hypothesis" --hypothesis-profile thorough

.PHONY: fuzz
fuzz: MINUTES ?= 15
fuzz: $(READY) ## Send generated requests to a running stack for MINUTES (15)
	$(WITH_SERVERS) $(BIN)/python -m tests.contract.fuzz $(MINUTES)

.PHONY: chaos
chaos: N ?= 1500
chaos: MINUTES ?= 6
chaos: SEED ?= 1
chaos: $(READY) ## Inject faults while N (1500) verifications run, for MINUTES (6); SEED=1
	$(BIN)/python -m tests.chaos --n $(N) --minutes $(MINUTES) --seed $(SEED)

.PHONY: fmt
fmt: $(READY) ## Format the code and fix what ruff can fix
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

.PHONY: lint
lint: $(READY) ## Check format and style of code and YAML
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/yamllint --strict -d '{extends: default, rules: {line-length: {max: 110}}}' docker-compose.yml

.PHONY: imports
imports: $(READY) ## Check the import contracts
	$(BIN)/lint-imports

.PHONY: types
types: $(READY) $(NODE_CLIENT) ## Check the types, and those of the Node client against openapi.json
	$(BIN)/mypy

.PHONY: migrations-check
migrations-check: $(READY) ## Check that migrations run up and down and match the models
	$(WITH_SERVERS) sh -ec ' \
	    $(BIN)/alembic upgrade head; \
	    $(BIN)/alembic check; \
	    $(BIN)/alembic downgrade -1; \
	    $(BIN)/alembic upgrade head'

.PHONY: openapi-check
openapi-check: $(READY) ## Check that openapi.json and the client's types match the code
	$(BIN)/acredita openapi --check
	$(CLIENT_TYPES) --check

.PHONY: deploy-check
deploy-check: $(READY) $(VENV)/deploy/.ready ## Check the image's steps, Compose file, Helm chart and storage with their own programs
	PATH="$(abspath $(VENV))/deploy/bin:$$PATH" $(BIN)/pytest -m "not thorough" $(PARALLEL) \
	    tests/embedded/test_deployment_files.py tests/embedded/test_chart.py \
	    tests/embedded/test_image_steps.py tests/embedded/test_real_object_storage.py

.PHONY: openapi-lint
openapi-lint: $(READY) ## Check openapi.json with Spectral and Redocly, which npm fetches
	$(BIN)/python -m tools.openapi

.PHONY: openapi-clients
openapi-clients: $(READY) $(VENV)/openapi/.ready ## Generate clients from openapi.json (Python, TypeScript, Go, Java) and compile them
	$(BIN)/python -m tools.openapi.clients $(VENV)/openapi

##@ Measure

.PHONY: bench
bench: $(READY) ## Measure the service under load
	$(WITH_SERVERS) $(BIN)/python -m benchmarks.service

.PHONY: bench-listing
bench-listing: $(READY) ## Measure lists and searches among a million verifications
	$(WITH_SERVERS) $(BIN)/python -m benchmarks.listing

.PHONY: bench-training
bench-training: $(READY) ## Measure the labelling queue among 200,000 documents
	$(WITH_SERVERS) $(BIN)/python -m benchmarks.training

.PHONY: bench-export
bench-export: $(READY) ## Measure the memory that an export of 100,000 licences takes
	$(WITH_SERVERS) $(BIN)/python -m benchmarks.export

.PHONY: bench-deliveries
bench-deliveries: $(READY) ## Measure deliveries of one worker next to a bare loop
	$(WITH_SERVERS) $(BIN)/python -m benchmarks.deliveries

.PHONY: bench-fleet
bench-fleet: $(READY) ## Measure many processes and organizations on one PostgreSQL; ONLY=parts, PEERS=1, AGAINST=commit
	$(WITH_SERVERS) $(BIN)/python -m benchmarks.fleet $(if $(ONLY),--only $(ONLY)) \
	    $(if $(PEERS),--peers .acredita/queue-peers) $(if $(AGAINST),--against $(AGAINST))

.PHONY: bench-ageing
bench-ageing: $(READY) ## Measure what a verification leaves in PostgreSQL and the purge of a month
	$(WITH_SERVERS) $(BIN)/python -m benchmarks.ageing

.PHONY: bench-ledger
bench-ledger: $(READY) ## Measure the job ledger: commits, wake-ups, claims, counters; PEERS=1
	$(WITH_SERVERS) $(BIN)/python -m benchmarks.ledger \
	    $(if $(PEERS),--peers .acredita/queue-peers)

.PHONY: bench-simulation
bench-simulation: $(READY) ## Measure the simulation of a policy on past verifications
	$(WITH_SERVERS) $(BIN)/python -m benchmarks.simulation

.PHONY: bench-evidence
bench-evidence: $(READY) ## Measure the evidence file of a decision
	$(WITH_SERVERS) $(BIN)/python -m benchmarks.evidence

.PHONY: bench-recognition
bench-recognition: $(READY) ## Measure documents, faces, liveness; FULL=1, PEERS=1, QUIET=1, SEED=n
	$(BIN)/python -m benchmarks.recognition $(if $(FULL),--full) $(if $(QUIET),--quiet) \
	    $(if $(SEED),--seed $(SEED)) $(if $(PEERS),--peers .acredita/peers)

.PHONY: attack
attack: $(READY) ## Attack a whole stack with images of others, and verify honest people; SEED=n, SMALL=1
	$(BIN)/python -m benchmarks.attack $(if $(SEED),--seed $(SEED)) $(if $(SMALL),--small) \
	    $(if $(JSON),--json $(JSON)) $(if $(BASELINE),--baseline $(BASELINE))

.PHONY: bench-aml
bench-aml: $(READY) ## Measure watchlists: accuracy, speed, batches, imports; AGAINST=commit
	@missed=0; \
	$(BIN)/python -m benchmarks.screening $(if $(AGAINST),--against $(AGAINST)) || missed=1; \
	$(WITH_SERVERS) $(BIN)/python -m benchmarks.screening_batch || missed=1; \
	$(WITH_SERVERS) $(BIN)/python -m benchmarks.screening_import || missed=1; \
	exit $$missed

.PHONY: bench-metamap-deliveries
bench-metamap-deliveries: $(READY) ## Deliver 10,000 events in MetaMap's format past cycles of the invariants
	$(WITH_SERVERS) $(BIN)/python -m benchmarks.compatible_deliveries

.PHONY: bench-metamap
bench-metamap: $(READY) ## Compare the speed of the MetaMap API with that of /v1
	$(WITH_SERVERS) $(BIN)/python -m benchmarks.metamap

.PHONY: screens
screens: $(READY) ## Write screenshots of all screens of the capture page to dist/screens
	$(BIN)/python -m tests.browser.screens dist/screens

.PHONY: console-screens
console-screens: $(READY) ## Write pictures of every page of the console to dist/console, and check them
	$(BIN)/python -m tests.browser.console_screens dist/console

.PHONY: screen-sheet
screen-sheet: $(READY) ## Photograph every screen of the capture page for docs/integrators/screens.jpg
	rm -rf dist/screen-sheet
	$(BIN)/python -m tests.browser.screens dist/screen-sheet --sheet
	$(BIN)/python -m tools.screen_sheet dist/screen-sheet/plain docs/integrators/screens.jpg

.PHONY: bench-browser
bench-browser: $(READY) ## Measure the capture page's first paint and a whole flow in chromium
	$(BIN)/python -m benchmarks.browser

.PHONY: bench-console
bench-console: $(READY) ## Measure the console's first screen and interactions in chromium
	$(BIN)/python -m benchmarks.console

##@ Change

.PHONY: migration
migration: export MESSAGE = $(m)
migration: $(READY) ## Write a migration for changed models: make migration m="add a column"
	@test -n "$$MESSAGE" || { echo 'make migration m="what it does"' >&2; exit 1; }
	$(WITH_SERVERS) sh -ec ' \
	    $(BIN)/alembic upgrade head; \
	    $(BIN)/alembic revision --autogenerate -m "$$MESSAGE"'

.PHONY: openapi
openapi: $(READY) ## Generate openapi.json, the Python client's types and the page of events from the code
	$(BIN)/acredita openapi
	$(CLIENT_TYPES)
	$(BIN)/python -m tools.events

.PHONY: reasons
reasons: $(READY) ## Write the pages about reason codes from their registry
	$(BIN)/python -m tools.reasons

.PHONY: settings
settings: $(READY) ## Write .env.example from the settings
	$(BIN)/python -m tools.settings

.PHONY: notice
notice: $(READY) ## Write NOTICE from the licences of what is shipped
	$(BIN)/python -m tools.notice

.PHONY: lock
lock: COMPILE = $(BIN)/uv pip compile --universal --generate-hashes --no-header \
	--no-emit-index-url --no-annotate --python-version 3.11 --quiet
lock: $(READY) ## Resolve the dependencies of pyproject.toml again
	$(COMPILE) pyproject.toml --extra embedded --group dev --output-file requirements-dev.lock
	$(COMPILE) pyproject.toml --constraints requirements-dev.lock --output-file requirements.lock
	$(COMPILE) --group models --group docs --constraints requirements-dev.lock \
	    --output-file requirements-models.lock
	$(COMPILE) --group sbom --output-file requirements-sbom.lock
	$(COMPILE) --group deploy --output-file requirements-deploy.lock
	$(COMPILE) --group openapi --output-file requirements-openapi.lock

.PHONY: release
release: $(READY) ## Write the version V=1.2.3 everywhere; CONTRIBUTING.md has the steps of a release
	$(BIN)/python -m tools.release "$(V)"

.PHONY: packages
packages: $(READY) $(GUIDE) $(NODE_CLIENT) ## Build wheels, source distributions and npm tarballs into dist
	$(BIN)/python -m tools.packages dist

.PHONY: sbom
sbom: $(VENV)/sbom/.ready ## Write dist/sbom.json: what requirements.lock installs, as CycloneDX
	mkdir -p dist
	$(VENV)/sbom/bin/cyclonedx-py requirements requirements.lock --pyproject pyproject.toml \
	    --output-reproducible --of JSON --output-file dist/sbom.json

##@ House-keeping

.PHONY: clean
clean: ## Remove environment and caches; keep the data in .acredita
	rm -rf $(VENV) $(VENV).build $(dir $(WEB)) $(dir $(CONSOLE)) $(dir $(GUIDE)) web/node_modules \
	    console/node_modules console/src/api/schema.ts clients/node/node_modules \
	    clients/node/dist clients/node/src/schema.ts tools/openapi/node_modules dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src synthetic tests benchmarks migrations -name __pycache__ -prune -exec rm -rf {} +

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' \
	    '/^##@ / { printf "\n%s\n", substr($$0, 5) } \
	     /^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Two steps, so that a change of pyproject.toml alone doesn't fetch every package again.
$(LOCKED): $(LOCK)
	@sh scripts/make-environment "$(VENV)" $(LOCK)
	@touch $@

$(READY): $(LOCKED) $(MODELS) $(WEB) $(CONSOLE) pyproject.toml synthetic/pyproject.toml
	@$(BIN)/python -m pip install -qq --disable-pip-version-check \
	    --no-deps --no-build-isolation --editable . --editable synthetic
	@touch $@

$(VENV)/sbom/.ready $(VENV)/deploy/.ready $(VENV)/openapi/.ready: $(VENV)/%/.ready: $(LOCKED) requirements-%.lock
	@$(BIN)/python -m venv --clear $(@D)
	@$(@D)/bin/python -m pip install -qq --disable-pip-version-check --require-hashes --no-deps \
	    -r requirements-$*.lock
	@touch $@

$(MODELS): $(LOCKED) $(wildcard tools/models/*)
	@$(BIN)/python -m tools.models "$(@D)"
	@touch $@

$(GUIDE): $(LOCKED) $(GUIDE_SOURCES)
	@$(BIN)/python -m tools.guide "$(@D)"
	@touch $@

$(NODE_CLIENT): $(LOCKED) tools/npm.py tools/node_client.py $(NODE_CLIENT_SOURCES)
	@$(BIN)/python -m tools.node_client
	@touch $@

$(WEB): $(LOCKED) tools/npm.py tools/built_folder.py $(wildcard tools/web/*.py) $(WEB_SOURCES)
	@$(BIN)/python -m tools.web "$(@D)"
	@touch $@

$(CONSOLE): $(LOCKED) tools/npm.py tools/built_folder.py tools/console.py $(CONSOLE_SOURCES)
	@$(BIN)/python -m tools.console "$(@D)"
	@touch $@

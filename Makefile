# Every command runs from this folder; `make help` lists them.
PYTHON ?= python3
CORPUS ?= demo
FACTS ?= auto
VECTORS ?=
HITS ?=
COMPARE ?=
QUESTIONS ?=
ANSWERS ?=
SUMMARIES ?=
SENTIMENT ?= demo
REPLIES ?=
CALIBRATION ?= demo
VARS ?= {}
FORCE ?=
LIMIT ?= 20
VENV := .venv
BIN := $(VENV)/bin
DBT := $(BIN)/python -m finrag.commands dbt
# --no-compile: most modules are never imported, and Python compiles the others when they are.
INSTALL := PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable

export DBT_PROFILES_DIR := .
# The vars of dbt_project.yml that the command line sets; VARS is JSON with any others.
DBT_VARS = $$($(BIN)/python -c 'import json, sys; names = ["corpus", "company_facts", "imported_vectors", "external_hits", "compare_runs", "question_suites", "external_answers", "summary_pairs", "sentiment_data", "sentiment_replies", "calibration_data"]; \
	print(json.dumps(dict(zip(names, sys.argv[2:])) | json.loads(sys.argv[1])))' '$(VARS)' "$(CORPUS)" "$(FACTS)" "$(VECTORS)" "$(HITS)" "$(COMPARE)" "$(QUESTIONS)" "$(ANSWERS)" "$(SUMMARIES)" "$(SENTIMENT)" "$(REPLIES)" "$(CALIBRATION)")

.DEFAULT_GOAL := help
.PHONY: help build publish report test lint analysis baseline export-queries export-corpus export-suite estimate docs bench clean

help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16
	@echo
	@echo 'CORPUS="path glob hf://…"  source files (default: the demo corpus)'
	@echo 'FACTS="path"               XBRL company facts to check amounts against'
	@echo 'VECTORS="model=path glob"  vectors made elsewhere, for an embedding model of that name'
	@echo 'HITS="name@regime=path"    what your own search found for the exported queries'
	@echo 'QUESTIONS="path glob"      question suites of your own (JSON)'
	@echo 'ANSWERS="name=path"        answers of a system of your own'
	@echo 'SUMMARIES="name=path"      summaries of systems of your own, with their sources'
	@echo 'SENTIMENT="name=path"      labelled headlines (FiQA or FLARE; default: the demo set)'
	@echo 'REPLIES="name=path"        raw replies of a system of your own to those headlines'
	@echo 'CALIBRATION="name=path"    summaries with human scores, to calibrate judges (default: the demo set)'
	@echo 'COMPARE="run_id:run_id"    further pairs of runs to compare'
	@echo 'VARS={"p1_anchors":2000}   any other var of dbt_project.yml, as JSON'
	@echo 'FORCE=1                    build even where nothing has changed since the last build'
	@echo 'Example: make build CORPUS="filings/*.json sentences/*.parquet" FACTS=facts.parquet'

build: $(VENV)/.runtime warehouse ## Install what is missing, build the warehouse and publish it (CORPUS=…, FACTS=…)
	@$(BIN)/python -m finrag.build $(if $(FORCE),--force) --exclude-resource-type unit_test --exclude-resource-type exposure --vars "$(DBT_VARS)"

publish: $(VENV)/.runtime ## Publish the warehouse as it stands: BI file and Parquet (a build that succeeds does it)
	@$(BIN)/python -m finrag.publish

report: $(VENV)/.runtime ## Write what was published last as one HTML page, reports/finrag.html
	@$(BIN)/python -m finrag.report

test: $(VENV)/.dev warehouse ## Run every check: lint, dbt parse, unit and integration tests
	@mkdir -p target; $(MAKE) --no-print-directory lint > target/lint.txt 2>&1 & lint=$$!; \
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder; tests=$$?; \
	wait $$lint || { cat target/lint.txt; exit 1; }; \
	exit $$tests

lint: $(VENV)/.dev ## ruff, sqlfluff and dbt parse
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@FINRAG_DATABASE=:memory: $(DBT) parse --quiet --target-path target/lint
	@FINRAG_DATABASE=:memory: DBT_TARGET_PATH=target/lint $(BIN)/python -m finrag.commands sqlfluff lint --disable-progress-bar models analyses tests/singular

analysis: $(VENV)/.runtime ## Run one file of analyses/ against the warehouse (NAME=risk_mix_by_year, LIMIT=20)
	@test -n "$(NAME)" || { echo 'Name an analysis: make analysis NAME=…, one of' $(notdir $(basename $(wildcard analyses/*.sql))); exit 2; }
	@$(DBT) compile --quiet --select "resource_type:analysis,$(NAME)" --vars "$(DBT_VARS)" > /dev/null
	@$(BIN)/python -m finrag.analysis "$(NAME)" $(LIMIT)

export-queries: $(VENV)/.runtime ## Write the gold queries and qrels to exports/, for a retriever of your own
	@$(BIN)/python -m finrag.retrieval.export queries

export-corpus: $(VENV)/.runtime ## Write the sentences that it may find to exports/corpus.parquet
	@$(BIN)/python -m finrag.retrieval.export corpus

export-suite: $(VENV)/.runtime ## Write the business questions as JSON, in the schema that QUESTIONS takes
	@$(BIN)/python -m finrag.questions.export

baseline: $(VENV)/.runtime ## Freeze the current runs and their anchors as the baseline of the alerts (NAME=…, NOTE=…)
	@$(BIN)/python -m finrag.baseline $(NAME) $(if $(NOTE),"$(NOTE)")

estimate: $(VENV)/.runtime ## Calls, tokens and dollars that a build would send to language models; sends nothing
	@$(DBT) parse --quiet --vars "$(DBT_VARS)"
	@$(BIN)/python -m finrag.llm.estimate

docs: $(VENV)/.runtime warehouse ## Build the dbt docs site into target/
	@$(DBT) docs generate --quiet --static
	@echo "Open target/static_index.html"

bench: $(VENV)/.bench ## Measure speed against named peers (BENCH="tagging exact_search …"; benchmarks/run.py lists them)
	@BENCH="$(BENCH)" $(BIN)/python benchmarks/run.py

clean: ## Remove what builds made: warehouse/, reports/, target/, logs/ (not the virtual environment)
	@rm -rf warehouse reports target logs

warehouse:
	@mkdir -p warehouse

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v <= (3, 13) else \
		"Python 3.11, 3.12 or 3.13 is needed, this is %d.%d. Name one: make build PYTHON=python3.12" % v)'
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "Installing the packages of constraints.txt into $(VENV)/ …"
	@$(INSTALL) .
	@touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "Installing the packages of constraints.txt and the test tools into $(VENV)/ …"
	@$(INSTALL) ".[dev]"
	@touch $(VENV)/.runtime $@

$(VENV)/.bench: $(VENV)/.dev
	@$(INSTALL) ".[dev,bench]"
	@touch $@

# Every command runs from this folder; `make help` lists them. Most are `finrag`, which .venv/bin has too.
PYTHON ?= python3
LIMIT ?= 20
VENV := .venv
BIN := $(VENV)/bin
DBT := $(BIN)/python -m finrag.commands dbt
FINRAG := $(BIN)/python -m finrag
# --no-compile: most modules are never imported, and Python compiles the others when they are.
PIP := PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --no-warn-conflicts
INSTALL := $(PIP) --editable
# pip asks for one package after the other and unpacks with one core: four at once take 38 s for 58, in eight parts, for in
# four the large packages fell to one. What is pinned above a heading of constraints.txt is all that pip would resolve to
# (.ci/dependencies.py compares them), and goes in by itself.
# So does sqlfluff's templater for dbt: it has no later release than 4.4, which by its metadata takes sqlfluff 4.4 only.
# With 4.5 it lints the same, in half the time.
pinned_above = seq 0 7 | xargs -P 4 -I @ sh -c \
	"$(PIP) --no-deps \$$(sed '/^\# $(1)/,\$$d' constraints.txt | awk '/==/ && ++n % 8 == @')"

export DBT_PROFILES_DIR := .
# What Python compiles it keeps, also where an image forbids it: compiling dbt, torch and the like takes each process ten
# seconds, and the tests start hundreds.
export PYTHONDONTWRITEBYTECODE :=
# Where work is done that grows with the corpus.
ifdef ENGINE
export FINRAG_ENGINE := $(ENGINE)
endif
# Options of `finrag build` by the names that make gives them. One that is set to nothing is set.
ARGUMENTS := CORPUS:corpus FACTS:facts VECTORS:vectors HITS:hits CHUNKS:chunks COMPARE:compare QUESTIONS:suites \
	ANSWERS:answers SUMMARIES:summaries SENTIMENT:headlines REPLIES:replies CALIBRATION:calibration VARS:vars
# By way of the environment, where make puts what the command line sets: no quote in it can end the shell's.
option = $(if $(filter undefined,$(origin $(1))),,--$(2) "$$$(1)")
GIVEN = $(foreach pair,$(ARGUMENTS),$(call option,$(word 1,$(subst :, ,$(pair))),$(word 2,$(subst :, ,$(pair)))))

.DEFAULT_GOAL := help
.PHONY: help build publish report test check lint soak compare gate analysis baseline export-queries export-corpus export-suite export-stress estimate docs bench clean

help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16
	@echo
	@echo 'CORPUS="path glob hf://…"  source files (default: the demo corpus)'
	@echo 'FACTS="path"               XBRL company facts to check amounts against'
	@echo 'VECTORS="model=path glob"  vectors made elsewhere, for an embedding model of that name'
	@echo 'HITS="name@regime=path"    what your own search found for the exported queries'
	@echo 'CHUNKS="name=path"         the corpus as you cut it, compared with our chunkings on the question suites'
	@echo 'QUESTIONS="path glob"      question suites of your own (JSON)'
	@echo 'ANSWERS="name=path"        answers of a system of your own'
	@echo 'SUMMARIES="name=path"      summaries of systems of your own, with their sources'
	@echo 'SENTIMENT="name=path"      labelled headlines (FiQA or FLARE; default: the demo set)'
	@echo 'REPLIES="name=path"        raw replies of a system of your own to those headlines'
	@echo 'CALIBRATION="name=path"    summaries with human scores, to calibrate judges (default: the demo set)'
	@echo 'COMPARE="run_id:run_id"    further pairs of runs to compare'
	@echo 'VARS={"p1_anchors":2000}   any other var of dbt_project.yml, as JSON'
	@echo 'ENGINE=ray RAY_ADDRESS=…   work that grows with the corpus on a Ray cluster'
	@echo 'FORCE=1                    build all, also what has not changed since the last build'
	@echo 'VERBOSE=1                  print all that dbt says while it builds'
	@echo 'WAIT=1                     wait for another build of the same warehouse, if one runs'
	@echo 'Example: make build CORPUS="filings/*.json sentences/*.parquet" FACTS=facts.parquet'

build: $(VENV)/.runtime ## Install what is missing, build the warehouse and publish it (CORPUS=…, FACTS=…)
	@$(FINRAG) build $(if $(FORCE),--force) $(if $(WAIT),--wait) $(if $(VERBOSE),--verbose) $(GIVEN)

publish: $(VENV)/.runtime ## Publish the warehouse as it stands: BI file and Parquet (a build that succeeds does it)
	@$(FINRAG) publish

report: $(VENV)/.runtime ## Write what was published last as one HTML page, reports/finrag.html
	@$(FINRAG) report

# What the tests' processes import is compiled before they start: on a fresh machine each would compile it, a dozen times
# ten seconds.
test: $(VENV)/.dev ## Run every check: lint, dbt parse, unit and integration tests
	@mkdir -p target; $(MAKE) --no-print-directory lint > target/lint.txt 2>&1 & lint=$$!; \
	test -e tests/python/__pycache__ || $(BIN)/python -c "import gc; gc.disable(); import lancedb, sentence_transformers, pytest; \
		pytest.main(['--collect-only', '-qq'])" > /dev/null; \
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder; tests=$$?; \
	wait $$lint || { cat target/lint.txt; exit 1; }; \
	exit $$tests

check: $(VENV)/.dev ## What shows a mistake within a minute: ruff, ty, dbt parse, quick tests of what changed (SINCE=main)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/ty check --output-format concise --python $(VENV)
	@FINRAG_DATABASE=:memory: $(DBT) parse --quiet --target-path target/lint & parse=$$!; \
	$(BIN)/python -m pytest -n auto -q -m "not builds and not slow" --seconds 40 \
		$$($(BIN)/python tests/python/changes.py $(SINCE)); tests=$$?; \
	wait $$parse && exit $$tests

lint: $(VENV)/.dev ## ruff, calls that cannot be right, declared packages and what is known against them, sqlfluff, dbt parse
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/ty check --output-format concise --python $(VENV)
	@$(BIN)/python .ci/dependencies.py
	@$(BIN)/python .ci/sbom.py
	@FINRAG_DATABASE=:memory: $(DBT) parse --quiet --target-path target/lint
	@FINRAG_DATABASE=:memory: DBT_TARGET_PATH=target/lint $(BIN)/python -m finrag.commands sqlfluff lint --disable-progress-bar models analyses tests/singular

soak: $(VENV)/.dev ## Builds while files change, are damaged and go, and builds are killed (BUILDS=25, SEED=0)
	@$(BIN)/python tests/python/soak.py --builds $(or $(BUILDS),25) --seed $(or $(SEED),0)

compare: $(VENV)/.runtime ## Which of two runs is better, and is it sure (WORDS="hybrid bm25")
	@$(FINRAG) compare $(WORDS)

gate: $(VENV)/.runtime ## May it go on? Alerts and the baseline; ends with 1 where something is worse
	@$(FINRAG) gate

analysis: $(VENV)/.runtime ## Answer a question of analyses/ (NAME=risk_mix_by_year, LIMIT=20; without NAME, list them)
	@$(FINRAG) analysis $${NAME:+"$$NAME"} --limit $(LIMIT) $(call option,VARS,vars)

export-queries: $(VENV)/.runtime ## Write the gold queries and qrels to exports/, for a retriever of your own
	@$(FINRAG) export queries

export-corpus: $(VENV)/.runtime ## Write the sentences that it may find to exports/corpus.parquet
	@$(FINRAG) export corpus

export-suite: $(VENV)/.runtime ## Write the business questions as JSON, in the schema that QUESTIONS takes
	@$(FINRAG) export suite

export-stress: $(VENV)/.runtime ## Write the business questions in other words: ticker, short name, typo, no year, word order
	@$(FINRAG) export stress

baseline: $(VENV)/.runtime ## Freeze the current runs and their anchors as the baseline of the alerts (NAME=…, NOTE=…)
	@$(FINRAG) baseline $${NAME:+"$$NAME"} $(call option,NOTE,note)

estimate: $(VENV)/.runtime ## Calls, tokens and dollars that a build would send to language models; sends nothing
	@$(FINRAG) estimate $(call option,VARS,vars)

docs: $(VENV)/.dev ## Build the pages of docs/ as a site, target/site, with dbt's docs beside them
	@$(FINRAG) docs

bench: $(VENV)/.bench ## Measure speed against named peers (BENCH="tagging exact_search …"; benchmarks/run.py lists them)
	@$(BIN)/python benchmarks/run.py

clean: $(VENV)/.runtime ## Remove what builds made in warehouse/, reports/, target/, logs/ (not calls that were paid for)
	@$(FINRAG) clean $(if $(CALLS),--calls)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v <= (3, 13) else \
		"Python 3.11, 3.12 or 3.13 is needed, this is %d.%d. Name one: make build PYTHON=python3.12" % v)'
	@$(PYTHON) -m venv $(VENV)
# The pip that comes with Python 3.11 takes twice as long for the rest.
	@$(PIP) --upgrade pip

$(VENV)/.runtime: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "Installing the packages of constraints.txt into $(VENV)/ …"
	@$(call pinned_above,Its tests)
	@$(INSTALL) .
	@touch $@

$(VENV)/.dev: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "Installing the packages of constraints.txt and the test tools into $(VENV)/ …"
	@$(call pinned_above,Its benchmarks)
	@$(INSTALL) ".[dev]"
	@touch $(VENV)/.runtime $@

$(VENV)/.bench: $(VENV)/.dev
	@$(INSTALL) ".[dev,bench]"
	@touch $@

# `make demo` and `make test` set up everything they need; the README explains both.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The many interpreters of the tests start faster with compiled modules.
unexport PYTHONDONTWRITEBYTECODE
SUDO := $(shell [ "$$(id -u)" = 0 ] || command -v sudo)

# Installs exact versions and checks their hashes. Modules are compiled when they are first imported:
# most never are. uv needs a fifth of pip's time, but does not read the configuration of pip, such as
# the index of a company: where uv fails, pip installs. Only a locked pip checks hashes of constraints.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes
locked = sed -n '/^$(1)==/,/[^\\]$$/p' requirements.lock | $(PIP) --only-binary :all: -r /dev/stdin
install = $(BIN)/uv pip install --quiet --python $(BIN)/python --constraint requirements.lock $(1) || \
	($(call locked,pip) && $(PIP) --constraint requirements.lock $(1))
EXTRAS := $(addsuffix /requirements.txt,$(addprefix sitemapaudit/,alerts datasets/formats runs/merging scheduling distribution assistants serving) notebooks)
TESTS := requirements.txt $(EXTRAS) $(addsuffix /requirements.txt,docs tests tests/mutants)
REQUIREMENTS := $(TESTS) $(addsuffix /requirements.txt,benchmarks tests/fuzzing tests/conformance tests/oracles)
UPGRADE := --upgrade
FUZZ_SECONDS := 30

.PHONY: demo test check style types tests core touched bench docs pages pictures examples languages kills worlds engines attacks oracles conformance mutants versions fuzz dist lock browser clean

demo: $(VENV)/.installed
	$(BIN)/sitemapaudit demo

# Everything: the linters, the type checker and all tests, side by side.
test:
	$(MAKE) --jobs=4 --output-sync=target --no-print-directory style types core tests

# What to run after each change: the linters, the type checker, the tests that the change touches, and the
# laws for all code. Takes less than a minute after most changes.
check: $(VENV)/.installed-tests
	$(MAKE) --jobs=3 --output-sync=target --no-print-directory style types touched

style: $(VENV)/.installed-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-tests
	$(BIN)/mypy

# Thousands of tests of the core need no other process. A single one collects and runs them in less time
# than several processes that share them.
core: $(VENV)/.compiled $(VENV)/.programs
	$(ALLOCATOR) $(BIN)/python -m pytest --rooms core

tests: $(VENV)/.compiled $(VENV)/.browser $(VENV)/.programs
	$(ALLOCATOR) $(BIN)/python -m pytest -n auto --dist loadgroup --rooms others

touched: $(VENV)/.installed-tests
	$(ALLOCATOR) $(BIN)/python -m pytest -n auto --dist loadgroup $$($(BIN)/python -m tests.touched)

# Runs the benchmarks, and appends their results to benchmarks/history.md.
bench: $(VENV)/.installed-tests $(VENV)/.browser
	@$(call install,-r benchmarks/requirements.txt)
	$(BIN)/python benchmarks/all.py

# Builds the documentation in docs/_build; a warning is an error.
docs: $(VENV)/.installed-tests
	$(BIN)/python -m sphinx -W --keep-going --quiet docs docs/_build

# Writes the pages of the documentation that are made from definitions: rules, columns, options.
pages: $(VENV)/.installed-tests
	$(BIN)/python -m docs.generated

# Makes the pictures of the README from the demo.
pictures: $(VENV)/.installed-tests $(VENV)/.browser
	$(BIN)/python docs/pictures.py

# Makes the example of each rule from the demo, or from the test of the rule.
examples: $(VENV)/.installed-tests $(VENV)/.browser
	$(BIN)/python -m tests.examples
	$(BIN)/python -m docs.generated

# Writes the codes of languages, scripts and regions into the package.
languages: $(VENV)/.installed-tests
	$(BIN)/python -m tests.language_codes

# Builds the wheel in dist/.
dist: $(VENV)/.installed-tests
	$(BIN)/python -m build --wheel --no-isolation

# Resumes a hundred audits of 2,000 URLs, each killed at a random moment; then others, each killed at
# another statement of the build of its tables.
kills: $(VENV)/.installed-tests
	AUDIT_KILLS=100 AUDIT_KILLS_STEP=1 AUDIT_KILLS_URLS=2000 \
		$(BIN)/python -m pytest -rP -q tests/runs/test_kills.py tests/runs/test_killed_builds.py

# Audits websites that are drawn from seeds, with faults and interruptions, and makes a case that fails smaller:
# `make worlds SEEDS=10000`, and from another seed on `FIRST=5000`.
worlds: SEEDS := 1000
worlds: FIRST := 0
worlds: $(VENV)/.installed-tests
	AUDIT_WORLDS=$(SEEDS) AUDIT_WORLDS_FIRST=$(FIRST) AUDIT_WORLDS_SHRINK=1 \
		$(BIN)/python -m pytest -n auto tests/worlds

# Unpacks SLURM of Debian in a temporary folder, runs an array job on two nodes, and loses one of them.
engines: $(VENV)/.installed-tests
	PATH="$(abspath $(BIN)):$$PATH" $(BIN)/python -m pytest -rP -q tests/distribution/slurm_array.py

# Runs each attack of the hostile website alone and prints what it costs; takes six minutes.
attacks: $(VENV)/.installed-tests
	$(BIN)/python -m tests.hostile.alone

# Compares our answers with those of other programs, and prints one table; the exit status is 1 if any
# differs without a reason. `KINDS="robots urls"` and `HOSTS="nginx workers"` choose, `SEEDS="1 2"` and
# CASES= the random cases; TOOLS= is a folder that keeps installed programs; RECORD=1 writes the answers of
# hosting companies that the tests compare.
oracles: $(VENV)/.installed-tests
	@$(call install,-r tests/oracles/requirements.txt)
	$(BIN)/python -m tests.oracles $(KINDS) $(HOSTS) $(SEEDS) $(if $(CASES),--cases $(CASES)) \
		$(if $(TOOLS),--tools $(TOOLS)) $(if $(RECORD),--record)

# Installs other programs that read sitemaps (PyPI, npm), runs all on the conformance suite, and prints which
# passes what. `WORDS="scrapy urlset"` chooses programs, topics and cases, `WORDS=--explain` says why cases
# fail; RECORD=1 writes the table into the documentation.
conformance: $(VENV)/.installed-tests
	@$(call install,-r tests/conformance/requirements.txt)
	$(BIN)/python -m tests.conformance $(WORDS) $(if $(RECORD),--record)

# Changes the code of verdicts, rules and four other rooms at random places, and prints which changes no test
# of the room notices: `make mutants MUTANTS=200 SEED=2 ROOMS="verdicts robots"`.
mutants: MUTANTS := 2000
mutants: SEED := 1
mutants: $(VENV)/.installed-tests
	$(BIN)/python -m tests.mutants --mutants $(MUTANTS) --seed $(SEED) $(ROOMS)

# Runs the tests of what is used of Scrapy and aiohttp beyond their public API, with the lowest and with
# the newest versions that requirements.txt allows.
versions: $(VENV)/.installed-tests
	$(BIN)/python -m tests.versions

# Runs the tests of crawling with requests that pass through Scrapy's engine, as they do with another
# downloader, or with versions whose private parts do not fit; without the tests of that choice itself.
way-back: $(VENV)/.installed-tests
	$(BIN)/python -m pytest -n auto --dist loadgroup --way-back --ignore tests/engine/test_ways.py \
		tests/crawling tests/discovery tests/engine \
		tests/extensions tests/fetching tests/hosts tests/runs tests/spiders tests/workers

# Searches for input that breaks a promise of a reader. For longer searches in some readers:
# `make fuzz READERS="pages urls" FUZZ_SECONDS=600`.
fuzz: $(VENV)/.installed-tests
	@$(call install,-r tests/fuzzing/requirements.txt)
	$(BIN)/python -m tests.fuzzing.run $(FUZZ_SECONDS) $(READERS)

# Locks the newest versions that work together on every system and every Python from 3.11 on.
# `make lock UPGRADE=` keeps the locked versions and adds what is missing.
lock: $(VENV)/.uv
	$(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 $(UPGRADE) \
		--generate-hashes --no-emit-index-url --no-annotate --custom-compile-command 'make lock' \
		--output-file requirements.lock $(REQUIREMENTS)

$(VENV)/.uv: requirements.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.12")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(call locked,uv) || echo "uv cannot be installed: pip installs everything, more slowly"
	touch $@

# setuptools, which is locked, makes the program `sitemapaudit` of this checkout.
CHECKOUT := PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .

$(VENV)/.installed: $(VENV)/.uv requirements.txt pyproject.toml
	@$(call install,-r requirements.txt setuptools)
	$(CHECKOUT)
	touch $@

$(VENV)/.installed-tests: $(VENV)/.uv $(TESTS) pyproject.toml
	@$(call install,$(addprefix -r ,$(TESTS)) setuptools)
	$(CHECKOUT)
	touch $(VENV)/.installed $@

# Compiles what the tests import, while the linters run: otherwise each process of the tests does.
$(VENV)/.compiled: $(VENV)/.installed-tests
	$(BIN)/python -m pytest --collect-only -qq > $@.log || (cat $@.log; false)
	touch $@

# A browser for the tests: on Debian the one without windows, which starts four times as fast, and
# elsewhere that of Playwright, unless there is one.
$(VENV)/.browser: $(VENV)/.installed-tests
	if grep -qs '^ID=debian' /etc/os-release; \
	then test -x /usr/lib/chromium/chromium-headless-shell || $(MAKE) browser || true; \
	else $(BIN)/python -m sitemapaudit.rendering.browser || $(MAKE) browser; fi
	$(BIN)/python -m sitemapaudit.rendering.browser
	touch $@

# nginx and strace for the tests, of Debian or on the path. nginx is unpacked, and not installed: it
# would be started. jemalloc is optional: DuckDB spends a quarter of its time on a few rows in malloc.
DOWNLOAD := apt-get download -qq -o APT::Sandbox::User=root
STRACE := $(SUDO) apt-get install -qq -y strace
unpack = cd $(VENV) && ($(DOWNLOAD) $(1) || ($(SUDO) apt-get update -qq && $(DOWNLOAD) $(1))) && \
	dpkg-deb -x $(1)_*.deb $(1) && rm $(1)_*.deb
# jemalloc writes a warning where it cannot count the processors, unless the number of arenas is set.
ALLOCATOR = MALLOC_CONF=narenas:4 LD_PRELOAD="$$(ls $(CURDIR)/$(VENV)/libjemalloc2/usr/lib/*/libjemalloc.so.2 2>/dev/null)"
$(VENV)/.programs: $(VENV)/.uv
	if command -v nginx; then true; \
	elif grep -qs '^ID=debian' /etc/os-release; then $(call unpack,nginx); \
	else echo "nginx is not installed: its tests are skipped"; fi
	if command -v strace; then true; \
	elif grep -qs '^ID=debian' /etc/os-release; \
	then $(STRACE) || ($(SUDO) apt-get update -qq && $(STRACE)); \
	else echo "strace is not installed: its tests are skipped"; fi
	if grep -qs '^ID=debian' /etc/os-release; \
	then ($(call unpack,libjemalloc2)) || echo "jemalloc is not installed: the tests take longer"; fi
	touch $@

browser: $(VENV)/.installed
	if grep -qs '^ID=debian' /etc/os-release; \
	then $(SUDO) apt-get update -qq && $(SUDO) apt-get install -qq -y chromium-headless-shell; \
	else $(BIN)/playwright install --with-deps chromium; fi

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis docs/_build dist build *.egg-info

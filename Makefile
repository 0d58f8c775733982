# The two commands of the README are demo and test; the others serve those who change the code.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SUDO := $(shell [ "$$(id -u)" = 0 ] || command -v sudo)

# Exact versions, whose hashes are checked.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
INSTALL := $(PIP) --constraint requirements.lock
REQUIREMENTS := $(wildcard requirements.txt */requirements.txt tests/*/requirements.txt)
UPGRADE := --upgrade
FUZZ_SECONDS := 30

.PHONY: demo test kills attacks fuzz docs lock browser clean

demo: $(VENV)/.installed
	$(BIN)/scrapy crawl sitemap -a site=demo

test: $(VENV)/.installed-tests $(VENV)/.browser
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto --dist loadgroup

# A hundred audits of 2,000 URLs, each killed at a random moment and resumed.
kills: $(VENV)/.installed-tests
	AUDIT_KILLS=100 AUDIT_KILLS_URLS=2000 $(BIN)/python -m pytest -rP -q tests/resuming/test_kills.py

# Each attack of the hostile website alone, in about six minutes: what it costs.
attacks: $(VENV)/.installed-tests
	$(BIN)/python -m tests.hostile.alone

# Searches for input that breaks a promise of a reader, so many seconds in each: 5 minutes in all;
# `make fuzz READERS="pages urls" FUZZ_SECONDS=600` looks longer into some.
fuzz: $(VENV)/.installed-tests
	$(INSTALL) -r tests/fuzzing/requirements.txt
	$(BIN)/python -m tests.fuzzing.run $(FUZZ_SECONDS) $(READERS)

docs: $(VENV)/.installed $(VENV)/.browser
	$(BIN)/python -m sitemapaudit.demo.examples
	$(BIN)/python -m sitemapaudit.manual README.md

# The newest versions that go together, for every system and every Python from 3.11 on;
# `make lock UPGRADE=` keeps those that stand, and adds what is missing.
lock: $(VENV)/.pip
	$(INSTALL) uv
	$(BIN)/uv pip compile --quiet --no-config --universal --python-version 3.11 $(UPGRADE) \
		--generate-hashes --no-emit-index-url --no-annotate --custom-compile-command 'make lock' \
		--output-file requirements.lock $(REQUIREMENTS)

# Only a pip of 26.1 or later heeds the hashes of constraints: the locked one comes first.
$(VENV)/.pip: requirements.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	sed -n '/^pip==/,/[^\\]$$/p' requirements.lock | $(PIP) -r /dev/stdin
	touch $@

$(VENV)/.installed: $(VENV)/.pip requirements.txt
	$(INSTALL) -r requirements.txt
	touch $@

$(VENV)/.installed-tests: $(VENV)/.installed tests/requirements.txt
	$(INSTALL) -r tests/requirements.txt
	touch $@

# A browser for the tests of rendering, if there is none: of Debian where that is, else Playwright's.
$(VENV)/.browser: $(VENV)/.installed
	$(BIN)/python -m sitemapaudit.rendering.browser || $(MAKE) browser
	$(BIN)/python -m sitemapaudit.rendering.browser
	touch $@

browser: $(VENV)/.installed
	if grep -qs '^ID=debian' /etc/os-release; \
	then $(SUDO) apt-get update -qq && $(SUDO) apt-get install -qq -y chromium; \
	else $(BIN)/playwright install --with-deps chromium; fi

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis

"""Which browser is used, and what an audit says without one."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sitemapaudit.config.options import ConfigError
from sitemapaudit.rendering.browser import find_browser
from tests.support.audits import crawl
from tests.support.commands import scrapy


def test_a_browser_is_found_and_starts() -> None:
    browser = find_browser("")
    assert Path(browser.program).is_absolute()
    assert find_browser(browser.program) == browser


def write_browser(program: Path) -> None:
    """Write a program that starts as a browser does."""
    program.write_text("#!/bin/sh\necho '<html></html>'\n", encoding="utf-8")
    program.chmod(0o755)


@pytest.fixture(scope="module")
def folder_of_playwright() -> str:
    """Return the name of the folder in which Playwright installs its browser."""
    command = [sys.executable, "-m", "playwright", "install", "--dry-run", "chromium"]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    location = re.search(r"(?i)install location:\s*(.*chromium.*)", listing)
    assert location
    return Path(location[1]).name


@pytest.mark.parametrize(
    ("variable", "cache"),
    [
        ("PLAYWRIGHT_BROWSERS_PATH", ""),
        ("XDG_CACHE_HOME", "ms-playwright"),
        ("HOME", ".cache/ms-playwright"),
    ],
)
def test_the_browser_of_playwright_takes_precedence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    folder_of_playwright: str,
    variable: str,
    cache: str,
) -> None:
    for name in ("PLAYWRIGHT_BROWSERS_PATH", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    program = tmp_path / cache / folder_of_playwright / "chrome-linux64" / "chrome"
    program.parent.mkdir(parents=True)
    write_browser(program)
    find_browser.cache_clear()
    try:
        assert find_browser("").program == str(program)
    finally:
        find_browser.cache_clear()


def test_a_browser_without_windows_takes_precedence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "chrome-headless-shell"
    write_browser(program)
    for name in ("PLAYWRIGHT_BROWSERS_PATH", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", f"{os.environ['PATH']}{os.pathsep}{tmp_path}")
    find_browser.cache_clear()
    try:
        assert find_browser("").program.endswith("-headless-shell")
    finally:
        find_browser.cache_clear()


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("/no/such/browser", "AUDIT_BROWSER: '/no/such/browser' is not a program"),
        (sys.executable, f"the browser {sys.executable} does not start"),
        ("false", "does not start (exit status 1)"),
    ],
    ids=["missing", "another-program", "failing"],
)
def test_a_program_that_is_not_a_browser_is_refused(program: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        find_browser(program)
    assert message in str(caught.value)
    assert "playwright install chromium" in str(caught.value)


def test_without_a_browser_the_run_ends_before_the_first_request(tmp_path: Path) -> None:
    arguments = {"site": "http://127.0.0.1:9", "render": "auto"}
    audited = crawl(tmp_path, arguments, {"AUDIT_BROWSER": "/no/such/browser"})
    assert audited.status == 2
    assert audited.log.count("\n") == 1
    assert "AUDIT_BROWSER" in audited.log
    assert not any(tmp_path.iterdir())


def test_an_audit_that_renders_nothing_needs_no_browser(tmp_path: Path) -> None:
    settings = {"AUDIT_BROWSER": "/no/such/browser", "RETRY_TIMES": "0"}
    audited = crawl(tmp_path, {"site": "http://127.0.0.1:9"}, settings)
    assert audited.status == 3
    assert "playwright" not in audited.log.lower()


def test_render_with_pages_none_is_refused() -> None:
    done = scrapy("crawl", "sitemap", "-a", "site=demo", "-a", "pages=none", "-a", "render=auto")
    assert done.returncode == 2
    assert done.stderr == "render: with pages=none there is nothing to render.\n"

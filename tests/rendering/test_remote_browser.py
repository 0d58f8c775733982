"""A browser that was started elsewhere renders pages, if something guards it."""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitemapaudit.rendering.browser import find_browser
from tests.rendering.site import ScriptedSite, scripted
from tests.support.audits import crawl

PATIENCE = 30
"""Seconds in which a browser starts on any machine."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address of a browser that listens for the DevTools protocol."""
    profile = tmp_path / "profile"
    words = [
        "--headless",
        "--no-sandbox",
        "--remote-debugging-port=0",
        f"--user-data-dir={profile}",
    ]
    with subprocess.Popen([find_browser("").program, *words], stderr=subprocess.DEVNULL) as browser:
        port = profile / "DevToolsActivePort"
        end = time.monotonic() + PATIENCE
        while not (port.exists() and "\n" in port.read_text()) and time.monotonic() < end:
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port.read_text().splitlines()[0]}"
        browser.terminate()


def test_a_browser_elsewhere_renders_pages(tmp_path: Path, address: str) -> None:
    pages = {"/a": scripted("document.title = 'Set by a script'")}
    settings = {"PLAYWRIGHT_CDP_URL": address, "AUDIT_GUARDED_BROWSER": "true"}
    with ScriptedSite(pages) as site:
        arguments = {"site": site.origin, "render": "always"}
        audited = crawl(tmp_path / "audits", arguments, settings)
    assert audited.status == 0, audited.log
    assert audited.run.manifest.complete
    page = audited.run.pages.set_index("url").loc[f"{site.origin}/a"]
    assert (page["title"], page["rendered_title"]) == ("T", "Set by a script")

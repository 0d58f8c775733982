"""The command that prints a report makes a PDF of it."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from sitemapaudit.rendering.browser import find_browser
from sitemapaudit.report.report_page import write_report
from sitemapaudit.rules.catalog import catalog
from tests.docs.blocks import blocks_of
from tests.report.site import make_faulty_run
from tests.support.commands import TIMEOUT
from tests.support.paths import PROJECT

PAGE = PROJECT / "docs" / "how-to" / "print-the-report.md"
PRINTED_PAGE = re.compile(rb"/Type\s*/Page\b")


@pytest.mark.xdist_group("browser")
def test_the_documented_command_prints_the_view_that_its_address_names(tmp_path: Path) -> None:
    run = make_faulty_run(tmp_path / "run")
    report = write_report(run.path, run.manifest, catalog())
    whole, errors = (
        print_report(tmp_path, f"{report.as_uri()}{view}") for view in ("", "#severity=error")
    )
    assert len(PRINTED_PAGE.findall(whole)) > len(PRINTED_PAGE.findall(errors)) > 0


def print_report(folder: Path, address: str) -> bytes:
    """Run the command of the page with this address, and return the PDF."""
    browser = find_browser("")
    (command,) = (block.text for block in blocks_of(PAGE) if block.text.startswith("chromium"))
    _, *options, _ = shlex.split(command)
    if not browser.sandbox:
        options.append("--no-sandbox")
    words = [browser.program, *options, address]
    subprocess.run(words, cwd=folder, check=True, capture_output=True, timeout=TIMEOUT)
    return (folder / "report.pdf").read_bytes()

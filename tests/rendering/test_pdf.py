"""The report as a PDF file, printed by a real browser."""

import re
from pathlib import Path

import pytest

from sitemapaudit.rendering import pdf
from sitemapaudit.rendering.browser import find_browser
from tests.report.site import make_faulty_run
from tests.support.commands import run_in_process

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_faulty_run(tmp_path_factory.mktemp("pdf") / "run").path


def test_a_report_is_printed(run: Path) -> None:
    done = run_in_process("report", str(run), "--pdf", "--report-color", "#7A1F5C")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"Printed     {run / 'report.pdf'}\n")
    printed = (run / "report.pdf").read_bytes()
    assert printed.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) > 2
    assert ".brand, h1, h2 { color: #7a1f5c; }" in (run / "report.html").read_text("utf-8")


def test_without_a_browser_nothing_is_built(run: Path) -> None:
    (run / "report.html").unlink(missing_ok=True)
    done = run_in_process("report", str(run), "--pdf", "--browser", "nowhere")
    assert done.returncode == 2
    assert done.stderr.startswith("AUDIT_BROWSER: 'nowhere' is not a program; install one with")
    assert len(done.stderr.splitlines()) == 1
    assert not (run / "report.html").exists()


def test_the_page_of_a_fleet_is_not_printed(run: Path) -> None:
    done = run_in_process("report", "--fleet", str(run.parent), "--pdf")
    sentence = "report: --pdf prints the report of a run, not the page of a fleet.\n"
    assert (done.returncode, done.stderr) == (2, sentence)


def test_printing_takes_no_longer_than_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "report.html"
    page.write_text("<p>text")
    monkeypatch.setattr(pdf, "MAX_SECONDS", 0.001)
    with pytest.raises(pdf.PdfError, match=r"it took longer than 0\.001 seconds"):
        pdf.print_pdf(page, find_browser(""))
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]

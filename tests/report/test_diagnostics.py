"""Findings as text: the place, what is wrong, the response that shows it, and what to do."""

from typing import Any

import pytest

from sitemapaudit import Run
from sitemapaudit.items import Error, Kind, Permission, Robots, Sitemap
from sitemapaudit.report.diagnostics import Diagnostic, Response, render_diagnostics
from sitemapaudit.report.markdown import fenced
from sitemapaudit.report.report_page import write_report
from sitemapaudit.rules.catalog import catalog
from tests.support.rows import fetched_page, listed
from tests.support.runs import build_audited_run

SITE = "https://www.example.com"
FILE, OTHER = f"{SITE}/sitemap.xml", f"{SITE}/other.xml"
DOWN, GONE, LATE = f"{SITE}/down", f"{SITE}/gone", f"{SITE}/it's"


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    headers = ["retry-after: 120", "x-cache: MISS <b>"]
    dated = listed(DOWN, GONE, LATE, sitemap=FILE)
    dated.rows[0].line, dated.rows[0].lastmod = 17, "yesterday"
    down = fetched_page(DOWN, 503, headers=headers, body_start="<h1>Down\u202e</h1>\n```")
    items: list[Any] = [
        Robots(SITE, f"{SITE}/robots.txt", status=503, permission=Permission.NONE),
        Sitemap(FILE, status=200, kind=Kind.URLSET, entries=3),
        Sitemap(OTHER, status=200, kind=Kind.HTML, headers=["server: x"], body_start="<!doctype>"),
        dated,
        down,
        fetched_page(GONE, 404, content_type="text/html"),
        fetched_page(LATE, None, error=Error.TLS, error_detail="robots.txt: it expired"),
    ]
    run: Run = build_audited_run(tmp_path_factory.mktemp("evidence") / "run", items, site=SITE)
    write_report(run.path, run.manifest, catalog())
    return {
        "html": (run.path / "report.html").read_text(encoding="utf-8"),
        "text": (run.path / "report.md").read_text(encoding="utf-8"),
    }


def test_a_finding_is_shown_with_its_response(texts: dict[str, str]) -> None:
    expected = (
        f"error[page-server-error]: returns 503 (attempts: 1)\n  --&gt; {DOWN}\n"
        f"   in {FILE}:17 (entry 1)\n"
        f"   |\n   | GET {DOWN}\n   | 503\n   | retry-after: 120\n   | x-cache: MISS &lt;b&gt;\n"
        "   |\n   | &lt;h1&gt;Down &lt;/h1&gt;\n   | ```\n   |\n"
    )
    assert expected in texts["html"]
    assert f"   = check: curl -sSi {DOWN}\n   = why: " in texts["html"]


def test_what_is_known_of_every_page_is_shown(texts: dict[str, str]) -> None:
    assert f"   | GET {GONE}\n   | 404\n   | content-type: text/html\n" in texts["html"]


def test_a_page_that_was_not_requested_is_not_said_to_be(texts: dict[str, str]) -> None:
    assert f"   | GET {SITE}/robots.txt\n   | no response: it expired\n" in texts["html"]
    assert "| GET https://www.example.com/it" not in texts["html"]
    assert f"curl -sSi {SITE}/robots.txt\n" in texts["html"]


def test_a_sitemap_is_shown_with_its_beginning(texts: dict[str, str]) -> None:
    shown = f"   | GET {OTHER}\n   | 200\n   | server: x\n   |\n   | &lt;!doctype&gt;\n"
    assert shown in texts["html"]


def test_the_text_has_the_first_finding_of_the_worst_rules(texts: dict[str, str]) -> None:
    assert "\n````text\nerror[page-server-error]: returns 503 (attempts: 1)\n" in texts["text"]
    assert "   | ```\n" in texts["text"]


def test_a_command_is_safe_to_paste() -> None:
    finding = {"rule": "r", "severity": "error", "message": "x", "url": f"{SITE}/$(date)'"}
    *_, last = Diagnostic(finding, Response(200, None, (), None)).lines()
    assert last == f"""   = check: curl -sSi '{SITE}/$(date)'"'"''"""


def test_without_a_response_there_are_the_values() -> None:
    finding = {"rule": "r", "severity": "notice", "message": "is wrong", "sitemap": FILE, "line": 3}
    found = Diagnostic(finding | {"evidence": [["lastmod", "x"]]})
    text = render_diagnostics([found], [("Why", "It matters."), ("Fix", "")])
    lines = ("notice[r]: is wrong", f"  --> {FILE}:3", "   = lastmod: x", "   = why: It matters.")
    assert text == "\n".join(lines)
    assert fenced(text).startswith("```text\nnotice[r]")
    assert render_diagnostics([]) == ""

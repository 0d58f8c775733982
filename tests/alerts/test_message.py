"""The message of an alert: only news, the first ten findings, and nothing that a site wrote."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sitemapaudit.alerts.message import compose
from sitemapaudit.datasets.database import connect
from sitemapaudit.runs.manifest import Manifest, Status

SITE = "https://www.example.com"

Row = tuple[str, str, str, str | None, str | None]
"""The change, severity, rule, URL and sitemap of a finding."""


def run_of(folder: Path, rows: Sequence[Row]) -> Path:
    """Write the differences of a run, each with a message of the site."""
    with connect() as connection:
        connection.execute(
            "create table rows"
            " (change varchar, severity varchar, rule varchar, url varchar, sitemap varchar)"
        )
        for row in rows:
            connection.execute("insert into rows values (?, ?, ?, ?, ?)", row)
        connection.execute(
            "copy (select *, '<!channel>' as message from rows)"
            f" to '{folder / 'comparison.parquet'}' (format parquet)"
        )
    return folder


def manifest(**values: Any) -> Manifest:
    given = {"complete": True, "verdicts": {"indexable": 9, "not-found": 1}, **values}
    return Manifest({"site": SITE}, {}, {}, "2026-11-21T12:00:00Z", Status.FINISHED, **given)


def changed(**changes: int) -> dict[str, Any]:
    return {"compared_with": "2026-11-20T12-00-00Z", "changes": {"new": 0, "fixed": 0, **changes}}


def test_a_first_run_is_one_line(tmp_path: Path) -> None:
    message = compose(tmp_path, manifest(severities={"error": 1, "notice": 2}))
    assert message is not None
    assert message.title == f"{SITE}: first audit"
    summary = "90.0\N{NO-BREAK SPACE}% of 10 judged URLs are indexable. 1 error, 2 notices."
    assert message.body.split("\n") == [summary, "", f"Report: {tmp_path}"]


def test_without_news_there_is_no_message(tmp_path: Path) -> None:
    assert compose(tmp_path, manifest(**changed())) is None


def test_news_are_the_first_findings_and_the_report(tmp_path: Path) -> None:
    rows: list[Row] = [("new", "notice", "a-rule", None, "url-list")]
    rows += [("new", "error", "page-not-found", f"{SITE}/{n:02}", None) for n in range(11)]
    rows += [("fixed", "error", "noindex-meta", f"{SITE}/back", None)]
    rows += [("added", "error", "", f"{SITE}/other", None)]
    (tmp_path / "report.html").touch()
    message = compose(run_of(tmp_path, rows), manifest(**changed(new=12, fixed=1)))
    assert message is not None
    assert message.title == f"{SITE}: 12 new findings, 1 fixed"
    lines = message.body.split("\n")
    assert lines[2] == "New (12):"
    assert lines[3:13] == [f"  error page-not-found  {SITE}/{n:02}" for n in range(10)]
    assert lines[13:] == [
        "  and 2 more",
        "",
        "Fixed (1):",
        f"  error noindex-meta  {SITE}/back",
        "",
        f"Report: {tmp_path / 'report.html'}",
    ]


def test_what_is_wrong_with_a_run_is_news(tmp_path: Path) -> None:
    incomplete = manifest(complete=False, reason="AUDIT_MAX_URLS skipped 2", **changed())
    message = compose(tmp_path, incomplete)
    assert message is not None
    assert message.title == f"{SITE}: the audit is incomplete"
    assert message.body.startswith("The audit is incomplete: AUDIT_MAX_URLS skipped 2.\n")
    message = compose(tmp_path, manifest(**changed()), "FAILED: 1 error")
    assert message is not None
    assert message.title == f"{SITE}: the gate failed"
    assert message.body.startswith("FAILED: 1 error\n")

"""The message of an alert: what is new, what is fixed, and where the report is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from sitemapaudit.comparison.comparing import TABLE
from sitemapaudit.comparison.differences import FIXED, NEW, NOT_BEFORE
from sitemapaudit.datasets.database import connect, parquet_rows
from sitemapaudit.items import Severity
from sitemapaudit.numbers import count_noun
from sitemapaudit.output import printable
from sitemapaudit.report.overview import site_of
from sitemapaudit.report.wording import describe_share
from sitemapaudit.runs.manifest import Manifest, Status

MAX_URLS: Final = 10
"""Findings of each kind that a message names."""

_FIRST: Final = f"""
    select severity, rule, coalesce(url, sitemap, '')
    from {{rows}} where change = $change
    order by severity_order(severity), rule, url, sitemap limit {MAX_URLS}
"""
"""The findings with a change, the most severe first.

No text of the site is among them: it could act as markup in the message.
"""


class Message(Struct, frozen=True):
    """An alert: its title, and its text in lines."""

    title: str
    body: str


def compose(run: Path, manifest: Manifest, decision: str = "") -> Message | None:
    """Return the message about a finished run; None if there is no news.

    ``decision`` is a sentence if a gate failed. A run without a previous one is summarized in one
    line.
    """
    counts = manifest.changes if manifest.compared_with else {}
    new, fixed, unknown = (counts.get(change, 0) for change in (NEW, FIXED, NOT_BEFORE))
    is_first = manifest.compared_with is None
    news = [] if manifest.complete else ["the audit is incomplete"]
    news += ["the gate failed"] if decision else []
    news += [count_noun(new, "new finding")] if new else []
    news += [f"{unknown:,} not checked before"] if unknown else []
    news += [f"{fixed:,} fixed"] if fixed else []
    if not news and not is_first:
        return None
    title = f"{site_of(manifest)}: {', '.join(news) or 'first audit'}"
    lines = [*_facts(manifest, decision, is_first=is_first)]
    for change, name, number in (
        (NEW, "New", new),
        (NOT_BEFORE, "Not checked before", unknown),
        (FIXED, "Fixed", fixed),
    ):
        if number:
            lines += ["", f"{name} ({number:,}):", *_first_findings(run, change, number)]
    report = run / "report.html"
    lines += ["", f"Report: {(report if report.exists() else run).resolve()}"]
    return Message(printable(title), "\n".join(printable(line) for line in lines))


def _facts(manifest: Manifest, decision: str, *, is_first: bool) -> Iterator[str]:
    if decision:
        yield decision
    if not manifest.complete:
        yield f"The audit is incomplete: {manifest.reason}."
    share = describe_share(manifest.share) if manifest.verdicts else "No URL was checked."
    if is_first:
        found = (
            count_noun(manifest.severities[severity], severity)
            for severity in reversed(Severity)
            if severity in manifest.severities
        )
        yield f"{share} {', '.join(found) or 'No findings'}."
    elif manifest.status is Status.FINISHED:
        yield share


def _first_findings(run: Path, change: str, number: int) -> Iterator[str]:
    file = run / f"{TABLE}.parquet"
    if not file.exists():
        return
    with connect() as connection:
        query = _FIRST.format(rows=parquet_rows(file))
        rows = connection.execute(query, {"change": change}).fetchall()
    for severity, rule, place in rows:
        yield f"  {severity} {rule}  {place}"
    if number > len(rows):
        yield f"  and {number - len(rows):,} more"

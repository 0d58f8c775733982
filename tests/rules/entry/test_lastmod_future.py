"""lastmod-future: more than an hour later than the fetch, or than the date in UTC+14."""

import json
from datetime import UTC, datetime

from sitemapaudit.items import Entries
from tests.rules.scope import SITE, file
from tests.rules.sitemap.files import (
    NAMESPACE,
    PAGE,
    atom,
    atom_entry,
    entries_of,
    item,
    rss,
    url,
    urlset,
)
from tests.rules.tables import Tables, rule_on, tables_of
from tests.support.rows import SITEMAP

RULE = "lastmod-future"


def audit_file(body: str, fetched_at: datetime | None = None) -> Tables:
    """Return the tables of a run over one sitemap; by default fetched at ``NOW``."""
    row = file()
    row.fetched_at = fetched_at or row.fetched_at
    return tables_of([row, Entries(SITEMAP, entries_of(body))], RULE)


def reported(lastmods: list[str], fetched_at: datetime | None = None) -> list[str]:
    """Return the lastmods that the rule reports."""
    body = urlset(*(url(more=f"<lastmod>{lastmod}</lastmod>") for lastmod in lastmods))
    tables = audit_file(body, fetched_at)
    rows = tables.findings[tables.findings["rule"] == RULE].sort_values("position")
    return [lastmods[int(position) - 1] for position in rows["position"]]


def test_a_time_more_than_an_hour_later() -> None:
    past = [
        "2026-11-21T12:00:00Z",
        "2026-11-21T13:00:00Z",
        "2026-11-21T13:00Z",
        "2026-11-21T14:00:00+01:00",
        "2026-11-22T03:00:00+14:00",
        "2026-11-21T08:00:00-05:00",
        "1999-01-01T00:00:00Z",
    ]
    late = [
        "2026-11-21T13:00:01Z",
        "2026-11-21T13:00:00.000001Z",
        "2026-11-21T13:01Z",
        "\n2026-11-21T13:01Z\n",
        "2026-11-21T14:00:01+01:00",
        "2026-11-22T03:00:01+14:00",
        "2026-11-21T08:00:01-05:00",
        "2027-01-01T00:00:00Z",
    ]
    assert reported(past + late) == late


def test_a_date_later_than_the_date_in_the_earliest_zone() -> None:
    past = ["2026-11-21", "2026-11-22", " 2026-11-22 ", "\n  2026-11-22\n", "2026-11", "2026"]
    late = ["2026-11-23", "\n2026-11-23", "2026-12", "2027"]
    assert reported(past + late) == late


def test_the_day_ends_in_the_earliest_zone() -> None:
    before = datetime(2026, 11, 21, 9, 59, 59, tzinfo=UTC)
    at = datetime(2026, 11, 21, 10, tzinfo=UTC)
    dates = ["2026-11-21", "2026-11-22", "2026-11-23"]
    assert reported(dates, before) == dates[1:]
    assert reported(dates, at) == dates[2:]


def test_a_time_without_a_zone_can_be_in_any_zone() -> None:
    past = ["2026-11-21T20:00:00", "2026-11-22T03:00:00", "2026-11-22T03:00\n"]
    late = ["2026-11-22T03:00:01", "2026-11-22T03:00:00.5", "2026-11-22T03:01\n"]
    assert reported(past + late) == late


def test_invalid_dates_are_not_reported() -> None:
    assert reported(["", " ", "2027-02-30", "2027-01-01 00:00:00", "tomorrow"]) == []


def test_each_file_has_its_own_fetch_time() -> None:
    late, second = file(), f"{SITE}/second.xml"
    late.fetched_at = datetime(2026, 11, 23, tzinfo=UTC)
    body = urlset(url(more="<lastmod>2026-11-23</lastmod>"))
    first = Entries(SITEMAP, entries_of(body))
    again = Entries(second, entries_of(body, at=second))
    tables = tables_of([late, first, file(second), again], RULE)
    assert list(tables.findings[tables.findings["rule"] == RULE]["sitemap"]) == [second]


def test_children_of_an_index() -> None:
    child = "<sitemap><loc>{}</loc><lastmod>{}</lastmod></sitemap>"
    children = [child.format(SITEMAP, "2026-11-22"), child.format(PAGE, "2026-11-23")]
    body = f'<sitemapindex xmlns="{NAMESPACE}">{"".join(children)}</sitemapindex>'
    assert [place for place, _, _ in rule_on(audit_file(body), RULE)] == [PAGE]


def test_feeds() -> None:
    rows = ["<pubDate>Sat, 21 Nov 2026 {} GMT</pubDate>"] * 2
    rows += ["<x:date xmlns:x='http://purl.org/dc/elements/1.1/'>2026-11-2{}</x:date>"] * 2
    values = ["13:00:00", "13:00:01", "2", "3"]
    items = [
        item().replace("</item>", row.format(value) + "</item>")
        for row, value in zip(rows, values, strict=True)
    ]
    tables = audit_file(rss(*items))
    positions = tables.findings[tables.findings["rule"] == RULE]["position"]
    assert sorted(positions) == [2, 4]
    dates = ["2026-11-21T13:00:00Z", "2026-11-21T13:00:01Z"]
    entries = [
        atom_entry().replace("</entry>", f"<updated>{date}</updated></entry>") for date in dates
    ]
    tables = audit_file(atom(*entries))
    assert list(tables.findings[tables.findings["rule"] == RULE]["position"]) == [2]


def test_message_evidence_and_place() -> None:
    tables = audit_file(urlset(url(), url(more="<lastmod>2027-01-01</lastmod>")))
    message = "lastmod 2027-01-01 is later than the fetch at 2026-11-21T12:00:00Z"
    assert rule_on(tables, RULE) == [(PAGE, "warning", message)]
    (row,) = tables.findings[tables.findings["rule"] == RULE].itertuples()
    assert (row.sitemap, row.position) == (SITEMAP, 2)
    assert json.loads(str(row.evidence)) == {
        "lastmod": "2027-01-01",
        "fetched_at": "2026-11-21T12:00:00Z",
    }

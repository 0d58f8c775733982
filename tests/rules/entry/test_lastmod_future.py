"""lastmod-future: later than the fetch, by more than an hour, or than the date in UTC+14."""

import json
from datetime import UTC, datetime
from pathlib import Path

from sitemapaudit import Run
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
from tests.support import SITEMAP, build_run, rule_on

RULE = "lastmod-future"


def run_of(folder: Path, body: str, fetched: datetime | None = None) -> Run:
    """Return a run over one file, fetched on 21 November 2026 at noon."""
    row = file()
    row.fetched_at = fetched or row.fetched_at
    return build_run(folder, [row, Entries(SITEMAP, entries_of(body))])


def found(folder: Path, lastmods: list[str], fetched: datetime | None = None) -> list[str]:
    """Return the lastmods that are found."""
    body = urlset(*(url(more=f"<lastmod>{lastmod}</lastmod>") for lastmod in lastmods))
    run = run_of(folder, body, fetched)
    rows = run.findings[run.findings["rule"] == RULE].sort_values("position")
    return [lastmods[int(position) - 1] for position in rows["position"]]


def test_a_time_more_than_an_hour_later(tmp_path: Path) -> None:
    past = [
        "2026-11-21T12:00:00Z",
        "2026-11-21T13:00:00Z",
        "2026-11-21T13:00Z",
        "2026-11-21T14:00:00+01:00",
        "2026-11-22T03:00:00+14:00",
        "2026-11-21T08:00:00-05:00",
        "1999-01-01T00:00:00Z",
    ]
    future = [
        "2026-11-21T13:00:01Z",
        "2026-11-21T13:00:00.000001Z",
        "2026-11-21T13:01Z",
        "\n2026-11-21T13:01Z\n",
        "2026-11-21T14:00:01+01:00",
        "2026-11-22T03:00:01+14:00",
        "2026-11-21T08:00:01-05:00",
        "2027-01-01T00:00:00Z",
    ]
    assert found(tmp_path, past + future) == future


def test_a_date_later_than_in_the_earliest_zone(tmp_path: Path) -> None:
    past = ["2026-11-21", "2026-11-22", " 2026-11-22 ", "\n  2026-11-22\n", "2026-11", "2026"]
    future = ["2026-11-23", "\n2026-11-23", "2026-12", "2027"]
    assert found(tmp_path, past + future) == future


def test_when_the_day_ends_in_the_earliest_zone(tmp_path: Path) -> None:
    before = datetime(2026, 11, 21, 9, 59, 59, tzinfo=UTC)
    at = datetime(2026, 11, 21, 10, tzinfo=UTC)
    dates = ["2026-11-21", "2026-11-22", "2026-11-23"]
    assert found(tmp_path / "before", dates, before) == dates[1:]
    assert found(tmp_path / "at", dates, at) == dates[2:]


def test_a_time_without_a_zone_may_be_of_any(tmp_path: Path) -> None:
    past = ["2026-11-21T20:00:00", "2026-11-22T03:00:00", "2026-11-22T03:00\n"]
    future = ["2026-11-22T03:00:01", "2026-11-22T03:00:00.5", "2026-11-22T03:01\n"]
    assert found(tmp_path, past + future) == future


def test_what_is_no_date(tmp_path: Path) -> None:
    assert found(tmp_path, ["", " ", "2027-02-30", "2027-01-01 00:00:00", "tomorrow"]) == []


def test_each_file_has_its_own_fetch(tmp_path: Path) -> None:
    late, second = file(), f"{SITE}/second.xml"
    late.fetched_at = datetime(2026, 11, 23, tzinfo=UTC)
    body = urlset(url(more="<lastmod>2026-11-23</lastmod>"))
    first = Entries(SITEMAP, entries_of(body))
    again = Entries(second, entries_of(body, at=second))
    run = build_run(tmp_path, [late, first, file(second), again])
    assert list(run.findings[run.findings["rule"] == RULE]["sitemap"]) == [second]


def test_children_of_an_index(tmp_path: Path) -> None:
    child = "<sitemap><loc>{}</loc><lastmod>{}</lastmod></sitemap>"
    children = [child.format(SITEMAP, "2026-11-22"), child.format(PAGE, "2026-11-23")]
    body = f'<sitemapindex xmlns="{NAMESPACE}">{"".join(children)}</sitemapindex>'
    assert [place for place, _, _ in rule_on(run_of(tmp_path, body), RULE)] == [PAGE]


def test_feeds(tmp_path: Path) -> None:
    rows = ["<pubDate>Sat, 21 Nov 2026 {} GMT</pubDate>"] * 2
    rows += ["<x:date xmlns:x='http://purl.org/dc/elements/1.1/'>2026-11-2{}</x:date>"] * 2
    values = ["13:00:00", "13:00:01", "2", "3"]
    items = [
        item().replace("</item>", row.format(value) + "</item>")
        for row, value in zip(rows, values, strict=True)
    ]
    run = run_of(tmp_path / "rss", rss(*items))
    positions = run.findings[run.findings["rule"] == RULE]["position"]
    assert sorted(positions) == [2, 4]
    dates = ["2026-11-21T13:00:00Z", "2026-11-21T13:00:01Z"]
    entries = [
        atom_entry().replace("</entry>", f"<updated>{date}</updated></entry>") for date in dates
    ]
    run = run_of(tmp_path / "atom", atom(*entries))
    assert list(run.findings[run.findings["rule"] == RULE]["position"]) == [2]


def test_message_evidence_and_place(tmp_path: Path) -> None:
    run = run_of(tmp_path, urlset(url(), url(more="<lastmod>2027-01-01</lastmod>")))
    message = "lastmod 2027-01-01 is later than the fetch at 2026-11-21T12:00:00Z"
    assert rule_on(run, RULE) == [(PAGE, "warning", message)]
    (row,) = run.findings[run.findings["rule"] == RULE].itertuples()
    assert (row.sitemap, row.position) == (SITEMAP, 2)
    assert json.loads(str(row.evidence)) == {
        "lastmod": "2027-01-01",
        "fetched": "2026-11-21T12:00:00Z",
    }

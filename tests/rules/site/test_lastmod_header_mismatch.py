"""lastmod-header-mismatch: a lastmod differs from the Last-Modified header of the page."""

import json
from datetime import datetime, timedelta

import pytest

from sitemapaudit.items import Entries, Kind, Page
from sitemapaudit.sitemaps.w3c_dates import w3c_datetime
from tests.pages.responses import SITE, URL
from tests.rules.tables import Tables, rule_on, tables_of
from tests.rules.together import check, places
from tests.support.rows import SITEMAP, fetched_page, listed

RULE = "lastmod-header-mismatch"
TIME, DATE = "2026-11-10T10:00:00Z", "2026-11-10"
FAR = datetime.fromisoformat("2026-10-01T00:00:00Z")


def dated(lastmod: str | None, sitemap: str = SITEMAP) -> Entries:
    entries = listed(URL, sitemap=sitemap)
    moment = w3c_datetime(lastmod or "")
    entries.rows[0].lastmod = lastmod
    entries.rows[0].lastmod_at = moment.at if moment else None
    return entries


def test_distance() -> None:
    cases = [
        # A time: more than 24 hours in either direction.
        (TIME, "2026-11-10T10:00:00Z", False),
        (TIME, "2026-11-11T10:00:00Z", False),
        (TIME, "2026-11-11T10:00:01Z", True),
        (TIME, "2026-11-09T10:00:00Z", False),
        (TIME, "2026-11-09T09:59:59Z", True),
        # A date: more than one calendar day.
        (DATE, "2026-11-11T23:59:59Z", False),
        (DATE, "2026-11-12T00:00:00Z", True),
        (DATE, "2026-11-09T00:00:00Z", False),
        (DATE, "2026-11-08T23:59:59Z", True),
        ("2026-11-10T00:00:00Z", "2026-11-11T23:59:59Z", False),
        ("2026-11-10T00:00:01Z", "2026-11-11T23:59:59Z", True),
        (f"\n {DATE}\n", "2026-11-12T00:00:00Z", True),
        # Values that do not name a day.
        ("2026-11", "2026-11-20T00:00:00Z", False),
        ("2026", "2025-11-20T00:00:00Z", False),
        # Nothing to compare.
        (None, "2026-11-12T00:00:00Z", False),
        ("yesterday", "2026-11-12T00:00:00Z", False),
        (TIME, None, False),
    ]

    def items(lastmod: str | None, header: str | None) -> list[Entries | Page]:
        modified = datetime.fromisoformat(header) if header else None
        return [dated(lastmod), fetched_page(URL, last_modified=modified)]

    check(RULE, [(*case, [(URL, "notice")] * found) for *case, found in cases], items, places)


def test_a_header_that_is_generated_for_each_response() -> None:
    cases = [
        # Responses of fetched_page() arrive on 2026-11-21 at 12:00.
        ("2026-11-21T12:00:00Z", None, False),
        ("2026-11-21T11:55:00Z", None, False),
        ("2026-11-21T11:54:59Z", None, True),
        ("2026-11-21T12:05:01Z", None, True),
        # The Date header counts if there is one.
        ("2026-11-21T12:00:00Z", "2026-11-21T12:05:00Z", False),
        ("2026-11-21T12:00:00Z", "2026-11-21T12:05:01Z", True),
    ]

    def items(header: str, date: str | None) -> list[Entries | Page]:
        modified = datetime.fromisoformat(header)
        at = datetime.fromisoformat(date) if date else None
        return [dated(TIME), fetched_page(URL, last_modified=modified, date=at)]

    check(RULE, cases, items, len)


def test_status() -> None:
    cases = [
        (200, True),
        (206, True),
        (299, True),
        (300, False),
        (301, False),
        (304, False),
        (404, False),
        (503, False),
    ]

    def items(status: int) -> list[Entries | Page]:
        return [dated(TIME), fetched_page(URL, status, last_modified=FAR)]

    check(RULE, cases, items, len)


def test_a_bot_challenge_is_not_compared() -> None:
    page = fetched_page(URL, last_modified=FAR, challenge="cf-mitigated: challenge")
    assert rule_on(tables_of([dated(TIME), page], RULE), RULE) == []


def test_a_page_that_was_not_fetched_is_not_compared() -> None:
    other = fetched_page(f"{SITE}/other", last_modified=FAR)
    assert rule_on(tables_of([dated(TIME), other], RULE), RULE) == []


def test_the_latest_lastmod_counts() -> None:
    later = dated("2026-11-12T10:00:00Z", sitemap=f"{SITE}/b.xml")
    page = fetched_page(URL, last_modified=datetime.fromisoformat("2026-11-12T20:00:00Z"))
    assert rule_on(tables_of([dated(TIME), later, page], RULE), RULE) == []


@pytest.mark.parametrize("kind", [Kind.RSS, Kind.ATOM])
def test_the_date_of_a_feed_is_not_compared(kind: Kind) -> None:
    feed = dated(TIME, sitemap=f"{SITE}/feed.xml")
    feed.rows[0].kind = kind
    page = fetched_page(URL, last_modified=FAR)
    assert rule_on(tables_of([feed, page], RULE), RULE) == []
    later = dated("2026-11-12T10:00:00Z")
    ((_, _, message),) = rule_on(tables_of([feed, later, page], RULE), RULE)
    assert "2026-11-12T10:00:00Z" in message


def test_message() -> None:
    page = fetched_page(URL, last_modified=datetime.fromisoformat("2026-11-12T20:00:00Z"))
    message = f"has the lastmod {TIME}, but its Last-Modified header is 2026-11-12T20:00:00Z"
    run = tables_of([dated("2026-11-10T11:00:00+01:00"), page], RULE)
    assert rule_on(run, RULE) == [(URL, "notice", message)]
    evidence = {"lastmod": TIME, "last_modified": "2026-11-12T20:00:00Z"}
    assert json.loads(run.rows[0]["evidence"]).items() >= evidence.items()


def deployment(pages: int, others: int, minutes: int = 0) -> Tables:
    """Return a run of so many pages of one deployment, and others with different headers."""
    entries = [f"{SITE}/{number:02}" for number in range(pages + others)]
    rows = listed(*entries)
    for row in rows.rows:
        row.lastmod, row.lastmod_at = TIME, datetime.fromisoformat(TIME)
    headers = [FAR + timedelta(minutes=minutes * (number % 2)) for number in range(pages)]
    headers += [FAR - timedelta(days=number) for number in range(1, others + 1)]
    fetched = [
        fetched_page(url, last_modified=header)
        for url, header in zip(entries, headers, strict=True)
    ]
    return tables_of([rows, *fetched], RULE)


@pytest.mark.parametrize(
    ("pages", "others", "minutes", "merged"),
    [
        (10, 0, 0, 10),
        (9, 0, 0, 0),
        (9, 1, 0, 9),
        (18, 2, 59, 18),
        (18, 2, 60, 0),
        (17, 3, 0, 0),
    ],
)
def test_the_time_of_a_deployment_is_one_finding(
    pages: int, others: int, minutes: int, merged: int
) -> None:
    found = rule_on(deployment(pages, others, minutes), RULE)
    assert len(found) == pages + others - merged + bool(merged)
    messages = [message for url, _, message in found if url is None]
    assert len(messages) == bool(merged)
    for message in messages:
        assert f"for {pages} of {pages + others} pages" in message
        assert f"{merged} have another lastmod, such as {SITE}/00" in message

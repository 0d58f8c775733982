"""lastmod-page-date: a lastmod differs from the date that the page states for itself."""

import pytest

from sitemapaudit.items import Entries, Kind, Page
from sitemapaudit.sitemaps.w3c_dates import w3c_datetime
from tests.pages.responses import URL, head, page_of
from tests.rules.tables import rule_on, tables_of
from tests.rules.together import check, places
from tests.support.rows import listed

RULE = "lastmod-page-date"
TIME, DATE = "2026-11-10T10:00:00Z", "2026-11-10"


def dated(lastmod: str | None, kind: Kind = Kind.URLSET) -> Entries:
    entries = listed(URL, kind=kind)
    moment = w3c_datetime(lastmod or "")
    entries.rows[0].lastmod = lastmod
    entries.rows[0].lastmod_at = moment.at if moment else None
    return entries


def stating(date: str) -> Page:
    return page_of(stated(date))


def stated(date: str) -> str:
    return head(f'<meta property="article:modified_time" content="{date}">')


def example() -> list[Entries | Page]:
    """Return items that break the rule."""
    return [dated("2026-09-01"), stating(TIME)]


def test_distance() -> None:
    cases = [
        # Times: seven days before, or thirty days after.
        (TIME, "2026-11-10T10:00:00Z", False),
        (TIME, "2026-11-17T09:59:59Z", False),
        (TIME, "2026-11-17T10:00:00Z", True),
        (TIME, "2026-10-11T10:00:01Z", False),
        (TIME, "2026-10-11T10:00:00Z", True),
        (TIME, "2026-11-17T11:59:59+02:00", False),
        (TIME, "2026-11-17T12:00:00+02:00", True),
        # A date without a time: another day.
        (DATE, "2026-11-17T23:59:59Z", False),
        (DATE, "2026-11-18T00:00:00Z", True),
        (DATE, "2026-11-17", False),
        (DATE, "2026-11-18", True),
        (TIME, "2026-11-18", False),
        (TIME, "2026-11-19", True),
        (DATE, "2026-10-11T00:00:00Z", False),
        (DATE, "2026-10-10T00:00:00Z", True),
        (f"\n {DATE}\n", "2026-11-18", True),
        # Nothing to compare.
        ("2026-11", "2025-11-18", False),
        ("2026", "2025-11-18", False),
        (None, "2025-11-18", False),
        ("yesterday", "2025-11-18", False),
        (TIME, "yesterday", False),
        (TIME, "1970-01-01", False),
    ]
    expected = [(*case, [(URL, "warning")] * found) for *case, found in cases]
    check(RULE, expected, lambda lastmod, date: [dated(lastmod), stating(date)], places)


@pytest.mark.parametrize(
    ("lastmod", "message"),
    [
        ("2026-09-01", "has the lastmod 2026-09-01, 70 days before its own date 2026-11-10"),
        ("2027-01-01", "has the lastmod 2027-01-01, 52 days after its own date 2026-11-10"),
    ],
)
def test_message(lastmod: str, message: str) -> None:
    tables = tables_of([dated(lastmod), stating(DATE)], RULE)
    assert rule_on(tables, RULE) == [(URL, "warning", message)]
    (row,) = tables.rows
    assert (row["sitemap"], row["position"]) == (dated(lastmod).sitemap, 1)


@pytest.mark.parametrize("kind", [Kind.RSS, Kind.ATOM])
def test_the_dates_of_feeds_are_not_compared(kind: Kind) -> None:
    assert rule_on(tables_of([dated("2026-01-01", kind), stating(DATE)], RULE), RULE) == []

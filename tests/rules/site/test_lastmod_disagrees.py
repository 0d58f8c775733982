"""lastmod-disagrees: entries with the same loc have lastmods that cannot both be true."""

import pytest

from sitemapaudit.items import Entries, Kind
from sitemapaudit.sitemaps.w3c_dates import rfc822_datetime, w3c_datetime
from tests.pages.responses import SITE, URL
from tests.rules.tables import rule_on, tables_of
from tests.rules.together import check, places
from tests.support.rows import SITEMAP, listed

RULE = "lastmod-disagrees"
B = f"{SITE}/b.xml"


def dated(*lastmods: str | None, sitemap: str = SITEMAP, kind: Kind = Kind.URLSET) -> Entries:
    """Return entries that list one URL with these lastmods."""
    entries = listed(*[URL] * len(lastmods), sitemap=sitemap, kind=kind)
    for row, lastmod in zip(entries.rows, lastmods, strict=True):
        moment = w3c_datetime(lastmod or "")
        row.lastmod = lastmod
        row.lastmod_at = moment.at if moment else rfc822_datetime(lastmod or "")
    return entries


def test_lastmods() -> None:
    cases = [
        # Dates: the coarser precision of the two.
        (["2026-11-21", "2026-11-21"], False),
        (["2026-11-21", "2026-11-22"], True),
        (["2026-11", "2026-11-30"], False),
        (["2026-11", "2026-12-01"], True),
        (["2026", "2026-12-31"], False),
        (["2026", "2027-01"], True),
        (["2026-11", "2026-11-20", "2026-11-21"], True),
        # Times: minutes and seconds; fractions of a second are ignored.
        (["2026-11-21T10:00:00Z", "2026-11-21T11:00:00+01:00"], False),
        (["2026-11-21T10:00:00Z", "2026-11-21T10:00:01Z"], True),
        (["2026-11-21T10:00Z", "2026-11-21T10:00:59Z"], False),
        (["2026-11-21T10:00Z", "2026-11-21T10:01:00Z"], True),
        (["2026-11-21T10:00:00Z", "2026-11-21T10:00:00.9Z"], False),
        (["2026-11-21T10:00:00.1Z", "2026-11-21T10:00:00.9Z"], False),
        # A date and a time: the day may be in any zone.
        (["2026-11-21", "2026-11-21T23:59:59Z"], False),
        (["2026-11-21", "2026-11-20T10:00:00Z"], False),
        (["2026-11-21", "2026-11-20T09:59:59Z"], True),
        (["2026-11-21", "2026-11-22T11:59:59Z"], False),
        (["2026-11-21", "2026-11-22T12:00:00Z"], True),
        (["2026-11", "2026-12-01T11:59:59Z"], False),
        (["2026-11", "2026-12-01T12:00:00Z"], True),
        # The same for a time without a zone.
        (["2026-11-21T10:00:00", "2026-11-21T10:00:00"], False),
        (["2026-11-21T10:00:00", "2026-11-21T10:00:01"], True),
        (["2026-11-21T10:00:00", "2026-11-21"], False),
        (["2026-11-21T10:00:00", "2026-11-22"], True),
        (["2026-11-21T10:00:00", "2026-11-20T20:00:00Z"], False),
        (["2026-11-21T10:00:00", "2026-11-20T19:59:59Z"], True),
        (["2026-11-21T10:00:00", "2026-11-21T22:00:00Z"], False),
        (["2026-11-21T10:00:00", "2026-11-21T22:00:01Z"], True),
        # Whitespace around them, an invalid date, or no date.
        (["\n  2026-11-21\t", " 2026-11-21T10:00:00Z\r\n"], False),
        (["\n  2026-11-21\t", "2026-11-22"], True),
        (["\N{NO-BREAK SPACE}2026-11-21\N{NO-BREAK SPACE}", "2026-11-21T10:00:00Z"], False),
        (["2026-11-21", "yesterday"], False),
        (["2026-11-21", "2026-11-31"], False),
        (["2026-11-21", "", None], False),
        (["2026-11-21"], False),
        # Two of three are enough.
        (["2026-11-21", "2026-11-21", "2026-11-23"], True),
        (["2026-11-21", "2026-11-21T08:00:00Z", "2026-11-21T09:00:00Z"], True),
        (["2026-11", "2026-11-20", "2026-11-21T12:00:00Z"], True),
        (["2026-11", "2026-11-20", "2026-11-19T09:59:59Z"], True),
    ]
    expected = [(lastmods, [(URL, "warning")] * differ) for lastmods, differ in cases]
    check(RULE, expected, lambda lastmods: [dated(*lastmods)], places)


@pytest.mark.parametrize(
    ("kind", "date"),
    [(Kind.RSS, "Mon, 23 Nov 2026 10:00:00 GMT"), (Kind.ATOM, "2026-11-23T10:00:00Z")],
)
def test_the_dates_of_feeds_are_not_compared(kind: Kind, date: str) -> None:
    feed = dated(date, date.replace("23", "24"), sitemap=B, kind=kind)
    assert rule_on(tables_of([dated("2026-11-21T10:00:00Z"), feed], RULE), RULE) == []
    other = dated("2026-11-22T10:00:00Z", sitemap=B)
    both = tables_of([dated("2026-11-21T10:00:00Z"), feed, other], RULE)
    ((_, _, message),) = rule_on(both, RULE)
    assert "24" not in message


def test_other_urls_and_indexes_are_not_compared() -> None:
    other = dated("2026-11-22", sitemap=B)
    other.rows[0].url = f"{URL}/"
    index = dated("2026-11-20", "2026-11-22", sitemap=f"{SITE}/index.xml", kind=Kind.SITEMAPINDEX)
    assert rule_on(tables_of([dated("2026-11-21"), other, index], RULE), RULE) == []


def test_message() -> None:
    later = dated(" 2026-11-22T10:00:00Z", "2026-11-20", sitemap=B)
    run = tables_of([dated("2026-11-20"), later], RULE)
    message = "is listed with different lastmods: 2026-11-20, 2026-11-22T10:00:00Z"
    assert rule_on(run, RULE) == [(URL, "warning", message)]
    (finding,) = run.findings[run.findings["rule"] == RULE].itertuples()
    assert (finding.sitemap, finding.position, finding.subject) == (B, 1, "site")


@pytest.mark.parametrize(("count", "end"), [(5, "2026-11-05"), (6, "2026-11-05 …")])
def test_message_names_at_most_five_lastmods(count: int, end: str) -> None:
    lastmods = [f"2026-11-{day:02}" for day in range(1, count + 1)]
    ((_, _, message),) = rule_on(tables_of([dated(*lastmods)], RULE), RULE)
    assert message.endswith(f", {end}")

"""lastmod-identical: nearly all lastmods of a sitemap or a site have one value."""

import json
from datetime import datetime, timedelta

from sitemapaudit.items import Entries, Kind, News, Sitemap
from sitemapaudit.sitemaps.w3c_dates import rfc822_datetime, w3c_datetime
from tests.pages.responses import SITE
from tests.rules.tables import tables_of
from tests.rules.together import check, messages, severities, urls
from tests.support.rows import SITEMAP, listed

RULE = "lastmod-identical"
B, INDEX = f"{SITE}/b.xml", f"{SITE}/index.xml"
TIME, DATE = "2026-11-20T10:00:00Z", "2026-11-20"


def dated(
    *lastmods: str | None, sitemap: str = SITEMAP, kind: Kind = Kind.URLSET, at: str = SITE
) -> Entries:
    """Return entries with these lastmods, each with its own URL."""
    locs = [f"{at}/{number}" for number in range(len(lastmods))]
    entries = listed(*locs, sitemap=sitemap, kind=kind)
    for row, lastmod in zip(entries.rows, lastmods, strict=True):
        moment = w3c_datetime(lastmod or "")
        row.lastmod = lastmod
        row.lastmod_at = moment.at if moment else rfc822_datetime(lastmod or "")
    return entries


def others(count: int, *, date: bool = False) -> list[str]:
    """Return lastmods that are all different."""
    return [f"{2000 + number}-01-01" + ("" if date else "T00:00:00Z") for number in range(count)]


def test_a_file() -> None:
    cases = [
        # Times: at least ten, 90 % of them the same.
        ([TIME] * 9, False),
        ([TIME] * 10, True),
        ([TIME] * 9 + others(1), True),
        ([TIME] * 8 + others(2), False),
        ([TIME] * 90 + others(10), True),
        ([TIME] * 89 + others(11), False),
        (others(10), False),
        # The same instant is the same value.
        ([TIME] * 5 + ["2026-11-20T11:00:00+01:00"] * 5, True),
        ([TIME] * 5 + ["\n 2026-11-20T10:00:00Z "] * 5, True),
        # Dates: at least fifty.
        ([DATE] * 49, False),
        ([DATE] * 50, True),
        ([DATE] * 45 + others(5, date=True), True),
        ([DATE] * 44 + others(6, date=True), False),
        ([f"\n{DATE} "] * 49, False),
        (["2026-11"] * 49, False),
        (["2026"] * 50, True),
        # A date and the same date at midnight are one value, which is a date.
        ([DATE] * 5 + ["2026-11-20T00:00:00Z"] * 44, False),
        ([DATE] * 5 + ["2026-11-20T00:00:00Z"] * 45, True),
        # Entries without a valid lastmod do not count.
        ([TIME] * 9 + [None] * 9, False),
        ([TIME] * 10 + [None] * 90 + ["yesterday"] * 90, True),
        (["yesterday"] * 90, False),
    ]
    expected = [(lastmods, ["warning"] * found) for lastmods, found in cases]
    check(RULE, expected, lambda lastmods: [dated(*lastmods)], severities)


def test_kinds() -> None:
    cases = [
        (Kind.URLSET, TIME, True),
        (Kind.ATOM, TIME, True),
        (Kind.RSS, "Fri, 20 Nov 2026 10:00:00 GMT", True),
        (Kind.SITEMAPINDEX, TIME, False),
    ]
    check(RULE, cases, lambda kind, lastmod: [dated(*[lastmod] * 10, kind=kind)], len)


def test_news_do_not_count() -> None:
    cases = [(0, True), (1, True), (2, False), (11, False)]

    def articles_of(number: int) -> list[Entries]:
        entries = dated(*[TIME] * 11)
        for row in entries.rows[:number]:
            row.news = [News(title="News")]
        return [entries]

    check(RULE, cases, articles_of, len)


def places(*files: Entries) -> list[tuple[str, str]]:
    """Return the URL (or else the file) and the message of each finding."""
    frame = tables_of(files, RULE).findings
    found = frame[frame["rule"] == RULE]
    return sorted(zip(found["url"].fillna(found["sitemap"]), found["message"], strict=True))


def test_a_site() -> None:
    cases = [
        ([TIME] * 5, [TIME] * 5, True),
        ([TIME] * 5, [TIME] * 4, False),
        ([TIME] * 5, [TIME] * 4 + others(1), True),
        ([TIME] * 9, others(1), True),
        ([TIME] * 5, [TIME] * 3 + others(2), False),
        ([DATE] * 25, [DATE] * 25, True),
        ([DATE] * 25, [DATE] * 24, False),
        ([TIME] * 8 + others(2), [TIME] * 8 + others(2), False),
    ]
    expected = [(first, second, [SITE] * found) for first, second, found in cases]
    check(RULE, expected, lambda first, second: [dated(*first), dated(*second, sitemap=B)], urls)


def test_files_that_are_reported_are_not_reported_again_for_the_site() -> None:
    files = dated(*[TIME] * 10), dated(*[TIME] * 10, sitemap=B)
    assert [place for place, _ in places(*files)] == [B, SITEMAP]


def test_a_file_that_is_reported_does_not_hide_the_others() -> None:
    reported = dated(*[TIME] * 20)
    small = [dated(*[TIME] * 5, sitemap=f"{SITE}/{name}.xml") for name in "cd"]
    assert places(reported, *small) == [
        (SITE, f"10 of 10 URLs have the lastmod {TIME}"),
        (SITEMAP, f"20 of 20 URLs have the lastmod {TIME}"),
    ]


def test_each_site_is_checked_on_its_own() -> None:
    other = "https://other.example"
    here = [dated(*[TIME] * 5, sitemap=f"{SITE}/{name}.xml") for name in "cd"]
    there = dated(*[TIME] * 5, sitemap=f"{other}/a.xml", at=other)
    there_too = dated(*others(5), sitemap=f"{other}/b.xml", at=other)
    urls = [url for url, _ in places(*here, there, there_too)]
    assert urls == [SITE]


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def generated_at(source: str, lastmod: str, at: str) -> list[Sitemap | Entries]:
    """Return a file that one of three sources says was generated at this time."""
    far = moment("2026-11-25T12:00:00Z")
    file = Sitemap(SITEMAP, kind=Kind.URLSET, status=200, fetched_at=far)
    index = dated(others(1)[0], sitemap=INDEX, kind=Kind.SITEMAPINDEX)
    index.rows[0].url = SITEMAP
    match source:
        case "fetched":
            file.fetched_at = moment(at)
        case "header":
            file.last_modified = moment(at)
        case "index":
            index.rows[0].lastmod_at = moment(at)
    return [file, index, dated(*[lastmod] * 50)]


def test_message_says_when_the_file_was_generated() -> None:
    cases = [
        (TIME, "2026-11-20T10:05:00Z", True),
        (TIME, "2026-11-20T10:05:01Z", False),
        (TIME, "2026-11-20T09:55:00Z", True),
        (TIME, "2026-11-20T09:54:59Z", False),
        (DATE, "2026-11-20T00:00:00Z", True),
        (DATE, "2026-11-20T23:59:59Z", True),
        (DATE, "2026-11-21T00:00:00Z", False),
        (DATE, "2026-11-19T23:59:59Z", False),
    ]
    note = ", which is when the file was generated"
    expected = [
        (
            source,
            lastmod,
            at,
            [f"50 of 50 URLs have the lastmod {lastmod}{note if generated else ''}"],
        )
        for source in ("fetched", "header", "index")
        for lastmod, at, generated in cases
    ]
    check(RULE, expected, generated_at, messages)


def test_evidence() -> None:
    fetched = moment(TIME) + timedelta(days=1)
    file = Sitemap(SITEMAP, kind=Kind.URLSET, status=200, fetched_at=fetched)
    run = tables_of([file, dated(*[TIME] * 9, *others(1))], RULE)
    (finding,) = run.findings[run.findings["rule"] == RULE].itertuples()
    assert (finding.sitemap, finding.subject) == (SITEMAP, "site")
    assert json.loads(str(finding.evidence)) == {
        "same": 9,
        "dated": 10,
        "lastmod": TIME,
        "note": "",
    }

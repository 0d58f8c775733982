"""lastmod-untrue: between two runs lastmods changed without the contents, or these without them.

All cases are sitemaps of one pair of runs, so that these are built and compared once.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import pytest

from sitemapaudit.items import Entries, Error, Kind, Page, Sitemap
from sitemapaudit.sitemaps.dates import w3c_datetime
from tests.comparison.runs import Difference, Row, found_between
from tests.support import SITEMAP, answered, listed, rendered

RULE = "lastmod-untrue"
SITE = "https://www.example.com"
OLD, NEW = "2026-11-01T10:00:00Z", "2026-11-08T10:00:00Z"


@dataclass(frozen=True)
class Seen:
    """What a run saw of a URL: the lastmod in its sitemap, and the main text of its page."""

    lastmod: str | None = OLD
    text: str | None = "a"
    browser: str | None = None
    asked: bool = True
    values: tuple[tuple[str, Any], ...] = ()

    def but(self, **values: Any) -> "Seen":
        return replace(self, values=tuple(values.items()))

    def rows(self, url: str) -> list[Row]:
        """Return the rows of the page."""
        page = replace(answered(url, noindex=False), content_hash=self.text, words=300)
        page = replace(page, **dict(self.values))
        shown = [replace(rendered(page), content_hash=self.browser)] if self.browser else []
        return [page, *shown] if self.asked else []


SAME = Seen()
REDATED = Seen(lastmod=NEW)
REWRITTEN = Seen(text="b")
BOTH = Seen(lastmod=NEW, text="b")
HOLLOW: Final = {"words": 49, "scripts": 1}

Pair = tuple[Seen, Seen]


def run_of(seen: Iterable[Seen], name: str = "", kind: Kind = Kind.URLSET) -> list[Row]:
    """Return the rows of a run that saw these: a file, its entries, the pages."""
    each = list(seen)
    at = f"{SITE}/{name}".rstrip("/")
    sitemap = f"{at}/sitemap.xml"
    entries = listed(*(f"{at}/{n:03}" for n in range(len(each))), sitemap=sitemap, kind=kind)
    for entry, what in zip(entries.rows, each, strict=True):
        moment = w3c_datetime(what.lastmod or "")
        entry.lastmod, entry.lastmod_at = what.lastmod, moment.at if moment else None
    file = Sitemap(sitemap, kind=kind, status=200, entries=len(each))
    urls = [str(entry.url) for entry in entries.rows]
    pages = [row for url, what in zip(urls, each, strict=True) for row in what.rows(url)]
    return [file, entries, *pages]


def twenty(before: Seen, after: Seen) -> list[Pair]:
    return [(before, after)] * 20


def mixed(alone: Seen, count: int, both: int) -> list[Pair]:
    """Return so many of which one thing changed, and of which both did, among others."""
    return [(SAME, alone)] * count + [(SAME, BOTH)] * both + [(SAME, SAME)] * 9


def scripted(before: Seen, after: Seen) -> list[Pair]:
    return twenty(before.but(**HOLLOW), after.but(**HOLLOW))


def in_browser(seen: Seen, text: str) -> Seen:
    return replace(seen, browser=text)


def read_at(seen: Seen, moment: str) -> Seen:
    return seen.but(fetched_at=datetime.fromisoformat(moment))


def dated(lastmod: str, moment: str) -> list[Pair]:
    """Return pages that were read at a time, and rewritten later under a lastmod."""
    return twenty(read_at(Seen(lastmod), moment), Seen(lastmod, "b"))


UNKNOWN: Final[Mapping[str, dict[str, Any]]] = {
    "not-found": {"status": 404},
    "other-status": {"status": 203},
    "no-answer": {"status": None, "error": Error.TIMEOUT},
    "no-text": {"content_hash": None},
    "truncated": {"error": Error.TRUNCATED},
    "challenge": {"challenge": "cf-mitigated"},
    "cut": {"cut": True},
    "hollow": HOLLOW,
}

CASES: Final[Mapping[str, tuple[list[Pair], set[str]]]] = {
    "lastmod-20": (mixed(REDATED, 20, 0), {"lastmod"}),
    "lastmod-19": (mixed(REDATED, 19, 0), set()),
    "lastmod-half": (mixed(REDATED, 20, 20), {"lastmod"}),
    "lastmod-under-half": (mixed(REDATED, 20, 21), set()),
    "content-20": (mixed(REWRITTEN, 20, 0), {"content"}),
    "content-19": (mixed(REWRITTEN, 19, 0), set()),
    "content-half": (mixed(REWRITTEN, 20, 20), {"content"}),
    "content-under-half": (mixed(REWRITTEN, 20, 21), set()),
    "one-and-the-other": (twenty(SAME, REDATED) + twenty(SAME, REWRITTEN), {"content", "lastmod"}),
    "nothing": (twenty(SAME, SAME), set()),
    # A lastmod that is not known, or says the same in another way.
    "first-lastmod": (twenty(replace(SAME, lastmod=None), REDATED), set()),
    "last-lastmod": (twenty(SAME, replace(REDATED, lastmod=None)), set()),
    "invalid-lastmod": (twenty(SAME, replace(REDATED, lastmod="yesterday")), set()),
    "other-zone": (twenty(SAME, replace(SAME, lastmod="2026-11-01T11:00:00+01:00")), set()),
    "date-alone": (twenty(SAME, replace(SAME, lastmod="2026-11-01")), set()),
    "other-date": (twenty(SAME, replace(SAME, lastmod="2026-11-02")), {"lastmod"}),
    "no-lastmods": (
        twenty(replace(SAME, lastmod=None), replace(REWRITTEN, lastmod=None)),
        set(),
    ),
    # A content that is not known in both runs.
    **{
        f"{reason}-{when}-{what}": (pairs, set())
        for reason, values in UNKNOWN.items()
        for what, change in (("lastmod", REDATED), ("content", REWRITTEN))
        for when, pairs in (
            ("before", twenty(SAME.but(**values), change)),
            ("after", twenty(SAME, change.but(**values))),
        )
    },
    # Samples, shards and runs that were stopped asked for other pages, or for fewer.
    "asked-for-20": (
        mixed(REDATED, 20, 0) + [(SAME, replace(BOTH, asked=False))] * 30,
        {"lastmod"},
    ),
    "asked-for-19": (
        mixed(REDATED, 19, 0) + [(SAME, replace(REDATED, asked=False))] * 30,
        set(),
    ),
    "other-shard": (
        twenty(SAME, replace(REDATED, asked=False)) + twenty(replace(SAME, asked=False), REDATED),
        set(),
    ),
    # What scripts make of a page.
    "rendered-same": (twenty(in_browser(SAME, "x"), in_browser(REDATED, "x")), {"lastmod"}),
    "rendered-changed": (twenty(in_browser(SAME, "x"), in_browser(REDATED, "y")), set()),
    "rendered-content": (twenty(in_browser(SAME, "x"), in_browser(SAME, "y")), {"content"}),
    "rendered-once": (twenty(in_browser(SAME, "x"), REDATED), {"lastmod"}),
    "filled-by-scripts": (scripted(in_browser(SAME, "x"), in_browser(REDATED, "x")), {"lastmod"}),
    "filled-once": (scripted(in_browser(SAME, "x"), REDATED), set()),
    "short": (twenty(SAME.but(words=49), REDATED.but(words=49)), {"lastmod"}),
    "scripts-beside-text": (
        twenty(SAME.but(words=50, scripts=1), REDATED.but(words=50, scripts=1)),
        {"lastmod"},
    ),
    # A lastmod that may be true of a later change. The day of a date ends last in UTC-12.
    "over": (dated("2026-11-20T10:00:00Z", "2026-11-20T10:00:00Z"), {"content"}),
    "not-over": (dated("2026-11-20T10:00:01Z", "2026-11-20T10:00:00Z"), set()),
    "same-day": (dated("2026-11-20", "2026-11-20T10:00:00Z"), set()),
    "day-not-over": (dated("2026-11-20", "2026-11-21T11:59:59Z"), set()),
    "day-over": (dated("2026-11-20", "2026-11-21T12:00:00Z"), {"content"}),
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[Difference]]:
    """Return the findings of the sitemap of each case, by its name."""
    before: list[Row] = []
    after: list[Row] = []
    for name, (pairs, _) in CASES.items():
        before += run_of((pair[0] for pair in pairs), name)
        after += run_of((pair[1] for pair in pairs), name)
    told = defaultdict(list)
    for each in found_between(tmp_path_factory.mktemp("runs"), RULE, before, after):
        told[each["sitemap"].split("/")[3]].append(each)
    return told


@pytest.mark.parametrize("name", CASES)
def test_cases(found: Mapping[str, list[Difference]], name: str) -> None:
    told = [evidence(each)["changed"] for each in found.get(name, [])]
    assert sorted(told) == sorted(CASES[name][1])


def test_only_what_both_runs_know_is_counted(found: Mapping[str, list[Difference]]) -> None:
    (each,) = found["asked-for-20"]
    assert (evidence(each)["untrue"], evidence(each)["considered"]) == (20, 20)


def test_the_same_url_in_the_same_sitemap(tmp_path: Path) -> None:
    """Of a URL that moved, of an index, of a file that was not read, nothing is known."""
    before = [*run_of([SAME] * 20, "moved"), *run_of([SAME] * 20, "unread")]
    before += run_of([SAME] * 20, "index", Kind.SITEMAPINDEX)
    after = [*run_of([REDATED] * 20, "moved"), *run_of([REDATED] * 20, "unread")]
    after += run_of([REDATED] * 20, "index", Kind.SITEMAPINDEX)
    for row in after[:2]:
        assert isinstance(row, Sitemap | Entries)
        row.sitemap = SITEMAP
    for row in (row for row in after if isinstance(row, Entries)):
        for entry in row.rows:
            entry.sitemap = row.sitemap
    unread = Sitemap(f"{SITE}/unread/sitemap.xml", error=Error.TIMEOUT)
    pages = [row for row in after if isinstance(row, Page)]
    kept = [row for row in after if isinstance(row, Entries) and "unread" not in row.sitemap]
    assert found_between(tmp_path, RULE, before, [unread, *kept, *pages]) == []


def test_a_url_that_is_listed_twice_counts_once(tmp_path: Path) -> None:
    before, after = run_of([SAME] * 19), run_of([REDATED] * 19)
    for rows in (before, after):
        assert isinstance(rows[1], Entries)
        rows[1].rows.append(replace(rows[1].rows[0], position=20))
    assert found_between(tmp_path, RULE, before, after) == []


def test_of_a_url_that_is_listed_twice_the_latest_lastmod_counts(tmp_path: Path) -> None:
    before, after = run_of([SAME, REDATED] * 20), run_of([REDATED, SAME] * 20)
    for rows in (before, after):
        assert isinstance(rows[1], Entries)
        for first, second in zip(rows[1].rows[::2], rows[1].rows[1::2], strict=True):
            second.url = first.url
    assert found_between(tmp_path, RULE, before, after) == []


def test_evidence(tmp_path: Path) -> None:
    before = run_of([SAME] * 40)
    after = run_of([REDATED] * 21 + [BOTH] * 2 + [SAME] * 17)
    (each,) = found_between(tmp_path, RULE, before, after)
    assert (each["sitemap"], each["url"], each["severity"]) == (SITEMAP, None, "warning")
    assert each["message"] == (
        "lists 21 URLs whose lastmod changed since the earlier run and whose content did not, of 23"
        f" whose lastmod changed, such as {SITE}/000"
    )
    assert evidence(each) == {
        "changed": "lastmod",
        "unchanged": "content",
        "untrue": 21,
        "considered": 23,
        "example": f"{SITE}/000",
        "examples": [
            {"url": f"{SITE}/00{n}", "lastmod_before": OLD, "lastmod": NEW} for n in range(5)
        ],
    }


def evidence(finding: Difference) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(finding["evidence"])
    return values

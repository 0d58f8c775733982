"""lastmod-untrue: lastmods changed without the contents, or contents without the lastmods.

All cases are sitemaps of one pair of runs, which are compared once.
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
from sitemapaudit.sitemaps.w3c_dates import w3c_datetime
from tests.comparison.runs import Row, found_between
from tests.rules.two_runs import compared_tables
from tests.support.rows import SITEMAP, fetched_page, listed, rendered

RULE = "lastmod-untrue"
SITE = "https://www.example.com"
LASTMODS = [f"2026-10-{day:02}T10:00:00Z" for day in range(1, 21)]
OLD, NEW = "2026-11-01T10:00:00Z", "2026-11-08T10:00:00Z"


@dataclass(frozen=True)
class Observation:
    """The lastmod of a URL in its sitemap, and the main text of its page."""

    lastmod: str | None = OLD
    text: str | None = "a"
    rendered_text: str | None = None
    fetched: bool = True
    values: tuple[tuple[str, Any], ...] = ()

    def with_page(self, **values: Any) -> "Observation":
        return replace(self, values=tuple(values.items()))

    def rows(self, url: str) -> list[Row]:
        """Return the rows of the page and its rendering."""
        page = replace(fetched_page(url, noindex=False), content_hash=self.text, words=300)
        page = replace(page, **dict(self.values))
        if not self.fetched:
            return []
        if self.rendered_text is None:
            return [page]
        return [page, replace(rendered(page), content_hash=self.rendered_text)]


UNCHANGED = Observation()
NEW_LASTMOD = Observation(lastmod=NEW)
NEW_TEXT = Observation(text="b")
BOTH = Observation(lastmod=NEW, text="b")
LITTLE_TEXT: Final = {"words": 49, "scripts": 1}

Pair = tuple[Observation, Observation]


def run_of(
    observations: Iterable[Observation], name: str = "", kind: Kind = Kind.URLSET
) -> list[Row]:
    """Return the rows of a run with these observations: a file, its entries, the pages."""
    each = list(observations)
    at = f"{SITE}/{name}".rstrip("/")
    sitemap = f"{at}/sitemap.xml"
    entries = listed(*(f"{at}/{n:03}" for n in range(len(each))), sitemap=sitemap, kind=kind)
    for entry, observation in zip(entries.rows, each, strict=True):
        moment = w3c_datetime(observation.lastmod or "")
        entry.lastmod, entry.lastmod_at = observation.lastmod, moment.at if moment else None
    file = Sitemap(sitemap, kind=kind, status=200, entries=len(each))
    urls = [str(entry.url) for entry in entries.rows]
    pages = [
        row for url, observation in zip(urls, each, strict=True) for row in observation.rows(url)
    ]
    return [file, entries, *pages]


def twenty(before: Observation, after: Observation) -> list[Pair]:
    return [(before, after)] * 20


def mixed(one_change: Observation, count: int, both: int) -> list[Pair]:
    """Return ``count`` pairs with one change and ``both`` pairs with both, among unchanged ones."""
    return (
        [(UNCHANGED, one_change)] * count
        + [(UNCHANGED, BOTH)] * both
        + [(UNCHANGED, UNCHANGED)] * 9
    )


def filled_by_scripts(before: Observation, after: Observation) -> list[Pair]:
    return twenty(before.with_page(**LITTLE_TEXT), after.with_page(**LITTLE_TEXT))


def in_browser(observation: Observation, text: str) -> Observation:
    return replace(observation, rendered_text=text)


def read_at(observation: Observation, moment: str) -> Observation:
    return observation.with_page(fetched_at=datetime.fromisoformat(moment))


def dated(lastmod: str, moment: str) -> list[Pair]:
    """Return pages that were read at a time, and changed later under the same lastmod."""
    return twenty(read_at(Observation(lastmod), moment), Observation(lastmod, "b"))


UNKNOWN: Final[Mapping[str, dict[str, Any]]] = {
    "not-found": {"status": 404},
    "other-status": {"status": 203},
    "no-response": {"status": None, "error": Error.TIMEOUT},
    "no-text": {"content_hash": None},
    "truncated-response": {"error": Error.TRUNCATED},
    "challenge": {"challenge": "cf-mitigated"},
    "truncated-page": {"truncated": True},
    "little-text": LITTLE_TEXT,
}

CASES: Final[Mapping[str, tuple[list[Pair], set[str]]]] = {
    "lastmod-20": (mixed(NEW_LASTMOD, 20, 0), {"lastmod"}),
    "lastmod-19": (mixed(NEW_LASTMOD, 19, 0), set()),
    "lastmod-half": (mixed(NEW_LASTMOD, 20, 20), {"lastmod"}),
    "lastmod-under-half": (mixed(NEW_LASTMOD, 20, 21), set()),
    "content-20": (mixed(NEW_TEXT, 20, 0), {"content"}),
    "content-19": (mixed(NEW_TEXT, 19, 0), set()),
    "content-half": (mixed(NEW_TEXT, 20, 20), {"content"}),
    "content-under-half": (mixed(NEW_TEXT, 20, 21), set()),
    "both-problems": (
        twenty(UNCHANGED, NEW_LASTMOD) + twenty(UNCHANGED, NEW_TEXT),
        {"content", "lastmod"},
    ),
    "no-change": (twenty(UNCHANGED, UNCHANGED), set()),
    # A lastmod that is unknown, or the same value written differently.
    "first-lastmod": (twenty(replace(UNCHANGED, lastmod=None), NEW_LASTMOD), set()),
    "last-lastmod": (twenty(UNCHANGED, replace(NEW_LASTMOD, lastmod=None)), set()),
    "lastmods-of-others-dropped": (
        twenty(UNCHANGED, NEW_TEXT) + [(UNCHANGED, replace(NEW_TEXT, lastmod=None))] * 21,
        {"content"},
    ),
    "invalid-lastmod": (twenty(UNCHANGED, replace(NEW_LASTMOD, lastmod="yesterday")), set()),
    "other-zone": (
        twenty(UNCHANGED, replace(UNCHANGED, lastmod="2026-11-01T11:00:00+01:00")),
        set(),
    ),
    "date-without-time": (twenty(UNCHANGED, replace(UNCHANGED, lastmod="2026-11-01")), set()),
    "other-date": (twenty(UNCHANGED, replace(UNCHANGED, lastmod="2026-11-02")), {"lastmod"}),
    "no-lastmods": (
        twenty(replace(UNCHANGED, lastmod=None), replace(NEW_TEXT, lastmod=None)),
        set(),
    ),
    # A content that is unknown in one of the runs.
    **{
        f"{reason}-{when}-{what}": (pairs, set())
        for reason, values in UNKNOWN.items()
        for what, change in (("lastmod", NEW_LASTMOD), ("content", NEW_TEXT))
        for when, pairs in (
            ("before", twenty(UNCHANGED.with_page(**values), change)),
            ("after", twenty(UNCHANGED, change.with_page(**values))),
        )
    },
    # Samples, shards and stopped runs fetched other pages, or fewer.
    "fetched-20": (
        mixed(NEW_LASTMOD, 20, 0) + [(UNCHANGED, replace(BOTH, fetched=False))] * 30,
        {"lastmod"},
    ),
    "fetched-19": (
        mixed(NEW_LASTMOD, 19, 0) + [(UNCHANGED, replace(NEW_LASTMOD, fetched=False))] * 30,
        set(),
    ),
    "other-shard": (
        twenty(UNCHANGED, replace(NEW_LASTMOD, fetched=False))
        + twenty(replace(UNCHANGED, fetched=False), NEW_LASTMOD),
        set(),
    ),
    # Pages rendered in the browser.
    "rendered-same": (
        twenty(in_browser(UNCHANGED, "x"), in_browser(NEW_LASTMOD, "x")),
        {"lastmod"},
    ),
    "rendered-changed": (twenty(in_browser(UNCHANGED, "x"), in_browser(NEW_LASTMOD, "y")), set()),
    "rendered-content": (
        twenty(in_browser(UNCHANGED, "x"), in_browser(UNCHANGED, "y")),
        {"content"},
    ),
    "rendered-once": (twenty(in_browser(UNCHANGED, "x"), NEW_LASTMOD), {"lastmod"}),
    "filled-by-scripts": (
        filled_by_scripts(in_browser(UNCHANGED, "x"), in_browser(NEW_LASTMOD, "x")),
        {"lastmod"},
    ),
    "filled-by-scripts-once": (filled_by_scripts(in_browser(UNCHANGED, "x"), NEW_LASTMOD), set()),
    "short": (
        twenty(
            UNCHANGED.with_page(words=49, scripts=0), NEW_LASTMOD.with_page(words=49, scripts=0)
        ),
        {"lastmod"},
    ),
    "each-its-lastmod": (
        [(Observation(each), Observation(each, "b")) for each in LASTMODS],
        {"content"},
    ),
    "scripts-and-text": (
        twenty(
            UNCHANGED.with_page(words=50, scripts=1), NEW_LASTMOD.with_page(words=50, scripts=1)
        ),
        {"lastmod"},
    ),
    # A lastmod that may be that of a later change. The day of a date ends last in UTC-12.
    "lastmod-passed": (dated("2026-11-20T10:00:00Z", "2026-11-20T10:00:00Z"), {"content"}),
    "lastmod-ahead": (dated("2026-11-20T10:00:01Z", "2026-11-20T10:00:00Z"), set()),
    "same-day": (dated("2026-11-20", "2026-11-20T10:00:00Z"), set()),
    "day-not-passed": (dated("2026-11-20", "2026-11-21T11:59:59Z"), set()),
    "day-passed": (dated("2026-11-20", "2026-11-21T12:00:00Z"), {"content"}),
}


@pytest.fixture(scope="module")
def found() -> Mapping[str, list[dict[str, Any]]]:
    """Return the evidence of the findings of each case, by its name."""
    before: list[Row] = []
    after: list[Row] = []
    for name, (pairs, _) in CASES.items():
        before += run_of((pair[0] for pair in pairs), name)
        after += run_of((pair[1] for pair in pairs), name)
    findings = defaultdict(list)
    for finding in compared_tables(before, after, RULE):
        findings[finding["sitemap"].split("/")[3]].append(json.loads(finding["evidence"]))
    return findings


@pytest.mark.parametrize("name", CASES)
def test_cases(found: Mapping[str, list[dict[str, Any]]], name: str) -> None:
    changed = [evidence["changed"] for evidence in found.get(name, [])]
    assert sorted(changed) == sorted(CASES[name][1])


def test_only_urls_that_both_runs_fetched_are_counted(
    found: Mapping[str, list[dict[str, Any]]],
) -> None:
    (evidence,) = found["fetched-20"]
    assert (evidence["untrue"], evidence["considered"]) == (20, 20)


def test_the_evidence_has_the_first_urls_with_changed_texts(
    found: Mapping[str, list[dict[str, Any]]],
) -> None:
    (evidence,) = found["each-its-lastmod"]
    assert evidence["example"] == f"{SITE}/each-its-lastmod/000"
    assert evidence["examples"] == [
        {
            "url": f"{SITE}/each-its-lastmod/00{n}",
            "lastmod_before": LASTMODS[n],
            "lastmod": LASTMODS[n],
        }
        for n in range(5)
    ]


def test_only_the_same_url_in_the_same_sitemap_is_compared() -> None:
    """Not URLs of another sitemap, children of an index, or entries of an unread file."""
    before = [*run_of([UNCHANGED] * 20, "moved"), *run_of([UNCHANGED] * 20, "unread")]
    before += run_of([UNCHANGED] * 20, "index", Kind.SITEMAPINDEX)
    after = [*run_of([NEW_LASTMOD] * 20, "moved"), *run_of([NEW_LASTMOD] * 20, "unread")]
    after += run_of([NEW_LASTMOD] * 20, "index", Kind.SITEMAPINDEX)
    for row in after[:2]:
        assert isinstance(row, Sitemap | Entries)
        row.sitemap = SITEMAP
    for row in (row for row in after if isinstance(row, Entries)):
        for entry in row.rows:
            entry.sitemap = row.sitemap
    unread = Sitemap(f"{SITE}/unread/sitemap.xml", error=Error.TIMEOUT)
    pages = [row for row in after if isinstance(row, Page)]
    kept = [row for row in after if isinstance(row, Entries) and "unread" not in row.sitemap]
    assert compared_tables(before, [unread, *kept, *pages], RULE) == []


def test_a_url_that_is_listed_twice_counts_once() -> None:
    before, after = run_of([UNCHANGED] * 19), run_of([NEW_LASTMOD] * 19)
    for rows in (before, after):
        assert isinstance(rows[1], Entries)
        rows[1].rows.append(replace(rows[1].rows[0], position=20))
    assert compared_tables(before, after, RULE) == []


def test_the_latest_lastmod_of_a_url_that_is_listed_twice_counts() -> None:
    before, after = run_of([UNCHANGED, NEW_LASTMOD] * 20), run_of([NEW_LASTMOD, UNCHANGED] * 20)
    for rows in (before, after):
        assert isinstance(rows[1], Entries)
        for first, second in zip(rows[1].rows[::2], rows[1].rows[1::2], strict=True):
            second.url = first.url
    assert compared_tables(before, after, RULE) == []


def test_run_folders(tmp_path: Path) -> None:
    before = run_of([UNCHANGED] * 40)
    after = run_of([NEW_LASTMOD] * 21 + [BOTH] * 2 + [UNCHANGED] * 17)
    (finding,) = found_between(tmp_path, RULE, before, after)
    assert (finding["sitemap"], finding["url"], finding["severity"]) == (SITEMAP, None, "warning")
    assert finding["message"] == (
        "21 of 23 URLs with changed lastmod have the same content as in the earlier run,"
        f" such as {SITE}/000"
    )
    assert json.loads(finding["evidence"]) == {
        "changed": "lastmod",
        "unchanged": "content",
        "untrue": 21,
        "considered": 23,
        "example": f"{SITE}/000",
        "examples": [
            {"url": f"{SITE}/00{n}", "lastmod_before": OLD, "lastmod": NEW} for n in range(5)
        ],
    }

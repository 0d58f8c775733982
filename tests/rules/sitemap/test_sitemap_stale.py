"""sitemap-stale: a file with the same entries in both runs, whose pages changed long after it."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from sitemapaudit.items import Entries, Entry, Error, Kind, Page, Sitemap
from sitemapaudit.pages.fingerprint import fingerprint
from tests.comparison.runs import Row, found_between
from tests.rules.two_runs import compared_tables
from tests.support.rows import fetched_page

RULE = "sitemap-stale"
SITE = "https://www.example.com"
INDEX = f"{SITE}/index.xml"
WRITTEN = datetime(2026, 10, 1, 10, tzinfo=UTC)
FIRST, SECOND = (datetime(2026, 11, day, 10, tzinfo=UTC) for day in (8, 15))
WORDS = [f"word{number}" for number in range(300)]
REWRITTEN = [f"other{number}" for number in range(300)]


@dataclass(frozen=True)
class Case:
    """A sitemap of both runs: when it was written, and how many of its pages changed.

    ``stated`` is the date that these pages state, ``texts`` their main texts in both runs.
    """

    pages: int = 5
    header: datetime | None = WRITTEN
    announced: datetime | None = None
    lastmod: datetime | None = WRITTEN - timedelta(days=1)
    lastmod_later: datetime | None = None
    stated: datetime | None = None
    texts: tuple[list[str], list[str]] = (WORDS, REWRITTEN)
    file: Mapping[str, Any] | None = None
    page: Mapping[str, Any] | None = None

    def rows(self, name: str, run: int) -> list[Row]:
        """Return the rows of the file, its entries and its pages."""
        sitemap = f"{SITE}/{name}/sitemap.xml"
        urls = [f"{SITE}/{name}/{number}" for number in range(8)]
        row = Sitemap(sitemap, kind=Kind.URLSET, status=200, entries=len(urls))
        row = replace(row, last_modified=self.header, **(self.file or {} if run else {}))
        lastmods = [self.lastmod] * len(urls)
        if run and self.lastmod_later:
            lastmods[0] = self.lastmod_later
        entries = [
            entry_of(sitemap, at, *each) for at, each in enumerate(zip(urls, lastmods, strict=True))
        ]
        pages = [self._page(url, run, changed=at < self.pages) for at, url in enumerate(urls)]
        return [row, Entries(sitemap, entries), *pages]

    def _page(self, url: str, run: int, *, changed: bool) -> Page:
        words = self.texts[run] if changed else WORDS
        row = fetched_page(url, noindex=False, words=len(words), is_html=True)
        row.fetched_at = SECOND if run else FIRST
        row.content_hash, row.fingerprint = " ".join(words), fingerprint(words)
        row.date_modified_at = self.stated if changed else None
        return replace(row, **(self.page or {}) if run else {})


def entry_of(sitemap: str, at: int, url: str, lastmod: datetime | None, kind: Any = None) -> Entry:
    written = lastmod.isoformat() if lastmod else None
    kind = kind or Kind.URLSET
    return Entry(sitemap, at + 1, kind, url, url, written, lastmod_at=lastmod)


SAME: Final = (WORDS, WORDS)
OLD: Final = WRITTEN + timedelta(days=7)

CASES: Final[Mapping[str, tuple[Case, bool]]] = {
    "header": (Case(), True),
    "four-pages": (Case(pages=4), False),
    "index": (Case(header=None, announced=WRITTEN), True),
    "no-time-of-the-file": (Case(header=None), False),
    "written-lately": (Case(header=SECOND), False),
    "index-is-newer": (Case(announced=SECOND), False),
    "index-is-older": (Case(announced=WRITTEN - timedelta(days=9)), True),
    "an-entry-is-newer": (Case(lastmod=SECOND), False),
    "no-lastmods": (Case(lastmod=None), False),
    "another-lastmod-now": (Case(lastmod_later=WRITTEN - timedelta(days=2)), False),
    "seven-days": (Case(header=FIRST - timedelta(days=7)), True),
    "under-seven-days": (Case(header=FIRST - timedelta(days=7) + timedelta(seconds=1)), False),
    "same-texts": (Case(texts=SAME), False),
    "a-few-words": (Case(texts=(WORDS, ["today", *WORDS[1:]])), False),
    "stated": (Case(texts=SAME, stated=OLD), True),
    "stated-too-early": (Case(texts=SAME, stated=OLD - timedelta(seconds=1)), False),
    "stated-at-the-request": (Case(texts=SAME, stated=SECOND - timedelta(hours=23)), False),
    # What was not read completely is unknown.
    "file-truncated": (Case(file={"truncated": True}), False),
    "file-malformed": (Case(file={"xml_error": "not well-formed"}), False),
    "file-unread": (Case(file={"status": 503}), False),
    "page-truncated": (Case(page={"truncated": True}), False),
    "page-gone": (Case(page={"status": 404}), False),
    "page-unreachable": (Case(page={"error": Error.TIMEOUT}, stated=OLD), False),
    "little-text": (Case(page={"scripts": 1, "words": 49}), False),
    "enough-text": (Case(page={"scripts": 1, "words": 50}), True),
    "challenge": (Case(page={"challenge": "a challenge"}), False),
    "little-text-without-scripts": (Case(page={"scripts": 0, "words": 49}), True),
}
"""Each sitemap, and whether it is stale."""


def run_of(cases: Mapping[str, Case], run: int) -> Iterable[Row]:
    """Return the rows of a run: the sitemaps, and the index that lists them."""
    children = [(f"{SITE}/{name}/sitemap.xml", case.announced) for name, case in cases.items()]
    rows = [
        entry_of(INDEX, at, url, lastmod, Kind.SITEMAPINDEX)
        for at, (url, lastmod) in enumerate(children)
    ]
    yield Sitemap(INDEX, kind=Kind.SITEMAPINDEX, status=200, entries=len(rows))
    yield Entries(INDEX, rows)
    for name, case in cases.items():
        yield from case.rows(name, run)


def example() -> tuple[list[Row], list[Row]]:
    """Return the rows of two runs between which a sitemap is stale."""
    cases = {"shop": Case()}
    return list(run_of(cases, 0)), list(run_of(cases, 1))


@pytest.fixture(scope="module")
def stale() -> set[str]:
    """Return the names of the stale sitemaps."""
    cases = {name: case for name, (case, _) in CASES.items()}
    findings = compared_tables(run_of(cases, 0), run_of(cases, 1), RULE)
    return {finding["sitemap"].split("/")[3] for finding in findings}


@pytest.mark.parametrize("name", CASES)
def test_cases(stale: set[str], name: str) -> None:
    assert (name in stale) == CASES[name][1]


@pytest.mark.parametrize("name", ["header", "stated"])
def test_a_stale_sitemap_that_no_index_lists_is_found(name: str) -> None:
    case = CASES[name][0]
    assert compared_tables(case.rows(name, 0), case.rows(name, 1), RULE)


def test_run_folders(tmp_path: Path) -> None:
    (finding,) = found_between(tmp_path, RULE, *example())
    assert (finding["sitemap"], finding["url"]) == (f"{SITE}/shop/sitemap.xml", None)
    assert finding["severity"] == "warning"
    assert finding["message"] == (
        "has not changed since 2026-10-01, but 5 of its pages changed up to 38 days later, such as"
        f" {SITE}/shop/4"
    )
    assert json.loads(finding["evidence"]) == {
        "written": "2026-10-01",
        "changed": 5,
        "days": 38,
        "example": f"{SITE}/shop/4",
        "newest_change": "2026-11-08T10:00:00Z",
    }

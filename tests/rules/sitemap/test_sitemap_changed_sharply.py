"""sitemap-changed-sharply: between two runs, a sitemap disappeared or lost many entries."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from sitemapaudit.items import (
    DeclaredSitemap,
    Error,
    Kind,
    Permission,
    Robots,
    Sitemap,
    SitemapSource,
)
from sitemapaudit.numbers import count_noun
from tests.comparison.runs import Row, found_between
from tests.rules.together import moved, original
from tests.rules.two_runs import compared_tables
from tests.support.rows import listed

RULE = "sitemap-changed-sharply"
SITE = "https://www.example.com"
INDEX, CHILD, OTHER, NEWER = (f"{SITE}/{name}.xml" for name in ("index", "child", "other", "new"))
UNLISTED = "listed 5 entries in the earlier run, and no robots.txt or index lists it now"


def file(at: str, entries: int = 5, **values: Any) -> Sitemap:
    row = Sitemap(at, kind=Kind.URLSET, status=200, final_url=at, entries=entries)
    return replace(row, **values)


# The entries of a file in the earlier run, its row in the later run, and the reported outcome.
FILES: Final[Mapping[str, tuple[int, dict[str, Any], str | None]]] = {
    "share": (100, {"entries": 80}, "and lists 80 now, 20.0 % fewer"),
    "under-share": (100, {"entries": 81}, None),
    "minimum": (20, {"entries": 10}, "and lists 10 now, 50.0 % fewer"),
    "under-minimum": (20, {"entries": 11}, None),
    "share-and-minimum": (50, {"entries": 40}, "and lists 40 now, 20.0 % fewer"),
    "emptied": (10, {"entries": 0}, "and lists 0 now, 100.0 % fewer"),
    "few-entries": (9, {"entries": 0}, None),
    "more": (100, {"entries": 900}, None),
    "not-found": (1, {"status": 404, "kind": Kind.UNKNOWN, "entries": 0}, "and returns 404 now"),
    "gone": (1, {"status": 410, "kind": Kind.UNKNOWN, "entries": 0}, "and returns 410 now"),
    "never-had-entries": (0, {"status": 404, "kind": Kind.UNKNOWN}, None),
    # The later run could not know, or other rules report it.
    "server-error": (100, {"status": 503, "kind": Kind.UNKNOWN, "entries": 0}, None),
    "denied": (100, {"status": 403, "kind": Kind.UNKNOWN, "entries": 0}, None),
    "unreachable": (100, {"status": None, "error": Error.TIMEOUT, "entries": 0}, None),
    "limit": (100, {"status": None, "error": Error.LIMIT, "entries": 0}, None),
    "interrupted": (100, {"complete": False, "entries": 0}, None),
    "truncated": (100, {"truncated": True, "entries": 50}, None),
    "malformed": (100, {"xml_error": "not well-formed", "entries": 50}, None),
    "compression-error": (100, {"gzip_error": "truncated", "entries": 50}, None),
    "html": (100, {"kind": Kind.HTML, "entries": 0}, None),
    "moved": (100, {"kind": Kind.UNKNOWN, "hops": 1, "final_url": OTHER, "entries": 0}, None),
    "index": (100, {"kind": Kind.SITEMAPINDEX, "entries": 80}, "and lists 80 now, 20.0 % fewer"),
    "became-index": (100, {"kind": Kind.SITEMAPINDEX, "entries": 2}, None),
}


@pytest.fixture(scope="module")
def messages() -> Mapping[str, str]:
    """Return the message about each file, by its name."""
    before = [file(f"{SITE}/{name}", entries) for name, (entries, _, _) in FILES.items()]
    after = [file(f"{SITE}/{name}", **values) for name, (_, values, _) in FILES.items()]
    before[[*FILES].index("index")].kind = Kind.SITEMAPINDEX
    findings = compared_tables(before, [*after, file(OTHER)], RULE)
    assert len({finding["sitemap"] for finding in findings}) == len(findings)
    return {finding["sitemap"].rpartition("/")[2]: finding["message"] for finding in findings}


@pytest.mark.parametrize("name", FILES)
def test_files(messages: Mapping[str, str], name: str) -> None:
    entries, _, outcome = FILES[name]
    listed = count_noun(entries, "entry")
    expected = outcome and f"listed {listed} in the earlier run, {outcome}"
    assert messages.get(name) == expected


def robots(*declared: str, **values: Any) -> Robots:
    lines = [DeclaredSitemap(number, url, url) for number, url in enumerate(declared, start=1)]
    row = Robots(SITE, f"{SITE}/robots.txt", permission=Permission.RULES, sitemaps=lines)
    return replace(row, **values)


def index(
    *children: str, at: str = INDEX, source: SitemapSource = SitemapSource.ROBOTS
) -> list[Row]:
    row = file(at, len(children), kind=Kind.SITEMAPINDEX, source=source)
    return [row, listed(*children, sitemap=at, kind=Kind.SITEMAPINDEX)]


def child(at: str = CHILD, **values: Any) -> Sitemap:
    return file(at, source=SitemapSource.INDEX, parent=INDEX, **values)


LISTED: Final[list[Row]] = [robots(INDEX), *index(CHILD, OTHER), child(), child(OTHER)]
SHORTER: Final[list[Row]] = [robots(INDEX), *index(OTHER), child(OTHER)]
UNREAD: Final[dict[str, Any]] = {"status": None, "error": Error.TIMEOUT, "kind": Kind.UNKNOWN}
MOVED: Final[dict[str, Any]] = {"kind": Kind.UNKNOWN, "hops": 1, "final_url": OTHER}
FOUND: Final[list[Row]] = [
    robots(well_known_tried=[CHILD]),
    file(CHILD, source=SitemapSource.WELL_KNOWN),
]
DECLARED: Final[list[Row]] = [robots(CHILD), file(CHILD, source=SitemapSource.ROBOTS)]


ABSENT: Final[Mapping[str, tuple[list[Row], list[Row], set[str]]]] = {
    "removed-from-index": (LISTED, SHORTER, {CHILD}),
    # The index that listed it is unknown, or has disappeared itself and is reported instead.
    "index-unread": (LISTED, [robots(INDEX), file(INDEX, 0, **UNREAD)], set()),
    "index-incomplete": (LISTED, [robots(INDEX), file(INDEX, 1, complete=False)], set()),
    "index-404": (
        LISTED,
        [robots(INDEX), file(INDEX, 0, status=404, kind=Kind.UNKNOWN)],
        {INDEX},
    ),
    "index-gone": (LISTED, [robots(OTHER), file(OTHER, source=SitemapSource.ROBOTS)], {INDEX}),
    "index-moved": (LISTED, [*SHORTER[:1], file(INDEX, 0, **MOVED), child(OTHER)], {CHILD}),
    "no-robots": (LISTED, [robots(permission=Permission.UNREACHABLE)], set()),
    "nothing-fetched": (LISTED, [], set()),
    # It may be in a new file that was not read; a child of an index is not an index.
    "new-unread": (
        LISTED,
        [*SHORTER, file(NEWER, 0, source=SitemapSource.ROBOTS, **UNREAD)],
        set(),
    ),
    "new-child-unread": (LISTED, [*SHORTER, child(NEWER, **UNREAD)], {CHILD}),
    # It was read through a redirect of another URL.
    "redirected-to": (LISTED, [*SHORTER, file(NEWER, hops=1, final_url=CHILD)], set()),
    # robots.txt no longer declares it, is unknown, or its declared sitemaps were not fetched.
    "declared-other": (
        DECLARED,
        [robots(OTHER), file(OTHER, source=SitemapSource.ROBOTS)],
        {CHILD},
    ),
    "declared-unread": (DECLARED, [robots(OTHER), file(OTHER, 0, **UNREAD)], set()),
    "declared-none": (DECLARED, [robots(well_known_tried=[OTHER])], {CHILD}),
    "robots-5xx": (DECLARED, [robots(permission=Permission.NONE)], set()),
    "site-not-searched": (DECLARED, [robots(), file(OTHER, source=SitemapSource.GIVEN)], set()),
    "declared-not-fetched": (
        DECLARED,
        [robots(OTHER), file(INDEX, source=SitemapSource.GIVEN)],
        set(),
    ),
    "still-declared": (DECLARED, [robots(CHILD), file(OTHER, source=SitemapSource.GIVEN)], set()),
    # It was at a well-known URL.
    "not-found": (FOUND, [robots(well_known_tried=[OTHER, CHILD])], {CHILD}),
    "not-tried": (
        FOUND,
        [robots(well_known_tried=[OTHER]), file(OTHER, source=SitemapSource.WELL_KNOWN)],
        set(),
    ),
    "declared-now": (FOUND, [robots(OTHER), file(OTHER, source=SitemapSource.ROBOTS)], set()),
    "robots-disallows-all": (
        FOUND,
        [robots(well_known_tried=[CHILD], permission=Permission.NONE)],
        set(),
    ),
    # It was given as an argument.
    "given": ([robots(CHILD), file(CHILD)], [robots(well_known_tried=[OTHER])], set()),
}


def test_sitemaps_that_are_no_longer_there() -> None:
    before, after = (
        [moved(case, row) for case, runs in enumerate(ABSENT.values()) for row in runs[number]]
        for number in (0, 1)
    )
    findings = compared_tables(before, after, RULE)
    places = [original(finding["sitemap"]) for finding in findings]
    names = list(ABSENT)
    assert {(names[case], url) for case, url in places} == {
        (name, url) for name, (_, _, expected) in ABSENT.items() for url in expected
    }


def test_a_stopped_run_does_not_know_what_has_disappeared() -> None:
    not_found = file(OTHER, 0, status=404, kind=Kind.UNKNOWN)
    after = [robots(INDEX), *index(OTHER), not_found]
    findings = compared_tables(LISTED, after, RULE, stopped=True)
    assert [finding["sitemap"] for finding in findings] == [OTHER]


@pytest.mark.parametrize("argument", [{"pages": "none"}, {"pages": 5}, {"since": "2026-11-01"}])
def test_run_folders_of_samples(tmp_path: Path, argument: dict[str, Any]) -> None:
    findings = found_between(tmp_path, RULE, LISTED, SHORTER, **argument)
    assert [finding["message"] for finding in findings] == [UNLISTED]


def test_evidence() -> None:
    before = [file(OTHER, 300), *LISTED[:-1]]
    after = [*SHORTER[:-1], file(OTHER, 200)]
    findings = compared_tables(before, after, RULE)
    evidence = {finding["sitemap"]: json.loads(finding["evidence"]) for finding in findings}
    assert evidence == {
        CHILD: {
            "before": 5,
            "after": None,
            "outcome": "no robots.txt or index lists it now",
        },
        OTHER: {"before": 300, "after": 200, "outcome": "lists 200 now, 33.3 % fewer"},
    }
    assert {(finding["severity"], finding["url"]) for finding in findings} == {("warning", None)}

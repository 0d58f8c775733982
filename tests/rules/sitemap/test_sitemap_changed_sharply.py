"""sitemap-changed-sharply: between two runs a sitemap has gone, or lists far fewer entries."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from sitemapaudit.items import Declared, Error, Kind, Permission, Robots, Sitemap, Source
from tests.comparison.runs import Row, found_between
from tests.support import listed

RULE = "sitemap-changed-sharply"
SITE = "https://www.example.com"
INDEX, CHILD, OTHER, NEWER = (f"{SITE}/{name}.xml" for name in ("index", "child", "other", "new"))
UNNAMED = "listed 5 entries in the earlier run, and no robots.txt and no index names it now"


def file(at: str, entries: int = 5, **values: Any) -> Sitemap:
    row = Sitemap(at, kind=Kind.URLSET, status=200, final_url=at, entries=entries)
    return replace(row, **values)


# How many entries a file has before, what it is afterwards, and what is told of it.
FILES: Final[Mapping[str, tuple[int, dict[str, Any], str | None]]] = {
    "share": (100, {"entries": 80}, "and lists 80 now, 20 % fewer"),
    "under-share": (100, {"entries": 81}, None),
    "least": (20, {"entries": 10}, "and lists 10 now, 50 % fewer"),
    "under-least": (20, {"entries": 11}, None),
    "both": (50, {"entries": 40}, "and lists 40 now, 20 % fewer"),
    "emptied": (10, {"entries": 0}, "and lists 0 now, 100 % fewer"),
    "few": (9, {"entries": 0}, None),
    "more": (100, {"entries": 900}, None),
    "gone-404": (1, {"status": 404, "kind": Kind.UNKNOWN, "entries": 0}, "and answers 404 now"),
    "gone-410": (1, {"status": 410, "kind": Kind.UNKNOWN, "entries": 0}, "and answers 410 now"),
    "never-read": (0, {"status": 404, "kind": Kind.UNKNOWN}, None),
    # What the later run could not know, or other rules tell.
    "status": (100, {"status": 503, "kind": Kind.UNKNOWN, "entries": 0}, None),
    "denied": (100, {"status": 403, "kind": Kind.UNKNOWN, "entries": 0}, None),
    "unreachable": (100, {"status": None, "error": Error.TIMEOUT, "entries": 0}, None),
    "limit": (100, {"status": None, "error": Error.LIMIT, "entries": 0}, None),
    "interrupted": (100, {"complete": False, "entries": 0}, None),
    "cut": (100, {"cut": True, "entries": 50}, None),
    "malformed": (100, {"fault": "not well-formed", "entries": 50}, None),
    "gzip": (100, {"gzip_fault": "truncated", "entries": 50}, None),
    "page": (100, {"kind": Kind.HTML, "entries": 0}, None),
    "moved": (100, {"kind": Kind.UNKNOWN, "hops": 1, "final_url": OTHER, "entries": 0}, None),
    "became-index": (100, {"kind": Kind.SITEMAPINDEX, "entries": 2}, None),
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """Return what is told of each file, by its name."""
    before = [file(f"{SITE}/{name}", entries) for name, (entries, _, _) in FILES.items()]
    after = [file(f"{SITE}/{name}", **values) for name, (_, values, _) in FILES.items()]
    folder = tmp_path_factory.mktemp("runs")
    found = found_between(folder, RULE, before, [*after, file(OTHER)])
    assert len({each["sitemap"] for each in found}) == len(found)
    return {each["sitemap"].rpartition("/")[2]: each["message"] for each in found}


@pytest.mark.parametrize("name", FILES)
def test_files(told: Mapping[str, str], name: str) -> None:
    entries, _, outcome = FILES[name]
    expected = outcome and f"listed {entries} entries in the earlier run, {outcome}"
    assert told.get(name) == expected


def robots(*declared: str, **values: Any) -> Robots:
    lines = [Declared(number, url, url) for number, url in enumerate(declared, start=1)]
    row = Robots(SITE, f"{SITE}/robots.txt", permission=Permission.RULES, sitemaps=lines)
    return replace(row, **values)


def index(*children: str, at: str = INDEX, source: Source = Source.ROBOTS) -> list[Row]:
    row = file(at, len(children), kind=Kind.SITEMAPINDEX, source=source)
    return [row, listed(*children, sitemap=at, kind=Kind.SITEMAPINDEX)]


def child(at: str = CHILD, **values: Any) -> Sitemap:
    return file(at, source=Source.INDEX, parent=INDEX, **values)


NAMED: Final[list[Row]] = [robots(INDEX), *index(CHILD, OTHER), child(), child(OTHER)]
LEFT: Final[list[Row]] = [robots(INDEX), *index(OTHER), child(OTHER)]
UNREAD: Final[dict[str, Any]] = {"status": None, "error": Error.TIMEOUT, "kind": Kind.UNKNOWN}
MOVED: Final[dict[str, Any]] = {"kind": Kind.UNKNOWN, "hops": 1, "final_url": OTHER}
FOUND: Final[list[Row]] = [robots(tried=[CHILD]), file(CHILD, source=Source.WELL_KNOWN)]
DECLARED: Final[list[Row]] = [robots(CHILD), file(CHILD, source=Source.ROBOTS)]


ABSENT: Final[Mapping[str, tuple[list[Row], list[Row], set[str]]]] = {
    "left-out": (NAMED, LEFT, {CHILD}),
    # The index that named it is not known, or has gone: then that is what is told.
    "index-unread": (NAMED, [robots(INDEX), file(INDEX, 0, **UNREAD)], set()),
    "index-half-read": (NAMED, [robots(INDEX), file(INDEX, 1, complete=False)], set()),
    "index-404": (
        NAMED,
        [robots(INDEX), file(INDEX, 0, status=404, kind=Kind.UNKNOWN)],
        {INDEX},
    ),
    "index-gone": (NAMED, [robots(OTHER), file(OTHER, source=Source.ROBOTS)], {INDEX}),
    "index-moved": (NAMED, [*LEFT[:1], file(INDEX, 0, **MOVED), child(OTHER)], {CHILD}),
    "no-robots": (NAMED, [robots(permission=Permission.UNREACHABLE)], set()),
    "nothing-asked": (NAMED, [], set()),
    # It may be in a file that is new, and was not read; a child of an index is no index.
    "new-unread": (NAMED, [*LEFT, file(NEWER, 0, source=Source.ROBOTS, **UNREAD)], set()),
    "new-child-unread": (NAMED, [*LEFT, child(NEWER, **UNREAD)], {CHILD}),
    # It is read where another address redirects to.
    "redirected-to": (NAMED, [*LEFT, file(NEWER, hops=1, final_url=CHILD)], set()),
    # robots.txt: declares it no more, or nobody knows, or what it declares was not asked for.
    "declared-other": (DECLARED, [robots(OTHER), file(OTHER, source=Source.ROBOTS)], {CHILD}),
    "declared-unread": (DECLARED, [robots(OTHER), file(OTHER, 0, **UNREAD)], set()),
    "declared-none": (DECLARED, [robots(tried=[OTHER])], {CHILD}),
    "robots-5xx": (DECLARED, [robots(permission=Permission.NONE)], set()),
    "site-not-asked": (DECLARED, [robots(), file(OTHER, source=Source.GIVEN)], set()),
    "declared-not-asked": (DECLARED, [robots(OTHER), file(INDEX, source=Source.GIVEN)], set()),
    "still-declared": (DECLARED, [robots(CHILD), file(OTHER, source=Source.GIVEN)], set()),
    # Where it was found without being named.
    "not-found": (FOUND, [robots(tried=[OTHER, CHILD])], {CHILD}),
    "not-tried": (
        FOUND,
        [robots(tried=[OTHER]), file(OTHER, source=Source.WELL_KNOWN)],
        set(),
    ),
    "declared-now": (FOUND, [robots(OTHER), file(OTHER, source=Source.ROBOTS)], set()),
    "tried-in-vain": (FOUND, [robots(tried=[CHILD], permission=Permission.NONE)], set()),
    # Asked for by name.
    "given": ([robots(CHILD), file(CHILD)], [robots(tried=[OTHER])], set()),
}


def at_site(rows: list[Row], site: str) -> list[Row]:
    """Return the same rows at another site."""
    return [
        msgspec.json.decode(
            msgspec.json.encode(row).replace(SITE.encode(), site.encode()), type=type(row)
        )
        for row in rows
    ]


@pytest.fixture(scope="module")
def gone(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the sitemaps that have gone, each case being a site of its own."""
    before: list[Row] = []
    after: list[Row] = []
    for name, (old, new, _) in ABSENT.items():
        before += at_site(old, f"https://{name}.example")
        after += at_site(new, f"https://{name}.example")
    found = found_between(tmp_path_factory.mktemp("runs"), RULE, before, after)
    return {each["sitemap"] for each in found}


@pytest.mark.parametrize("name", ABSENT)
def test_what_is_no_longer_there(gone: set[str], name: str) -> None:
    site = f"https://{name}.example"
    expected = {sitemap.replace(SITE, site) for sitemap in ABSENT[name][2]}
    assert {sitemap for sitemap in gone if sitemap.startswith(f"{site}/")} == expected


def test_a_run_that_was_stopped_does_not_know_what_has_gone(tmp_path: Path) -> None:
    gone = file(OTHER, 0, status=404, kind=Kind.UNKNOWN)
    after = [robots(INDEX), *index(OTHER), gone]
    found = found_between(tmp_path, RULE, NAMED, after, reason="the run was stopped")
    assert [each["sitemap"] for each in found] == [OTHER]


@pytest.mark.parametrize("argument", [{"pages": "none"}, {"pages": 5}, {"since": "2026-11-01"}])
def test_samples_read_every_sitemap(tmp_path: Path, argument: dict[str, Any]) -> None:
    found = found_between(tmp_path, RULE, NAMED, LEFT, **argument)
    assert [each["message"] for each in found] == [UNNAMED]


def test_evidence(tmp_path: Path) -> None:
    before = [file(OTHER, 300), *NAMED[:-1]]
    after = [*LEFT[:-1], file(OTHER, 200)]
    found = found_between(tmp_path, RULE, before, after)
    told = {each["sitemap"]: json.loads(each["evidence"]) for each in found}
    assert told.keys() == {CHILD, OTHER}
    assert told[OTHER] == {"before": 300, "after": 200, "outcome": "lists 200 now, 33 % fewer"}
    assert told[CHILD] == {
        "before": 5,
        "after": None,
        "outcome": "no robots.txt and no index names it now",
    }
    assert {(each["severity"], each["url"]) for each in found} == {("warning", None)}

"""What really changed between two runs: each change, what is unknown, what engines should learn."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sitemapaudit.comparison.changed import Changed, count_changed, find_changed, write_changed
from sitemapaudit.comparison.changed_urls import MIN_CHANGE, Change
from sitemapaudit.items import Error, Kind, Page, Rendering, Sitemap
from sitemapaudit.pages.fingerprint import fingerprint
from tests.comparison.runs import Row, moved_into
from tests.support.rows import SITEMAP, fetched_page, listed, rendered, sitemap_of
from tests.support.runs import build_run
from tests.support.shared_runs import copy_of_run, shared_run

pytestmark = pytest.mark.xdist_group("compare")

HOST = "https://www.example.com"
A, B, C, D = (f"{HOST}/{name}" for name in "abcd")
WORDS = [f"word{number}" for number in range(300)]


def page(url: str, words: Sequence[str] = WORDS, **values: Any) -> Page:
    """Return an indexable page with a main text of these words."""
    text = {
        "content_hash": " ".join(words),
        "fingerprint": fingerprint(list(words)),
        "words": len(words),
    }
    given = {"noindex": False, "canonical": url, "content_type": "text/html", "is_html": True}
    return fetched_page(url, **{"status": 200, **given, **text, **values})


def bare(url: str, status: int, **values: Any) -> Page:
    return fetched_page(url, status, **values)


def redirect(url: str, target: str) -> Page:
    return bare(url, 301, target=target)


def listing(*urls: str, sitemap: str = SITEMAP) -> list[Row]:
    entries = listed(*urls, sitemap=sitemap)
    return [sitemap_of(entries), entries]


def text_of(name: str) -> list[str]:
    return [f"{name}{number}" for number in range(300)]


def changed(
    folder: Path,
    before: Sequence[Row],
    after: Sequence[Row],
    min_change: float = MIN_CHANGE,
    **later: Any,
) -> tuple[Changed, Mapping[str, Mapping[str, Any]]]:
    """Return the numbers, and the row of each changed URL."""
    old, new = shared_run(before), copy_of_run(folder / "new", after, **later).path

    def use(connection: duckdb.DuckDBPyConnection) -> tuple[Changed, list[dict[str, Any]]]:
        rows = connection.table("changed_urls").to_arrow_table().to_pylist()
        return count_changed(connection, 10), rows

    counted, rows = find_changed(old, new, 256, min_change, use)
    assert len({row["url"] for row in rows}) == len(rows)
    return counted, {row["url"]: row for row in rows}


def seen() -> Rendering:
    """Return how a browser sees a page: scripts set noindex, and another text."""
    rendering = rendered(page(A, text_of("a")), noindex=True, content_hash="other")
    rendering.verdict = page(A, noindex=True).verdict
    return rendering


CASES: Mapping[str, tuple[list[Row], list[Row], dict[str, tuple[str, bool]]]] = {
    "nothing": ([*listing(A), page(A)], [*listing(A), page(A)], {}),
    "new": ([*listing(A), page(A)], [*listing(A, B), page(A), page(B)], {B: ("new", True)}),
    "new-noindex": (
        [*listing(A)],
        [*listing(A, B), page(B, noindex=True)],
        {B: ("new", False)},
    ),
    "new-blocked": ([*listing(A)], [*listing(A, B), Page(B, allowed=False)], {B: ("new", False)}),
    "new-unchecked": ([*listing(A)], [*listing(A, B)], {B: ("new", False)}),
    "removed": ([*listing(A, B), page(B)], [*listing(A)], {B: ("removed", False)}),
    "gone": (
        [*listing(A), page(A)],
        [*listing(A), bare(A, 410)],
        {A: ("gone", True)},
    ),
    "gone-and-not-listed": (
        [*listing(A, B), page(B)],
        [*listing(A), bare(B, 404)],
        {B: ("gone", True)},
    ),
    "gone-before": ([*listing(A), bare(A, 404)], [*listing(A), bare(A, 410)], {}),
    "gone-after-noindex": (
        [*listing(A), page(A, noindex=True)],
        [*listing(A), bare(A, 404)],
        {A: ("gone", False)},
    ),
    "gone-after-timeout": (
        [*listing(A), bare(A, None, error=Error.TIMEOUT)],  # type: ignore[arg-type]
        [*listing(A), bare(A, 404)],
        {A: ("verdict-changed", False)},
    ),
    "redirected": (
        [*listing(A), page(A)],
        [*listing(A), redirect(A, B)],
        {A: ("redirected", True)},
    ),
    "content": (
        [*listing(A), page(A)],
        [*listing(A), page(A, text_of("other"))],
        {A: ("content-changed", True)},
    ),
    "content-of-a-noindex-page": (
        [*listing(A), page(A, noindex=True)],
        [*listing(A), page(A, text_of("other"), noindex=True)],
        {A: ("content-changed", False)},
    ),
    "half-of-the-content": (
        [*listing(A), page(A)],
        [*listing(A), page(A, WORDS[:150] + text_of("other")[:150])],
        {A: ("content-changed", True)},
    ),
    "a-date": (
        [*listing(A), page(A)],
        [*listing(A), page(A, ["today", *WORDS[1:]])],
        {},
    ),
    "gone-after-a-browser-opened-it": (
        [*listing(A), page(A), rendered(page(A))],
        [*listing(A), bare(A, 404)],
        {A: ("gone", True)},
    ),
    "noindex-in-the-browser-of-one-run": (
        [*listing(A), page(A, text_of("a"))],
        [*listing(A), page(A, text_of("a")), seen()],
        {},
    ),
    "noindex-now-in-the-browser": (
        [*listing(A), page(A, text_of("a")), rendered(page(A), content_hash="other")],
        [*listing(A), page(A, text_of("a")), seen()],
        {A: ("verdict-changed", True)},
    ),
    "noindex-now": (
        [*listing(A), page(A)],
        [*listing(A), page(A, noindex=True)],
        {A: ("verdict-changed", True)},
    ),
    "indexable-now": (
        [*listing(A), page(A, noindex=True)],
        [*listing(A), page(A)],
        {A: ("verdict-changed", True)},
    ),
    "back-after-an-error": (
        [*listing(A), bare(A, 503)],
        [*listing(A), page(A)],
        {A: ("verdict-changed", False)},
    ),
    "an-error": (
        [*listing(A), page(A)],
        [*listing(A), bare(A, 503)],
        {A: ("verdict-changed", False)},
    ),
    "not-fetched-before": ([*listing(A)], [*listing(A), bare(A, 404)], {}),
    "not-fetched-now": ([*listing(A), page(A)], [*listing(A)], {}),
    "truncated": (
        [*listing(A), page(A)],
        [*listing(A), page(A, text_of("other"), truncated=True)],
        {},
    ),
    "filled-by-scripts": (
        [*listing(A), page(A, ["a", "b", "c"], scripts=1)],
        [*listing(A), page(A, ["d", "e", "f"], scripts=1)],
        {},
    ),
    "moved": (
        [*listing(A, C), page(A, text_of("a"))],
        [*listing(B, C), page(B, text_of("a"))],
        {B: ("moved", True)},
    ),
    "moved-with-redirect": (
        [*listing(A), page(A, text_of("a"))],
        [*listing(A, B), redirect(A, B), page(B, text_of("a"))],
        {A: ("redirected", True), B: ("moved", True)},
    ),
    "moved-but-not-unique": (
        [*listing(A, C), page(A, text_of("a")), page(C, text_of("a"))],
        [*listing(B, C), page(B, text_of("a")), page(C, text_of("a"))],
        {A: ("removed", False), B: ("new", True)},
    ),
    "moved-from-one-of-two": (
        [*listing(A, C), page(A, text_of("a")), page(C, text_of("a"))],
        [*listing(B, C), page(B, text_of("a")), page(C, text_of("c"))],
        {A: ("removed", False), B: ("new", True), C: ("content-changed", True)},
    ),
    "moved-to-two": (
        [*listing(A), page(A, text_of("a"))],
        [*listing(B, C), page(B, text_of("a")), page(C, text_of("a"))],
        {A: ("removed", False), B: ("new", True), C: ("new", True)},
    ),
    "listed-before": (
        [*listing(A, B), page(A, text_of("a"))],
        [*listing(B), page(B, text_of("a"))],
        {A: ("removed", False)},
    ),
    "copied": (
        [*listing(A), page(A, text_of("a"))],
        [*listing(A, B), page(A, text_of("b")), page(B, text_of("a"))],
        {A: ("content-changed", True), B: ("new", True)},
    ),
    "listed-and-not-fetched": (
        [*listing(A), page(A, text_of("a"))],
        [*listing(A, B), page(B, text_of("a"))],
        {B: ("new", True)},
    ),
    "little-text-is-no-proof": (
        [*listing(A), page(A, WORDS[:49])],
        [*listing(B), page(B, WORDS[:49])],
        {A: ("removed", False), B: ("new", True)},
    ),
}
"""The rows of both runs; the change of each URL, and whether engines should learn of it."""


def rows_of_all(number: int) -> Iterator[Row]:
    """Yield the rows of all cases, each in a folder of its own: of the first or the second run."""
    for name, case in CASES.items():
        yield from moved_into(name, case[number])


@pytest.fixture(scope="module")
def changes(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Mapping[str, Any]]:
    """Return the row of each URL that changed in any case."""
    folder = tmp_path_factory.mktemp("changes")
    return changed(folder, list(rows_of_all(0)), list(rows_of_all(1)))[1]


@pytest.mark.parametrize("name", CASES)
def test_changes(name: str, changes: Mapping[str, Mapping[str, Any]]) -> None:
    start = f"{HOST}/{name}/"
    found = {
        f"{HOST}/{url.removeprefix(start)}": (row["change"], row["submit"])
        for url, row in changes.items()
        if url.startswith(start)
    }
    assert found == CASES[name][2]


def test_nothing_else_changed(changes: Mapping[str, Mapping[str, Any]]) -> None:
    assert len(changes) == sum(len(expected) for _, _, expected in CASES.values())


def test_a_moved_url_names_its_earlier_address_and_a_redirected_one_its_target(
    changes: Mapping[str, Mapping[str, Any]],
) -> None:
    start = f"{HOST}/moved-with-redirect"
    moved, redirected = changes[f"{start}/b"], changes[f"{start}/a"]
    assert (moved["previous_url"], moved["final_url"]) == (f"{start}/a", None)
    assert (redirected["previous_url"], redirected["final_url"]) == (None, f"{start}/b")
    assert (redirected["before"], redirected["after"]) == ("indexable", "redirected")


def test_the_similarity_of_contents(changes: Mapping[str, Mapping[str, Any]]) -> None:
    row = changes[f"{HOST}/half-of-the-content/a"]
    assert row["similarity"] == pytest.approx(1 / 3, abs=0.15)


@pytest.mark.parametrize(("min_change", "found"), [(0.0, {A}), (0.05, set()), (1.0, set())])
def test_the_smallest_change_of_a_content_that_counts(
    min_change: float, found: set[str], tmp_path: Path
) -> None:
    before, after, _ = CASES["a-date"]
    assert changed(tmp_path, before, after, min_change)[1].keys() == found


UNREAD = Sitemap(SITEMAP, kind=Kind.UNKNOWN, status=503)
OTHER = f"{HOST}/other.xml"


@pytest.mark.parametrize("unread", [UNREAD, Sitemap(SITEMAP, error=Error.TIMEOUT)])
def test_a_url_of_a_sitemap_that_was_not_read_is_neither_new_nor_removed(
    unread: Sitemap, tmp_path: Path
) -> None:
    full = [*listing(A), page(A), *listing(B, sitemap=OTHER), page(B)]
    rest = [unread, *listing(B, sitemap=OTHER), page(B)]
    for name, before, after in (("new", rest, full), ("removed", full, rest)):
        counted, rows = changed(tmp_path / name, before, after)
        assert rows == {}
        assert counted.unknown == 1


def test_a_sitemap_that_a_broken_index_listed_is_not_known_to_be_gone(tmp_path: Path) -> None:
    index = f"{HOST}/index.xml"
    before = [*listing(A), page(A), *listing(B, sitemap=OTHER)]
    broken = replace(UNREAD, sitemap=index)
    assert changed(tmp_path / "broken", before, [broken, *listing(B, sitemap=OTHER)])[1] == {}
    _, rows = changed(tmp_path / "gone", before, listing(B, sitemap=OTHER))
    assert rows[A]["change"] == "removed"


def test_a_url_of_a_file_that_was_read_is_known_although_another_was_not(tmp_path: Path) -> None:
    broken = replace(UNREAD, sitemap=OTHER)
    _, rows = changed(tmp_path, [broken, *listing(A)], [broken, *listing(A, B)])
    assert rows[B]["change"] == "new"


def test_a_stopped_run_does_not_know_what_is_no_longer_listed(tmp_path: Path) -> None:
    before = [*listing(A, sitemap=OTHER), *listing(B)]
    counted, rows = changed(tmp_path, before, listing(B), reason="it was stopped")
    assert rows == {}
    assert counted.unknown == 2


def test_numbers_examples_and_the_csv_file(tmp_path: Path) -> None:
    urls = [f"{HOST}/{number:02}" for number in range(12)]
    build_run(tmp_path / "1", [*listing(A, B, D), page(A)])
    build_run(tmp_path / "2", [*listing(A, D, *urls), bare(A, 404), *map(page, urls)])
    file = tmp_path / "changes.csv"

    def use(connection: duckdb.DuckDBPyConnection) -> Changed:
        write_changed(connection, file)
        return count_changed(connection, 2)

    counted = find_changed(tmp_path / "1", tmp_path / "2", 256, MIN_CHANGE, use)
    assert list(counted.counts.items()) == [("new", 12), ("gone", 1), ("removed", 1)]
    assert counted.examples[Change.NEW] == [(urls[0], None), (urls[1], None)]
    assert (counted.unknown, counted.submitted) == (1, 13)
    with file.open(encoding="utf-8-sig", newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert [row["change"] for row in rows] == ["new"] * 12 + ["gone", "removed"]
    assert (rows[12]["before"], rows[12]["after"], rows[12]["submit"]) == (
        "indexable",
        "not-found",
        "true",
    )

"""The dataset of orphans: which pages they are, how certain that is, what could link to them."""

from pathlib import Path
from typing import Any

import pytest

from sitemapaudit.datasets.links import suggestions as link_suggestions
from sitemapaudit.items import Page, Role
from sitemapaudit.runs.ledger.records import ReadItem
from tests.pages.responses import SITE, blocked
from tests.rules.site.linked import ARGUMENTS, HOME, READ, ROBOTS
from tests.rules.tables import Item
from tests.support.rows import fetched_page, linked_page, listed
from tests.support.runs import build_run

BLUE, RED = "0f" * 32, "f0" * 32
"""Fingerprints of two texts with nothing in common."""


def page(path: str, *targets: str, **values: Any) -> ReadItem[Page]:
    return linked_page(f"{SITE}/{path}", *(f"{SITE}/{target}" for target in targets), **values)


def items(*pages: ReadItem[Page]) -> list[Item]:
    locs = [each.item.url for each in pages if each.item.role is Role.LISTED]
    return [ROBOTS, READ, listed(*locs), *pages]


def suggested(folder: Path, *pages: ReadItem[Page]) -> dict[str, list[str]]:
    """Return the paths of orphans, and those of the pages that could link to each."""
    frame = build_run(folder, items(*pages), **ARGUMENTS).orphans
    rows = zip(frame["url"], frame["suggestions"], strict=True)
    return {_path(url): [_path(each) for each in found] for url, found in rows}


def _path(url: str) -> str:
    return url.removeprefix(f"{SITE}/")


def test_orphans_are_rows_with_their_kind_and_section(tmp_path: Path) -> None:
    pages = [page("", "a"), page("a"), page("shop/x"), page("shop/y", "shop/z"), page("shop/z")]
    orphans = build_run(tmp_path, items(*pages), **ARGUMENTS).orphans
    rows = orphans[["url", "kind", "certain", "section"]].to_numpy().tolist()
    assert rows == [
        [f"{SITE}/shop/x", "no-inlinks", True, f"{SITE}/shop/"],
        [f"{SITE}/shop/y", "no-inlinks", True, f"{SITE}/shop/"],
        [f"{SITE}/shop/z", "unreachable", True, f"{SITE}/shop/"],
    ]


def test_an_incomplete_graph_has_candidates(tmp_path: Path) -> None:
    rows = [*items(page(""), page("a")), listed(f"{SITE}/b", sitemap=f"{SITE}/b.xml")]
    run = build_run(tmp_path, [*rows, blocked(f"{SITE}/b")], **ARGUMENTS)
    assert run.orphans[["url", "certain"]].to_numpy().tolist() == [[f"{SITE}/a", False]]


def test_a_page_above_comes_first_then_the_most_similar_text_of_the_folder(tmp_path: Path) -> None:
    linked = ("shop/", "shop/a", "shop/b", "shop/c", "blog/d")
    pages = [
        page("", *linked),
        page("shop/", fingerprint=RED),
        page("shop/a", fingerprint=RED),
        page("shop/b", fingerprint=BLUE),
        page("shop/c"),
        page("blog/d", fingerprint=BLUE),
        page("shop/lost", fingerprint=BLUE),
    ]
    assert suggested(tmp_path, *pages) == {"shop/lost": ["shop/", "shop/b", "shop/a"]}


def test_the_folder_comes_before_the_one_above_and_the_section(tmp_path: Path) -> None:
    linked = ("s/x/near", "s/above", "s/y/other")
    pages = [page("", *linked), *map(page, linked), page("s/x/lost")]
    assert suggested(tmp_path, *pages) == {"s/x/lost": ["s/x/near", "s/above", "s/y/other"]}


def test_a_page_at_the_root_gets_other_pages_of_the_root(tmp_path: Path) -> None:
    pages = [page("", "a", "shop/b"), page("a"), page("shop/b"), page("lost?id=/x/")]
    assert suggested(tmp_path, *pages) == {"lost?id=/x/": ["", "a"]}


@pytest.mark.parametrize(
    "values", [{"noindex": True}, {"status": 404}, {"canonical": HOME}], ids=str
)
def test_only_indexable_pages_are_suggested(tmp_path: Path, values: dict[str, Any]) -> None:
    pages = [page("", "s/a"), page("s/a", **values), page("s/lost")]
    assert suggested(tmp_path, *pages) == {"s/lost": []}


def test_orphans_and_what_only_they_link_to_are_not_suggested(tmp_path: Path) -> None:
    unlisted = page("s/unlisted", role=Role.CANONICAL)
    pages = [page(""), page("s/a", "s/b"), page("s/b"), page("s/c", "s/unlisted"), unlisted]
    assert suggested(tmp_path, *pages) == {"s/a": [], "s/b": [], "s/c": []}


def test_without_a_home_page_any_linked_page_is_suggested(tmp_path: Path) -> None:
    pages = [page("s/a", "s/b"), page("s/b", "s/a"), page("s/lost"), page("s/other")]
    nearest = ["s/a", "s/b"]
    assert suggested(tmp_path, *pages) == {"s/lost": nearest, "s/other": nearest}


def test_the_number_of_compared_pages_is_bounded(tmp_path: Path) -> None:
    many = [f"s/{number:03}" for number in range(link_suggestions.OFFERED + 10)]
    similar = page(many[-1], fingerprint=BLUE)
    pages = [page("", *many), *map(page, many[:-1]), similar, page("s/lost", fingerprint=BLUE)]
    assert suggested(tmp_path, *pages) == {"s/lost": many[:3]}


def test_a_run_without_links_has_no_orphans(tmp_path: Path) -> None:
    run = build_run(tmp_path, [ROBOTS, READ, listed(HOME), fetched_page(HOME)], site=SITE)
    with pytest.raises(FileNotFoundError, match="no orphans; audit with links=record"):
        _ = run.orphans


def test_the_spreadsheet_has_the_suggestions(tmp_path: Path) -> None:
    build_run(tmp_path, items(page("", "a"), page("a"), page("lost")), **ARGUMENTS)
    line = f"{SITE}/lost,no-inlinks,true,{SITE}/,{SITE}/ {SITE}/a"
    assert (tmp_path / "orphans.csv").read_text(encoding="utf-8-sig").splitlines()[1:] == [line]

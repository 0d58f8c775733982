"""A cause that both runs merged into one finding: the URLs that only one of them has are news."""

from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from sitemapaudit.items import Statement
from tests.comparison.runs import HOST, Row, found_between
from tests.support.commands import run_in_process
from tests.support.rows import NOW, fetched_page, listed

RULE = "noindex-meta"
PAGES = 300
MESSAGE = "says noindex in a meta robots tag"


def site(
    hidden: Collection[int], denied: Collection[int] = (), pages: int = PAGES
) -> Iterator[Row]:
    """Yield a site of which these pages are noindex, and these deny access."""
    urls = [f"{HOST}/{number}" for number in range(pages)]
    yield listed(*urls)
    for number, url in enumerate(urls):
        if number in denied:
            yield fetched_page(url, 403)
        elif number in hidden:
            noindex = Statement("meta", None, "noindex", NOW, applies=True)
            yield fetched_page(url, noindex=True, statements=[noindex])
        else:
            yield fetched_page(url, noindex=False)


CASES = {
    # Hidden before and after, and how often each change is reported for which first page.
    "one to all": (range(5, 6), range(PAGES), [("new", 0, 298)]),
    "grown": (range(80), range(110), [("new", 100, 29)]),
    "shrunk": (range(110), range(80), [("fixed", 100, 29)]),
    "moved": (range(150), range(20, 250), [("new", 150, 99), ("fixed", 0, 19)]),
    "one more": (range(120), range(121), [("new", 120, 0)]),
    "the same": (range(120), range(120), []),
}


@pytest.mark.parametrize(("before", "after", "expected"), CASES.values(), ids=CASES)
def test_urls_that_one_run_lacks_are_one_difference(
    tmp_path: Path,
    before: Collection[int],
    after: Collection[int],
    expected: list[tuple[str, int, int]],
) -> None:
    found = found_between(tmp_path, RULE, site(before), site(after))
    assert [(row["change"], row["url"], row["message"]) for row in found] == [
        (
            change,
            f"{HOST}/{first}",
            MESSAGE + (f" (and {more} more URL{'s' * (more > 1)})" if more else ""),
        )
        for change, first, more in expected
    ]


def test_new_urls_with_a_known_cause_are_no_difference(tmp_path: Path) -> None:
    few, many = site(range(120), pages=150), site([*range(120), *range(200, 250)])
    assert found_between(tmp_path, RULE, few, many) == []
    few, many = site(range(120), pages=150), site([*range(120), *range(200, 250)])
    assert found_between(tmp_path / "again", RULE, many, few) == []


def test_urls_that_one_run_did_not_check_are_no_difference(tmp_path: Path) -> None:
    assert found_between(tmp_path, RULE, site(range(150)), site(range(150), range(20))) == []
    again = tmp_path / "again"
    assert found_between(again, RULE, site(range(150), range(20)), site(range(150))) == []


def test_a_cause_that_spreads_fails_a_comparison(tmp_path: Path) -> None:
    found_between(tmp_path, RULE, site(range(120)), site(range(130)))
    words = ("--fail-on", "error", str(tmp_path / "1"), str(tmp_path / "2"))
    done = run_in_process("compare", *words)
    assert done.returncode == 1
    assert "1 new, 0 fixed" in done.stdout

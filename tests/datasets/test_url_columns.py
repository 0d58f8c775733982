"""The columns of ``urls`` that readers of a spreadsheet look for first, and the decoded URL."""

import csv
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapaudit import Run
from sitemapaudit.datasets import database
from sitemapaudit.items import Entries, Error, Page, Verdict
from sitemapaudit.urls import normalize
from tests.support.rows import fetched_page, listed
from tests.support.runs import build_run

HOST = "https://www.example.com"
FIRST = (
    *("url", "verdict", "title", "status", "response_seconds", "bytes", "words"),
    *("canonical", "decoded_url"),
)
WIDE = ("\N{FULLWIDTH EQUALS SIGN}1+1", "\N{FULLWIDTH PLUS SIGN}1")
FORMULAS = ("=1+1", "+1", "-1", "@SUM(1)", *WIDE)

DECODED = {
    "https://www.example.com/stra%C3%9Fe": "https://www.example.com/straße",
    "https://xn--bcher-kva.example/": "https://bücher.example/",
    "https://xn--bcher-kva.example:8080/%E6%9B%B8?q=%C3%A4": "https://bücher.example:8080/書?q=ä",
    "https://xn--fiqs8s.xn--bcher-kva.example/xn--bcher-kva": "https://中国.bücher.example/xn--bcher-kva",
    # ASCII characters that are encoded mean something else when they are not.
    "https://www.example.com/a%2Fb%20%C3%9F%25C3?q=%26+1": "https://www.example.com/a%2Fb%20ß%25C3?q=%26+1",
    # Not UTF-8.
    "https://www.example.com/%FF%C3%9F": None,
    # Invisible characters, and one that turns the text around.
    "https://www.example.com/%C2%A0": None,
    "https://www.example.com/%E2%80%AEgnp.exe": None,
    "https://www.example.com/%E2%80%8B": None,
    "https://www.example.com/%F3%A0%81%81": None,
    # A host with a symbol, and one that is not valid.
    "https://xn--ls8h.example/": None,
    "https://[2001:db8::1]/": None,
}  # fmt: skip
"""URLs and what they become, or None if they stay as they are."""


def cells_of(run: Run) -> list[dict[str, str]]:
    """Return the rows of the CSV file of listed URLs."""
    with (run.path / "urls.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_what_readers_look_for_comes_first(tmp_path: Path) -> None:
    canonical = f"{HOST}/b"
    page = fetched_page(
        f"{HOST}/%C3%A4", title="Ä", elapsed=0.25, bytes=1_000, words=70, canonical=canonical
    )
    run = build_run(tmp_path, [listed(page.url), page])
    (found,) = cells_of(run)
    assert list(found)[: len(FIRST)] == list(run.urls)[: len(FIRST)] == [*FIRST]
    values = (page.url, page.verdict, "Ä", "200", "0.25", "1000", "70", canonical, f"{HOST}/ä")
    assert tuple(found[name] for name in FIRST) == values


def test_they_are_those_of_its_own_response(tmp_path: Path) -> None:
    """A URL that redirects has no title, and one that was not reached has no status."""
    start, end, missing = (f"{HOST}/{name}" for name in ("start", "end", "missing"))
    items: list[Entries | Page] = [
        listed(start, missing),
        fetched_page(start, 301, target=end, elapsed=0.5, bytes=0),
        fetched_page(end, title="End", elapsed=1.0, bytes=9, words=5),
        fetched_page(missing, None, error=Error.TIMEOUT),
    ]
    timeout, redirect = cells_of(build_run(tmp_path, items))
    assert [redirect[name] for name in FIRST[2:7]] == ["", "301", "0.5", "0", ""]
    assert [timeout[name] for name in FIRST[1:8]] == [Verdict.UNREACHABLE, *[""] * 6]


def test_a_title_is_not_a_formula(tmp_path: Path) -> None:
    pages = [fetched_page(f"{HOST}/{at}", title=text) for at, text in enumerate(FORMULAS)]
    rows = cells_of(build_run(tmp_path, [listed(*(page.url for page in pages)), *pages]))
    assert [row["title"] for row in rows] == [f"'{text}" for text in FORMULAS]


@pytest.mark.parametrize("pages", [True, False])
@pytest.mark.parametrize("small", [True, False])
def test_urls_are_decoded(
    small: bool, pages: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tables of a small run, of a large one, and of one without pages."""
    if not small:
        monkeypatch.setattr(database, "SMALL_TABLE", 0)
    fetched = [fetched_page(url) for url in DECODED] if pages else []
    run = build_run(tmp_path, [*(listed(url) for url in DECODED), *fetched])
    found = dict(zip(run.urls["url"], run.urls["decoded_url"], strict=True))
    assert found == {url: decoded or url for url, decoded in DECODED.items()}


LOCS = st.builds(
    "https://{}.example/{}?{}".format,
    st.sampled_from(["www", "bücher", "中国.bücher", "xn--ls8h", "faß"]),
    *[st.text(st.characters(codec="utf-8") | st.sampled_from("%ß/?&+;=.%")) for _ in range(2)],
)


TURNING = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
"""Bidirectional classes of the characters that change the direction of others."""


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with database.connect() as opened:
        yield opened


@given(st.lists(LOCS, min_size=1, max_size=20))
def test_the_normal_form_of_a_decoded_url_is_the_url(
    connection: duckdb.DuckDBPyConnection, locs: list[str]
) -> None:
    urls = [url for loc in locs if (url := normalize(loc))]
    query = "select url, readable_url(url) from (select unnest($urls) as url)"
    for url, decoded in connection.execute(query, {"urls": urls}).fetchall():
        assert normalize(decoded) == url
        assert not {*map(unicodedata.category, decoded)} & {"Cc", "Co", "Zs", "Zl", "Zp"}
        assert not {*map(unicodedata.bidirectional, decoded)} & TURNING

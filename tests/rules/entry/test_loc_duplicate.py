"""loc-duplicate: a normalised loc stands at least twice in one sitemap; each repeat is told."""

from pathlib import Path

import pytest

from sitemapaudit import Run
from sitemapaudit.items import Entries
from tests.rules.sitemap.files import (
    atom,
    atom_entry,
    entries_of,
    index,
    item,
    rss,
    url,
    urlset,
)
from tests.support import SITEMAP, build_run, rule_on

A = "https://www.example.com/a"
B = "https://www.example.com/b"
SECOND = "https://www.example.com/second.xml"


def run_of(folder: Path, **files: str) -> Run:
    """Return a run over sitemaps whose names end in ``.xml``."""
    addresses = {f"https://www.example.com/{name}.xml": body for name, body in files.items()}
    return build_run(
        folder, [Entries(at, entries_of(body, at=at)) for at, body in addresses.items()]
    )


def positions(run: Run) -> list[tuple[str, int]]:
    """Return file and position of each finding."""
    rows = run.findings[run.findings["rule"] == "loc-duplicate"]
    places = zip(rows["sitemap"], rows["position"], strict=True)
    return sorted((sitemap, int(position)) for sitemap, position in places)


@pytest.mark.parametrize(
    ("locs", "expected"),
    [
        ([A], []),
        ([A, B], []),
        ([A, A], [2]),
        ([A, B, A], [3]),
        ([A, A, A], [2, 3]),
        ([A, B, B, A], [3, 4]),
        ([B, A, B, A, B], [3, 4, 5]),
    ],
)
def test_each_repeat_has_its_position(tmp_path: Path, locs: list[str], expected: list[int]) -> None:
    run = run_of(tmp_path, sitemap=urlset(*map(url, locs)))
    assert positions(run) == [(SITEMAP, position) for position in expected]


@pytest.mark.parametrize(
    "same",
    [
        f" {A}\n",
        f"{A}#top",
        f"{A}#",
        "HTTPS://WWW.Example.COM/a",
        "https://www.example.com:443/a",
        "https://www.example.com/%61",
        "https://www.example.com/./a",
    ],
)
def test_spellings_of_one_url(tmp_path: Path, same: str) -> None:
    assert positions(run_of(tmp_path, sitemap=urlset(url(A), url(same)))) == [(SITEMAP, 2)]


@pytest.mark.parametrize(
    "pair",
    [
        (A, f"{A}/"),
        (A, "https://www.example.com/A"),
        (A, "http://www.example.com/a"),
        (A, "https://example.com/a"),
        (A, "https://www.example.com:8443/a"),
        (A, f"{A}?"),
        (f"{A}?x=1&amp;y=2", f"{A}?y=2&amp;x=1"),
        ("https://www.example.com/", "https://www.example.com/index.html"),
        ("https://www.example.com/%2F", "https://www.example.com//"),
    ],
)
def test_different_urls(tmp_path: Path, pair: tuple[str, str]) -> None:
    assert positions(run_of(tmp_path, sitemap=urlset(*map(url, pair)))) == []


def test_percent_triplets_differ_only_in_case(tmp_path: Path) -> None:
    body = urlset(url(f"{A}/%c3%a4"), url(f"{A}/%C3%A4"), url(f"{A}/ä"))
    assert positions(run_of(tmp_path, sitemap=body)) == [(SITEMAP, 2), (SITEMAP, 3)]


def test_two_sitemaps_may_list_the_same(tmp_path: Path) -> None:
    assert positions(run_of(tmp_path, sitemap=urlset(url(A)), second=urlset(url(A)))) == []


def test_each_sitemap_is_judged_by_itself(tmp_path: Path) -> None:
    run = run_of(
        tmp_path,
        sitemap=urlset(url(B), url(A)),
        second=urlset(url(A), url(B), url(A)),
    )
    assert positions(run) == [(SECOND, 3)]


@pytest.mark.parametrize(
    "body",
    [
        f"{A}\n{A}\n",
        f"{A}\n\n\n{A}\n",
        rss(item(A), item(A)),
        atom(atom_entry(A), atom_entry(A)),
        urlset(url(f"{A}?x&y"), url(f"{A}?x&y")),
    ],
)
def test_in_every_format(tmp_path: Path, body: str) -> None:
    assert positions(run_of(tmp_path, sitemap=body)) == [(SITEMAP, 2)]


@pytest.mark.parametrize(
    "body",
    [
        index(A, A),
        urlset("<url/>", "<url/>"),
        urlset(url(""), url("")),
        urlset(url("/a"), url("/a")),
        urlset(url("ftp://a/b"), url("ftp://a/b")),
    ],
)
def test_what_is_no_listed_url_cannot_repeat(tmp_path: Path, body: str) -> None:
    assert positions(run_of(tmp_path, sitemap=body)) == []


def test_the_children_of_an_index_are_judged_elsewhere(tmp_path: Path) -> None:
    run = run_of(tmp_path, sitemap=urlset(url(A), url(A)), second=index(A, A))
    assert positions(run) == [(SITEMAP, 2)]


def test_message_names_the_first(tmp_path: Path) -> None:
    run = run_of(tmp_path, sitemap=urlset(url(B), url(A), url(f"{A}#x"), url(A)))
    assert rule_on(run, "loc-duplicate") == [(A, "warning", "repeats entry 2")] * 2

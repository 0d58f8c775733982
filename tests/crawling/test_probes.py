"""One random URL per host is fetched, and only if a page must be compared with it."""

import re

import pytest

from sitemapaudit.crawling.probes import Probes
from sitemapaudit.hosts.host import HostTable
from sitemapaudit.items import Page, Role
from tests.pages.responses import SITE, URL, WITHHELD, canonical, page_of, redirect, withheld

B = f"{SITE}/b"
RANDOM = re.compile(re.escape(SITE) + "/[0-9a-f]{24}")


def text(words: int, more: str = "", of: str = "w") -> str:
    """Return a document with a number of words of main text."""
    main = " ".join(f"{of}{number}" for number in range(words))
    return f"<html><head><title>A</title>{more}</head><body><p>{main}</p></body></html>"


def probed_after(*pages: Page) -> list[bool]:
    """Return after which of these pages a random URL is fetched."""
    probes = Probes(HostTable())
    return [probes.probe_for(page) is not None for page in pages]


@pytest.mark.parametrize(("words", "expected"), [(1, True), (149, True), (150, False), (0, False)])
def test_a_page_with_little_text(words: int, expected: bool) -> None:
    assert probed_after(page_of(text(words))) == [expected]


def test_a_page_with_the_text_of_another() -> None:
    assert probed_after(page_of(text(150)), page_of(text(150), at=B)) == [False, True]
    assert probed_after(page_of(text(150)), page_of(text(150, of="v"), at=B)) == [False, False]
    assert probed_after(page_of(text(150)), page_of(text(151), at=B)) == [False, False]


def test_a_page_with_the_text_of_a_page_on_another_host() -> None:
    other = page_of(text(150), at="https://other.example/a")
    assert probed_after(page_of(text(150)), other) == [False, False]


def test_one_url_per_host() -> None:
    places = [URL, B, "https://other.example/a", "http://www.example.com/a", f"{SITE}/c"]
    pages = [page_of(text(20), at=at) for at in places]
    assert probed_after(*pages) == [True, False, True, True, False]


def test_the_first_page_that_needs_the_comparison() -> None:
    pages = [page_of(text(words), at=f"{SITE}/{words}") for words in (200, 300, 20, 30)]
    assert probed_after(*pages) == [False, False, True, False]


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.LISTED])
def test_a_page_that_is_not_listed_needs_no_comparison(role: Role) -> None:
    assert probed_after(page_of(text(20), role=role)) == [False]


@pytest.mark.parametrize(
    "page",
    [
        page_of(text(20, '<meta name="robots" content="noindex">')),
        page_of(text(20), "X-Robots-Tag: noindex"),
        page_of(text(20, canonical(B))),
        page_of(text(20).replace("<title>A", "<title>Page not found")),
        page_of(text(20), status=404),
        redirect(URL, B),
    ],
    ids=["noindex", "noindex-header", "canonicalized", "soft-404", "not-found", "redirected"],
)
def test_a_page_that_is_not_indexable_needs_no_comparison(page: Page) -> None:
    assert probed_after(page) == [False]


@pytest.mark.parametrize("reason", WITHHELD)
def test_an_unreadable_page_needs_no_comparison(reason: str) -> None:
    assert probed_after(withheld(reason, text(20))) == [False]


@pytest.mark.parametrize("media", ["application/pdf", "text/plain", "image/png"])
def test_a_page_that_is_not_html_needs_no_comparison(media: str) -> None:
    assert probed_after(page_of(text(20), media=media)) == [False]


def test_the_url_is_random_and_names_the_page_that_needs_it() -> None:
    tasks = [Probes(HostTable()).probe_for(page_of(text(20))) for _ in range(2)]
    first, second = (task for task in tasks if task is not None)
    assert first.url != second.url
    assert RANDOM.fullmatch(first.url)
    assert (first.role, first.via) == (Role.PROBE, URL)

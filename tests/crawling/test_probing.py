"""A random address is asked for once a host, and only where a page is to be compared with it."""

import re

import pytest

from sitemapaudit.crawling.probing import Probes
from sitemapaudit.items import Page, Role
from tests.pages.answers import SITE, URL, WITHHELD, canonical, page_of, redirect, withheld

B = f"{SITE}/b"
RANDOM = re.compile(re.escape(SITE) + "/[0-9a-f]{24}")


def text(words: int, more: str = "", of: str = "w") -> str:
    """Return a document with so many words of main text."""
    main = " ".join(f"{of}{number}" for number in range(words))
    return f"<html><head><title>A</title>{more}</head><body><p>{main}</p></body></html>"


def wanted(*pages: Page) -> list[bool]:
    """Return after which of these pages a random address is asked for."""
    probes = Probes()
    return [probes.wanted(page) is not None for page in pages]


@pytest.mark.parametrize(("words", "expected"), [(1, True), (149, True), (150, False), (0, False)])
def test_a_thin_text(words: int, expected: bool) -> None:
    assert wanted(page_of(text(words))) == [expected]


def test_a_text_that_is_repeated() -> None:
    assert wanted(page_of(text(150)), page_of(text(150), at=B)) == [False, True]
    assert wanted(page_of(text(150)), page_of(text(150, of="v"), at=B)) == [False, False]
    assert wanted(page_of(text(150)), page_of(text(151), at=B)) == [False, False]


def test_a_text_that_stands_on_another_host_as_well_is_not_repeated() -> None:
    other = page_of(text(150), at="https://other.example/a")
    assert wanted(page_of(text(150)), other) == [False, False]


def test_once_for_each_host() -> None:
    places = [URL, B, "https://other.example/a", "http://www.example.com/a", f"{SITE}/c"]
    pages = [page_of(text(20), at=at) for at in places]
    assert wanted(*pages) == [True, False, True, True, False]


def test_the_first_page_that_needs_it_asks() -> None:
    pages = [page_of(text(words), at=f"{SITE}/{words}") for words in (200, 300, 20, 30)]
    assert wanted(*pages) == [False, False, True, False]


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.LISTED])
def test_only_for_listed_pages(role: Role) -> None:
    assert wanted(page_of(text(20), role=role)) == [False]


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
def test_only_for_indexable_pages(page: Page) -> None:
    assert wanted(page) == [False]


@pytest.mark.parametrize("how", WITHHELD)
def test_not_for_pages_that_are_not_known(how: str) -> None:
    assert wanted(withheld(how, text(20))) == [False]


@pytest.mark.parametrize("media", ["application/pdf", "text/plain", "image/png"])
def test_only_for_html(media: str) -> None:
    assert wanted(page_of(text(20), media=media)) == [False]


def test_the_address_is_random_and_says_which_page_wanted_it() -> None:
    asked = [Probes().wanted(page_of(text(20))) for _ in range(2)]
    first, second = (each for each in asked if each is not None)
    assert first.url != second.url
    assert RANDOM.fullmatch(first.url)
    assert (first.role, first.via) == (Role.PROBE, URL)

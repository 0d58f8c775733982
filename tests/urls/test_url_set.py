"""A set of URLs that takes eight bytes per URL behaves like a set."""

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapaudit.urls import url_set
from sitemapaudit.urls.url_set import UrlSet

COUNT = 70_000
"""More URLs than are held before they are merged."""


@pytest.mark.parametrize("recent", [1, 2, 3, 100])
def test_merges_keep_all_urls(monkeypatch: pytest.MonkeyPatch, recent: int) -> None:
    monkeypatch.setattr(url_set, "RECENT", recent)
    urls = UrlSet()
    addresses = [f"https://www.example.com/{number % 37}" for number in range(200)]
    added = [address for address in addresses if urls.add(address)]
    assert added == addresses[:37]
    assert len(urls) == 37
    assert all(address in urls for address in addresses)
    assert "https://www.example.com/other" not in urls


@given(st.lists(st.text(max_size=8)))
def test_it_adds_the_same_urls_as_a_set(addresses: list[str]) -> None:
    urls, known = UrlSet(), set[str]()
    for address in addresses:
        assert urls.add(address) == (address not in known)
        known.add(address)
    assert len(urls) == len(known)


def test_a_url_takes_few_bytes() -> None:
    urls = UrlSet()
    tracemalloc.start()
    for number in range(COUNT):
        urls.add(f"https://www.example.com/{number}")
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size < COUNT * 40  # A set of these strings takes about 150 bytes per URL.

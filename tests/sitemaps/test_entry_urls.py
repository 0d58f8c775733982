"""The addresses of a sitemap that can be fetched."""

import pytest

from sitemapaudit.sitemaps.entry_urls import entry_url


@pytest.mark.parametrize("unreliable", [False, True])
@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (" HTTPS://Example.com\n", "https://example.com/"),
        ("https://example.com/?a=1&b=2;c", "https://example.com/?a=1&b=2;c"),
        ("https://example.com/?a&#top", "https://example.com/?a&"),
        ("/a", None),
        ("", None),
    ],
)
def test_addresses(written: str, expected: str | None, unreliable: bool) -> None:
    assert entry_url(written, unreliable=unreliable) == expected


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("https://example.com/&x;", "https://example.com/&x;"),
        ("https://example.com/&amp;amp;", "https://example.com/&amp;amp;"),
        ("https://example.com/?&#1;", "https://example.com/?&"),
        ("https://example.com/?&#xD800;", "https://example.com/?&"),
        ("https://example.com/\ufffd", "https://example.com/%EF%BF%BD"),
        ("https://example.com/a</loc", "https://example.com/a%3C/loc"),
    ],
)
def test_an_address_with_unreadable_parts_has_no_url(written: str, url: str) -> None:
    assert entry_url(written, unreliable=False) == url
    assert entry_url(written, unreliable=True) is None

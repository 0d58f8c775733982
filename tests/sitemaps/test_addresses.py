"""addresses: which addresses of a sitemap can be asked for."""

import pytest

from sitemapaudit.sitemaps.addresses import url_of


@pytest.mark.parametrize("doubtful", [False, True])
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
def test_address(written: str, expected: str | None, doubtful: bool) -> None:
    assert url_of(written, doubtful=doubtful) == expected


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
def test_what_could_not_be_read_is_nobodys_address(written: str, url: str) -> None:
    assert url_of(written, doubtful=False) == url
    assert url_of(written, doubtful=True) is None

"""loc-escaped-twice: percent signs or ampersands that were escaped again."""

from xml.sax.saxutils import escape

import pytest

from sitemapaudit.items import Entries
from tests.rules.sitemap.files import entries_of, url, urlset
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "loc-escaped-twice"
HOST = "https://www.example.com"


def example() -> list[Entries]:
    """Return an entry whose loc is percent-encoded twice."""
    return [Entries(SITEMAP, entries_of(urlset(url(f"{HOST}/2016/caf%25C3%25A9"))))]


@pytest.mark.parametrize(
    ("loc", "once"),
    [
        ("/2016/Go%25E8%25AF%25AD/", "/2016/Go%E8%AF%AD/"),
        ("/caf%25c3%25a9", "/caf%c3%a9"),
        ("/two%2520words", "/two%20words"),
        ("/a?b=1&amp;c=2", "/a?b=1&c=2"),
        ("/%25C3%25A9?a=1&amp;b=%25C3%25A9", "/%C3%A9?a=1&b=%25C3%25A9"),
    ],
)
def test_escaped_twice(loc: str, once: str) -> None:
    (entry,) = entries_of(urlset(url(escape(HOST + loc))))
    (finding,) = found(RULE, entry)
    assert finding.severity == "warning"
    assert finding.message == f"loc is escaped twice; it probably means {HOST}{once}"


@pytest.mark.parametrize(
    "loc",
    [
        "/2016/Go%E8%AF%AD/",
        "/100%25",
        "/100%25/a",
        "/%25E8",  # Half of a character.
        "/proxy/https%253A%252F%252Fexample.net",
        "/login?next=%252Fcaf%25C3%25A9",
        "/a?b=1&c=2",
        "/a?b=&amplitude=2",
    ],
)
def test_escaped_once(loc: str) -> None:
    (entry,) = entries_of(urlset(url(escape(HOST + loc))))
    assert severities(RULE, entry) == []

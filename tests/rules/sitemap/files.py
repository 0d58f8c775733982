"""Sitemap files written by hand, and the rows and entries that the reader makes of them."""

import gzip
from collections.abc import Iterable

from sitemapaudit.answer import Answer
from sitemapaudit.audit import Audit
from sitemapaudit.items import Entry, Error, Sitemap
from sitemapaudit.sitemaps.reader import HARD_CAP, SitemapReader
from tests.support import NOW, SITEMAP

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
PAGE = "https://www.example.com/a"


def answer(
    body: str | bytes = "",
    status: int | None = 200,
    *,
    at: str = SITEMAP,
    error: Error | None = None,
    detail: str | None = None,
    encoding: str | None = None,
    retries: int = 0,
    cut: bool = False,
) -> Answer:
    """Return what a server said: by default XML, and with status 200."""
    headers = {"content-type": ["application/xml"]}
    if encoding is not None:
        headers["content-encoding"] = [encoding]
    content = body.encode() if isinstance(body, str) else body
    return Answer(
        at, status, headers, content, error, detail, cut=cut, retries=retries, fetched_at=NOW
    )


def read(said: Answer, row: Sitemap | None = None, cap: int = HARD_CAP) -> Sitemap:
    """Return the row of a sitemap that was read to its end."""
    row = row or Sitemap(said.url)
    for _ in SitemapReader(said, row, cap=cap):
        pass
    return row


def row_of(body: str | bytes, *, at: str = SITEMAP) -> Sitemap:
    """Return the row of a file that answers 200."""
    return read(answer(body, at=at))


def entries_of(body: str | bytes, *, at: str = SITEMAP) -> list[Entry]:
    """Return the entries of a file that answers 200."""
    return list(SitemapReader(answer(body, at=at), Sitemap(at)))


def rules_on(row: Sitemap) -> list[str]:
    """Return the ids of all rules that find something on a row."""
    return [finding.rule for finding in Audit().examine(row)]


def url(loc: str = PAGE, more: str = "") -> str:
    """Return an entry; what is passed in stands in the file as it is."""
    return f"<url><loc>{loc}</loc>{more}</url>"


def urlset(*entries: str, namespace: str = NAMESPACE) -> str:
    """Return a urlset, an entry a line."""
    return _document("urlset", namespace, entries)


def index(*locs: str, namespace: str = NAMESPACE) -> str:
    """Return a sitemapindex, a child a line."""
    children = (f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return _document("sitemapindex", namespace, children)


def rss(*items: str, version: str = "2.0") -> str:
    """Return a feed in RSS."""
    return f'{DECLARATION}<rss version="{version}"><channel>{"".join(items)}</channel></rss>'


def item(loc: str = PAGE) -> str:
    """Return an item of an RSS feed."""
    return f"<item><link>{loc}</link></item>"


def atom(*entries: str, namespace: str = "http://www.w3.org/2005/Atom") -> str:
    """Return a feed in Atom."""
    return f'{DECLARATION}<feed xmlns="{namespace}">{"".join(entries)}</feed>'


def atom_entry(loc: str = PAGE) -> str:
    """Return an entry of an Atom feed."""
    return f'<entry><link href="{loc}"/></entry>'


def compressed(body: str | bytes) -> bytes:
    """Return a gzip file, the same at any time."""
    return gzip.compress(body.encode() if isinstance(body, str) else body, mtime=0)


def _document(root: str, namespace: str, children: Iterable[str]) -> str:
    lines = "".join(f"{child}\n" for child in children)
    return f'{DECLARATION}<{root} xmlns="{namespace}">\n{lines}</{root}>\n'

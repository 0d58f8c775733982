"""Hand-written sitemap files, and the rows and entries that the reader returns for them."""

import gzip
from collections.abc import Iterable

from sitemapaudit.audit import Audit
from sitemapaudit.http.response import Response
from sitemapaudit.items import Entry, Error, Sitemap
from sitemapaudit.sitemaps.sitemap_reader import HARD_LIMIT, SitemapReader
from tests.support.rows import NOW, SITEMAP

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
PAGE = "https://www.example.com/a"


def response(
    body: str | bytes = "",
    status: int | None = 200,
    *,
    at: str = SITEMAP,
    error: Error | None = None,
    detail: str | None = None,
    encoding: str | None = None,
    retries: int = 0,
    truncated: bool = False,
) -> Response:
    """Return a response of a server: by default XML with status 200."""
    headers = {"content-type": ["application/xml"]}
    if encoding is not None:
        headers["content-encoding"] = [encoding]
    content = body.encode() if isinstance(body, str) else body
    return Response(
        at,
        status,
        headers,
        content,
        error,
        detail,
        truncated=truncated,
        retries=retries,
        fetched_at=NOW,
    )


def read(response: Response, row: Sitemap | None = None, limit: int = HARD_LIMIT) -> Sitemap:
    """Return the row of a sitemap that was read completely."""
    row = row or Sitemap(response.url)
    for _ in SitemapReader(response, row, limit=limit):
        pass
    return row


def row_of(body: str | bytes, *, at: str = SITEMAP) -> Sitemap:
    """Return the row of a file that returns 200."""
    return read(response(body, at=at))


def entries_of(body: str | bytes, *, at: str = SITEMAP) -> list[Entry]:
    """Return the entries of a file that returns 200."""
    return list(SitemapReader(response(body, at=at), Sitemap(at)))


def rules_on(row: Sitemap) -> list[str]:
    """Return the ids of all rules with findings on a row."""
    return [finding.rule for finding in Audit().examine(row)]


def url(loc: str = PAGE, more: str = "") -> str:
    """Return an entry; the arguments are inserted without escaping."""
    return f"<url><loc>{loc}</loc>{more}</url>"


def urlset(*entries: str, namespace: str = NAMESPACE) -> str:
    """Return a urlset with one entry per line."""
    return _document("urlset", namespace, entries)


def index(*locs: str, namespace: str = NAMESPACE) -> str:
    """Return a sitemapindex with one child per line."""
    children = (f"<sitemap><loc>{loc}</loc></sitemap>" for loc in locs)
    return _document("sitemapindex", namespace, children)


def rss(*items: str, version: str = "2.0") -> str:
    """Return an RSS feed."""
    return f'{DECLARATION}<rss version="{version}"><channel>{"".join(items)}</channel></rss>'


def item(loc: str = PAGE) -> str:
    """Return an item of an RSS feed."""
    return f"<item><link>{loc}</link></item>"


def atom(*entries: str, namespace: str = "http://www.w3.org/2005/Atom") -> str:
    """Return an Atom feed."""
    return f'{DECLARATION}<feed xmlns="{namespace}">{"".join(entries)}</feed>'


def atom_entry(loc: str = PAGE) -> str:
    """Return an entry of an Atom feed."""
    return f'<entry><link href="{loc}"/></entry>'


def compressed(body: str | bytes) -> bytes:
    """Return a gzip file without a timestamp."""
    return gzip.compress(body.encode() if isinstance(body, str) else body, mtime=0)


def _document(root: str, namespace: str, children: Iterable[str]) -> str:
    lines = "".join(f"{child}\n" for child in children)
    return f'{DECLARATION}<{root} xmlns="{namespace}">\n{lines}</{root}>\n'

"""Demo sitemaps with faults in the file itself, not in single entries."""

import gzip
import io
import zipfile
from collections.abc import Callable, Iterator
from typing import Final

from sitemapaudit.demo.documents import DECLARATION, GZIP, HTML, TEXT, entry, urlset, xml
from sitemapaudit.demo.server import Reply
from sitemapaudit.sitemaps.dialects import NAMESPACE

MalformedFile = tuple[str, Callable[[], Reply], tuple[str, ...]]
"""A path, the function that makes its reply, and the rules that must report the file."""

_RSS: Final = ("Content-Type", "application/rss+xml")


def malformed_files(shop: str) -> Iterator[MalformedFile]:
    """Yield files that break the sitemap format, or that no reader can parse."""
    yield from _unreadable(shop)
    yield from _odd_xml(shop)
    yield from _odd_elements(shop)
    yield from _text_and_feeds(shop)


def _unreadable(shop: str) -> Iterator[MalformedFile]:
    yield _file("empty.xml", xml("\n"), "sitemap-body-empty")
    yield _file("none.xml", xml(urlset([])), "sitemap-no-entries")
    app = "<!doctype html>\n<title>Demo shop</title>\n<div id=app></div>\n"
    yield _file("app.xml", Reply(app, headers=[HTML]), "sitemap-is-html")
    packed = gzip.compress(_listing(shop, "packed").encode(), mtime=0)
    yield _file("half.xml.gz", Reply(packed[:-8], headers=[GZIP]), "sitemap-gzip-invalid")
    yield _file("zipped.zip", _zipped(_listing(shop, "zipped")), "sitemap-archive-unsupported")
    json = Reply('{"urls": ["/news/json"]}', headers=[TEXT])
    yield _file("data.json", json, "sitemap-format-unknown")


def _odd_xml(shop: str) -> Iterator[MalformedFile]:
    unescaped = f"<url><loc>{shop}/news/search?a=1&b=2</loc><lastmod>2026-05-05</lastmod></url>"
    broken = urlset([entry(f"{shop}/news/before"), unescaped, entry(f"{shop}/news/after")])
    yield _file("ampersand.xml", xml(broken), "sitemap-xml-malformed")
    secure = urlset([entry(f"{shop}/news/namespace")], NAMESPACE.replace("http:", "https:"))
    yield _file("namespace.xml", xml(secure), "sitemap-namespace")
    yield _file(
        "blank-line.xml", xml("\n" + _listing(shop, "blank-line")), "sitemap-leading-content"
    )
    latin = _listing(shop, "latin").replace("UTF-8", "ISO-8859-1")
    yield _file("latin.xml", xml(latin), "sitemap-not-utf8")
    doctype = _listing(shop, "doctype").replace("?>", "?>\n<!DOCTYPE urlset>", 1)
    yield _file("doctype.xml", xml(doctype), "sitemap-doctype")
    mistyped = Reply(_listing(shop, "mistyped"), headers=[HTML])
    yield _file("mistyped.xml", mistyped, "sitemap-content-type")


def _odd_elements(shop: str) -> Iterator[MalformedFile]:
    unknown = entry(f"{shop}/news/unknown", more="<title>Unknown</title>")
    yield _file("elements.xml", xml(urlset([unknown])), "sitemap-element-invalid")
    date_first = f"<url><lastmod>2026-05-06</lastmod><loc>{shop}/news/order</loc></url>"
    yield _file("order.xml", xml(urlset([date_first])), "sitemap-element-order")


def _text_and_feeds(shop: str) -> Iterator[MalformedFile]:
    lines = Reply(f"Our pages:\n{shop}/news/line\n", headers=[TEXT])
    yield _file("lines.txt", lines, "sitemap-text-line-invalid")
    no_extension = Reply(f"{shop}/news/list\n", headers=[TEXT])
    yield _file("list", no_extension, "sitemap-text-extension")
    date = "<pubDate>Mon, 02 Nov 2026 10:00:00 GMT</pubDate>"
    items = f"<item><link>{shop}/news/item</link>{date}</item><item>{date}</item>"
    feed = f'{DECLARATION}\n<rss version="2.0"><channel>{items}</channel></rss>\n'
    yield _file("feed.xml", Reply(feed, headers=[_RSS]), "sitemap-feed-entry-no-link")


def _listing(shop: str, name: str) -> str:
    return urlset([entry(f"{shop}/news/{name}")])


def _file(name: str, reply: Reply, *rules: str) -> MalformedFile:
    return f"/sitemaps/{name}", lambda: reply, rules


def _zipped(document: str) -> Reply:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(zipfile.ZipInfo("sitemap.xml"), document)
    return Reply(buffer.getvalue(), headers=[("Content-Type", "application/zip")])

"""sitemapaudit: its readers of robots.txt, sitemaps and pages, without the crawl around them."""

from collections.abc import Callable, Iterable
from http.client import HTTPConnection
from typing import Any

from sitemapaudit import urls
from sitemapaudit.http.redirects import REDIRECT_STATUSES
from sitemapaudit.http.response import Response
from sitemapaudit.items import Alternate, Entry, Error, Kind, Page, RedirectKind, Robots, Sitemap
from sitemapaudit.items import Verdict as Said
from sitemapaudit.pages.page_reader import read_page
from sitemapaudit.robots.reader import read_robots
from sitemapaudit.sitemaps.sitemap_reader import SitemapReader
from tests.conformance.adapters.process import run
from tests.conformance.cases import Facts
from tests.conformance.facts import NONE, PAGE_FACTS, SITEMAP_FACTS

AGENT = "Googlebot"
MAX_HOPS = 20
Fetch = Callable[[str], Response]
"""Requests one address; a redirect is a response."""

_VIDEO = ("thumbnail_loc", "title", "content_loc", "player_loc", "duration")


class Reader:
    """Reads what a case asks for, with responses from ``fetch``."""

    def __init__(self, fetch: Fetch) -> None:
        self._fetch = fetch

    def read(self, kind: str, start: str) -> Facts:
        """Return the facts of an address."""
        if kind == "page":
            return self._read_page(start)
        if kind == "sitemap":
            return self._read_sitemaps([start])
        declared = self._read_robots(start)
        return self._read_sitemaps(declared, found=declared)

    def _read_robots(self, site: str) -> list[str]:
        url = urls.normalize("/robots.txt", site) or site
        robots = Robots(site, url)
        read_robots(self._follow(url), robots)
        return list(dict.fromkeys(each.url for each in robots.sitemaps if each.url))

    def _read_sitemaps(self, pending: Iterable[str], found: Iterable[str] = ()) -> Facts:
        queue, children, entries = list(pending), list(found), list[Entry]()
        for url in queue:  # It grows.
            row = Sitemap(url)
            for entry in SitemapReader(self._follow(url), row):
                if entry.kind is not Kind.SITEMAPINDEX:
                    entries.append(entry)
                elif entry.url and entry.url not in queue:
                    queue.append(entry.url)
                    children.append(entry.url)
        listed = [entry for entry in entries if entry.url]
        return {
            "urls": [entry.url for entry in listed],
            "sitemaps": children,
            "lastmod": {entry.url: entry.lastmod_at for entry in listed if entry.lastmod_at},
            **{
                name: {entry.url: value.strip() for entry in listed if (value := _of(entry, name))}
                for name in ("changefreq", "priority")
            },
            **_read_extensions(listed),
        }

    def _read_page(self, url: str) -> Facts:
        page = read_page(self._fetch(url), Page(url, allowed=True), AGENT)
        refreshes = [each.url for each in page.redirecting_refreshes if each.source != "script"]
        return {
            "status": page.status,
            "redirect": page.target if page.redirect_kind is RedirectKind.HTTP else NONE,
            "final_url": self._final_url(url),
            "refresh": next(iter(refreshes), NONE),
            "canonical": page.canonical,
            "noindex": page.noindex,
            "nofollow": not {"nofollow", "none"}.isdisjoint(page.directives),
            "alternates": _by_code(page.alternates),
            "soft_404": page.verdict is Said.SOFT_404,
        }

    def _final_url(self, url: str) -> str | None:
        response = self._follow(url)
        return None if response.error else response.url

    def _follow(self, url: str) -> Response:
        """Follow redirects, as the audit does for sitemaps."""
        seen = [url]
        while True:
            response = self._fetch(seen[-1])
            if response.status not in REDIRECT_STATUSES or response.error:
                return response
            target = response.redirect_target()
            if target is None:
                return Response(url, response.status, error=Error.REDIRECT_INVALID)
            if target in seen or len(seen) > MAX_HOPS:
                return Response(url, response.status, error=Error.REDIRECT_LOOP)
            seen.append(target)


def _of(entry: Entry, name: str) -> Any:
    return getattr(entry, name)


def _read_extensions(listed: Iterable[Entry]) -> Facts:
    return {
        "images": {
            entry.url: [image.loc.strip() for image in entry.images if image.loc]
            for entry in listed
        },
        "videos": {
            entry.url: [{name: getattr(video, name) for name in _VIDEO} for video in entry.videos]
            for entry in listed
        },
        "news": {
            entry.url: {
                "name": news.name,
                "language": news.language,
                "title": news.title,
                "published": news.published_at,
            }
            for entry in listed
            for news in entry.news
        },
        "alternates": {
            entry.url: _by_code(each for each in entry.alternates if each.rel == "alternate")
            for entry in listed
        },
    }


def _by_code(alternates: Iterable[Alternate]) -> Facts:
    return {
        each.hreflang: each.url
        for each in alternates
        if each.hreflang and each.url and not each.code_error
    }


def fetch(url: str) -> Response:
    """Request an address of the server of a case."""
    connection = HTTPConnection(urls.authority(url), timeout=5)
    try:
        connection.request("GET", urls.request_target(url))
        received = connection.getresponse()
        headers: dict[str, list[str]] = {}
        for name, value in received.getheaders():
            headers.setdefault(name.lower(), []).append(value.strip())
        return Response(url, received.status, headers, received.read())
    except OSError as error:
        return Response(url, error=Error.REFUSED, error_detail=str(error))
    finally:
        connection.close()


if __name__ == "__main__":
    sitemap_facts = dict.fromkeys(("sitemap", "site"), SITEMAP_FACTS)
    run("sitemapaudit", Reader(fetch).read, {**sitemap_facts, "page": PAGE_FACTS})

"""The password of a site goes to its origin: the same scheme, host and port."""

from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Self

import pytest
from scrapy import Request
from scrapy.utils.test import get_crawler

from sitemapaudit.config import Config
from sitemapaudit.demo.server import LOOPBACK
from sitemapaudit.fetching.site_password import SitePassword
from sitemapaudit.spiders.sitemap import SitemapSpider
from tests.hostile.attacks import urlset
from tests.support.audits import crawl
from tests.support.settings import QUICK

SETTINGS = {"DOWNLOAD_TIMEOUT": 30}


def gets_password(url: str, domain: str | None = None, **arguments: str) -> bool:
    """Return whether a request has a password in an audit with these arguments."""
    settings = {"HTTPAUTH_USER": "user", "HTTPAUTH_PASS": "hush", "HTTPAUTH_DOMAIN": domain}
    crawler = get_crawler(SitemapSpider, settings)
    crawler.spider = SitemapSpider()
    crawler.spider.config = Config.read(arguments, SETTINGS)
    request = Request(url)
    SitePassword.from_crawler(crawler).process_request(request)
    return "Authorization" in request.headers


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example/", True),
        ("https://a.example/page?q=1", True),
        ("https://b.a.example/", False),
        ("http://a.example/", False),
        ("https://a.example:8443/", False),
        ("https://xa.example/", False),
        ("https://a.example.evil.example/", False),
        ("https://evil.example/https://a.example/", False),
        ("https://other.example/", False),
    ],
)
@pytest.mark.parametrize("site", ["https://a.example", "a.example"])
def test_only_the_same_origin_gets_the_password(site: str, url: str, expected: bool) -> None:
    assert gets_password(url, site=site) is expected
    assert gets_password(url, site=f"{site},https://other.example") is expected


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://a.example/", True),
        ("https://www.a.example/", True),
        ("http://a.example/", False),
        ("https://b.a.example/", False),
        ("https://other.example/", False),
    ],
)
def test_a_domain_chooses_among_the_audited_origins(url: str, expected: bool) -> None:
    sites = "https://other.example,https://a.example,https://www.a.example"
    assert gets_password(url, "a.example", site=sites) is expected


def test_a_sitemap_has_an_origin_too() -> None:
    assert gets_password("http://a.example/x", sitemap="http://a.example/sitemap.xml")


class Recorder(ThreadingHTTPServer):
    """A site on loopback that records who sends a password; its sitemap lists other origins too."""

    def __init__(self, listed: Sequence[str] = ()) -> None:
        super().__init__((LOOPBACK, 0), Answer)
        self.origin = f"http://{LOOPBACK}:{self.server_port}"
        self.listed = [f"{self.origin}/page", f"{self.origin}/moved", *listed]
        self.moved_to = listed[0] if listed else self.origin
        self.requests: set[tuple[str, str, bool]] = set()

    def __enter__(self) -> Self:
        Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()


class Answer(BaseHTTPRequestHandler):
    server: Recorder

    def do_GET(self) -> None:
        host = str(self.headers["Host"])
        self.server.requests.add((host, self.path, self.headers["Authorization"] is not None))
        body = {"/robots.txt": "Sitemap: /sitemap.xml", "/sitemap.xml": urlset(self.server.listed)}
        self.send_response(302 if self.path == "/moved" else 200)
        self.send_header("Location", f"{self.server.moved_to}?redirected")
        self.end_headers()
        self.wfile.write(body.get(self.path, "<!doctype html><title>Page</title>").encode())

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def test_servers_see_the_password_only_at_the_audited_origin(tmp_path: Path) -> None:
    with Recorder() as other, Recorder([f"{other.origin}/page"]) as site:
        elsewhere = f"localhost:{site.server_port}"
        site.listed.append(f"http://{elsewhere}/page")
        audited = crawl(
            tmp_path,
            {"site": site.origin},
            {
                "HTTPAUTH_USER": "user",
                "HTTPAUTH_PASS": "hush",
                "AUDIT_PRIVATE_HOSTS": f"{LOOPBACK},localhost",
                **QUICK,
            },
        )
    own, others = f"{LOOPBACK}:{site.server_port}", f"{LOOPBACK}:{other.server_port}"
    assert audited.status == 0
    assert (own, "/page", True) in site.requests
    assert (elsewhere, "/page", False) in site.requests
    assert (others, "/page", False) in other.requests
    assert (others, "/page?redirected", False) in other.requests
    senders = {host for host, _, has_password in site.requests | other.requests if has_password}
    assert senders == {own}

"""The password of a site goes to its origin: the same scheme, host and port."""

import pytest
from scrapy import Request
from scrapy.utils.test import get_crawler

from sitemapaudit.config import Config
from sitemapaudit.crawling.site_password import SitePassword
from sitemapaudit.spiders.sitemap import SitemapSpider

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

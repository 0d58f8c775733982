"""Any robots.txt has a policy; the policy is the same when it is restored from the ledger."""

import math

from sitemapaudit.items import Robots
from sitemapaudit.robots import MAX_BYTES, read_robots, restore_policy
from sitemapaudit.urls import normalize
from tests.fuzzing.message import parse_message
from tests.fuzzing.rows import check_rules, round_trip

WORDS = (
    b"content-encoding: gzip\n", b"status: 404\n", b"User-agent: *\n", b"User-agent: Googlebot\n",
    b"Disallow: /", b"Allow: /", b"Sitemap: https://www.example.com/sitemap.xml\n", b"site-map",
    b"Crawl-delay: ", b"Request-rate: 1/10s 0900-1200", b"Visit-time: ", b"Host: ", b"*", b"$",
    b"#", b"%2F", b"%zz", b"\r", b"\x0b", b"\x1c", b"\xc2\x85", b"\xe2\x80\xa8", b"\xef\xbb\xbf",
    b"nan", b"inf", b"1e999", b"<html>",
)  # fmt: skip

_SITE = "https://www.example.com"
_AGENTS = ("Googlebot", "sitemapaudit", "*", "")
_URLS = (f"{_SITE}/", f"{_SITE}/a?b=c", f"{_SITE}/%C3%A9$", f"{_SITE}/a/b%2Fc.html")


def check(data: bytes) -> None:
    """Read a file, and apply its policy."""
    response = parse_message(data, f"{_SITE}/robots.txt")
    robots = Robots(_SITE, response.url)
    policy = read_robots(response, robots)
    assert robots.bytes is None or robots.bytes <= 2 * MAX_BYTES
    for declared in robots.sitemaps:
        assert declared.line > 0
        assert declared.url is None or declared.url == normalize(declared.url)
    restored = restore_policy(round_trip(robots))
    for agent in _AGENTS:
        delay = policy.crawl_delay(agent)
        assert delay is None or (math.isfinite(delay) and delay >= 0), delay
        assert restored.crawl_delay(agent) == delay
        for url in _URLS:
            assert restored.allows(url, agent) is policy.allows(url, agent)
    check_rules(robots)

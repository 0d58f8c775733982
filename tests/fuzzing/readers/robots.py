"""Any robots.txt allows or forbids, and does so again when it is read from the ledger."""

import math

from sitemapaudit.items import Robots
from sitemapaudit.robots import MAX_BYTES, read_robots, restored_policy
from sitemapaudit.urls import normalise
from tests.fuzzing.message import message
from tests.fuzzing.written import judge, written

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
    """Read a file, and ask it."""
    answer = message(data, f"{_SITE}/robots.txt")
    robots = Robots(_SITE, answer.url)
    policy = read_robots(answer, robots)
    assert robots.bytes is None or robots.bytes <= 2 * MAX_BYTES
    for declared in robots.sitemaps:
        assert declared.line > 0
        assert declared.url is None or declared.url == normalise(declared.url)
    restored = restored_policy(written(robots))
    for agent in _AGENTS:
        delay = policy.crawl_delay(agent)
        assert delay is None or (math.isfinite(delay) and delay >= 0), delay
        assert restored.crawl_delay(agent) == delay
        for url in _URLS:
            assert restored.allows(url, agent) is policy.allows(url, agent)
    judge(robots)

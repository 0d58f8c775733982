"""While a hostile body is read, another host is served: their requests show the order."""

import gzip
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.attacks import urlset
from tests.hostile.host import HTML, TEXT, XML, Host, response
from tests.hostile.website import harmless_page
from tests.support.audits import Audited, crawl
from tests.support.settings import QUICK

PAGES = 8
"""Pages of the other host; they are fetched one by one."""

SLOW_PAGE = gzip.compress(
    b"<title>Slow</title><link rel=canonical href=/next>" + b"<span><div></span></div>" * 20_000
)
"""A page whose open elements are miscounted: it takes seconds to parse."""

SLOW_ROBOTS = gzip.compress(b"map\n" * 120_000)
"""A robots.txt of which each line may declare a sitemap."""


class TwoSites:
    """A harmless site, and a hostile host whose body at ``path`` is slow to read.

    The harmless pages wait for that body, and what it leads to is fetched after it.
    """

    def __init__(self, path: str, body: bytes) -> None:
        self.site, self.hostile = Host(), Host(address="127.0.0.2")
        self._sent = threading.Event()
        self.hostile.responses = {"/robots.txt": response("", TEXT)}
        self.hostile.responses |= {
            each: harmless_page(self.hostile, each) for each in ("/slow", "/next")
        }
        kind = TEXT if path == "/robots.txt" else HTML
        slow = response(body, kind, "Content-Encoding: gzip")

        def send() -> Iterator[bytes | float]:
            yield from slow()
            self._sent.set()

        def wait() -> Iterator[bytes | float]:
            self._sent.wait(60)
            yield from harmless_page(self.site, "/0")()

        self.hostile.responses[path] = send
        pages = [f"/{number}" for number in range(PAGES)]
        self.site.responses = {each: harmless_page(self.site, each) for each in pages}
        self.site.responses["/0"] = wait
        listed = [f"{self.hostile.origin}/slow"]
        listed += [self.site.origin + each for each in pages]
        self.site.responses["/sitemap.xml"] = response(urlset(listed), XML)
        declared = f"Sitemap: {self.site.origin}/sitemap.xml\n"
        self.site.responses["/robots.txt"] = response(declared, TEXT)

    def audit(self, folder: Path) -> Audited:
        settings = {"AUDIT_PRIVATE_HOSTS": "127.0.0.2", "CONCURRENT_REQUESTS_PER_DOMAIN": "1"}
        with self.site, self.hostile:
            return crawl(folder, {"site": self.site.origin}, QUICK | settings)


@pytest.mark.parametrize(
    ("path", "body"), [("/slow", SLOW_PAGE), ("/robots.txt", SLOW_ROBOTS)], ids=["page", "robots"]
)
def test_another_host_is_served_while_a_body_is_read(
    tmp_path: Path, path: str, body: bytes
) -> None:
    sites = TwoSites(path, body)
    audited = sites.audit(tmp_path)
    after = "/slow" if path == "/robots.txt" else "/next"
    (next_hostile,) = (at for requested, at in sites.hostile.requests if requested == after)
    harmless = [at for requested, at in sites.site.requests if requested[1:].isdigit()]
    assert len(harmless) == PAGES
    assert max(harmless) < next_hostile
    assert len(audited.run.urls) == PAGES + 1

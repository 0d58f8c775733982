"""No more requests are in flight than the settings allow, of a host and in all."""

import threading
from pathlib import Path

import pytest

from sitemapaudit.demo.server import Reply, Server, ServerRequest
from tests.hostile.attacks import urlset
from tests.support.audits import crawl
from tests.support.settings import QUICK

PAGES = 24
SECONDS = 0.05


class Website(Server):
    """Counts the requests for pages that it answers at the same time."""

    def __init__(self) -> None:
        super().__init__(self._reply)
        self._lock = threading.Lock()
        self._now = 0
        self.most = 0

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            return Reply(
                f"Sitemap: {self.origin}/sitemap.xml", headers=[("Content-Type", "text/plain")]
            )
        if request.path == "/sitemap.xml":
            locs = (f"{self.origin}/page/{number}" for number in range(PAGES))
            return Reply(urlset(locs), headers=[("Content-Type", "application/xml")])
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        threading.Event().wait(SECONDS)
        with self._lock:
            self._now -= 1
        return Reply("<title>Page</title>", headers=[("Content-Type", "text/html")])


@pytest.mark.parametrize("setting", ["CONCURRENT_REQUESTS", "CONCURRENT_REQUESTS_PER_DOMAIN"])
@pytest.mark.parametrize("limit", [1, 3])
def test_a_limit_is_kept_without_a_delay(tmp_path: Path, limit: int, setting: str) -> None:
    settings = QUICK | {setting: str(limit), "DOWNLOAD_DELAY": "0"}
    with Website() as website:
        audited = crawl(tmp_path, {"site": website.origin}, settings)
        assert website.most == limit
    assert len(audited.run.urls) == PAGES

"""A website that records when each page was fetched, and how many were fetched at once."""

import threading
import time

from sitemapaudit.demo.documents import TEXT, entry, page, prose, urlset, xml
from sitemapaudit.demo.server import Reply, Server, ServerRequest

LATENCY = 0.05


class Clocked(Server):
    """Serves a number of pages, each after a delay; its robots.txt contains ``rules``."""

    def __init__(self, urls: int, rules: str = "") -> None:
        super().__init__(self._reply)
        self.times: list[float] = []
        self.at_once = 0
        self._urls = urls
        self._rules = rules
        self._pending = 0
        self._lock = threading.Lock()

    @property
    def rate(self) -> float:
        """Pages per second, from the first request to the last."""
        return (len(self.times) - 1) / (max(self.times) - min(self.times))

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            lines = f"User-agent: *\n{self._rules}\nSitemap: {self.origin}/sitemap.xml\n"
            return Reply(lines, headers=[TEXT])
        if request.path == "/sitemap.xml":
            locs = (f"{self.origin}/page/{number}" for number in range(self._urls))
            return xml(urlset(map(entry, locs)))
        if not request.path.startswith("/page/"):
            return Reply(status=404)
        with self._lock:
            self.times.append(time.monotonic())
            self._pending += 1
            self.at_once = max(self.at_once, self._pending)
        time.sleep(LATENCY)
        with self._lock:
            self._pending -= 1
        return page(request.path, canonical=self.origin + request.path, body=prose(request.path))

"""A website that notes when each of its pages was asked for, and how many were at once."""

import threading
import time

from sitemapaudit.demo.documents import TEXT, entry, page, prose, urlset, xml
from sitemapaudit.demo.server import Asked, Reply, Server

LATENCY = 0.05


class Clocked(Server):
    """Serves so many pages, each after a while; ``rules`` stand in its robots.txt."""

    def __init__(self, urls: int, rules: str = "") -> None:
        super().__init__(self._reply)
        self.times: list[float] = []
        self.at_once = 0
        self._urls = urls
        self._rules = rules
        self._under_way = 0
        self._lock = threading.Lock()

    @property
    def rate(self) -> float:
        """Pages a second, from the first that was asked for to the last."""
        return (len(self.times) - 1) / (max(self.times) - min(self.times))

    def _reply(self, asked: Asked) -> Reply:
        if asked.path == "/robots.txt":
            lines = f"User-agent: *\n{self._rules}\nSitemap: {self.origin}/sitemap.xml\n"
            return Reply(lines, headers=[TEXT])
        if asked.path == "/sitemap.xml":
            locs = (f"{self.origin}/page/{number}" for number in range(self._urls))
            return xml(urlset(map(entry, locs)))
        if not asked.path.startswith("/page/"):
            return Reply(status=404)
        with self._lock:
            self.times.append(time.monotonic())
            self._under_way += 1
            self.at_once = max(self.at_once, self._under_way)
        time.sleep(LATENCY)
        with self._lock:
            self._under_way -= 1
        return page(asked.path, canonical=self.origin + asked.path, body=prose(asked.path))

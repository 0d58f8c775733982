"""A website whose pages have scripts."""

from collections import Counter
from collections.abc import Mapping
from threading import Lock

from sitemapaudit.demo.documents import TEXT
from sitemapaudit.demo.server import Reply, Server, ServerRequest

HTML = ("Content-Type", "text/html; charset=utf-8")
PROSE = " ".join(f"word{number}" for number in range(160))
ROBOTS = "User-agent: *\nDisallow: /private/\n"


def scripted(script: str, head: str = "", body: str = f"<p>{PROSE}</p>") -> str:
    """Return a page that runs a script at its end."""
    return (
        f"<!doctype html><html lang=en><head><title>T</title>{head}</head>"
        f"<body><h1>H</h1>{body}<script>{script}</script></body></html>"
    )


class ScriptedSite(Server):
    """Lists and serves pages; ``others`` are served and not listed, and everything else is 404."""

    def __init__(
        self, pages: Mapping[str, str | Reply], others: Mapping[str, Reply] | None = None
    ) -> None:
        super().__init__(self._reply)
        self._pages = pages
        self._others = others or {}
        self._times: Counter[str] = Counter()
        self._lock = Lock()

    def times(self, path: str) -> int:
        """Return the number of requests for a path, with any query."""
        return self._times[path]

    def _reply(self, request: ServerRequest) -> Reply:
        path = request.path.partition("?")[0]
        with self._lock:  # Each connection has a thread.
            self._times[path] += 1
        if path == "/robots.txt":
            return Reply(f"Sitemap: {self.origin}/sitemap.txt\n{ROBOTS}", headers=[TEXT])
        if path == "/sitemap.txt":
            listed = "\n".join(self.origin + page for page in self._pages)
            return Reply(listed, headers=[TEXT])
        page = self._pages.get(path) or self._others.get(path)
        if page is None:
            return Reply("nothing here", 404, [HTML])
        return page if isinstance(page, Reply) else Reply(page, headers=[HTML])

"""A website that treats crawlers differently: in robots.txt, in meta tags and in headers."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sitemapaudit.demo.documents import TEXT, entry, page, prose, urlset, xml
from sitemapaudit.demo.server import Reply, Server, ServerRequest

ROBOTS = """
User-agent: Googlebot
Disallow: /only-google-not/

User-agent: GPTBot
Disallow: /

User-agent: *
Disallow: /only-google/
"""


@dataclass(slots=True, frozen=True)
class Response:
    """What a page sends: its status, its head, its headers, and its canonical."""

    status: int = 200
    head: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    canonical: str | None = None
    text: str | None = None


def meta(name: str, content: str = "noindex") -> Response:
    return Response(head=f"<meta name={name} content={content}>")


PAGES = {
    "/plain": Response(),
    "/only-google/1": Response(),
    "/only-google-not/1": Response(),
    "/only-google-not/moved": Response(301, headers={"Location": "/plain"}),
    "/only-google-not/noindex": meta("robots"),
    "/noindex": meta("robots"),
    "/not-for-bing": meta("bingbot"),
    "/not-for-google": meta("googlebot"),
    "/not-for-claude": meta("claude-user", "none"),
    "/header": Response(headers={"X-Robots-Tag": "noindex"}),
    "/header-for-bing": Response(headers={"X-Robots-Tag": "bingbot: noindex"}),
    "/expired": Response(headers={"X-Robots-Tag": "unavailable_after: 2020-01-01"}),
    "/moved": Response(301, headers={"Location": "/plain"}),
    "/moved-to-blocked": Response(301, headers={"Location": "/only-google-not/1"}),
    "/gone": Response(410),
    "/down": Response(503),
    "/other": Response(canonical="/plain"),
    "/noindex-and-other": Response(200, meta("googlebot").head, canonical="/plain"),
    "/noindex-and-empty": Response(200, meta("bingbot").head, text=""),
    "/missing": Response(200, "<title>404 Not Found</title>", text="Page not found"),
}


class AgentSite(Server):
    """Serves these pages, and counts the requests."""

    def __init__(self, pages: Mapping[str, Response] = PAGES, robots: str = ROBOTS) -> None:
        super().__init__(self._reply)
        self._pages = pages
        self._robots = robots

    def by_path(self) -> dict[str, int]:
        """Return the number of requests for each listed page."""
        host = self.origin.removeprefix("http://")
        return {path: self.requests[host + path] for path in self._pages}

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            return Reply(f"{self._robots}\nSitemap: {self.origin}/sitemap.xml\n", headers=[TEXT])
        if request.path == "/sitemap.xml":
            return xml(urlset(entry(self.origin + path) for path in self._pages))
        found = self._pages.get(request.path)
        if found is None:
            return Reply(status=404)
        if found.status != 200:
            return Reply(status=found.status, headers=[*found.headers.items()])
        text = prose(request.path) if found.text is None else found.text
        canonical = self.origin + (found.canonical or request.path)
        made = page(request.path, canonical=canonical, head=found.head, body=f"<p>{text}</p>")
        return Reply(made.body, 200, [*made.headers, *found.headers.items()])

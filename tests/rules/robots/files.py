"""robots.txt files written by hand, and the rows that the reader returns for them."""

from sitemapaudit.http.response import Response
from sitemapaudit.items import Error, Robots
from sitemapaudit.robots import read_robots
from tests.support.rows import NOW

SITE = "https://www.example.com"
ROBOTS = f"{SITE}/robots.txt"
DECLARED = f"Sitemap: {SITE}/sitemap.xml"


def robots(
    body: str | bytes = "",
    status: int | None = 200,
    *,
    error: Error | None = None,
    detail: str | None = None,
    encoding: str | None = None,
    audited: bool = True,
) -> Robots:
    """Return the row of a robots.txt."""
    row = Robots(SITE, ROBOTS, audited)
    content = body.encode() if isinstance(body, str) else body
    headers = {"content-type": ["text/plain"]}
    if encoding is not None:
        headers["content-encoding"] = [encoding]
    read_robots(Response(ROBOTS, status, headers, content, error, detail, fetched_at=NOW), row)
    return row

"""Rows that tell who may speak for whom: files at addresses, and what robots.txt declares."""

from sitemapaudit import Run
from sitemapaudit.items import Declared, Kind, Permission, Robots, Sitemap
from sitemapaudit.urls import origin
from tests.support import NOW, SITEMAP

SITE = origin(SITEMAP)


def file(
    at: str = SITEMAP,
    *,
    kind: Kind = Kind.URLSET,
    final: str | None = None,
    parent: str | None = None,
) -> Sitemap:
    """Return the row of a file that answers, by a redirect where ``final`` is another address."""
    return Sitemap(
        at, parent, status=200, kind=kind, final_url=final or at, fetched_at=NOW, entries=1
    )


def policy(site: str, *declared: str, permission: Permission = Permission.RULES) -> Robots:
    """Return the row of a robots.txt that declares these sitemaps."""
    lines = [Declared(number, url, url) for number, url in enumerate(declared, start=1)]
    return Robots(site, f"{site}/robots.txt", permission=permission, sitemaps=lines)


def urls_of(run: Run, rule: str) -> set[str]:
    """Return the URLs that a rule finds."""
    return set(run.findings[run.findings["rule"] == rule]["url"])

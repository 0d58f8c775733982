"""Rows for rules about scope: sitemaps at given URLs, and robots.txt files that declare them."""

from sitemapaudit.items import DeclaredSitemap, Kind, Permission, Robots, Sitemap
from sitemapaudit.urls import origin
from tests.rules.tables import Tables
from tests.support.rows import NOW, SITEMAP

SITE = origin(SITEMAP)


def file(
    at: str = SITEMAP,
    *,
    kind: Kind = Kind.URLSET,
    final: str | None = None,
    parent: str | None = None,
) -> Sitemap:
    """Return the row of a sitemap that was fetched; ``final`` is where it redirects to."""
    return Sitemap(
        at, parent, status=200, kind=kind, final_url=final or at, fetched_at=NOW, entries=1
    )


def policy(site: str, *declared: str, permission: Permission = Permission.RULES) -> Robots:
    """Return the row of a robots.txt that declares these sitemaps."""
    lines = [DeclaredSitemap(number, url, url) for number, url in enumerate(declared, start=1)]
    return Robots(site, f"{site}/robots.txt", permission=permission, sitemaps=lines)


def urls_of(tables: Tables, rule: str) -> set[str]:
    """Return the URLs of the findings of a rule."""
    return set(tables.findings[tables.findings["rule"] == rule]["url"])

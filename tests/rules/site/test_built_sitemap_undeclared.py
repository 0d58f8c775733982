"""built-sitemap-undeclared: a sitemap of a build that search engines do not find."""

from typing import Any

from sitemapaudit.items import DeclaredSitemap, Kind, Page, Robots, Role
from tests.pages.responses import SITE
from tests.rules.tables import Item, rule_on, tables_of
from tests.support.rows import fetched_page, listed, sitemap_of

RULE = "built-sitemap-undeclared"
URL = f"{SITE}/de/sitemap.xml"
ARGUMENTS: dict[str, Any] = {"folder": "/public", "site": SITE}


def built(**values: Any) -> Page:
    return fetched_page(URL, role=Role.BUILT, file="de/sitemap.xml", is_html=False, **values)


def example() -> list[Item]:
    """Return a build with the sitemap of a language."""
    entries = listed(f"{SITE}/")
    return [sitemap_of(entries), entries, built()]


def found(*items: Item) -> list[tuple[str | None, str, str]]:
    return rule_on(tables_of(items, RULE, **ARGUMENTS), RULE)


def test_a_sitemap_that_nothing_declares() -> None:
    message = "de/sitemap.xml is a sitemap that neither robots.txt nor an index declares"
    assert found(*example()) == [(URL, "warning", message)]


def test_declared_and_read_sitemaps() -> None:
    robots = Robots(SITE, f"{SITE}/robots.txt", audited=True, status=200)
    robots.sitemaps = [DeclaredSitemap(1, URL, URL)]
    assert found(*example(), robots) == []
    assert found(*example(), listed(URL, kind=Kind.SITEMAPINDEX)) == []
    other = "https://example.com/de/sitemap.xml"
    assert found(*example(), listed(other, kind=Kind.SITEMAPINDEX)) == []
    read = listed(f"{SITE}/de/", sitemap=URL)
    assert found(built(), sitemap_of(read), read) == []

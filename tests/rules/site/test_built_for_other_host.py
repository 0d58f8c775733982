"""built-for-other-host: a build that was made with the address of another site."""

from typing import Any

import pytest

from sitemapaudit.items import Alternate, DeclaredSitemap, Kind, Robots
from tests.rules.tables import Item, rule_on, tables_of
from tests.support.rows import fetched_page, listed

RULE = "built-for-other-host"
SITE = "https://www.shop.com"
ARGUMENTS: dict[str, Any] = {"folder": "/public", "site": SITE}
ADVICE = (
    ": set the address of the site in the configuration of the generator (baseURL, url, site,"
    " hostname, site_url or the like)"
)


def example() -> list[Item]:
    """Return a build that names the default of its generator."""
    return [listed("https://example.org/", "https://example.org/about/")]


def found(*items: Item, **arguments: Any) -> list[str]:
    """Return the messages of the rule about the build of a site, without its advice."""
    rows = rule_on(tables_of(items, RULE, **(ARGUMENTS | arguments)), RULE)
    assert all(message.endswith(ADVICE) for _, _, message in rows)
    return [message.removesuffix(ADVICE) for _, _, message in rows]


def page(**values: Any) -> Item:
    return fetched_page(f"{SITE}/a", **values)


@pytest.mark.parametrize(
    "origin",
    [
        *("http://localhost:1313", "http://127.0.0.1:8000", "https://example.org"),
        *("http://[::1]:4321", "https://deploy-preview-7--shop.netlify.app"),
    ],
)
def test_all_locs_are_on_another_host(origin: str) -> None:
    items = listed(f"{origin}/b", f"{origin}/a/")
    assert found(items) == [f"names {origin} in 2 locs, such as {origin}/a/"]
    items = listed(f"{SITE}/a", f"{origin}/b")
    is_reserved = "netlify" not in origin
    assert found(items) == [f"names {origin} in 1 loc, such as {origin}/b"] * is_reserved


def test_each_place_of_an_unreachable_host_is_found_at_its_first_loc() -> None:
    local = "http://localhost:4000"
    robots = Robots(SITE, f"{SITE}/robots.txt", audited=True, status=200)
    robots.sitemaps = [DeclaredSitemap(1, f"{local}/sitemap.xml", f"{local}/sitemap.xml")]
    alternate = Alternate("tag", "alternate", "de", f"{local}/d", f"{local}/d")
    items: list[Item] = [
        listed(f"{SITE}/a", f"{local}/b"),
        robots,
        page(canonical=f"{local}/c", alternates=[alternate]),
    ]
    places = "1 loc and 1 Sitemap line and 1 canonical and 1 alternate"
    assert found(*items) == [f"names {local} in {places}, such as {local}/b"]
    (row,) = tables_of(items, RULE, **ARGUMENTS).rows
    assert (row["severity"], row["url"], row["position"]) == ("error", None, 2)
    assert found(page(canonical="https://example.org/")) != []


def test_a_sitemap_index_of_another_host() -> None:
    child = listed("https://example.org/sitemap-0.xml", kind=Kind.SITEMAPINDEX)
    assert len(found(child)) == 1


@pytest.mark.parametrize("site", ["https://www.example.com", "www.example.com", "example.com"])
def test_other_subdomains_of_a_reserved_domain_can_be_meant(site: str) -> None:
    items = [listed(*(f"https://{name}example.com/" for name in ("", "www.", "shop.")))]
    assert found(*items, site=site) == []
    assert len(found(listed("http://localhost:1313/"), site=site)) == 1


def test_hosts_that_can_be_meant() -> None:
    items = listed(f"{SITE}/", "http://www.shop.com/a", "https://blog.shop.com/", "not a URL")
    assert found(items, page(canonical="https://www.other.com/")) == []
    assert found(listed("https://shop.de/"), site=f"{SITE}, shop.de") == []


def test_only_of_a_build() -> None:
    assert found(*example(), folder="") == []


def test_sites_of_a_list() -> None:
    assert len(found(*example(), site=[SITE])) == 1
    assert found(listed(f"{SITE}/"), site=[SITE]) == []

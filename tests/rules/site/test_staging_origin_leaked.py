"""staging-origin-leaked: what goes live names the origin that was requested in its place."""

from typing import Any

from sitemapaudit.items import Alternate, Page, Robots
from tests.pages.responses import SITE
from tests.rules.tables import Item, rule_on, tables_of
from tests.support.rows import fetched_page, listed

RULE = "staging-origin-leaked"
STAGING = "https://staging.example.com"
DE = Alternate("tag", "alternate", "de", f"{STAGING}/d", f"{STAGING}/d")
ARGUMENTS: dict[str, Any] = {"staging": f"{SITE}={STAGING}"}


def example() -> list[Item]:
    """Return a sitemap of staging."""
    return [listed(f"{STAGING}/a")]


def found(*items: Item, **arguments: Any) -> list[str]:
    """Return the messages of the rule."""
    return [text for _, _, text in rule_on(tables_of(items, RULE, **arguments), RULE)]


def robots(origin: str, *, audited: bool = True) -> Robots:
    row = Robots(SITE, f"{SITE}/robots.txt", audited, 200)
    row.text = f"User-agent: *\nSitemap: {origin}/sitemap.xml # all\n"
    return row


def page(**values: Any) -> Page:
    return fetched_page(f"{SITE}/a", **values)


def test_each_place_is_found() -> None:
    items: list[Item] = [
        robots(STAGING),
        listed(f"{STAGING}/b"),
        page(canonical=f"{STAGING}/c", alternates=[DE]),
    ]
    assert sorted(found(*items, **ARGUMENTS)) == [
        f"a loc names staging: {STAGING}/b",
        f"an alternate names staging: {STAGING}/d",
        f"robots.txt names staging: {STAGING}/sitemap.xml",
        f"the canonical names staging: {STAGING}/c",
    ]


def test_a_redirect_to_staging() -> None:
    assert found(page(status=301, target=f"{STAGING}/x"), **ARGUMENTS) == [
        f"the redirect names staging: {STAGING}/x"
    ]


def test_other_origins_are_none_of_it() -> None:
    other = listed(f"{SITE}/b", "https://staging.example.org/x")
    assert found(robots(SITE), other, robots(STAGING, audited=False), **ARGUMENTS) == []


def test_without_staging_there_is_none() -> None:
    assert found(*example()) == []

"""sitemap-not-found: no sitemap is declared, and none is at the well-known URLs."""

import pytest

from sitemapaudit.items import Robots
from tests.pages.responses import SITE
from tests.rules.tables import rule_on, tables_of

RULE = "sitemap-not-found"
TRIED = [f"{SITE}/sitemap.xml", f"{SITE}/sitemap_index.xml"]


def robots(tried: list[str] | None, found: int | None, *, audited: bool = True) -> Robots:
    return Robots(
        SITE, f"{SITE}/robots.txt", audited, well_known_tried=tried, well_known_found=found
    )


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (robots(TRIED, 0), ["warning"]),
        (robots(TRIED, 1), []),
        (robots(TRIED, 2), []),
        (robots(None, None), []),
        (robots(TRIED, None), []),
        (robots(TRIED, 0, audited=False), []),
    ],
)
def test_well_known_urls(row: Robots, expected: list[str]) -> None:
    run = tables_of([row], RULE)
    assert [severity for _, severity, _ in rule_on(run, RULE)] == expected


def test_message_names_the_urls_that_were_tried() -> None:
    ((url, _, message),) = rule_on(tables_of([robots(TRIED, 0)], RULE), RULE)
    assert url == SITE
    assert message == (
        "has no sitemap: robots.txt declares none,"
        f" and none was found at {SITE}/sitemap.xml, {SITE}/sitemap_index.xml"
    )


def test_each_site_is_checked_on_its_own() -> None:
    other = "https://other.example"
    rows = [
        robots(TRIED, 0),
        Robots(other, f"{other}/robots.txt", well_known_tried=["x"], well_known_found=1),
    ]
    assert [url for url, _, _ in rule_on(tables_of(rows, RULE), RULE)] == [SITE]

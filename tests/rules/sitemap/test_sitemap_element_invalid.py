"""sitemap-element-invalid: elements that the schema does not allow, and repeated elements."""

import pytest

from sitemapaudit.items import Entries, Sitemap
from sitemapaudit.sitemaps.sitemap_reader import SitemapReader
from tests.rules.sitemap.files import DECLARATION, NAMESPACE, PAGE, response, url, urlset
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import SITEMAP

RULE = "sitemap-element-invalid"
LOC = f"<loc>{PAGE}</loc>"


def messages(body: str) -> list[str]:
    row = Sitemap(SITEMAP)
    rows = list(SitemapReader(response(body), row))
    run = tables_of([row, Entries(SITEMAP, rows)], RULE)
    assert {severity for _, severity, _ in rule_on(run, RULE)} <= {"error"}
    return sorted(message for _, _, message in rule_on(run, RULE))


def one(children: str) -> str:
    return urlset(f"<url>{children}</url>")


@pytest.mark.parametrize(
    "children",
    [
        LOC,
        f"{LOC}<lastmod>2026-11-01</lastmod><changefreq>daily</changefreq><priority>1</priority>",
        f"<lastmod>2026-11-01</lastmod>{LOC}",
        f'{LOC}<title xmlns="https://www.example.com/own">Mine</title>',
    ],
)
def test_allowed_elements(children: str) -> None:
    assert messages(one(children)) == []


@pytest.mark.parametrize(
    ("children", "message"),
    [
        (f"{LOC}<title>Mine</title>", "has the unknown element title in entry 1"),
        (f"{LOC}<Lastmod>2026</Lastmod>", "has the unknown element Lastmod in entry 1"),
        (f"{LOC}{LOC}", "has loc more than once in entry 1"),
        (f"{LOC}<lastmod/><lastmod/>", "has lastmod more than once in entry 1"),
        (f"{LOC}<priority>1</priority><priority/>", "has priority more than once in entry 1"),
    ],
)
def test_problems_of_an_entry(children: str, message: str) -> None:
    assert messages(one(children)) == [message]


def test_reported_once_per_file_and_problem() -> None:
    wrong = f"<url>{LOC}<title/></url>"
    found = messages(urlset(url(PAGE), wrong, wrong, f"<url>{LOC}<author/></url>"))
    assert found == [
        "has the unknown element author in entry 4",
        "has the unknown element title in 2 entries, first in entry 2",
    ]


def test_a_sitemap_in_a_urlset() -> None:
    body = urlset(url(PAGE), f"<sitemap>{LOC}</sitemap>", f"<sitemap>{LOC}</sitemap>")
    message = "has the element sitemap among its entries in 2 places, first in line 4"
    assert messages(body) == [message]


def test_a_url_in_an_index() -> None:
    child = f"<sitemap><loc>{SITEMAP}</loc></sitemap>"
    body = f'{DECLARATION}<sitemapindex xmlns="{NAMESPACE}">{child}<url>{LOC}</url></sitemapindex>'
    (message,) = messages(body)
    assert message.startswith("has the element url among its entries in line ")

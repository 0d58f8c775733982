"""sitemap-element-invalid: elements that the schema does not know at their place, and repeats."""

from pathlib import Path

import pytest

from sitemapaudit.items import Entries, Sitemap
from sitemapaudit.sitemaps.reader import SitemapReader
from tests.rules.sitemap.files import DECLARATION, NAMESPACE, PAGE, answer, url, urlset
from tests.support import SITEMAP, build_run, rule_on

RULE = "sitemap-element-invalid"
LOC = f"<loc>{PAGE}</loc>"


def messages(folder: Path, body: str) -> list[str]:
    row = Sitemap(SITEMAP)
    rows = list(SitemapReader(answer(body), row))
    run = build_run(folder, [row, Entries(SITEMAP, rows)])
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
def test_what_the_schema_knows(tmp_path: Path, children: str) -> None:
    assert messages(tmp_path, one(children)) == []


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
def test_faults_of_an_entry(tmp_path: Path, children: str, message: str) -> None:
    assert messages(tmp_path, one(children)) == [message]


def test_told_once_for_each_file_and_fault(tmp_path: Path) -> None:
    wrong = f"<url>{LOC}<title/></url>"
    found = messages(tmp_path, urlset(url(PAGE), wrong, wrong, f"<url>{LOC}<author/></url>"))
    assert found == [
        "has the unknown element author in entry 4",
        "has the unknown element title in 2 entries, the first of them entry 2",
    ]


def test_a_sitemap_in_a_urlset(tmp_path: Path) -> None:
    body = urlset(url(PAGE), f"<sitemap>{LOC}</sitemap>", f"<sitemap>{LOC}</sitemap>")
    (message,) = messages(tmp_path, body)
    assert message.startswith("has the element sitemap among its entries in 2 places, the first")


def test_a_url_in_an_index(tmp_path: Path) -> None:
    child = f"<sitemap><loc>{SITEMAP}</loc></sitemap>"
    body = f'{DECLARATION}<sitemapindex xmlns="{NAMESPACE}">{child}<url>{LOC}</url></sitemapindex>'
    (message,) = messages(tmp_path, body)
    assert message.startswith("has the element url among its entries in line ")

"""sitemap-element-order: loc, lastmod, changefreq, priority, then extensions."""

from pathlib import Path

import pytest

from sitemapaudit.items import Entries, Sitemap
from sitemapaudit.sitemaps.reader import SitemapReader
from tests.rules.sitemap.files import PAGE, answer, url, urlset
from tests.support import SITEMAP, build_run, rule_on

RULE = "sitemap-element-order"
LOC, DATE = f"<loc>{PAGE}</loc>", "<lastmod>2026-11-01</lastmod>"
OFTEN, HIGH = "<changefreq>daily</changefreq>", "<priority>0.5</priority>"
LINK = '<link xmlns="http://www.w3.org/1999/xhtml" rel="alternate" hreflang="de" href="/"/>'


def messages(folder: Path, *entries: str) -> list[tuple[str, str]]:
    row = Sitemap(SITEMAP)
    rows = list(SitemapReader(answer(urlset(*entries)), row))
    run = build_run(folder, [row, Entries(SITEMAP, rows)])
    return [finding[1:] for finding in rule_on(run, RULE)]


@pytest.mark.parametrize(
    "children",
    [LOC, LOC + DATE, LOC + DATE + OFTEN + HIGH, LOC + HIGH, LOC + DATE + LINK, LOC + LINK, DATE],
)
def test_in_order(tmp_path: Path, children: str) -> None:
    assert messages(tmp_path, f"<url>{children}</url>") == []


@pytest.mark.parametrize(
    "children",
    [DATE + LOC, LOC + OFTEN + DATE, LOC + HIGH + OFTEN, LINK + LOC, LOC + LINK + DATE],
)
def test_out_of_order(tmp_path: Path, children: str) -> None:
    message = "has elements out of order in entry 1"
    assert messages(tmp_path, f"<url>{children}</url>") == [("notice", message)]


def test_told_once_for_each_file(tmp_path: Path) -> None:
    wrong = f"<url>{DATE}{LOC}</url>"
    message = "has elements out of order in 2 entries, the first of them entry 2"
    assert messages(tmp_path, url(PAGE), wrong, wrong) == [("notice", message)]

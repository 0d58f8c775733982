"""sitemap-element-order: loc, lastmod, changefreq, priority, then extensions."""

import pytest

from sitemapaudit.items import Entries, Sitemap
from sitemapaudit.sitemaps.sitemap_reader import SitemapReader
from tests.rules.sitemap.files import PAGE, response, url, urlset
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import SITEMAP

RULE = "sitemap-element-order"
LOC, DATE = f"<loc>{PAGE}</loc>", "<lastmod>2026-11-01</lastmod>"
OFTEN, HIGH = "<changefreq>daily</changefreq>", "<priority>0.5</priority>"
LINK = '<link xmlns="http://www.w3.org/1999/xhtml" rel="alternate" hreflang="de" href="/"/>'


def messages(*entries: str) -> list[tuple[str, str]]:
    row = Sitemap(SITEMAP)
    rows = list(SitemapReader(response(urlset(*entries)), row))
    run = tables_of([row, Entries(SITEMAP, rows)], RULE)
    return [finding[1:] for finding in rule_on(run, RULE)]


@pytest.mark.parametrize(
    "children",
    [LOC, LOC + DATE, LOC + DATE + OFTEN + HIGH, LOC + HIGH, LOC + DATE + LINK, LOC + LINK, DATE],
)
def test_in_order(children: str) -> None:
    assert messages(f"<url>{children}</url>") == []


@pytest.mark.parametrize(
    "children",
    [DATE + LOC, LOC + OFTEN + DATE, LOC + HIGH + OFTEN, LINK + LOC, LOC + LINK + DATE],
)
def test_out_of_order(children: str) -> None:
    message = "has elements out of order in entry 1"
    assert messages(f"<url>{children}</url>") == [("notice", message)]


def test_reported_once_per_file() -> None:
    wrong = f"<url>{DATE}{LOC}</url>"
    message = "has elements out of order in 2 entries, first in entry 2"
    assert messages(url(PAGE), wrong, wrong) == [("notice", message)]

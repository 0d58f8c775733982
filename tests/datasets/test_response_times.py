"""Percentiles of response times, by site and by sitemap."""

from sitemapaudit.datasets.response_times import read_response_times
from sitemapaudit.items import Error, Role
from tests.pages.responses import SITE, failed, page_of
from tests.rules.tables import fill_tables, insert, transaction
from tests.support import listed


def test_percentiles_by_site_and_sitemap() -> None:
    one, two = f"{SITE}/1.xml", f"{SITE}/2.xml"
    locs = [f"{SITE}/{number}" for number in range(1, 101)]
    pages = [page_of("x", at=loc, elapsed=number / 10) for number, loc in enumerate(locs, start=1)]
    other = page_of("x", at=f"{SITE}/target", elapsed=99, role=Role.REDIRECT)
    dead = failed(Error.TIMEOUT, at=f"{SITE}/dead")
    with transaction() as connection:
        entries = [listed(*locs, dead.url, sitemap=one), listed(*locs[:10], sitemap=two)]
        insert(connection, [*entries, *pages, other, dead], None)
        fill_tables(connection, {"urls"})
        site, *sitemaps = read_response_times(connection)
    assert (site.scope, site.place, site.pages, site.slowest) == ("site", SITE, 100, 10)
    expected = [(site.p50, 5), (site.p75, 7.5), (site.p95, 9.5), (site.p99, 9.9)]
    assert all(abs(found - wanted) <= 0.1 for found, wanted in expected)
    assert [(each.place, each.pages, each.slowest) for each in sitemaps] == [
        (one, 100, 10),
        (two, 10, 1),
    ]

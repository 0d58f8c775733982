"""duplicate-host-scheme: two listed URLs differ only in http and https, or in a leading www."""

from sitemapaudit.items import Kind
from tests.rules.tables import Item, rule_on, tables_of
from tests.rules.together import check, places
from tests.support.rows import fetched_page, listed

RULE = "duplicate-host-scheme"
PLAIN, WWW = "https://example.com/a?b=1", "https://www.example.com/a?b=1"
INSECURE, INSECURE_WWW = "http://example.com/a?b=1", "http://www.example.com/a?b=1"


def example() -> list[Item]:
    """Return a URL that is listed with http and with https."""
    return [listed(WWW, INSECURE_WWW)]


def test_listed_urls() -> None:
    cases = [
        ([PLAIN], []),
        ([PLAIN, PLAIN], []),
        ([PLAIN, INSECURE], [INSECURE]),
        ([PLAIN, WWW], [WWW]),
        ([INSECURE, WWW], [INSECURE]),
        ([INSECURE, INSECURE_WWW], [INSECURE_WWW]),
        ([INSECURE_WWW, WWW, INSECURE, PLAIN], [INSECURE, INSECURE_WWW, WWW]),
        (["https://example.com/", "http://example.com/"], ["http://example.com/"]),
        (["https://example.com:8443/", "http://example.com:8443/"], ["http://example.com:8443/"]),
        (["https://example.com:8443/", "https://example.com/"], []),
        (["https://example.com/a", "http://example.com/a/"], []),
        (["https://example.com/a", "http://example.com/A"], []),
        (["https://example.com/a?b", "http://example.com/a"], []),
        (["https://example.com/", "https://shop.example.com/"], []),
        (["https://example.com/", "https://www2.example.com/"], []),
        (["https://example.com/", "https://www.www.example.com/"], []),
        (["https://example.com/?u=https://www.a/", "https://example.com/?u=http://a/"], []),
    ]
    expected = [(locs, [(url, "warning") for url in found]) for locs, found in cases]
    check(RULE, expected, lambda locs: [listed(*locs)], places)


def test_an_indexable_url_is_preferred() -> None:
    pages = [fetched_page(PLAIN, 301, target=WWW), fetched_page(WWW)]
    run = tables_of([listed(PLAIN, WWW, INSECURE), *pages], RULE)
    assert rule_on(run, RULE) == [
        (INSECURE, "warning", f"is also listed as {WWW}"),
        (PLAIN, "warning", f"is also listed as {WWW}"),
    ]


def test_urls_are_compared_across_sitemaps_but_not_with_children_of_indexes() -> None:
    other = listed(INSECURE, sitemap="https://example.com/b.xml")
    index = listed(WWW, sitemap="https://example.com/index.xml", kind=Kind.SITEMAPINDEX)
    run = tables_of([listed(PLAIN), other, index], RULE)
    assert [url for url, _, _ in rule_on(run, RULE)] == [INSECURE]

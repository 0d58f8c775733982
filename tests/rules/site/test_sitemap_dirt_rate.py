"""sitemap-dirt-rate: more than 1 % of the listed URLs are not indexable."""

import json
from collections.abc import Callable

from sitemapaudit.items import Error, Page, SkipReason
from tests.pages.responses import SITE, blocked, failed
from tests.rules.tables import Item, rule_on, tables_of
from tests.rules.together import Finding, check, places
from tests.support.rows import fetched_page, listed

RULE = "sitemap-dirt-rate"


def not_found(url: str) -> Page:
    return fetched_page(url, 404)


def site_with(
    indexable: int, others: int, make: Callable[[str], Page] = not_found, at: str = SITE
) -> list[Page]:
    """Return indexable pages, and others made by ``make``."""
    pages = [fetched_page(f"{at}/{number}") for number in range(indexable)]
    return pages + [make(f"{at}/other-{number}") for number in range(others)]


def test_share() -> None:
    cases = [
        (100, 0, False),
        (99, 1, False),
        (98, 2, True),
        (97, 2, False),
        (0, 99, False),
        (0, 100, True),
        (198, 2, False),
        (197, 3, True),
        (98, 5, True),
    ]

    def items(indexable: int, others: int) -> list[Item]:
        pages = site_with(indexable, others)
        return [listed(*(page.url for page in pages)), *pages]

    def share(found: list[Finding]) -> list[float]:
        assert places(found) == [(SITE, "warning")] * len(found)
        return [json.loads(finding["evidence"])["share"] for finding in found]

    expected = [
        (indexable, others, [round(100 * others / (indexable + others), 2)] * found)
        for indexable, others, found in cases
    ]
    check(RULE, expected, items, share)


def test_verdicts() -> None:
    cases: list[tuple[Callable[[str], Page], bool]] = [
        (not_found, True),
        (lambda url: fetched_page(url, 410), True),
        (lambda url: fetched_page(url, 418), True),
        (lambda url: fetched_page(url, 500), True),
        (lambda url: fetched_page(url, 301, target=SITE), True),
        (lambda url: fetched_page(url, noindex=True), True),
        (lambda url: fetched_page(url, canonical=SITE), True),
        (lambda url: fetched_page(url, 204), True),
        (lambda url: fetched_page(url, 403), False),
        (lambda url: fetched_page(url, challenge="a challenge"), False),
        (lambda url: failed(Error.DNS, at=url), False),
        (lambda url: failed(Error.LIMIT, at=url), False),
        (blocked, False),
    ]

    def items(make: Callable[[str], Page]) -> list[Item]:
        pages = site_with(100, 2, make)
        return [listed(*(page.url for page in pages)), *pages]

    check(RULE, cases, items, len)


def test_urls_with_an_unknown_verdict_do_not_count() -> None:
    pages = site_with(97, 2)
    unchecked = [f"{SITE}/unchecked-{number}" for number in range(50)]
    run = tables_of([listed(*(page.url for page in pages), *unchecked), *pages], RULE)
    assert rule_on(run, RULE) == []


def test_the_urls_of_a_sample_are_not_called_all_listed_ones() -> None:
    pages = site_with(90, 10)
    drawn = listed(*(page.url for page in pages))
    skipped = listed(*(f"{SITE}/skipped-{number}" for number in range(50)))
    for entry in skipped.rows:
        entry.skip_reason = SkipReason.SAMPLE
    run = tables_of([drawn, skipped, *pages], RULE)
    message = "10 of 100 checked URLs are not indexable (10.0 %)"
    assert rule_on(run, RULE) == [(SITE, "warning", message)]


def test_pages_that_are_not_listed_do_not_count() -> None:
    pages = site_with(100, 50)
    run = tables_of([listed(*(page.url for page in pages[:100])), *pages], RULE)
    assert rule_on(run, RULE) == []


def test_each_site_is_checked_on_its_own() -> None:
    other = "https://other.example"
    pages = site_with(100, 0) + site_with(90, 10, at=other)
    run = tables_of([listed(*(page.url for page in pages)), *pages], RULE)
    message = "10 of 100 listed URLs are not indexable (10.0 %)"
    assert rule_on(run, RULE) == [(other, "warning", message)]

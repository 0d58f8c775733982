"""hreflang-no-return: an alternate does not declare the URL in any of its three sources."""

from typing import Any

import pytest

from sitemapaudit.items import Alternate, Entries, Error, Kind, Page, Role, Sitemap
from tests.pages.responses import SITE, blocked, failed
from tests.rules.tables import rule_on, tables_of
from tests.rules.together import Finding, check, places
from tests.support.rows import SITEMAP, fetched_page, listed

RULE = "hreflang-no-return"
EN, DE = f"{SITE}/en", f"{SITE}/de"
READ = Sitemap(SITEMAP, status=200, kind=Kind.URLSET)


def links(source: str, *targets: str) -> list[Alternate]:
    return [Alternate(source, "alternate", "de", target, target) for target in targets]


def in_sitemap(alternates: dict[str, list[str]], sitemap: str = SITEMAP) -> Entries:
    """Return the entries of a sitemap with the alternates of each URL."""
    entries = listed(*alternates, sitemap=sitemap)
    for row, targets in zip(entries.rows, alternates.values(), strict=True):
        row.alternates = links("sitemap", *targets)
    return entries


def on_page(at: str, *targets: str, source: str = "tag", **values: Any) -> Page:
    return fetched_page(at, alternates=links(source, *targets), **values)


def found(*items: Any, **arguments: Any) -> list[str | None]:
    run = tables_of([READ, *items], RULE, **({"site": SITE} | arguments))
    return [url for url, severity, _ in rule_on(run, RULE) if severity == "error"]


Case = tuple[list[Any], list[str]]
"""The items of a site, and the URLs with a finding."""


def check_all(cases: list[Case], **arguments: Any) -> None:
    def errors(findings: list[Finding]) -> list[str | None]:
        return [url for url, severity in places(findings) if severity == "error"]

    check(RULE, cases, lambda items: [READ, *items], errors, site=SITE, **arguments)


def test_sitemaps_only() -> None:
    cases: list[tuple[dict[str, list[str]], list[str]]] = [
        ({EN: [EN, DE], DE: [EN, DE]}, []),
        ({EN: [DE], DE: [EN]}, []),
        ({EN: [EN, DE], DE: [DE]}, [EN]),
        # It can declare them itself: nobody knows.
        ({EN: [EN, DE], DE: []}, []),
        ({EN: [EN], DE: [DE]}, []),
        ({EN: [DE], DE: [f"{EN}/"]}, [EN]),
        # Nothing is known about a URL that is neither listed nor fetched.
        ({EN: [EN, DE]}, []),
        ({EN: [DE], DE: ["https://other.example/"]}, [EN]),
    ]
    check_all(
        [([in_sitemap(alternates)], expected) for alternates, expected in cases], pages="none"
    )


def test_the_three_sources_count_together() -> None:
    cases: list[Case] = [
        ([in_sitemap({DE: [EN]}, f"{SITE}/b.xml"), fetched_page(DE)], []),
        ([listed(DE), on_page(DE, EN)], []),
        ([listed(DE), on_page(DE, EN, source="header")], []),
        ([listed(DE), on_page(DE, DE)], [EN]),
        ([listed(DE), fetched_page(DE)], [EN]),
        ([on_page(DE, EN, role=Role.HREFLANG)], []),
        ([on_page(DE, DE, role=Role.HREFLANG)], [EN]),
        ([on_page(DE, DE, role=Role.HREFLANG, noindex=True)], []),
    ]
    sources = (
        [in_sitemap({EN: [DE]}), fetched_page(EN)],
        [listed(EN), on_page(EN, DE)],
        [listed(EN), on_page(EN, DE, source="header")],
    )
    check_all([([*here, *back], expected) for here in sources for back, expected in cases])


def test_what_is_known_about_the_alternate() -> None:
    cases: list[tuple[Page, list[str], list[str]]] = [
        (fetched_page(DE), [EN], [EN]),
        # A URL that was not fetched may declare it itself; what its sitemap declares is known.
        (fetched_page(f"{SITE}/x"), [EN], []),
        (failed(Error.LIMIT, at=DE), [EN], []),
        # A page that could not be read may declare it as well.
        (fetched_page(DE, 403), [], []),
        (fetched_page(DE, challenge="a challenge"), [], []),
        (failed(Error.TIMEOUT, at=DE), [], []),
        (blocked(DE), [], []),
        # Another rule reports alternates that are not indexable.
        (fetched_page(DE, 404), [], []),
        (fetched_page(DE, 301, target=EN), [], []),
        (fetched_page(DE, noindex=True), [], []),
        (fetched_page(DE, canonical=EN), [], []),
        (fetched_page(DE, 204), [], []),
    ]
    in_sitemaps = in_sitemap({EN: [DE], DE: [DE]}), fetched_page(EN)
    check_all([([*in_sitemaps, other], by_sitemap) for other, by_sitemap, _ in cases])
    in_tags = listed(EN, DE), on_page(EN, DE)
    check_all([([*in_tags, other], by_tag) for other, _, by_tag in cases])


def test_a_url_that_is_not_indexable_is_not_checked() -> None:
    cases: list[tuple[Page, list[str]]] = [
        (fetched_page(EN), [EN]),
        (fetched_page(f"{SITE}/x"), [EN]),
        (fetched_page(EN, 403), [EN]),
        (fetched_page(EN, 404), []),
        (fetched_page(EN, 301, target=DE), []),
        (fetched_page(EN, canonical=f"{SITE}/"), []),
    ]
    others = in_sitemap({EN: [DE], DE: []}), fetched_page(DE)
    check_all([([*others, page], expected) for page, expected in cases])


@pytest.mark.parametrize(
    ("arguments", "more"),
    [
        ({"site": None, "sitemap": SITEMAP}, []),
        ({}, [Sitemap(f"{SITE}/b.xml", status=503)]),
        ({}, [Sitemap(f"{SITE}/b.xml", status=200, truncated=True)]),
    ],
)
def test_an_unlisted_page_that_an_unread_sitemap_may_list(
    arguments: dict[str, Any], more: list[Any]
) -> None:
    pages = on_page(EN, DE), fetched_page(DE, role=Role.HREFLANG)
    assert found(listed(EN), *pages, *more, **arguments) == []


def test_only_listed_urls_are_checked() -> None:
    pages = on_page(EN, DE, role=Role.REDIRECT), fetched_page(DE)
    assert found(listed(DE), *pages) == []


def test_only_a_valid_alternate_is_a_return_link() -> None:
    cases: list[Case] = []
    for back, expected in (
        (Alternate("sitemap", " ALTERNATE ", "EN", EN, EN), []),
        (Alternate("sitemap", "alternate", "en_GB", EN, EN, "an underscore"), []),
        (Alternate("sitemap", None, "en", EN, EN), [EN]),
        (Alternate("sitemap", "canonical", "en", EN, EN), [EN]),
        (Alternate("sitemap", "alternate", " ", EN, EN), [EN]),
        (Alternate("sitemap", "alternate", None, EN, EN), [EN]),
        (Alternate("sitemap", "alternate", "en", "/en", None), [EN]),
    ):
        entries = in_sitemap({EN: [DE], DE: []})
        entries.rows[1].alternates = [back, *links("sitemap", DE)]
        cases.append(([entries], expected))
    check_all(cases)


def test_message() -> None:
    others = [f"{SITE}/{number}" for number in range(6)]
    entries = in_sitemap({EN: [*others, *others], DE: others[:2], **{url: [url] for url in others}})
    run = tables_of([READ, entries], RULE, site=SITE)
    assert rule_on(run, RULE) == [
        (DE, "error", f"has no return link from {others[0]}, {others[1]}"),
        (EN, "error", f"has no return link from {', '.join(others[:5])} and 1 more"),
    ]

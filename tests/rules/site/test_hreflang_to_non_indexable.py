"""hreflang-to-non-indexable: an alternate redirects, fails or is not indexable."""

from dataclasses import replace

import pytest

from sitemapaudit.items import Alternate, Entries, Error, Page, Role
from tests.pages.responses import SITE, blocked, failed
from tests.rules.tables import rule_on, tables_of
from tests.rules.together import check, sentences
from tests.support.rows import fetched_page, listed

RULE = "hreflang-to-non-indexable"
EN, DE = f"{SITE}/en", f"{SITE}/de"


def links(source: str, *targets: str) -> list[Alternate]:
    return [Alternate(source, "alternate", "de", target, target) for target in targets]


def in_sitemap(url: str, *targets: str) -> Entries:
    entries = listed(url)
    entries.rows[0].alternates = links("sitemap", *targets)
    return entries


def test_targets() -> None:
    cases = [
        (fetched_page(DE, 301, target=EN), "redirected"),
        (fetched_page(DE, 404), "not-found"),
        (fetched_page(DE, 410), "not-found"),
        (fetched_page(DE, 418), "client-error"),
        (fetched_page(DE, 503), "server-error"),
        (fetched_page(DE, noindex=True), "noindex"),
        (fetched_page(DE, canonical=EN), "canonicalized"),
        (blocked(DE), "blocked"),
        (fetched_page(DE), None),
        (fetched_page(DE, canonical=DE), None),
        (fetched_page(DE, 204), "unsupported-type"),
        # Verdicts that are unknown.
        (fetched_page(DE, 401), None),
        (fetched_page(DE, 403), None),
        (fetched_page(DE, 429), None),
        (fetched_page(DE, 503, challenge="a challenge"), None),
        (failed(Error.TIMEOUT, at=DE), None),
        (failed(Error.LIMIT, at=DE), None),
        (fetched_page(f"{SITE}/x", 404), None),
    ]

    def items(role: Role, target: Page) -> list[Entries | Page]:
        target = replace(target, role=role)
        other = [listed(target.url, sitemap=f"{SITE}/b.xml")] if role is Role.LISTED else []
        return [in_sitemap(EN, EN, DE), target, *other]

    message = "declares alternates that are not indexable"
    expected = [
        (role, target, [(EN, "error", f"{message}: {DE} ({verdict})")] if verdict else [])
        for role in (Role.LISTED, Role.HREFLANG)
        for target, verdict in cases
    ]
    check(RULE, expected, items, sentences)


@pytest.mark.parametrize("source", ["tag", "header"])
def test_tags_and_headers(source: str) -> None:
    page = fetched_page(EN, alternates=links(source, DE))
    run = tables_of([listed(EN), page, fetched_page(DE, 404, role=Role.HREFLANG)], RULE)
    assert [finding[:2] for finding in rule_on(run, RULE)] == [(EN, "error")]


def test_the_page_itself_is_not_an_alternate() -> None:
    assert rule_on(tables_of([in_sitemap(EN, EN), fetched_page(EN, 404)], RULE), RULE) == []


def test_only_listed_urls_are_checked() -> None:
    page = fetched_page(EN, role=Role.REDIRECT, alternates=links("tag", DE))
    run = tables_of([listed(DE), page, fetched_page(DE, 404)], RULE)
    assert rule_on(run, RULE) == []


@pytest.mark.parametrize(("count", "more"), [(5, ""), (6, " and 1 more")])
def test_message_names_the_first_five_once(count: int, more: str) -> None:
    others = [f"{SITE}/{number}" for number in range(count)]
    page = fetched_page(EN, alternates=links("tag", *others))
    pages = [fetched_page(url, 404, role=Role.HREFLANG) for url in others]
    run = tables_of([in_sitemap(EN, *others), page, *pages], RULE)
    names = ", ".join(f"{url} (not-found)" for url in others[:5])
    message = f"declares alternates that are not indexable: {names}{more}"
    assert rule_on(run, RULE) == [(EN, "error", message)]

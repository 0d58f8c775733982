"""hreflang-to-non-indexable: an alternate redirects, fails or is not indexable."""

import pytest

from sitemapaudit.items import Alternate, Entries, Error, Page, Role
from tests.pages.responses import SITE, blocked, failed
from tests.rules.tables import rule_on, tables_of
from tests.support import answered, listed

RULE = "hreflang-to-non-indexable"
EN, DE = f"{SITE}/en", f"{SITE}/de"


def links(source: str, *targets: str) -> list[Alternate]:
    return [Alternate(source, "alternate", "de", target, target) for target in targets]


def in_sitemap(url: str, *targets: str) -> Entries:
    entries = listed(url)
    entries.rows[0].alternates = links("sitemap", *targets)
    return entries


@pytest.mark.parametrize(
    ("target", "verdict"),
    [
        (answered(DE, 301, target=EN), "redirected"),
        (answered(DE, 404), "not-found"),
        (answered(DE, 410), "not-found"),
        (answered(DE, 418), "client-error"),
        (answered(DE, 503), "server-error"),
        (answered(DE, noindex=True), "noindex"),
        (answered(DE, canonical=EN), "canonicalized"),
        (blocked(DE), "blocked"),
        (answered(DE), None),
        (answered(DE, canonical=DE), None),
        # Verdicts that are unknown, and a soft 404.
        (answered(DE, 401), None),
        (answered(DE, 403), None),
        (answered(DE, 429), None),
        (answered(DE, 503, challenge="a challenge"), None),
        (failed(Error.TIMEOUT, at=DE), None),
        (failed(Error.LIMIT, at=DE), None),
        (answered(f"{SITE}/x", 404), None),
        (answered(DE, 204), None),
    ],
)
@pytest.mark.parametrize("role", [Role.LISTED, Role.HREFLANG])
def test_targets(role: Role, target: Page, verdict: str | None) -> None:
    target.role = role
    items: list[Entries | Page] = [in_sitemap(EN, EN, DE), target]
    if role is Role.LISTED:
        items.append(listed(target.url, sitemap=f"{SITE}/b.xml"))
    message = f"declares alternates that are not indexable: {DE} ({verdict})"
    expected = [(EN, "error", message)] if verdict else []
    assert rule_on(tables_of(items, RULE), RULE) == expected


@pytest.mark.parametrize("source", ["tag", "header"])
def test_tags_and_headers(source: str) -> None:
    page = answered(EN, alternates=links(source, DE))
    run = tables_of([listed(EN), page, answered(DE, 404, role=Role.HREFLANG)], RULE)
    assert [finding[:2] for finding in rule_on(run, RULE)] == [(EN, "error")]


def test_the_page_itself_is_not_an_alternate() -> None:
    assert rule_on(tables_of([in_sitemap(EN, EN), answered(EN, 404)], RULE), RULE) == []


def test_only_listed_urls_are_checked() -> None:
    page = answered(EN, role=Role.REDIRECT, alternates=links("tag", DE))
    run = tables_of([listed(DE), page, answered(DE, 404)], RULE)
    assert rule_on(run, RULE) == []


def test_message_names_the_first_five_once() -> None:
    others = [f"{SITE}/{number}" for number in range(6)]
    page = answered(EN, alternates=links("tag", *others))
    pages = [answered(url, 404, role=Role.HREFLANG) for url in others]
    run = tables_of([in_sitemap(EN, *others), page, *pages], RULE)
    names = ", ".join(f"{url} (not-found)" for url in others[:5])
    message = f"declares alternates that are not indexable: {names} and 1 more"
    assert rule_on(run, RULE) == [(EN, "error", message)]

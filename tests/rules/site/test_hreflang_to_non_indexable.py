"""hreflang-to-non-indexable: an alternate redirects, fails, is noindex, blocked or a copy."""

from pathlib import Path

import pytest

from sitemapaudit.items import Alternate, Entries, Error, Page, Role
from tests.pages.answers import SITE, blocked, failed
from tests.support import answered, build_run, listed, rule_on

RULE = "hreflang-to-non-indexable"
EN, DE = f"{SITE}/en", f"{SITE}/de"


def links(source: str, *targets: str) -> list[Alternate]:
    return [Alternate(source, "alternate", "de", target, target) for target in targets]


def mapped(url: str, *targets: str) -> Entries:
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
        # What is not known, and what only looks like a page that is not there.
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
def test_target(tmp_path: Path, role: Role, target: Page, verdict: str | None) -> None:
    target.role = role
    items: list[Entries | Page] = [mapped(EN, EN, DE), target]
    if role is Role.LISTED:
        items.append(listed(target.url, sitemap=f"{SITE}/b.xml"))
    message = f"names alternates that cannot be indexed: {DE} ({verdict})"
    expected = [(EN, "error", message)] if verdict else []
    assert rule_on(build_run(tmp_path, items), RULE) == expected


@pytest.mark.parametrize("source", ["tag", "header"])
def test_tags_and_headers(tmp_path: Path, source: str) -> None:
    page = answered(EN, alternates=links(source, DE))
    run = build_run(tmp_path, [listed(EN), page, answered(DE, 404, role=Role.HREFLANG)])
    assert [finding[:2] for finding in rule_on(run, RULE)] == [(EN, "error")]


def test_the_page_itself_is_no_alternate(tmp_path: Path) -> None:
    assert rule_on(build_run(tmp_path, [mapped(EN, EN), answered(EN, 404)]), RULE) == []


def test_only_listed_urls_are_judged(tmp_path: Path) -> None:
    page = answered(EN, role=Role.REDIRECT, alternates=links("tag", DE))
    run = build_run(tmp_path, [listed(DE), page, answered(DE, 404)])
    assert rule_on(run, RULE) == []


def test_message_names_each_of_five_once(tmp_path: Path) -> None:
    others = [f"{SITE}/{number}" for number in range(6)]
    page = answered(EN, alternates=links("tag", *others))
    pages = [answered(url, 404, role=Role.HREFLANG) for url in others]
    run = build_run(tmp_path, [mapped(EN, *others), page, *pages])
    names = ", ".join(f"{url} (not-found)" for url in others[:5])
    message = f"names alternates that cannot be indexed: {names} …"
    assert rule_on(run, RULE) == [(EN, "error", message)]

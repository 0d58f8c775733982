"""canonical-target-missing-from-sitemap: no sitemap lists the canonical URL of a listed page."""

from typing import Any

import pytest

from sitemapaudit.items import Error, Kind, Page, Role, Sitemap
from tests.pages.responses import SITE, URL, blocked, failed
from tests.rules.tables import Item, rule_on, tables_of
from tests.rules.together import check, places
from tests.support.rows import SITEMAP, fetched_page, listed

RULE = "canonical-target-missing-from-sitemap"
B = f"{SITE}/b"
READ = Sitemap(SITEMAP, status=200, kind=Kind.URLSET)


def test_canonical() -> None:
    cases = [
        (URL, B, True),
        (URL, f"{URL}/", True),
        (f"{URL}?ref=1", URL, True),
        (URL, "https://example.com/a", True),
        (URL, "http://www.example.com/a", True),
        ("http://example.com/a", URL, True),
        (URL, "https://www.example.com:8443/a", True),
        (URL, URL, False),
        (URL, None, False),
        (URL, "https://other.example/a", False),
        (URL, "https://shop.example.com/a", False),
        (URL, "https://www.example.com.evil.example/a", False),
    ]

    def items(at: str, canonical: str | None) -> list[Item]:
        return [READ, listed(at), fetched_page(at, canonical=canonical)]

    expected = [(at, canonical, [(at, "warning")] * found) for at, canonical, found in cases]
    check(RULE, expected, items, places, site=SITE)


def canonicalized(**values: Any) -> Page:
    return fetched_page(URL, canonical=B, **values)


def test_only_canonicalized_pages_are_checked() -> None:
    cases = [
        fetched_page(URL, 404, canonical=B),
        fetched_page(URL, 301, canonical=B, target=B),
        fetched_page(URL, 403, canonical=B),
        canonicalized(noindex=True),
        canonicalized(challenge="a challenge"),
        failed(Error.TIMEOUT),
        blocked(),
    ]
    check(
        RULE, [(page, 0) for page in cases], lambda page: [READ, listed(URL), page], len, site=SITE
    )


def test_any_sitemap_may_list_it() -> None:
    other = f"{SITE}/other.xml"
    text = Sitemap(other, status=200, kind=Kind.TEXT)
    lists_b = listed(B, sitemap=other, kind=Kind.TEXT)
    run = tables_of([READ, text, listed(URL), lists_b, canonicalized()], RULE, site=SITE)
    assert rule_on(run, RULE) == []


def test_a_child_of_an_index_is_not_a_listed_url() -> None:
    index = Sitemap(f"{SITE}/index.xml", status=200, kind=Kind.SITEMAPINDEX)
    children = listed(B, sitemap=index.sitemap, kind=Kind.SITEMAPINDEX)
    run = tables_of([READ, index, children, listed(URL), canonicalized()], RULE, site=SITE)
    assert len(rule_on(run, RULE)) == 1


def test_target() -> None:
    cases = [
        (fetched_page(B, role=Role.CANONICAL), True),
        (fetched_page(B, 403, role=Role.CANONICAL), True),
        (blocked(B), True),
        (failed(Error.LIMIT, at=B), True),
        # The canonical itself is wrong: other rules report it.
        (fetched_page(B, 404, role=Role.CANONICAL), False),
        (fetched_page(B, 500, role=Role.CANONICAL), False),
        (fetched_page(B, 301, role=Role.CANONICAL, target=URL), False),
        (fetched_page(B, role=Role.CANONICAL, noindex=True), False),
        (fetched_page(B, role=Role.CANONICAL, canonical=f"{SITE}/c"), False),
        (failed(Error.DNS, at=B), False),
    ]
    items = READ, listed(URL), canonicalized()
    check(RULE, cases, lambda target: [*items, target], len, site=SITE)


@pytest.mark.parametrize(
    ("other", "found"),
    [
        (Sitemap(f"{SITE}/b.xml", status=200, kind=Kind.URLSET), True),
        (Sitemap(f"{SITE}/b.xml", status=404), True),
        (Sitemap(f"{SITE}/b.xml", status=503), False),
        (Sitemap(f"{SITE}/b.xml", status=403), False),
        (Sitemap(f"{SITE}/b.xml", error=Error.TIMEOUT), False),
        (Sitemap(f"{SITE}/b.xml", error=Error.LIMIT), False),
        (Sitemap(f"{SITE}/b.xml", status=200, complete=False), False),
        (
            Sitemap(f"{SITE}/b.xml", status=200, kind=Kind.URLSET, xml_error="not well-formed"),
            True,
        ),
        (Sitemap(f"{SITE}/b.xml", status=200, kind=Kind.URLSET, truncated=True), False),
    ],
)
def test_not_reported_if_a_sitemap_could_not_be_read(other: Sitemap, found: bool) -> None:
    run = tables_of([READ, other, listed(URL), canonicalized()], RULE, site=SITE)
    assert len(rule_on(run, RULE)) == found


@pytest.mark.parametrize("canonical", [B, "http://www.example.com/a"])
def test_not_reported_if_only_one_sitemap_was_given(canonical: str) -> None:
    page = fetched_page(URL, canonical=canonical)
    assert rule_on(tables_of([READ, listed(URL), page], RULE, sitemap=SITEMAP), RULE) == []
    assert len(rule_on(tables_of([READ, listed(URL), page], RULE, site=SITE), RULE)) == 1


def test_the_sitemaps_of_the_target_must_be_readable() -> None:
    insecure = "http://www.example.com/a"
    unread = Sitemap(f"{SITE}/b.xml", status=503)
    page = fetched_page(insecure, canonical=URL)
    run = tables_of([READ, unread, listed(insecure), page], RULE, site=SITE)
    assert rule_on(run, RULE) == []


def test_message() -> None:
    run = tables_of([READ, listed(URL), canonicalized()], RULE, site=SITE)
    message = f"is canonicalized to {B}, which no sitemap lists"
    assert rule_on(run, RULE) == [(URL, "warning", message)]

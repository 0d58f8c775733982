"""canonical-target-missing-from-sitemap: a listed page's canonical is listed nowhere."""

from pathlib import Path
from typing import Any

import pytest

from sitemapaudit.items import Error, Kind, Page, Role, Sitemap
from tests.pages.answers import SITE, URL, blocked, failed
from tests.support import SITEMAP, answered, build_run, listed, rule_on

RULE = "canonical-target-missing-from-sitemap"
B = f"{SITE}/b"
READ = Sitemap(SITEMAP, status=200, kind=Kind.URLSET)


@pytest.mark.parametrize(
    ("at", "canonical", "found"),
    [
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
    ],
)
def test_canonical(tmp_path: Path, at: str, canonical: str | None, found: bool) -> None:
    page = answered(at, canonical=canonical)
    run = build_run(tmp_path, [READ, listed(at), page], site=SITE)
    assert [finding[:2] for finding in rule_on(run, RULE)] == [(at, "warning")] * found


def names_b(**values: Any) -> Page:
    return answered(URL, canonical=B, **values)


@pytest.mark.parametrize(
    "page",
    [
        answered(URL, 404, canonical=B),
        answered(URL, 301, canonical=B, target=B),
        answered(URL, 403, canonical=B),
        names_b(noindex=True),
        names_b(challenge="a challenge"),
        failed(Error.TIMEOUT),
        blocked(),
    ],
)
def test_only_what_is_canonicalized_is_judged(tmp_path: Path, page: Page) -> None:
    assert rule_on(build_run(tmp_path, [READ, listed(URL), page], site=SITE), RULE) == []


def test_silent_where_any_sitemap_lists_it(tmp_path: Path) -> None:
    other = f"{SITE}/other.xml"
    text = Sitemap(other, status=200, kind=Kind.TEXT)
    lists_b = listed(B, sitemap=other, kind=Kind.TEXT)
    run = build_run(tmp_path, [READ, text, listed(URL), lists_b, names_b()], site=SITE)
    assert rule_on(run, RULE) == []


def test_a_file_of_an_index_is_no_listed_url(tmp_path: Path) -> None:
    index = Sitemap(f"{SITE}/index.xml", status=200, kind=Kind.SITEMAPINDEX)
    children = listed(B, sitemap=index.sitemap, kind=Kind.SITEMAPINDEX)
    run = build_run(tmp_path, [READ, index, children, listed(URL), names_b()], site=SITE)
    assert len(rule_on(run, RULE)) == 1


@pytest.mark.parametrize(
    ("target", "found"),
    [
        (answered(B, role=Role.CANONICAL), True),
        (answered(B, 403, role=Role.CANONICAL), True),
        (blocked(B), True),
        (failed(Error.LIMIT, at=B), True),
        # Here it is the canonical that is wrong: other rules say so.
        (answered(B, 404, role=Role.CANONICAL), False),
        (answered(B, 500, role=Role.CANONICAL), False),
        (answered(B, 301, role=Role.CANONICAL, target=URL), False),
        (answered(B, role=Role.CANONICAL, noindex=True), False),
        (answered(B, role=Role.CANONICAL, canonical=f"{SITE}/c"), False),
        (failed(Error.DNS, at=B), False),
    ],
)
def test_target(tmp_path: Path, target: Page, found: bool) -> None:
    run = build_run(tmp_path, [READ, listed(URL), names_b(), target], site=SITE)
    assert len(rule_on(run, RULE)) == found


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
        (Sitemap(f"{SITE}/b.xml", status=200, kind=Kind.URLSET, fault="not well-formed"), False),
        (Sitemap(f"{SITE}/b.xml", status=200, kind=Kind.URLSET, cut=True), False),
    ],
)
def test_silent_where_a_sitemap_could_not_be_read(
    tmp_path: Path, other: Sitemap, found: bool
) -> None:
    run = build_run(tmp_path, [READ, other, listed(URL), names_b()], site=SITE)
    assert len(rule_on(run, RULE)) == found


def test_silent_where_only_one_sitemap_was_given(tmp_path: Path) -> None:
    run = build_run(tmp_path, [READ, listed(URL), names_b()], sitemap=SITEMAP)
    assert rule_on(run, RULE) == []


def test_it_is_the_sitemaps_of_the_target_that_count(tmp_path: Path) -> None:
    insecure = "http://www.example.com/a"
    unread = Sitemap(f"{SITE}/b.xml", status=503)
    page = answered(insecure, canonical=URL)
    run = build_run(tmp_path, [READ, unread, listed(insecure), page], site=SITE)
    assert rule_on(run, RULE) == []


def test_message(tmp_path: Path) -> None:
    run = build_run(tmp_path, [READ, listed(URL), names_b()], site=SITE)
    message = f"names the canonical {B}, which no sitemap lists"
    assert rule_on(run, RULE) == [(URL, "warning", message)]

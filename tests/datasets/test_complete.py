"""An audit of which nothing is known is incomplete, and says why."""

import re

import pytest

from sitemapaudit.items import Error, Kind, Page, Sitemap, SkipReason
from sitemapaudit.runs.cause import CauseKind
from tests.rules.tables import manifest_in_memory
from tests.support.rows import SITEMAP, fetched_page, listed, sitemap_of

HOST = "https://www.example.com"
A, B, C = (f"{HOST}/{name}" for name in "abc")
CHILDREN = (f"{HOST}/1.xml", f"{HOST}/2.xml")
HTML = Sitemap(CHILDREN[0], status=200, kind=Kind.HTML)
DEAD = Sitemap(CHILDREN[1], error=Error.TIMEOUT, kind=Kind.UNKNOWN)


def index(*locs: str) -> list[object]:
    """Return the items of an index of these sitemaps."""
    row = Sitemap(SITEMAP, status=200, kind=Kind.SITEMAPINDEX, entries=len(locs))
    return [row, listed(*locs, kind=Kind.SITEMAPINDEX)] if locs else [row]


@pytest.mark.parametrize(
    ("children", "complete"),
    [
        ([HTML, DEAD], False),
        ([HTML, Sitemap(CHILDREN[1], status=200, kind=Kind.URLSET)], True),
        ([], True),
    ],
    ids=["none", "one", "no-children"],
)
def test_an_index_of_which_no_sitemap_can_be_read(children: list[Sitemap], complete: bool) -> None:
    locs = [child.sitemap for child in children]
    manifest = manifest_in_memory([*index(*locs), *children], pages="none")  # type: ignore[list-item]
    assert manifest.complete is complete
    reason = (
        "no sitemap could be read: www.example.com does not respond in time,"
        f" {CHILDREN[0]} is an HTML page and not a sitemap"
    )
    assert manifest.reason == (None if complete else reason)
    assert manifest.exit_status("never") == (0 if complete else 3)


LATE = "www.example.com does not respond in time (30 seconds)"


def unreachable(url: str) -> Page:
    return fetched_page(url, None, error=Error.TIMEOUT, error_detail="30 seconds")


@pytest.mark.parametrize(
    ("pages", "reason"),
    [
        (
            [unreachable(A), unreachable(B), fetched_page(C, 403)],
            f"2 unreachable, 1 denied; {LATE[:-1]}, 2 times), {C} returns 403: access is denied",
        ),
        ([unreachable(A), unreachable(B), unreachable(C)], f"3 unreachable; {LATE}"),
        (
            [fetched_page(each, 302, target=f"{HOST}/login?next={each}") for each in (A, B, C)],
            f"3 redirected; {A} redirects to a login ({HOST}/login?next={A}) (and 2 more)",
        ),
        ([fetched_page(A, 302, target=f"{HOST}/login"), fetched_page(B), unreachable(C)], None),
        ([unreachable(A), unreachable(B), fetched_page(C)], None),
        ([unreachable(A), unreachable(B), fetched_page(C, 404)], None),
        ([unreachable(A), fetched_page(B, 403), fetched_page(C, 301, target=A)], None),
    ],
)
def test_a_site_of_which_no_page_can_be_read(pages: list[Page], reason: str | None) -> None:
    entries = listed(A, B, C)
    manifest = manifest_in_memory([sitemap_of(entries), entries, *pages])
    expected = f"no listed page could be read: {reason}" if reason else None
    assert (manifest.complete, manifest.reason) == (reason is None, expected)
    assert [cause.kind for cause in manifest.causes] == [CauseKind.PAGES] * (reason is not None)


def test_urls_that_were_skipped_say_nothing_about_a_site() -> None:
    entries = listed(A, B)
    entries.rows[1].skip_reason = SkipReason.SAMPLE
    manifest = manifest_in_memory([sitemap_of(entries), entries, unreachable(A)], pages="1")
    assert manifest.reason == f"no listed page could be read: 1 unreachable; {LATE}"


OTHER_HOST = "cdn.example.com is another host: a build folder contains no pages of other hosts"
IGNORED = "a component of the project ignored it (IgnoreRequest: no)"


@pytest.mark.parametrize(
    ("urls", "named"),
    [([A], f"1 listed URL unchecked: {A}"), ([A, B], f"2 listed URLs unchecked: {A} (and 1 more)")],
)
@pytest.mark.parametrize(
    ("error", "detail", "reason", "remedy"),
    [
        (Error.NOT_IN_BUILD, OTHER_HOST, OTHER_HOST, "the live site"),
        (Error.IGNORED, IGNORED, IGNORED, "component"),
        (Error.INTERNAL, "KeyError: 'x'", "an internal error, which the log has", "traceback"),
    ],
)
def test_the_reason_names_unchecked_urls(
    error: Error, detail: str, reason: str, remedy: str, urls: list[str], named: str
) -> None:
    entries = listed(*urls, C)
    unchecked = [Page(url, error=error, error_detail=detail) for url in urls]
    manifest = manifest_in_memory([sitemap_of(entries), entries, *unchecked, fetched_page(C)])
    assert manifest.reason == f"{named}: {reason}"
    assert remedy in (manifest.remedy or "")
    assert [cause.kind for cause in manifest.causes] == [CauseKind.UNCHECKED]
    assert (manifest.limits, manifest.exit_status("never")) == ({}, 3)


def test_the_remedy_excludes_what_a_build_does_not_know() -> None:
    site = A.removesuffix("/a")
    reasons = {
        "is served by a function": [f"{site}/api/{number}" for number in range(9)],
        "depends on the visitor": [f"{site}/x.html", f"{site}/y"],
        "is forwarded": [f"{site}/z"],
        "is forwarded elsewhere": [f"{site}/z{number}" for number in range(1, 7)],
        "is rare": [f"{site}/q"],
    }
    entries = listed(A, *(url for urls in reasons.values() for url in urls))
    pages = [
        Page(url, error=Error.NOT_IN_BUILD, error_detail=reason)
        for reason, urls in reasons.items()
        for url in urls
    ]
    manifest = manifest_in_memory([sitemap_of(entries), entries, *pages, fetched_page(A)])
    assert manifest.reason == (
        f"9 listed URLs unchecked: {site}/api/0 (and 8 more): is served by a function;"
        f" 6 listed URLs unchecked: {site}/z1 (and 5 more): is forwarded elsewhere;"
        f" 2 listed URLs unchecked: {site}/q (and 1 more): is rare;"
        f" 2 listed URLs unchecked: {site}/x.html (and 1 more): depends on the visitor"
    )
    live, root = "audit the live site too, or exclude such URLs", re.escape(f"{site}/")
    assert manifest.remedy == (
        f"{live} with --exclude '^{root}api/'; {live};"
        f" {live} with --exclude '^{root}(q|z)$'; {live} with --exclude '^{root}(x\\.html|y)$'"
    )


def test_urls_that_the_user_skips_are_not_missed() -> None:
    entries = listed(A, B)
    for row in entries.rows:
        row.skip_reason = SkipReason.PAGES
    assert manifest_in_memory([sitemap_of(entries), entries], pages="none").complete

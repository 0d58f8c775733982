"""sitemap-dirt-rate: more than one in a hundred listed URLs cannot be indexed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sitemapaudit.items import Error, Page
from tests.pages.answers import SITE, blocked, failed
from tests.support import answered, build_run, listed, rule_on

RULE = "sitemap-dirt-rate"


def missing(url: str) -> Page:
    return answered(url, 404)


def site_with(
    clean: int, odd: int, make: Callable[[str], Page] = missing, at: str = SITE
) -> list[Page]:
    """Return pages that can be indexed, and odd ones."""
    pages = [answered(f"{at}/{number}") for number in range(clean)]
    return pages + [make(f"{at}/odd-{number}") for number in range(odd)]


@pytest.mark.parametrize(
    ("clean", "dirty", "found"),
    [
        (100, 0, False),
        (99, 1, False),
        (98, 2, True),
        (97, 2, False),
        (0, 99, False),
        (0, 100, True),
        (198, 2, False),
        (197, 3, True),
    ],
)
def test_share(tmp_path: Path, clean: int, dirty: int, found: bool) -> None:
    pages = site_with(clean, dirty)
    run = build_run(tmp_path, [listed(*(page.url for page in pages)), *pages])
    assert [finding[:2] for finding in rule_on(run, RULE)] == [(f"{SITE}/", "warning")] * found


@pytest.mark.parametrize(
    ("make", "found"),
    [
        (missing, True),
        (lambda url: answered(url, 410), True),
        (lambda url: answered(url, 418), True),
        (lambda url: answered(url, 500), True),
        (lambda url: answered(url, 301, target=SITE), True),
        (lambda url: answered(url, noindex=True), True),
        (lambda url: answered(url, canonical=SITE), True),
        (lambda url: answered(url, 204), True),
        (lambda url: answered(url, 403), False),
        (lambda url: answered(url, challenge="a challenge"), False),
        (lambda url: failed(Error.DNS, at=url), False),
        (lambda url: failed(Error.LIMIT, at=url), False),
        (blocked, False),
    ],
)
def test_verdicts(tmp_path: Path, make: Callable[[str], Page], found: bool) -> None:
    pages = site_with(100, 2, make)
    run = build_run(tmp_path, [listed(*(page.url for page in pages)), *pages])
    assert len(rule_on(run, RULE)) == found


def test_what_is_not_known_counts_on_neither_side(tmp_path: Path) -> None:
    pages = site_with(97, 2)
    unchecked = [f"{SITE}/unchecked-{number}" for number in range(50)]
    run = build_run(tmp_path, [listed(*(page.url for page in pages), *unchecked), *pages])
    assert rule_on(run, RULE) == []


def test_pages_that_are_not_listed_do_not_count(tmp_path: Path) -> None:
    pages = site_with(100, 50)
    run = build_run(tmp_path, [listed(*(page.url for page in pages[:100])), *pages])
    assert rule_on(run, RULE) == []


def test_each_site_by_itself(tmp_path: Path) -> None:
    other = "https://other.example"
    pages = site_with(100, 0) + site_with(90, 10, at=other)
    run = build_run(tmp_path, [listed(*(page.url for page in pages)), *pages])
    message = "has 10 of 100 listed URLs that cannot be indexed (10.0 %)"
    assert rule_on(run, RULE) == [(f"{other}/", "warning", message)]

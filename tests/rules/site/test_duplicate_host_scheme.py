"""duplicate-host-scheme: two listed URLs differ in http or https, or in a leading www."""

from pathlib import Path

import pytest

from sitemapaudit.items import Kind
from tests.support import answered, build_run, listed, rule_on

RULE = "duplicate-host-scheme"
PLAIN, WWW = "https://example.com/a?b=1", "https://www.example.com/a?b=1"
INSECURE, INSECURE_WWW = "http://example.com/a?b=1", "http://www.example.com/a?b=1"


@pytest.mark.parametrize(
    ("locs", "expected"),
    [
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
    ],
)
def test_listed(tmp_path: Path, locs: list[str], expected: list[str]) -> None:
    found = rule_on(build_run(tmp_path, [listed(*locs)]), RULE)
    assert [finding[:2] for finding in found] == [(url, "warning") for url in expected]


def test_one_that_is_indexable_is_better_than_one_that_is_not(tmp_path: Path) -> None:
    pages = [answered(PLAIN, 301, target=WWW), answered(WWW)]
    run = build_run(tmp_path, [listed(PLAIN, WWW, INSECURE), *pages])
    assert rule_on(run, RULE) == [
        (INSECURE, "warning", f"is listed as {WWW} too"),
        (PLAIN, "warning", f"is listed as {WWW} too"),
    ]


def test_across_sitemaps_and_not_of_indexes(tmp_path: Path) -> None:
    other = listed(INSECURE, sitemap="https://example.com/b.xml")
    index = listed(WWW, sitemap="https://example.com/index.xml", kind=Kind.SITEMAPINDEX)
    run = build_run(tmp_path, [listed(PLAIN), other, index])
    assert [url for url, _, _ in rule_on(run, RULE)] == [INSECURE]

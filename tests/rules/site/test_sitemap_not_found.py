"""sitemap-not-found: none is declared, and none is at the addresses that were tried."""

from pathlib import Path

import pytest

from sitemapaudit.items import Robots
from tests.pages.answers import SITE
from tests.support import build_run, rule_on

RULE = "sitemap-not-found"
TRIED = [f"{SITE}/sitemap.xml", f"{SITE}/sitemap_index.xml"]


def robots(tried: list[str] | None, found: int | None, *, judged: bool = True) -> Robots:
    return Robots(SITE, f"{SITE}/robots.txt", judged, tried=tried, found=found)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (robots(TRIED, 0), ["warning"]),
        (robots(TRIED, 1), []),
        (robots(TRIED, 2), []),
        (robots(None, None), []),
        (robots(TRIED, None), []),
        (robots(TRIED, 0, judged=False), []),
    ],
)
def test_tried(tmp_path: Path, row: Robots, expected: list[str]) -> None:
    run = build_run(tmp_path, [row])
    assert [severity for _, severity, _ in rule_on(run, RULE)] == expected


def test_message_names_what_was_tried(tmp_path: Path) -> None:
    ((url, _, message),) = rule_on(build_run(tmp_path, [robots(TRIED, 0)]), RULE)
    assert url == f"{SITE}/"
    assert message == (
        "has no sitemap: robots.txt declares none,"
        f" and none is at {SITE}/sitemap.xml, {SITE}/sitemap_index.xml"
    )


def test_each_site_by_itself(tmp_path: Path) -> None:
    other = "https://other.example"
    rows = [robots(TRIED, 0), Robots(other, f"{other}/robots.txt", tried=["x"], found=1)]
    assert [url for url, _, _ in rule_on(build_run(tmp_path, rows), RULE)] == [f"{SITE}/"]

"""The limits on the number of linked URLs count each URL that they skip once."""

import pytest

from sitemapaudit.config import Config
from sitemapaudit.crawling.link_limits import LinkLimits

SITE = "https://www.example.com"


@pytest.mark.parametrize("setting", ["AUDIT_MAX_LINKED", "AUDIT_MAX_SIMILAR"])
def test_a_url_that_two_runs_found_is_skipped_once(setting: str) -> None:
    settings = {"DOWNLOAD_TIMEOUT": 10, "AUDIT_MAX_LINKED": 99, setting: 2}
    limits = LinkLimits(Config.read({"site": SITE, "links": "crawl"}, settings))
    urls = [f"{SITE}/calendar/{day}" for day in range(2020, 2025)]
    assert [limits.admit(url) for url in urls] == [True] * 2 + [False] * 3
    assert not any(map(limits.admit, urls[2:]))
    assert limits.skipped == {setting: 3}
    assert limits.shapes.total() == (3 if setting == "AUDIT_MAX_SIMILAR" else 0)


def test_a_url_is_counted_for_the_limit_that_skipped_it_first() -> None:
    settings = {"DOWNLOAD_TIMEOUT": 10, "AUDIT_MAX_LINKED": 2, "AUDIT_MAX_SIMILAR": 1}
    limits = LinkLimits(Config.read({"site": SITE, "links": "crawl"}, settings))
    first, second = f"{SITE}/calendar/2020", f"{SITE}/calendar/2021"
    assert [limits.admit(url) for url in (first, second, f"{SITE}/about")] == [True, False, True]
    assert not limits.admit(second)
    assert dict(limits.skipped) == {"AUDIT_MAX_SIMILAR": 1}
    assert limits.shapes.total() == 1

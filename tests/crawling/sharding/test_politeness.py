"""All shards together are as polite as one worker."""

from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from sitemapaudit.engine.speeds import share_speed
from tests.crawling.sharding.clocked import LATENCY, Clocked
from tests.runs.killing import finish, start
from tests.support.settings import QUICK

WORKERS = 4
PAGES = 36
"""Enough that one late start of a busy machine does not change the rate much."""


UNREAD: dict[str, Any] = {"AUDIT_RESULTS": "later", **QUICK}
"""Settings of audits of which only the requests matter."""

DELAY = 1 / 8


@pytest.mark.parametrize(
    ("rules", "settings", "rate"),
    [
        ("", {"DOWNLOAD_DELAY": DELAY, "AUTOTHROTTLE_ENABLED": False}, 1 / DELAY),
        (f"Crawl-delay: {DELAY}", {}, 1 / DELAY),
        ("", {"CONCURRENT_REQUESTS_PER_DOMAIN": 1}, 1 / LATENCY),
    ],
    ids=["delay", "crawl-delay", "one at a time"],
)
def test_all_shards_together_are_not_faster_than_one_worker(
    tmp_path: Path, rules: str, settings: dict[str, Any], rate: float
) -> None:
    with Clocked(PAGES, rules) as site:
        workers = [
            start(tmp_path, f"site={site.origin}", f"shard={index}/{WORKERS}", **UNREAD, **settings)
            for index in range(1, WORKERS + 1)
        ]
        for worker in workers:
            finish(worker)
    assert len(site.times) == PAGES
    assert site.at_once <= WORKERS
    # The first request of each worker is not delayed.
    assert site.rate < rate * 1.25


def test_a_shard_gets_its_share_of_the_speed() -> None:
    settings = Settings(
        {
            "DOWNLOAD_DELAY": 0.2,
            "AUTOTHROTTLE_START_DELAY": 0.5,
            "AUTOTHROTTLE_MAX_DELAY": 30,
            "AUTOTHROTTLE_TARGET_CONCURRENCY": 2,
            "CONCURRENT_REQUESTS": 40,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
            "DOWNLOAD_SLOTS": {
                "a.example": {"delay": 0.5, "concurrency": 16, "jitter": 0},
                "b.example": {"concurrency": 2},
            },
        },
        priority="cmdline",
    )
    share_speed(settings, 8)
    assert settings.getfloat("DOWNLOAD_DELAY") == pytest.approx(1.6)
    assert settings.getfloat("AUTOTHROTTLE_START_DELAY") == 4
    assert settings.getfloat("AUTOTHROTTLE_MAX_DELAY") == 240
    assert settings.getfloat("AUTOTHROTTLE_TARGET_CONCURRENCY") == 0.25
    assert settings.getint("CONCURRENT_REQUESTS") == 5
    assert settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN") == 2
    assert not settings.getbool("AUTOTHROTTLE_ENABLED")
    assert settings.getdict("DOWNLOAD_SLOTS") == {
        "a.example": {"delay": 4, "concurrency": 2, "jitter": 0},
        "b.example": {"concurrency": 1},
    }


@pytest.mark.parametrize(
    ("limits", "share"), [((1, 40), 1 / 8), ((40, 2), 2 / 8), ((0, 4), 4 / 8), ((0, 8), None)]
)
def test_shards_that_share_a_lower_limit_wait(limits: tuple[int, int], share: float | None) -> None:
    names = ("CONCURRENT_REQUESTS", "CONCURRENT_REQUESTS_PER_DOMAIN")
    for throttled in (False, True):
        settings = Settings(dict(zip(names, limits, strict=True)), priority="cmdline")
        settings.set("AUTOTHROTTLE_ENABLED", throttled)
        settings.set("AUTOTHROTTLE_TARGET_CONCURRENCY", 2)
        share_speed(settings, 8)
        targets = [2 / 8] * throttled + ([] if share is None else [share])
        assert settings.getbool("AUTOTHROTTLE_ENABLED") is bool(targets)
        if targets:
            assert settings.getfloat("AUTOTHROTTLE_TARGET_CONCURRENCY") == min(targets)
        assert settings.getint(names[0]) == min(limits[0], max(1, limits[0] // 8))

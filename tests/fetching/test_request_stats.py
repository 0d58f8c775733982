"""The stats of requests and responses are those that Scrapy documents."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites.website import Website
from tests.support.audits import Audited, crawl

pytestmark = pytest.mark.xdist_group("request-stats")

SCRAPYS = "scrapy.downloadermiddlewares.stats.DownloaderStats"

LATER = {"AUDIT_RESULTS": "later"}
"""The setting of an audit of which only the log is read."""


def stats_of(audited: Audited) -> dict[str, int]:
    """Return the numbers of the stats in the log."""
    return {name: int(number) for name, number in re.findall(r"'([^']+)': (\d+)[,}]", audited.log)}


@pytest.fixture(scope="module")
def website() -> Iterator[Website]:
    with Website("statuses") as website:
        yield website


@pytest.fixture(scope="module")
def stats(website: Website, tmp_path_factory: pytest.TempPathFactory) -> dict[str, int]:
    return stats_of(crawl(tmp_path_factory.mktemp("ours"), {"site": website.origin}))


def test_they_are_those_of_scrapys_middleware(
    website: Website, stats: dict[str, int], tmp_path: Path
) -> None:
    middlewares = f'{{"{SCRAPYS}": 849, "sitemapaudit.fetching.request_stats.RequestStats": null}}'
    settings = {"DOWNLOADER_MIDDLEWARES": middlewares, **LATER}
    theirs = stats_of(crawl(tmp_path, {"site": website.origin}, settings))
    names = {name for name in theirs if name.startswith("downloader/")}
    assert names == {name for name in stats if name.startswith("downloader/")}
    assert names > {"downloader/response_status_count/404", "downloader/request_method_count/GET"}
    for name in names:
        if not name.endswith("_bytes"):
            assert stats[name] == theirs[name], name
    # Ours are those that were sent: with compression, if there is one.
    assert 0.5 < stats["downloader/response_bytes"] / theirs["downloader/response_bytes"] < 1.1
    assert 0.2 < stats["downloader/request_bytes"] / theirs["downloader/request_bytes"] < 1.1


def test_robots_and_items_are_counted(website: Website, stats: dict[str, int]) -> None:
    assert stats["robotstxt/request_count"] == stats["robotstxt/response_count"] == 1
    assert stats["robotstxt/response_status_count/200"] == 1
    assert stats["robotstxt/forbidden"] == 0
    repeated = stats["retry/count"]
    assert stats["response_received_count"] == stats["downloader/response_count"] - repeated
    listed = len(website.verdicts())
    assert stats["item_scraped_count"] >= 2 * listed + 2


def test_workers_count_together(website: Website, stats: dict[str, int], tmp_path: Path) -> None:
    counted = stats_of(crawl(tmp_path, {"site": website.origin, "workers": "2"}, LATER))
    for name in ("downloader/request_count", "downloader/response_count"):
        assert counted[name] == stats[name]


def test_they_can_be_switched_off(website: Website, tmp_path: Path) -> None:
    audited = crawl(tmp_path, {"site": website.origin}, {"DOWNLOADER_STATS": "False", **LATER})
    assert not [name for name in stats_of(audited) if name.startswith("downloader/")]

"""Requests pass through Scrapy's engine where its downloader is not ours; the audit is the same."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from scrapy import Request
from scrapy.core.downloader import Downloader
from scrapy.crawler import Crawler
from scrapy.http import Response as ScrapyResponse
from twisted.internet.defer import Deferred

from sitemapaudit import open_run
from tests.plugins.interpreters.commands import own_environment
from tests.runs.killing import read_rows
from tests.sites.website import Website
from tests.support.audits import Audited, crawl
from tests.support.commands import TIMEOUT
from tests.support.paths import PROJECT

pytestmark = pytest.mark.xdist_group("ways")

LINE = "Requests pass through Scrapy's engine, which takes longer: DOWNLOADER is {}\n"

UNFIT = """
import sys
import aiohttp, aiohttp.client_proto, scrapy.core.downloader, scrapy.core.scraper
from scrapy.crawler import CrawlerProcess

# Versions of Scrapy and aiohttp without two private parts.
del scrapy.exceptions._InvalidOutput, aiohttp.client_proto.ResponseHandler

from sitemapaudit.spiders.sitemap import SitemapSpider

process = CrawlerProcess({"AUDIT_SPEED": "full"})
process.crawl(SitemapSpider, site=sys.argv[1])
process.start()
"""


class AnotherDownloader(Downloader):
    """The downloader of a project."""


class MinimalDownloader:
    """A downloader with no more than what Scrapy's engine uses."""

    def __init__(self, crawler: Crawler) -> None:
        self._downloader = Downloader(crawler)
        self.active = self._downloader.active

    def fetch(self, request: Request) -> "Deferred[ScrapyResponse | Request]":
        return self._downloader.fetch(request)

    def needs_backout(self) -> bool:
        return self._downloader.needs_backout()

    def close(self) -> None:
        self._downloader.close()


@pytest.fixture(scope="module")
def website() -> Iterator[Website]:
    with Website("statuses") as website:
        yield website


@pytest.fixture(scope="module")
def usual(website: Website, tmp_path_factory: pytest.TempPathFactory) -> Audited:
    return crawl(tmp_path_factory.mktemp("usual"), {"site": website.origin})


def test_a_usual_audit_passes_by_the_engine(usual: Audited) -> None:
    assert LINE.partition("{")[0] not in usual.log


@pytest.mark.parametrize("downloader", [Downloader, AnotherDownloader, MinimalDownloader])
def test_another_downloader_is_used(
    website: Website, usual: Audited, tmp_path: Path, downloader: type
) -> None:
    name = f"{downloader.__module__}.{downloader.__qualname__}"
    audited = crawl(tmp_path, {"site": website.origin}, {"DOWNLOADER": name})
    assert audited.status == usual.status
    assert audited.log.count(LINE.format(downloader.__name__)) == 1
    assert read_rows(audited.run.path) == read_rows(usual.run.path)
    assert ("has no slots" in audited.log) == (downloader is MinimalDownloader)


def test_versions_without_private_parts_are_used_without_them(
    website: Website, usual: Audited, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", UNFIT, website.origin],
        cwd=tmp_path,
        env=own_environment() | {"PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=True,
    )
    assert "Traceback" not in done.stderr
    log = (open_run(tmp_path / "audits").path / "crawl.log").read_text(encoding="utf-8")
    assert LINE.format("Downloader") in log
    for words in ("of Scrapy do not fit: ImportError", "of aiohttp do not fit (ImportError"):
        assert f"rivate parts {words}" in log + done.stderr
    assert read_rows(open_run(tmp_path / "audits").path) == read_rows(usual.run.path)

"""Every way in which Scrapy starts a spider from Python starts an audit, in an empty folder."""

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from sitemapaudit import open_run
from sitemapaudit.engine.crawl_settings import DOWNLOAD_HANDLERS_BASE
from tests.plugins.interpreters.commands import own_environment, run
from tests.sites.website import Website
from tests.support.commands import TIMEOUT, scrapy

pytestmark = pytest.mark.xdist_group("starting")

START = """
import asyncio, gc, warnings
from scrapy import crawler
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_from_coro
from scrapy.utils.reactor import install_reactor
from sitemapaudit.spiders.sitemap import SitemapSpider

def settings(**given):
    return Settings({"AUDIT_SPEED": "full", "RETRY_TIMES": 0, **given})

warnings.simplefilter("error", RuntimeWarning)
"""

PROCESS = """
process = crawler.{name}(settings({settings}))
process.crawl(SitemapSpider, site=site)
process.start()
del process  # Twisted logs an error when nothing refers to it any more.
gc.collect()
"""

RUNNER = """
install_reactor("twisted.internet.{reactor}")
from twisted.internet.task import react
react(lambda _: {crawl})
"""

LOOP = """
async def audit(folder):
    runner = crawler.AsyncCrawlerRunner(settings(TWISTED_REACTOR_ENABLED=False, AUDIT_DIR=folder))
    audit = runner.create_crawler(SitemapSpider)
    await runner.crawl(audit, site=site)
    print(dict(audit.settings.getwithbase("DOWNLOAD_HANDLERS")))

async def main():
    await asyncio.gather(audit("a"), audit("b"))
    await audit("c")

asyncio.run(main())
"""

ASYNCIO = "asyncioreactor.AsyncioSelectorReactor"
SELECT = "selectreactor.SelectReactor"
CRAWL = "crawler.CrawlerRunner(settings()).crawl(SitemapSpider, site=site)"
ASYNC_CRAWL = "crawler.AsyncCrawlerRunner(settings()).crawl(SitemapSpider, site=site)"

REFUSAL = "has no event loop of asyncio, which an audit needs."

WAYS = {
    "CrawlerProcess": PROCESS.format(name="CrawlerProcess", settings=""),
    "AsyncCrawlerProcess": PROCESS.format(name="AsyncCrawlerProcess", settings=""),
    "empty TWISTED_REACTOR": PROCESS.format(name="CrawlerProcess", settings="TWISTED_REACTOR=''"),
    "no reactor": PROCESS.format(
        name="AsyncCrawlerProcess", settings="TWISTED_REACTOR_ENABLED=False"
    ),
    "CrawlerRunner": RUNNER.format(reactor=ASYNCIO, crawl=CRAWL),
    "AsyncCrawlerRunner": RUNNER.format(
        reactor=ASYNCIO, crawl=f"deferred_from_coro({ASYNC_CRAWL})"
    ),
}
REFUSED = {
    "TWISTED_REACTOR": PROCESS.format(
        name="CrawlerProcess", settings=f"TWISTED_REACTOR='twisted.internet.{SELECT}'"
    ),
    "a misspelled reactor": PROCESS.format(
        name="CrawlerProcess", settings="TWISTED_REACTOR='twisted.internet.selectreactor.Nothing'"
    ),
    "CrawlerRunner": RUNNER.format(
        reactor=SELECT,
        crawl="crawler.CrawlerRunner(settings(TWISTED_REACTOR='')).crawl(SitemapSpider, site=site)",
    ),
}


@pytest.fixture(scope="module")
def website() -> Iterator[Website]:
    with Website("repeats") as website:
        yield website


def execute(text: str, website: Website, folder: Path) -> "subprocess.CompletedProcess[str]":
    script = f"{START}site = {website.origin!r}\n{text}"
    (folder / "start.py").write_text(script, encoding="utf-8")
    return run("tests.docs.script", ["start.py"], own_environment(), TIMEOUT, folder)


def check_complete(folder: Path) -> None:
    run = open_run(folder)
    assert run.manifest.complete
    assert run.manifest.verdicts == {"indexable": 3}


@pytest.mark.parametrize("way", WAYS)
def test_each_way_to_start_a_spider_audits(way: str, website: Website, tmp_path: Path) -> None:
    done = execute(WAYS[way], website, tmp_path)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    check_complete(tmp_path / "audits")


def test_a_running_loop_runs_several_audits(website: Website, tmp_path: Path) -> None:
    """Side by side, and one after the other."""
    done = execute(LOOP, website, tmp_path)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    handlers = [line for line in done.stdout.splitlines() if line.startswith("{")]
    for name, line in zip("abc", handlers, strict=True):
        check_complete(tmp_path / name)
        # Scrapy replaces its own where there is no reactor.
        assert ast.literal_eval(line) == DOWNLOAD_HANDLERS_BASE


@pytest.mark.parametrize("way", REFUSED)
def test_a_reactor_without_asyncio_is_refused(way: str, website: Website, tmp_path: Path) -> None:
    done = execute(REFUSED[way], website, tmp_path)
    assert "ConfigError: " in done.stderr
    assert not (tmp_path / "audits").exists()


@pytest.mark.parametrize(
    ("given", "status", "printed"),
    [
        ("FORCE_CRAWLER_PROCESS=True", 0, ""),
        ("TWISTED_REACTOR=", 0, ""),
        ("TWISTED_REACTOR_ENABLED=False", 0, ""),
        (
            f"TWISTED_REACTOR=twisted.internet.{SELECT}",
            2,
            f"TWISTED_REACTOR: twisted.internet.{SELECT} {REFUSAL}\n",
        ),
        (
            "TWISTED_REACTOR=nothing",
            2,
            "TWISTED_REACTOR: 'nothing' is not the name of a reactor.\n",
        ),
    ],
)
def test_settings_of_the_reactor_on_the_command_line(
    given: str, status: int, printed: str, website: Website, tmp_path: Path
) -> None:
    settings = (f"AUDIT_DIR={tmp_path}", "AUDIT_SPEED=full", "AUDIT_RESULTS=later", given)
    words = [word for each in settings for word in ("-s", each)]
    done = scrapy("crawl", "sitemap", "-a", f"site={website.origin}", *words)
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    assert printed in ("", done.stderr)

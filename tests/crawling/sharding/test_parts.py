"""A sample and a limit apply to the whole audit: each shard fetches its part of them."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from sitemapaudit import Run, open_run
from sitemapaudit.datasets.samples.sampling import SampleChoice, draw_sample
from sitemapaudit.items import Kind, Sitemap
from sitemapaudit.urls.shard import Shard
from tests.crawling.sharding.worker import Item, merge, owned_urls, work
from tests.sites.website import Website
from tests.support.audits import crawl
from tests.support.rows import SITEMAP, listed
from tests.support.runs import build_run
from tests.support.settings import QUICK

SHARDS = [Shard(1, 2), Shard(2, 2)]
PATHS = [f"/{folder}/{number}" for folder in "ab" for number in (1, 2, 3)]


@pytest.fixture
def website() -> Iterator[Website]:
    """Serve six pages such that each shard owns its part of three, which depends on the port."""
    with ExitStack() as stack:
        while not is_fair(website := stack.enter_context(Website("listing"))):
            pass
        yield website


def is_fair(website: Website) -> bool:
    urls = [website.origin + path for path in PATHS]
    return all(sum(map(shard.owns, urls)) >= shard.share_of(3) for shard in SHARDS)


@pytest.mark.parametrize(
    ("arguments", "settings"), [({"pages": "3"}, {}), ({}, {"AUDIT_MAX_URLS": "3"})]
)
def test_all_shards_together_fetch_as_many_as_one_worker(
    website: Website, tmp_path: Path, arguments: dict[str, str], settings: dict[str, str]
) -> None:
    for shard in SHARDS:
        words = {"site": website.origin, "shard": str(shard), **arguments}
        crawl(tmp_path / str(shard.index), words, QUICK | settings)
    pages = [number for path, number in website.requests().items() if path in PATHS]
    assert pages == [1, 1, 1]
    run = merge(*(tmp_path / str(shard.index) for shard in SHARDS), into=tmp_path / "run")
    verdicts = run.urls["verdict"].value_counts().to_dict()
    assert verdicts == {"indexable": 3, "unchecked": 3}
    assert run.manifest.complete is ("pages" in arguments)
    assert run.manifest.limits == ({"AUDIT_MAX_URLS": 3} if settings else {})


def test_the_sample_of_shards_is_that_of_one_worker(tmp_path: Path) -> None:
    urls = [url for shard in SHARDS for url in owned_urls(shard, 20)]
    items: list[Item] = [Sitemap(SITEMAP, status=200, kind=Kind.URLSET, entries=40), listed(*urls)]
    whole = build_run(tmp_path / "whole", items, pages=10)
    shards = tmp_path / "shards"
    runs = [work(shards, shard, items, place, pages=10) for place, shard in enumerate(SHARDS)]
    drawn = draw_sample(whole.path, SampleChoice(10), 256)
    assert [draw_sample(run, SampleChoice(10), 256) for run in runs] == [drawn, drawn]
    assert urls_outside(merge(*runs)) == urls_outside(whole) == set(urls) - set(drawn)
    # Of the URLs of a missing shard, only those in the sample should have been fetched.
    alone = merge(runs[0], into=shards / "run")
    assert urls_outside(alone) == set(urls) - set(drawn)
    assert open_run(alone.path).manifest.unchecked_urls == 10


def urls_outside(run: Run) -> set[str]:
    """Return the URLs outside the sample."""
    return set(run.urls[run.urls["skip_reason"] == "sample"]["url"])

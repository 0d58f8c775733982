"""What an audit says of links with certainty is true: a visitor says so."""

from pathlib import Path

import pytest

from tests.crawling.links.visitors import VisitedSite, build
from tests.support.audits import crawl
from tests.support.settings import QUICK


@pytest.mark.parametrize("seed", [102, 118])
def test_a_visitor_finds_no_certain_orphan(tmp_path: Path, seed: int) -> None:
    """A complete graph has all orphans, too."""
    website = build(seed)
    with VisitedSite(website) as site:
        run = crawl(tmp_path, {"site": site.origin, "links": "crawl"}, QUICK).run
    lost, counts, pages = run.orphans, run.manifest.links, run.urls
    assert counts is not None
    certain = {_path(url) for url in lost.loc[lost["certain"], "url"]}
    found = website.found()
    assert certain & found == set()
    if not counts.gaps:
        indexable = {_path(url) for url in pages.loc[pages["indexable"].fillna(value=False), "url"]}
        assert certain == indexable - found
    others = run.unlisted_pages
    unlisted = {_path(url) for url in others.loc[others["certain"], "url"]}
    assert unlisted.isdisjoint(website.listed)
    assert website.other_status == 404 or unlisted.isdisjoint(website.other_listed)


def _path(url: str) -> str:
    return "/" + url.split("/", 3)[3]

"""news-too-many: more than 1,000 articles in one file; just that many pass."""

import json
from pathlib import Path

from sitemapaudit import Run
from sitemapaudit.items import Entries, Entry, Kind, News
from sitemapaudit.urls import normalise
from tests.rules.sitemap.files import entries_of, url, urlset
from tests.support import SITEMAP, build_run, rule_on

RULE = "news-too-many"
SECOND = "https://www.example.com/second.xml"
NEWS = '<n:news xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"/>'


def entries(*articles: int, at: str = SITEMAP) -> Entries:
    """Return a file whose entries have so many articles each."""
    page = "https://www.example.com/a"
    rows = [
        Entry(at, position, Kind.URLSET, page, normalise(page), news=[News()] * count)
        for position, count in enumerate(articles, start=1)
    ]
    return Entries(at, rows)


def sitemaps(run: Run) -> list[str]:
    return sorted(run.findings[run.findings["rule"] == RULE]["sitemap"])


def test_limit_is_that_of_each_file(tmp_path: Path) -> None:
    run = build_run(tmp_path, [entries(*[1] * 1_000), entries(*[1] * 1_000, at=SECOND)])
    assert sitemaps(run) == []


def test_one_more(tmp_path: Path) -> None:
    run = build_run(tmp_path, [entries(*[1] * 1_001), entries(1, at=SECOND)])
    message = "has 1001 articles, and 1000 are allowed"
    assert [told for _, *told in rule_on(run, RULE)] == [["error", message]]
    assert sitemaps(run) == [SITEMAP]
    evidence = run.findings[run.findings["rule"] == RULE]["evidence"].item()
    assert json.loads(evidence) == {"articles": 1_001}


def test_articles_count_and_not_entries(tmp_path: Path) -> None:
    run = build_run(tmp_path, [entries(*[2] * 501), entries(*[0] * 1_001, 1, at=SECOND)])
    assert sitemaps(run) == [SITEMAP]


def test_from_a_file(tmp_path: Path) -> None:
    run = build_run(tmp_path, [Entries(SITEMAP, entries_of(urlset(*[url(more=NEWS)] * 1_001)))])
    assert sitemaps(run) == [SITEMAP]

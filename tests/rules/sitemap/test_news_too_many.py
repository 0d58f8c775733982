"""news-too-many: more than 1,000 articles in one file; exactly 1,000 are allowed."""

import json

from sitemapaudit.items import Entries, Entry, Kind, News
from sitemapaudit.urls import normalize
from tests.rules.sitemap.files import entries_of, url, urlset
from tests.rules.tables import Tables, rule_on, tables_of
from tests.support.rows import SITEMAP

RULE = "news-too-many"
SECOND = "https://www.example.com/second.xml"
NEWS = '<n:news xmlns:n="http://www.google.com/schemas/sitemap-news/0.9"/>'


def entries(*articles: int, at: str = SITEMAP) -> Entries:
    """Return the entries of a file, with these numbers of articles."""
    page = "https://www.example.com/a"
    rows = [
        Entry(at, position, Kind.URLSET, page, normalize(page), news=[News()] * count)
        for position, count in enumerate(articles, start=1)
    ]
    return Entries(at, rows)


def sitemaps(run: Tables) -> list[str]:
    return sorted(run.findings[run.findings["rule"] == RULE]["sitemap"])


def test_the_limit_is_per_file() -> None:
    run = tables_of([entries(*[1] * 1_000), entries(*[1] * 1_000, at=SECOND)], RULE)
    assert sitemaps(run) == []


def test_one_article_more() -> None:
    run = tables_of([entries(*[1] * 1_001), entries(1, at=SECOND)], RULE)
    message = "has 1,001 articles; at most 1,000 are allowed"
    assert [finding[1:] for finding in rule_on(run, RULE)] == [("error", message)]
    assert sitemaps(run) == [SITEMAP]
    evidence = run.findings[run.findings["rule"] == RULE]["evidence"].item()
    assert json.loads(evidence) == {"articles": 1_001}


def test_articles_count_not_entries() -> None:
    run = tables_of([entries(*[2] * 501), entries(*[0] * 1_001, 1, at=SECOND)], RULE)
    assert sitemaps(run) == [SITEMAP]


def test_from_a_file() -> None:
    run = tables_of([Entries(SITEMAP, entries_of(urlset(*[url(more=NEWS)] * 1_001)))], RULE)
    assert sitemaps(run) == [SITEMAP]

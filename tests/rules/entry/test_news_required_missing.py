"""news-required-missing: publication, date and title, and one article per entry."""

import json

import pytest

from sitemapaudit.sitemaps.extensions import NEWS
from tests.rules.entry.extended import entry_of, image, news
from tests.rules.sitemap.files import PAGE
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "news-required-missing"
IDENTITY = "<news:name>A</news:name><news:language>en</news:language>"
TITLE = "<news:title>T</news:title>"


@pytest.mark.parametrize("empty", [None, "", " \n "])
@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("name", "publication name"),
        ("language", "publication language"),
        ("publication_date", "publication_date"),
        ("title", "title"),
    ],
)
def test_each_is_required(name: str, missing: str, empty: str | None) -> None:
    (finding,) = found(RULE, entry_of(news(**{name: empty})))
    assert (finding.severity, finding.message) == ("error", f"news article is missing {missing}")


@pytest.mark.parametrize(
    ("content", "missing"),
    [
        ("", "publication name, publication language, publication_date, title"),
        (
            f"{IDENTITY}<news:publication_date>2026-11-21</news:publication_date>{TITLE}",
            "publication name, publication language",
        ),
        (
            f"<news:publication>{IDENTITY}{TITLE}</news:publication>",
            "publication_date, title",
        ),
    ],
)
def test_elements_count_only_in_the_right_place(content: str, missing: str) -> None:
    (finding,) = found(RULE, entry_of(f'<news:news xmlns:news="{NEWS}">{content}</news:news>'))
    assert finding.message == f"news article is missing {missing}"


def test_evidence_has_the_title() -> None:
    (finding,) = found(RULE, entry_of(news(language=None, title="A title")))
    assert json.loads(finding.evidence or "")["title"] == "A title"


@pytest.mark.parametrize(
    "extension", ["", image(), news(), news(access="", genres="", keywords="", stock_tickers="")]
)
def test_complete_articles(extension: str) -> None:
    assert severities(RULE, entry_of(extension)) == []


def test_invalid_values_are_not_missing() -> None:
    assert severities(RULE, entry_of(news(language="xx", publication_date="soon"))) == []


def test_several_articles() -> None:
    findings = found(RULE, entry_of(news(), news(title=None), news()))
    assert [(finding.severity, finding.message) for finding in findings] == [
        ("error", "has 3 news articles; the limit is 1"),
        ("error", "news article is missing title"),
    ]
    assert {(each.url, each.sitemap, each.position) for each in findings} == {(PAGE, SITEMAP, 1)}
    assert severities(RULE, entry_of(news(), news())) == ["error"]

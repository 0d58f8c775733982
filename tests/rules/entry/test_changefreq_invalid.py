"""changefreq-invalid: none of the seven words, which are in lower case."""

import json

import pytest

from tests.rules.sitemap.files import PAGE, entries_of, url, urlset
from tests.support import SITEMAP, found, severities

RULE = "changefreq-invalid"
WORDS = ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"]


def of(more: str) -> list[str]:
    (entry,) = entries_of(urlset(url(more=more)))
    return severities(RULE, entry)


@pytest.mark.parametrize("word", WORDS)
def test_words(word: str) -> None:
    assert of(f"<changefreq>{word}</changefreq>") == []
    assert of(f"<changefreq>\n {word}\t</changefreq>") == []
    assert of(f"<changefreq>{word.title()}</changefreq>") == ["warning"]
    assert of(f"<changefreq>{word.upper()}</changefreq>") == ["warning"]


@pytest.mark.parametrize("value", ["", " ", "day", "annually", "daily,weekly", "daily weekly", "1"])
def test_anything_else(value: str) -> None:
    assert of(f"<changefreq>{value}</changefreq>") == ["warning"]


def test_empty_element() -> None:
    assert of("<changefreq/>") == ["warning"]


@pytest.mark.parametrize("more", ["", "<x:changefreq xmlns:x='urn:x'>now</x:changefreq>"])
def test_none(more: str) -> None:
    assert of(more) == []


def test_message_evidence_and_place() -> None:
    _, entry = entries_of(urlset(url(), url(more="<changefreq>Daily</changefreq>")))
    (finding,) = found(RULE, entry)
    assert finding.message == "changefreq 'Daily' is none of the words allowed"
    assert (finding.url, finding.sitemap, finding.position) == (PAGE, SITEMAP, 2)
    assert json.loads(finding.evidence or "") == {"changefreq": "Daily"}

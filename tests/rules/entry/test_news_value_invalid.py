"""news-value-invalid: an invalid language code or date of a news article."""

import pytest

from tests.rules.entry.extended import entry_of, image, news
from tests.rules.sitemap.files import PAGE
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "news-value-invalid"


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", []),
        ("EN", []),
        ("\n de ", []),
        ("deu", []),
        ("ger", []),
        ("gsw", []),
        ("zh", []),
        ("zh-cn", []),
        ("zh-tw", []),
        ("zh-CN", []),
        ("zh-TW", []),
        ("zh-hk", ["error"]),
        ("zh_cn", ["error"]),
        ("en-US", ["error"]),
        ("en_US", ["error"]),
        ("xx", ["error"]),
        ("uk-UA", ["error"]),
        ("qqq", ["error"]),
        ("e", ["error"]),
        ("English", ["error"]),
        ("x-default", ["error"]),
    ],
)
def test_language(language: str, expected: list[str]) -> None:
    assert severities(RULE, entry_of(news(language=language))) == expected


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("2026-11-21", []),
        ("\n  2026-11-21\n ", []),
        ("2026-11-21T12:00Z", []),
        ("2026-11-21T12:00:00+01:00", []),
        ("2026-11-21T12:00:00.25-05:00", []),
        ("2026-11-21T12:00:00", ["error"]),
        ("2026-11-21T12:00", ["error"]),
        ("2026-11", ["error"]),
        ("2026", ["error"]),
        ("2026-02-29", ["error"]),
        ("2026-11-21 12:00:00Z", ["error"]),
        ("2026-11-21T12:00:00+0100", ["error"]),
        ("2026/11/21", ["error"]),
        ("Sat, 21 Nov 2026 12:00:00 GMT", ["error"]),
        ("today", ["error"]),
    ],
)
def test_date(date: str, expected: list[str]) -> None:
    assert severities(RULE, entry_of(news(publication_date=date))) == expected


@pytest.mark.parametrize("empty", [None, "", " \n "])
def test_missing_values_are_not_reported(empty: str | None) -> None:
    entry = entry_of(news(name=empty, language=empty, publication_date=empty, title=empty))
    assert severities(RULE, entry) == []


@pytest.mark.parametrize("extension", ["", image()])
def test_no_finding_without_news(extension: str) -> None:
    assert severities(RULE, entry_of(extension)) == []


def test_one_finding_per_invalid_value() -> None:
    entry = entry_of(news(language=" xx ", publication_date="today"), news(language="en-US"))
    findings = found(RULE, entry)
    assert [finding.message for finding in findings] == [
        "language 'xx' is not an ISO 639 language code",
        "publication_date 'today' is not a complete W3C date",
        "language 'en-US' is not an ISO 639 language code",
    ]
    assert {(each.url, each.sitemap, each.position) for each in findings} == {(PAGE, SITEMAP, 1)}

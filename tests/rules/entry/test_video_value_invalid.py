"""video-value-invalid: invalid URLs, dates and numbers of a video, and values that are too long."""

import json

import pytest

from tests.rules.entry.extended import entry_of, video
from tests.support.findings import found, severities

RULE = "video-value-invalid"


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("description", "a" * 2_048, []),
        ("description", "ä" * 2_048, []),
        ("description", f"\n {'a' * 2_048} \n", []),
        ("description", "&amp;" * 2_048, []),
        ("description", "a" * 2_049, ["error"]),
        ("description", "😀" * 2_049, ["error"]),
        ("duration", "0", ["warning"]),
        ("duration", "1", []),
        ("duration", "28800", []),
        ("duration", " 600 ", []),
        ("duration", "28801", ["warning"]),
        ("duration", "-1", ["warning"]),
        ("duration", "1.5", ["warning"]),
        ("duration", "10:00", ["warning"]),
        ("duration", "PT10M", ["warning"]),
        ("duration", "28,800", ["warning"]),
        ("duration", "\u0661", ["warning"]),
        ("duration", "9" * 100_000, ["warning"]),
        ("rating", "0", []),
        ("rating", "0.0", []),
        ("rating", "4.25", []),
        ("rating", "5.0", []),
        ("rating", "5.1", ["warning"]),
        ("rating", "5.0001", ["warning"]),
        ("rating", "-0.1", ["warning"]),
        ("rating", "4,5", ["warning"]),
        ("rating", "4/5", ["warning"]),
        ("rating", "nan", ["warning"]),
        ("rating", ".", ["warning"]),
        ("rating", "9" * 100_000, ["warning"]),
        ("uploader", "a" * 255, []),
        ("uploader", f" {'ä' * 255} ", []),
        ("uploader", "a" * 256, ["warning"]),
    ],
)
def test_range(name: str, value: str, expected: list[str]) -> None:
    assert severities(RULE, entry_of(video(**{name: value}))) == expected


@pytest.mark.parametrize(("tags", "expected"), [(0, []), (32, []), (33, ["warning"])])
def test_tags(tags: int, expected: list[str]) -> None:
    assert severities(RULE, entry_of(video("<video:tag>a</video:tag>" * tags))) == expected


@pytest.mark.parametrize("name", ["family_friendly", "requires_subscription", "live"])
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("yes", []),
        ("no", []),
        ("Yes", []),
        ("NO", []),
        ("\n no ", []),
        ("true", ["warning"]),
        ("1", ["warning"]),
        ("yes.", ["warning"]),
    ],
)
def test_yes_or_no(name: str, value: str, expected: list[str]) -> None:
    assert severities(RULE, entry_of(video(**{name: value}))) == expected


@pytest.mark.parametrize("name", ["thumbnail_loc", "content_loc", "player_loc"])
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("https://cdn.example.net/a", []),
        ("\nhttps://cdn.example.net/a\n", []),
        ("/a", ["error"]),
        ("//cdn.example.net/a", ["error"]),
        ("ftp://cdn.example.net/a", ["error"]),
        ("https://cdn.example.net/a b", ["error"]),
        ("https://cdn.example.net/%", ["error"]),
    ],
)
def test_url(name: str, value: str, expected: list[str]) -> None:
    assert severities(RULE, entry_of(video(**{name: value}))) == expected


@pytest.mark.parametrize("name", ["publication_date", "expiration_date"])
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-11-21", []),
        ("2026-11-21T12:00:00Z", []),
        ("2026-11-21T12:00:00.5+01:00", []),
        ("2026-11-21T12:00-05:00", []),
        ("\n 2026-11-21 ", []),
        ("2026", ["error"]),
        ("2026-11", ["error"]),
        ("2026-11-21T12:00:00", ["error"]),
        ("2026-11-21 12:00:00", ["error"]),
        ("2026-11-31", ["error"]),
        ("21.11.2026", ["error"]),
        ("soon", ["error"]),
    ],
)
def test_date(name: str, value: str, expected: list[str]) -> None:
    assert severities(RULE, entry_of(video(**{name: value}))) == expected


def test_empty_values_are_skipped() -> None:
    names = (
        "thumbnail_loc", "content_loc", "player_loc", "publication_date", "expiration_date",
        "description", "duration", "rating", "uploader", "family_friendly",
        "requires_subscription", "live",
    )  # fmt: skip
    for empty in (None, "", " \n "):
        assert severities(RULE, entry_of(video(**dict.fromkeys(names, empty)))) == []


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"thumbnail_loc": "a.jpg"}, "thumbnail_loc 'a.jpg' is not an absolute URL"),
        (
            {"player_loc": "ftp://a/"},
            "player_loc 'ftp://a/' is not a valid URL: its scheme is not http or https",
        ),
        (
            {"expiration_date": "soon"},
            "expiration_date 'soon' is neither a date nor a time with a time zone",
        ),
        (
            {"description": "a" * 2_049},
            "description has 2,049 characters; the limit is 2,048",
        ),
        ({"duration": "0"}, "duration '0' is not a whole number of seconds from 1 to 28,800"),
        ({"rating": "6"}, "rating '6' is not a number from 0.0 to 5.0"),
        ({"more": "<video:tag/>" * 33}, "tag occurs 33 times; the limit is 32"),
        ({"uploader": "a" * 256}, "uploader has 256 characters; the limit is 255"),
        ({"live": "maybe"}, "live 'maybe' is neither yes nor no"),
        (
            {"more": "<video:restriction>IE</video:restriction>"},
            "restriction lacks the required attribute relationship",
        ),
        (
            {"more": '<video:platform relationship="only">tv</video:platform>'},
            "platform has the relationship 'only', not allow or deny",
        ),
    ],
)
def test_message(values: dict[str, str], message: str) -> None:
    (finding,) = found(RULE, entry_of(video(), video(**values)))
    assert finding.message == f"video 2: {message}"


@pytest.mark.parametrize("relationship", ["allow", " deny ", "Allow"])
def test_a_restriction_with_a_relationship(relationship: str) -> None:
    more = f'<video:restriction relationship="{relationship}">IE</video:restriction>'
    assert found(RULE, entry_of(video(more=more))) == []


def test_an_empty_restriction_is_skipped() -> None:
    assert found(RULE, entry_of(video(more="<video:restriction> </video:restriction>"))) == []


def test_messages_have_at_most_forty_characters_of_a_value() -> None:
    names = ("expiration_date", "duration", "rating", "live")
    for finding in found(RULE, entry_of(video(**dict.fromkeys(names, "x" * 41)))):
        assert f" {'x' * 40!r} is n" in finding.message


def test_one_finding_per_value_and_long_values_are_truncated() -> None:
    entry = entry_of(video(duration="0", rating="x" * 1_000, thumbnail_loc="a.jpg"))
    findings = found(RULE, entry)
    assert [finding.severity for finding in findings] == ["error", "warning", "warning"]
    assert f" {'x' * 40!r} is not a number" in findings[2].message
    assert json.loads(findings[2].evidence or "")["value"] == "x" * 200

"""video-location-is-page: the file or the player of a video is the page itself."""

import pytest

from tests.rules.entry.extended import entry_of, video
from tests.rules.sitemap.files import PAGE
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "video-location-is-page"
SITE = "https://www.example.com"


@pytest.mark.parametrize("name", ["content_loc", "player_loc"])
@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (PAGE, ["error"]),
        (f"\n {PAGE} ", ["error"]),
        ("HTTPS://WWW.Example.com:443/%61", ["error"]),
        (f"{PAGE}#player", ["error"]),
        (f"{PAGE}/", []),
        (f"{PAGE}?v=1", []),
        (f"{SITE}/A", []),
        (f"{SITE}/a.mp4", []),
        ("http://www.example.com/a", []),
        ("https://example.com/a", []),
        ("/a", []),
        ("a", []),
        ("", []),
        (" ", []),
    ],
)
def test_location(name: str, value: str, expected: list[str]) -> None:
    assert severities(RULE, entry_of(video(**{name: value}))) == expected


def test_other_urls_of_a_video_may_be_the_page() -> None:
    uploader = f'<video:uploader info="{PAGE}">A</video:uploader>'
    assert severities(RULE, entry_of(video(uploader, thumbnail_loc=PAGE))) == []


@pytest.mark.parametrize("loc", ["", "a", "mailto:a@example.com"])
def test_no_finding_for_an_entry_without_a_valid_url(loc: str) -> None:
    assert severities(RULE, entry_of(video(content_loc=loc, player_loc=loc), loc=loc)) == []


def test_message_and_place() -> None:
    findings = found(RULE, entry_of(video(), video(content_loc=PAGE, player_loc=PAGE)))
    assert [finding.message for finding in findings] == [
        "video 2: content_loc is the URL of the page itself",
        "video 2: player_loc is the URL of the page itself",
    ]
    assert {(each.url, each.sitemap, each.position) for each in findings} == {(PAGE, SITEMAP, 1)}

"""video-required-missing: thumbnail, title, description, and a file or a player."""

import pytest

from tests.rules.entry.extended import entry_of, image, video
from tests.rules.sitemap.files import PAGE
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "video-required-missing"
PLAYER = "https://www.example.com/player?v=1"


@pytest.mark.parametrize("empty", [None, "", " \n "])
@pytest.mark.parametrize(
    ("name", "missing"),
    [
        ("thumbnail_loc", "thumbnail_loc"),
        ("title", "title"),
        ("description", "description"),
        ("content_loc", "content_loc or player_loc"),
    ],
)
def test_each_is_required(name: str, missing: str, empty: str | None) -> None:
    (finding,) = found(RULE, entry_of(video(**{name: empty})))
    assert (finding.severity, finding.message) == ("error", f"video 1 is missing {missing}")


@pytest.mark.parametrize(
    ("content", "player", "expected"),
    [
        ("https://cdn.example.com/a.mp4", PLAYER, []),
        ("https://cdn.example.com/a.mp4", None, []),
        (None, PLAYER, []),
        ("", PLAYER, []),
        (" ", " ", ["error"]),
        (None, None, ["error"]),
    ],
)
def test_a_file_or_a_player(content: str | None, player: str | None, expected: list[str]) -> None:
    assert severities(RULE, entry_of(video(content_loc=content, player_loc=player))) == expected


@pytest.mark.parametrize("extension", ["", image(), video(), video() * 2])
def test_complete_videos(extension: str) -> None:
    assert severities(RULE, entry_of(extension)) == []


def test_elements_of_other_namespaces_do_not_count() -> None:
    other = '<title xmlns="https://other.example/">A</title>'
    assert severities(RULE, entry_of(video(other, title=None))) == ["error"]


def test_one_finding_per_video() -> None:
    bare = video(thumbnail_loc=None, title=None, description=None, content_loc=None)
    findings = found(RULE, entry_of(bare, video(), video(title=None)))
    assert [finding.message for finding in findings] == [
        "video 1 is missing thumbnail_loc, title, description, content_loc or player_loc",
        "video 3 is missing title",
    ]
    assert {(each.url, each.sitemap, each.position) for each in findings} == {(PAGE, SITEMAP, 1)}

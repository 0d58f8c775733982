"""video-not-video: a content_loc that is sent as a web page or an image."""

import pytest

from tests.rules.entry.checked_media import ARGUMENTS, PAGE, TARGET, checked, entry_with, messages
from tests.rules.tables import Item

__all__ = ["ARGUMENTS"]

RULE = "video-not-video"
WATCH = "https://video.example.com/watch?v=1"


def example() -> list[Item]:
    """Return an entry whose video is the web page of a video host."""
    return [entry_with(content_loc=WATCH), checked(WATCH, content_type="text/html")]


@pytest.mark.parametrize("media_type", ["text/html", "application/xhtml+xml", "image/jpeg"])
def test_web_pages_and_images(media_type: str) -> None:
    rows: list[Item] = [entry_with(content_loc=WATCH), checked(WATCH, content_type=media_type)]
    assert messages(RULE, *rows) == [f"video {WATCH} is sent as {media_type}"]


@pytest.mark.parametrize(
    "media_type",
    ["video/mp4", "application/x-mpegURL", "text/plain", "application/octet-stream", None],
)
def test_videos_playlists_and_types_that_say_nothing(media_type: str | None) -> None:
    rows: list[Item] = [entry_with(content_loc=WATCH), checked(WATCH, content_type=media_type)]
    assert messages(RULE, *rows) == []


def test_a_player_is_a_web_page() -> None:
    rows: list[Item] = [entry_with(player_loc=WATCH), checked(WATCH, content_type="text/html")]
    assert messages(RULE, *rows) == []


def test_another_rule_reports_errors_and_the_page_itself() -> None:
    missing = checked(WATCH, status=404, content_type="text/html")
    assert messages(RULE, entry_with(content_loc=WATCH), missing) == []
    itself = checked(PAGE, content_type="text/html")
    assert messages(RULE, entry_with(content_loc=PAGE), itself) == []


def test_the_type_of_the_target_of_a_redirect_counts() -> None:
    moved = checked(WATCH, status=302, target=TARGET, content_type="text/html")
    video = checked(TARGET, via=WATCH, content_type="video/mp4")
    assert messages(RULE, entry_with(content_loc=WATCH), moved, video) == []

"""video-unreachable: a video file or a player that nobody can fetch."""

from tests.rules.entry.checked_media import ARGUMENTS, checked, entry_with, messages
from tests.rules.tables import Item

__all__ = ["ARGUMENTS"]

RULE = "video-unreachable"
VIDEO, PLAYER = "https://cdn.example.com/a.mp4", "https://player.example.com/a"


def example() -> list[Item]:
    """Return an entry with a video that is gone, and a player that works."""
    return [
        entry_with(content_loc=VIDEO, player_loc=PLAYER),
        checked(VIDEO, status=404),
        checked(PLAYER),
    ]


def test_videos_and_players() -> None:
    assert messages(RULE, *example()) == [f"video {VIDEO} returns 404"]
    broken: list[Item] = [checked(PLAYER, status=503), entry_with(player_loc=PLAYER)]
    assert messages(RULE, *broken) == [f"player {PLAYER} returns 503"]


def test_thumbnails_and_images_have_rules_of_their_own() -> None:
    rows: list[Item] = [
        entry_with(VIDEO),
        entry_with(thumbnail_loc=VIDEO),
        checked(VIDEO, status=404),
    ]
    assert messages(RULE, *rows) == []

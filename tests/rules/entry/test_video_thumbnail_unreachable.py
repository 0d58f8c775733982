"""video-thumbnail-unreachable: a thumbnail that nobody can fetch."""

from tests.rules.entry.checked_media import ARGUMENTS, IMAGE, checked, entry_with, messages
from tests.rules.tables import Item

__all__ = ["ARGUMENTS"]

RULE = "video-thumbnail-unreachable"


def example() -> list[Item]:
    """Return an entry with a video whose thumbnail is gone."""
    return [entry_with(thumbnail_loc=IMAGE), checked(status=404)]


def test_thumbnails() -> None:
    assert messages(RULE, *example()) == [f"thumbnail {IMAGE} returns 404"]
    assert messages(RULE, entry_with(thumbnail_loc=IMAGE), checked()) == []


def test_videos_and_images_have_rules_of_their_own() -> None:
    rows: list[Item] = [entry_with(IMAGE), entry_with(content_loc=IMAGE), checked(status=404)]
    assert messages(RULE, *rows) == []

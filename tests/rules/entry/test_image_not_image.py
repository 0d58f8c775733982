"""image-not-image: an image or thumbnail that is sent with the media type of something else."""

import pytest

from tests.rules.entry.checked_media import (
    ARGUMENTS,
    IMAGE,
    TARGET,
    checked,
    entry_with,
    messages,
)
from tests.rules.tables import Item

__all__ = ["ARGUMENTS"]

RULE = "image-not-image"


def example() -> list[Item]:
    """Return an entry with an image that is a web page."""
    return [entry_with(IMAGE), checked(content_type="text/html")]


@pytest.mark.parametrize("media_type", ["text/html", "application/pdf", "video/mp4", "text/xml"])
def test_other_types(media_type: str) -> None:
    rows: list[Item] = [entry_with(IMAGE), checked(content_type=media_type)]
    assert messages(RULE, *rows) == [f"image {IMAGE} is sent as {media_type}"]


@pytest.mark.parametrize(
    "media_type",
    ["image/jpeg", "image/svg+xml", "image/unknown", "application/octet-stream", "unknown", None],
)
def test_images_and_types_that_say_nothing(media_type: str | None) -> None:
    assert messages(RULE, entry_with(IMAGE), checked(content_type=media_type)) == []


def test_thumbnails_are_images_too() -> None:
    rows: list[Item] = [entry_with(thumbnail_loc=IMAGE), checked(content_type="text/html")]
    assert messages(RULE, *rows) == [f"thumbnail {IMAGE} is sent as text/html"]
    assert messages(RULE, entry_with(player_loc=IMAGE), checked(content_type="text/html")) == []


@pytest.mark.parametrize("status", [199, 300, 404])
def test_an_error_page_has_no_type_of_its_own(status: int) -> None:
    assert messages(RULE, entry_with(IMAGE), checked(status=status, content_type="text/html")) == []


def test_the_type_of_the_target_of_a_redirect_counts() -> None:
    moved = checked(status=301, target=TARGET, content_type="text/html")
    page = checked(TARGET, via=IMAGE, content_type="text/html")
    expected = [f"image {IMAGE} is sent as text/html"]
    assert messages(RULE, entry_with(IMAGE), moved, page) == expected
    image = checked(TARGET, via=IMAGE, content_type="image/png")
    assert messages(RULE, entry_with(IMAGE), moved, image) == []

"""media-blocked-by-robots: images and videos that the robots.txt of their host disallows."""

from typing import Any

import pytest

from sitemapaudit.items import Error, MediaFile
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

RULE = "media-blocked-by-robots"
REASON = "robots.txt disallows it for Googlebot"


def blocked(url: str = IMAGE, via: str | None = None) -> MediaFile:
    """Return the row of an image or video that was not requested."""
    return MediaFile(url, via=via, allowed=False, error_detail=REASON)


def example() -> list[Item]:
    """Return an entry with an image that robots.txt disallows."""
    return [entry_with(IMAGE), blocked()]


def test_images() -> None:
    assert messages(RULE, *example()) == [f"image {IMAGE} is blocked: {REASON}"]
    assert messages(RULE, entry_with(IMAGE), checked()) == []


@pytest.mark.parametrize(
    ("element", "name"),
    [("thumbnail_loc", "thumbnail"), ("content_loc", "video"), ("player_loc", "player")],
)
def test_videos(element: str, name: str) -> None:
    values: dict[str, Any] = {element: IMAGE}
    rows: list[Item] = [entry_with(**values), blocked()]
    assert messages(RULE, *rows) == [f"{name} {IMAGE} is blocked: {REASON}"]


def test_the_target_of_a_redirect() -> None:
    rows: list[Item] = [
        entry_with(IMAGE),
        checked(status=301, target=TARGET),
        blocked(TARGET, IMAGE),
    ]
    assert messages(RULE, *rows) == [f"image {IMAGE} is blocked: {REASON}"]


def test_an_unreachable_robots_txt_is_no_proof() -> None:
    row = MediaFile(IMAGE, error=Error.TIMEOUT, error_detail="robots.txt: 30 seconds")
    assert messages(RULE, entry_with(IMAGE), row) == []

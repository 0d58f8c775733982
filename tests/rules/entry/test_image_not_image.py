"""image-not-image: an image or thumbnail that is sent with the media type of something else."""

from tests.rules.entry.checked_media import (
    ARGUMENTS,
    IMAGE,
    TARGET,
    checked,
    entry_with,
    messages,
)
from tests.rules.tables import Item
from tests.rules.together import check, column

__all__ = ["ARGUMENTS"]

RULE = "image-not-image"


def example() -> list[Item]:
    """Return an entry with an image that is a web page."""
    return [entry_with(IMAGE), checked(content_type="text/html")]


def image(media_type: str | None, status: int = 200) -> list[Item]:
    """Return an entry with an image that is sent with this type."""
    return [entry_with(IMAGE), checked(content_type=media_type, status=status)]


def test_other_types() -> None:
    cases = ["text/html", "application/pdf", "video/mp4", "text/xml"]
    expected = [(media_type, [f"image {IMAGE} is sent as {media_type}"]) for media_type in cases]
    check(RULE, expected, image, column("message"), **ARGUMENTS)


def test_images_and_types_that_say_nothing() -> None:
    cases = [
        "image/jpeg",
        "image/svg+xml",
        "image/unknown",
        "application/octet-stream",
        "unknown",
        None,
    ]
    check(RULE, [(media_type, 0) for media_type in cases], image, len, **ARGUMENTS)


def test_thumbnails_are_images_too() -> None:
    rows: list[Item] = [entry_with(thumbnail_loc=IMAGE), checked(content_type="text/html")]
    assert messages(RULE, *rows) == [f"thumbnail {IMAGE} is sent as text/html"]
    assert messages(RULE, entry_with(player_loc=IMAGE), checked(content_type="text/html")) == []


def test_an_error_page_has_no_type_of_its_own() -> None:
    cases = [199, 300, 404]
    check(RULE, [("text/html", status, 0) for status in cases], image, len, **ARGUMENTS)


def test_the_type_of_the_target_of_a_redirect_counts() -> None:
    moved = checked(status=301, target=TARGET, content_type="text/html")
    page = checked(TARGET, via=IMAGE, content_type="text/html")
    expected = [f"image {IMAGE} is sent as text/html"]
    assert messages(RULE, entry_with(IMAGE), moved, page) == expected
    image = checked(TARGET, via=IMAGE, content_type="image/png")
    assert messages(RULE, entry_with(IMAGE), moved, image) == []

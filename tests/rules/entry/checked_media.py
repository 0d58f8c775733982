"""Entries with images and videos, and the rows of those that were checked."""

from typing import Any, Final

from sitemapaudit.items import Entries, Entry, Image, Kind, MediaFile, Video
from tests.rules.tables import Item, rule_on, tables_of
from tests.support.rows import NOW, SITEMAP

ARGUMENTS: Final[dict[str, Any]] = {"media": "check"}
PAGE: Final = "https://www.example.com/a"
IMAGE: Final = "https://cdn.example.com/a.jpg"
TARGET: Final = "https://cdn.example.com/b.jpg"


def entry_with(*locs: str, position: int = 1, url: str = PAGE, **values: Any) -> Entries:
    """Return an entry with these images, and one video with these values if there are any."""
    images = [Image(loc) for loc in locs]
    videos = [Video(**values)] if values else []
    row = Entry(SITEMAP, position, Kind.URLSET, url, url, images=images, videos=videos)
    return Entries(SITEMAP, [row])


def checked(url: str = IMAGE, **values: Any) -> MediaFile:
    """Return the row of an image or a video that was checked."""
    given = {"method": "HEAD", "status": 200, "allowed": True, "fetched_at": NOW, **values}
    return MediaFile(url, **given)


def messages(rule: str, *items: Item, **arguments: str) -> list[str]:
    """Return the messages of the findings of a rule, each on the entry of PAGE."""
    found = rule_on(tables_of(items, rule, **(ARGUMENTS | arguments)), rule)
    assert {url for url, _, _ in found} <= {PAGE}
    return [message for _, _, message in found]

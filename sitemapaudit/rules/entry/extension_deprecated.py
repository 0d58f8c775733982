from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_IMAGE, GOOGLE_VIDEO


class ExtensionDeprecated(RowRule[Entry]):
    """An entry has elements that Google dropped

    When: an image has a caption, geo_location, title or license, or a video a category,
    gallery_loc, price or tvshow; told once for each entry.

    Why: Google stopped reading them in 2022; they do no harm, and make the file larger.

    Fix: Remove them.
    """

    severity = Severity.NOTICE
    message = "has elements that Google dropped: {elements}"
    references = (
        GOOGLE_IMAGE,
        GOOGLE_VIDEO,
    )

    _image = ("caption", "geo_location", "title", "license")
    _video = ("category", "gallery_loc", "price", "tvshow")

    def check(self, row: Entry) -> Iterator[Finding]:
        if not row.images and not row.videos:
            return
        found = [
            f"{extension}:{name}"
            for extension, items, names in (
                ("image", row.images, self._image),
                ("video", row.videos, self._video),
            )
            for name in names
            if any(getattr(item, name) is not None for item in items)
        ]
        if found:
            yield self.finding(row, elements=", ".join(found))

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.concerns import has_media
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_IMAGE, GOOGLE_VIDEO


class ExtensionDeprecated(RowRule[Entry]):
    """Entry uses elements that Google no longer supports

    When: an image has a caption, geo_location, title or license, or a video has a category,
    gallery_loc, price or tvshow. There is one finding per entry.

    Why: Google stopped reading these elements in 2022. They do no harm, but make the file larger.

    Fix: Remove the elements.
    """

    severity = Severity.NOTICE
    message = "uses elements that Google no longer supports: {elements}"
    cause = "use the deprecated elements {elements}"
    concern = has_media
    references = (
        GOOGLE_IMAGE,
        GOOGLE_VIDEO,
    )

    _image_elements = ("caption", "geo_location", "title", "license")
    _video_elements = ("category", "gallery_loc", "price", "tvshow")

    def check(self, row: Entry) -> Iterator[Finding]:
        if not row.images and not row.videos:
            return
        found = [
            f"{extension}:{name}"
            for extension, items, names in (
                ("image", row.images, self._image_elements),
                ("video", row.videos, self._video_elements),
            )
            for name in names
            if any(getattr(item, name) is not None for item in items)
        ]
        if found:
            yield self.finding(row, elements=", ".join(found))

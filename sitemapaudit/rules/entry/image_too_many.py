from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_IMAGE


class ImageTooMany(RowRule[Entry]):
    """An entry has too many images

    When: an entry has more than 1,000 image:image elements; just that many pass.

    Why: Google reads up to 1,000 images of a page.

    Fix: Keep the images that count, or spread them over pages.
    """

    severity = Severity.ERROR
    message = "has {images:,} images, and {limit:,} are allowed"
    references = (GOOGLE_IMAGE,)

    _limit = 1_000

    def check(self, row: Entry) -> Iterator[Finding]:
        if len(row.images) > self._limit:
            yield self.finding(row, images=len(row.images), limit=self._limit)

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.concerns import IMAGES
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_IMAGE


class ImageTooMany(RowRule[Entry]):
    """Entry has too many images

    When: an entry has more than 1,000 image:image elements. Exactly 1,000 are allowed.

    Why: Google reads at most 1,000 images per page.

    Fix: Keep the most important images, or distribute them over several pages.
    """

    severity = Severity.ERROR
    message = "has {images} images; the limit is {limit}"
    concern = IMAGES
    references = (GOOGLE_IMAGE,)

    _limit = 1_000

    def check(self, row: Entry) -> Iterator[Finding]:
        if len(row.images) > self._limit:
            yield self.finding(row, images=len(row.images), limit=self._limit)

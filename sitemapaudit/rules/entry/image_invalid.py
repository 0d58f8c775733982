from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.concerns import IMAGES
from sitemapaudit.rules.locs import describe_url_problem
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_IMAGE
from sitemapaudit.urls import normalize


class ImageInvalid(RowRule[Entry]):
    """Image has no valid URL

    When: an image:image has no image:loc, or its image:loc is not an absolute, valid http(s) URL.
    Images on other hosts are allowed.

    Why: The URL is the only value that an image must have. Search engines drop the image, or the
    whole entry.

    Fix: Write the absolute URL of the image file.
    """

    severity = Severity.ERROR
    message = "image {ordinal} {problem}"
    cause = "have an invalid image"
    concern = IMAGES
    references = (GOOGLE_IMAGE,)

    def check(self, row: Entry) -> Iterator[Finding]:
        for ordinal, image in enumerate(row.images, start=1):
            problem = self._find_problem((image.loc or "").strip())
            if problem:
                yield self.finding(row, ordinal=ordinal, problem=problem, loc=image.loc)

    def _find_problem(self, loc: str) -> str | None:
        if not loc:
            return "has no loc"
        problem = describe_url_problem(loc, normalize(loc))
        return f"has the loc {loc!r}, which {problem}" if problem else None

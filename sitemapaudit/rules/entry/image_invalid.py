from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.locs import problem_of
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_IMAGE
from sitemapaudit.urls import normalise


class ImageInvalid(RowRule[Entry]):
    """An image has no valid address

    When: an image:image has no image:loc, or one that is no full, valid http(s) address.
    Images on other hosts are allowed.

    Why: The address is the one thing that an image must have; engines drop the image, or the
    whole entry.

    Fix: Write the full address of the file.
    """

    severity = Severity.ERROR
    message = "image {ordinal}: {problem}"
    references = (GOOGLE_IMAGE,)

    def check(self, row: Entry) -> Iterator[Finding]:
        for ordinal, image in enumerate(row.images, start=1):
            problem = self._problem((image.loc or "").strip())
            if problem:
                yield self.finding(row, ordinal=ordinal, problem=problem, loc=image.loc)

    def _problem(self, loc: str) -> str | None:
        if not loc:
            return "it has no loc"
        problem = problem_of(loc, normalise(loc))
        return f"its loc {loc!r} {problem}" if problem else None

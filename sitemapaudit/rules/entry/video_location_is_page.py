from __future__ import annotations

from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_VIDEO, SEARCH_CONSOLE
from sitemapaudit.urls import normalise


class VideoLocationIsPage(RowRule[Entry]):
    """The address of a video is that of its page

    When: content_loc or player_loc is, normalised, the loc of the entry.

    Why: Engines look for the file or the player there, find a web page, and drop the video.

    Fix: Write the address of the video file in content_loc, or of the player in player_loc.
    """

    severity = Severity.ERROR
    message = "video {ordinal}: {name} is the page itself"
    references = (
        GOOGLE_VIDEO,
        SEARCH_CONSOLE,
    )

    def check(self, row: Entry) -> Iterator[Finding]:
        if row.url is None:
            return
        for ordinal, video in enumerate(row.videos, start=1):
            for name in ("content_loc", "player_loc"):
                address = (getattr(video, name) or "").strip()
                if address and normalise(address) == row.url:
                    yield self.finding(row, ordinal=ordinal, name=name)

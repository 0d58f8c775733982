from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity, Video
from sitemapaudit.rules.concerns import VIDEOS
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_VIDEO, SEARCH_CONSOLE


class VideoRequiredMissing(RowRule[Entry]):
    """Video is missing required elements

    When: a video:video has no thumbnail_loc, title or description, or neither content_loc nor
    player_loc. An empty element counts as missing.

    Why: Search engines ignore the video.

    Fix: Add the missing elements.
    """

    severity = Severity.ERROR
    message = "video {ordinal} is missing {missing}"
    cause = "have a video without {missing}"
    concern = VIDEOS
    references = (
        GOOGLE_VIDEO,
        SEARCH_CONSOLE,
    )

    _required = ("thumbnail_loc", "title", "description")

    def check(self, row: Entry) -> Iterator[Finding]:
        for ordinal, video in enumerate(row.videos, start=1):
            missing = [*self._list_missing(video)]
            if missing:
                yield self.finding(row, ordinal=ordinal, missing=", ".join(missing))

    def _list_missing(self, video: Video) -> Iterator[str]:
        for name in self._required:
            if not (getattr(video, name) or "").strip():
                yield name
        if not (video.content_loc or "").strip() and not (video.player_loc or "").strip():
            yield "content_loc or player_loc"

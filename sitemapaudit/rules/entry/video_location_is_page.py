from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.concerns import VIDEOS
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_VIDEO, SEARCH_CONSOLE
from sitemapaudit.urls import normalize


class VideoLocationIsPage(RowRule[Entry]):
    """Video location is the page itself

    When: the normalized content_loc or player_loc is the URL of the entry.

    Why: Search engines expect the video file or the player at that URL. They find a web page, and
    drop the video.

    Fix: Write the URL of the video file in content_loc, or of the player in player_loc.
    """

    severity = Severity.ERROR
    message = "video {ordinal}: {element} is the URL of the page itself"
    cause = "have a video whose {element} is the URL of the page"
    concern = VIDEOS
    references = (
        GOOGLE_VIDEO,
        SEARCH_CONSOLE,
    )

    def check(self, row: Entry) -> Iterator[Finding]:
        if row.url is None:
            return
        for ordinal, video in enumerate(row.videos, start=1):
            for element in ("content_loc", "player_loc"):
                location = (getattr(video, element) or "").strip()
                if location and normalize(location) == row.url:
                    yield self.finding(row, ordinal=ordinal, element=element)

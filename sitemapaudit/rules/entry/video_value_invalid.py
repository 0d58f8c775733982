import re
from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity, Video
from sitemapaudit.rules.concerns import VIDEOS
from sitemapaudit.rules.locs import describe_url_problem
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_VIDEO
from sitemapaudit.sitemaps.w3c_dates import DateFormat, w3c_datetime
from sitemapaudit.urls import normalize

Problem = tuple[Severity, str, str, str]


class VideoValueInvalid(RowRule[Entry]):
    """Video has an invalid value

    When: thumbnail_loc, content_loc or player_loc is not an absolute, valid http(s) URL;
    publication_date or expiration_date is neither YYYY-MM-DD nor a time with a time zone; or the
    required description has more than 2,048 characters: error. The duration is not a whole number
    from 1 to 28,800 (seconds); the rating is not a number from 0.0 to 5.0; there are more than 32
    tags; the uploader has more than 255 characters; or family_friendly, requires_subscription or
    live is neither yes nor no, in any case; or a restriction or platform has no relationship, or
    another one than allow or deny: warning. Whitespace around a value does not count, and empty
    values are skipped.

    Why: Search engines ignore the value. If it is required, they ignore the video.

    Fix: Correct the value, or remove it if it is optional.
    """

    severity = Severity.ERROR
    message = "video {ordinal}: {element} {problem}"
    cause = "have a video with an invalid {element}"
    concern = VIDEOS
    references = (GOOGLE_VIDEO,)

    _urls = ("thumbnail_loc", "content_loc", "player_loc")
    _dates = ("publication_date", "expiration_date")
    _date_formats = frozenset({DateFormat.DATE, DateFormat.MINUTES, DateFormat.SECONDS})
    _booleans = ("family_friendly", "requires_subscription", "live")
    _conditions = ("restriction", "platform")
    _integer = re.compile(r"\d{1,9}", re.ASCII)
    _decimal = re.compile(r"\+?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)

    def check(self, row: Entry) -> Iterator[Finding]:
        for ordinal, video in enumerate(row.videos, start=1):
            for severity, element, problem, value in self._find_problems(video):
                yield self.finding(
                    row,
                    severity,
                    ordinal=ordinal,
                    element=element,
                    problem=problem,
                    value=value[:200],
                )

    def _find_problems(self, video: Video) -> Iterator[Problem]:
        for element in (*self._urls, *self._dates):
            value = (getattr(video, element) or "").strip()
            describe = self._describe_url if element in self._urls else self._describe_date
            problem = describe(value) if value else None
            if problem:
                yield Severity.ERROR, element, problem, value
        description = (video.description or "").strip()
        if len(description) > 2_048:
            problem = f"has {len(description):,} characters; the limit is 2,048"
            yield Severity.ERROR, "description", problem, description
        yield from self._find_warnings(video)

    def _find_warnings(self, video: Video) -> Iterator[Problem]:
        duration = (video.duration or "").strip()
        if duration and not (self._integer.fullmatch(duration) and 1 <= int(duration) <= 28_800):
            problem = f"{duration[:40]!r} is not a whole number of seconds from 1 to 28,800"
            yield Severity.WARNING, "duration", problem, duration
        rating = (video.rating or "").strip()
        if rating and not (self._decimal.fullmatch(rating) and float(rating) <= 5):
            problem = f"{rating[:40]!r} is not a number from 0.0 to 5.0"
            yield Severity.WARNING, "rating", problem, rating
        if len(video.tag) > 32:
            problem = f"occurs {len(video.tag):,} times; the limit is 32"
            yield Severity.WARNING, "tag", problem, ""
        uploader = (video.uploader or "").strip()
        if len(uploader) > 255:
            problem = f"has {len(uploader):,} characters; the limit is 255"
            yield Severity.WARNING, "uploader", problem, uploader
        for element in self._booleans:
            value = (getattr(video, element) or "").strip()
            if value and value.lower() not in ("yes", "no"):
                yield Severity.WARNING, element, f"{value[:40]!r} is neither yes nor no", value
        yield from self._find_incomplete_conditions(video)

    def _find_incomplete_conditions(self, video: Video) -> Iterator[Problem]:
        for element in self._conditions:
            value = (getattr(video, element) or "").strip()
            relationship = (getattr(video, f"{element}_relationship") or "").strip()
            if value and relationship.lower() not in ("allow", "deny"):
                problem = "lacks the required attribute relationship"
                if relationship:
                    problem = f"has the relationship {relationship[:40]!r}, not allow or deny"
                yield Severity.WARNING, element, problem, value

    def _describe_url(self, value: str) -> str | None:
        problem = describe_url_problem(value, normalize(value))
        return f"{value!r} {problem}" if problem else None

    def _describe_date(self, value: str) -> str | None:
        moment = w3c_datetime(value)
        if moment is not None and moment.format in self._date_formats:
            return None
        return f"{value[:40]!r} is neither a date nor a time with a time zone"

from __future__ import annotations

import re
from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity, Video
from sitemapaudit.rules.locs import problem_of
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_VIDEO
from sitemapaudit.sitemaps.dates import Form, w3c_datetime
from sitemapaudit.urls import normalise

Problem = tuple[Severity, str, str, str]


class VideoValueInvalid(RowRule[Entry]):
    """A value of a video is not allowed

    When: thumbnail_loc, content_loc or player_loc is no full, valid address; a date
    (publication_date, expiration_date) is neither YYYY-MM-DD nor has time and zone; the
    description, which is required, has more than 2,048 characters: error. The duration is no
    whole number from 1 to 28,800 seconds; the rating is no number from 0.0 to 5.0; there are
    more than 32 tags; the uploader has more than 255 characters; family_friendly,
    requires_subscription or live is neither yes nor no, in any case: warning. White space
    around a value does not count, and empty values are passed over.

    Why: Engines ignore the value, and without a required one the video.

    Fix: Correct the value, or leave an optional one out.
    """

    severity = Severity.ERROR
    message = "video {ordinal}: {name} {problem}"
    references = (GOOGLE_VIDEO,)

    _addresses = ("thumbnail_loc", "content_loc", "player_loc")
    _dates = ("publication_date", "expiration_date")
    _dates_allowed = frozenset({Form.DATE, Form.MINUTES, Form.SECONDS})
    _answers = ("family_friendly", "requires_subscription", "live")
    _whole = re.compile(r"\d{1,9}", re.ASCII)
    _decimal = re.compile(r"\+?(?:\d+(?:\.\d*)?|\.\d+)", re.ASCII)

    def check(self, row: Entry) -> Iterator[Finding]:
        for ordinal, video in enumerate(row.videos, start=1):
            for severity, name, problem, value in self._problems(video):
                yield self.finding(
                    row, severity, ordinal=ordinal, name=name, problem=problem, value=value[:200]
                )

    def _problems(self, video: Video) -> Iterator[Problem]:
        for name in (*self._addresses, *self._dates):
            value = (getattr(video, name) or "").strip()
            fault = self._fault_of_address if name in self._addresses else self._fault_of_date
            problem = fault(value) if value else None
            if problem:
                yield Severity.ERROR, name, problem, value
        description = (video.description or "").strip()
        if len(description) > 2_048:
            problem = f"has {len(description):,} characters, and 2,048 are allowed"
            yield Severity.ERROR, "description", problem, description
        yield from self._mild_problems(video)

    def _mild_problems(self, video: Video) -> Iterator[Problem]:
        duration = (video.duration or "").strip()
        if duration and not (self._whole.fullmatch(duration) and 1 <= int(duration) <= 28_800):
            problem = f"{duration[:40]!r} is no whole number of seconds from 1 to 28,800"
            yield Severity.WARNING, "duration", problem, duration
        rating = (video.rating or "").strip()
        if rating and not (self._decimal.fullmatch(rating) and float(rating) <= 5):
            problem = f"{rating[:40]!r} is no number from 0.0 to 5.0"
            yield Severity.WARNING, "rating", problem, rating
        if len(video.tag) > 32:
            problem = f"stands {len(video.tag)} times, and 32 are allowed"
            yield Severity.WARNING, "tag", problem, ""
        uploader = (video.uploader or "").strip()
        if len(uploader) > 255:
            problem = f"has {len(uploader)} characters, and 255 are allowed"
            yield Severity.WARNING, "uploader", problem, uploader
        for name in self._answers:
            value = (getattr(video, name) or "").strip()
            if value and value.lower() not in ("yes", "no"):
                yield Severity.WARNING, name, f"{value[:40]!r} is neither yes nor no", value

    def _fault_of_address(self, value: str) -> str | None:
        problem = problem_of(value, normalise(value))
        return f"{value!r} {problem}" if problem else None

    def _fault_of_date(self, value: str) -> str | None:
        moment = w3c_datetime(value)
        if moment is not None and moment.form in self._dates_allowed:
            return None
        return f"{value[:40]!r} is neither a date nor a time with a zone"

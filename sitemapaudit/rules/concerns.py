"""The rows in which a rule may find something.

Most entries have no images, and most pages no redirect: the rules about these can skip them. A
concern that several rules share is checked once per row.
"""

import re
from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final

from sitemapaudit.items import Entry
from sitemapaudit.sitemaps.w3c_dates import EARLIEST, DateFormat, is_day, w3c_datetime

Concern = Callable[[Any], object]

_NOT_PLAIN: Final = re.compile("[^A-Za-z0-9._~/:?=&+-]")

IMAGES: Final[Concern] = attrgetter("images")
VIDEOS: Final[Concern] = attrgetter("videos")
NEWS: Final[Concern] = attrgetter("news")
ALTERNATES: Final[Concern] = attrgetter("alternates")
OUTSIDE_ALTERNATES: Final[Concern] = attrgetter("alternates_outside_head")

CANONICAL: Final[Concern] = attrgetter("canonical")
CANONICALS: Final[Concern] = attrgetter("canonicals")
STATEMENTS: Final[Concern] = attrgetter("statements")
REFRESHES: Final[Concern] = attrgetter("refreshes")
RECHECK: Final[Concern] = attrgetter("recheck")
TARGET: Final[Concern] = attrgetter("target")


_USUAL_DATES: Final = frozenset({DateFormat.DATE, DateFormat.SECONDS})


def has_media(row: Entry) -> bool:
    """Return whether an entry has an image or a video."""
    return bool(row.images or row.videos)


def has_unusual_date(row: Entry) -> bool:
    """Return whether a lastmod is early, or neither a day nor a time with seconds and zone."""
    if row.lastmod is None:
        return False
    if row.lastmod_at is None or row.lastmod_at < EARLIEST:
        return True
    if is_day(row.lastmod):
        return False
    date = w3c_datetime(row.lastmod)
    return date is None or date.format not in _USUAL_DATES


def has_parameters(row: Entry) -> bool:
    """Return whether a URL can have a parameter, in its query or in its path."""
    url = row.url
    return url is not None and ("?" in url or ";" in url or "&" in url or "(" in url)


def has_changefreq(row: Entry) -> bool:
    """Return whether an entry has the element; it may be empty."""
    return row.changefreq is not None


def has_priority(row: Entry) -> bool:
    """Return whether an entry has the element; it may be empty."""
    return row.priority is not None


def is_unusual(row: Entry) -> bool:
    """Return whether a loc differs from its normal form, or has unusual characters.

    The normal form of a URL can be invalid: ``%2`` stays as it is.
    """
    return row.loc is None or row.loc != row.url or _NOT_PLAIN.search(row.loc) is not None

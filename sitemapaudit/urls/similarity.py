"""Which URLs are similar: those that a calendar, a filter or a session makes without end."""

import re
from typing import Final
from urllib.parse import urlsplit

_VARIES: Final = re.compile(r"[^/]*(?:\d|;)[^/]*|[^/]{60,}")
"""A segment with a digit or parameters of its own, or one that is too long to be a word."""


def url_shape(url: str) -> str:
    """Return what similar URLs have in common: their host and path, without what varies.

    ``*`` replaces segments that vary. A segment that occurs again counts once, because a wrong
    relative link makes paths that repeat. ``?`` replaces all parameters.
    """
    parts = urlsplit(url)
    segments = (_VARIES.sub("*", segment) for segment in parts.path.split("/"))
    path = "/".join(dict.fromkeys(segments))
    ending = "/" if parts.path.endswith("/") and path else ""
    return f"{parts.netloc}{path or '/'}{ending}{'?' if parts.query else ''}"

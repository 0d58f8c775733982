"""Similar URLs, such as those that a calendar, a filter or a session generates endlessly."""

import re
from typing import Final
from urllib.parse import urlsplit

_VARIES: Final = re.compile(r"[^/]*(?:\d|;)[^/]*|[^/]{60,}")
"""A segment with a digit or parameters, or too long to be a word."""


def url_shape(url: str) -> str:
    """Return the common shape of similar URLs: their host, and their path with placeholders.

    ``*`` replaces segments that vary. A segment that occurs again counts once, because a wrong
    relative link makes paths that repeat. ``?`` replaces all parameters.
    """
    parts = urlsplit(url)
    segments = (_VARIES.sub("*", segment) for segment in parts.path.split("/"))
    path = "/".join(dict.fromkeys(segments))
    ending = "/" if parts.path.endswith("/") and path else ""
    return f"{parts.netloc}{path or '/'}{ending}{'?' if parts.query else ''}"

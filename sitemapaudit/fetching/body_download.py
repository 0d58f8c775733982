"""Limits on the download of a body."""

import sys
from typing import Final

from msgspec import Struct

from sitemapaudit.http.indexable_types import is_unknown_type
from sitemapaudit.http.response import HTML_TYPES
from sitemapaudit.http.sniffing import looks_like_html

SKIPPABLE_BYTES: Final = 65_536
"""A body that nothing reads is skipped from this number of bytes on.

A shorter body arrives faster than a new connection opens.
"""


class BodyDownload(Struct):
    """The number of bytes of a body to download, and the number that arrived.

    An ``unwanted`` body is not read.
    """

    limit: int = sys.maxsize
    html_only: bool = False
    unwanted: bool = False
    received: int = 0
    truncated: bool = False
    skipped: bool = False
    undecided: bool = False

    def start(self, content_type: str, length: str) -> bool:
        """Take two headers of a response; return whether to stop before its body."""
        self.received, self.truncated = 0, False
        wanted: bool | None = not self.unwanted
        if self.html_only:
            wanted = may_be_page(_media_type(content_type))
        self.skipped, self.undecided = wanted is False, wanted is None
        return self.skipped and length.isdecimal() and int(length[:18]) > SKIPPABLE_BYTES

    def add(self, data: bytes) -> bool:
        """Count bytes of a body; return whether to stop.

        If the media type says nothing, the first bytes decide whether the body is read.
        """
        if self.undecided:
            self.undecided, self.skipped = False, not looks_like_html(data)
        self.received += len(data)
        enough = self.received > (SKIPPABLE_BYTES if self.skipped else self.limit)
        self.truncated = enough and not self.skipped
        return enough


def may_be_page(media_type: str | None) -> bool | None:
    """Return whether a body is read as a page; None if its first bytes must decide."""
    if media_type is None or media_type in HTML_TYPES:
        return True
    return None if is_unknown_type(media_type) else False


def _media_type(content_type: str) -> str | None:
    return content_type.partition(";")[0].strip().lower() or None

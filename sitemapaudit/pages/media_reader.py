"""The response for an image or a video → its row. The file itself is not read."""

import re
from typing import Final

from sitemapaudit.http.challenges import find_challenge
from sitemapaudit.http.redirects import REDIRECT_STATUSES
from sitemapaudit.http.response import Response
from sitemapaudit.items import Error, MediaFile

_LENGTH: Final = re.compile("[0-9]{1,18}")
_RANGE: Final = re.compile("bytes +[0-9]+-[0-9]+/([0-9]{1,18})", re.IGNORECASE)
"""A ``Content-Range`` with the size of the whole file (RFC 9110 section 14.4)."""

PARTIAL: Final = 206


def read_media(response: Response, row: MediaFile) -> MediaFile:
    """Fill the row of an image or a video from a response; return it."""
    row.status, row.error, row.error_detail = response.status, response.error, response.error_detail
    row.retries, row.fetched_at = response.retries, response.fetched_at
    row.challenge = find_challenge(response)
    row.content_type = response.media_type
    row.bytes = _size(response)
    if response.status in REDIRECT_STATUSES and response.error is None:
        row.target = response.redirect_target()
        row.error = None if row.target else Error.REDIRECT_INVALID
    return row


def _size(response: Response) -> int | None:
    """Return the size of the file in bytes if the headers announce it."""
    if response.status is None or not 200 <= response.status < 300:
        return None
    if response.status == PARTIAL:
        part = _RANGE.fullmatch((response.header("content-range") or "").strip())
        return int(part[1]) if part else None
    length = response.header("content-length") or ""
    encoded = any(response.codings)
    return int(length) if _LENGTH.fullmatch(length) and not encoded else None

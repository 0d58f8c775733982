"""Responses for components that are not the audit's: Scrapy's classes, with a decoded body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from msgspec import Struct
from scrapy.http import Headers
from scrapy.responsetypes import responsetypes

from sitemapaudit.fetching.plain_response import RawHeaders, group_headers
from sitemapaudit.http.decoding import Decoded

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response as ScrapyResponse

MAX_BYTES: Final = 52_428_800
"""The limit for a decoded body; a larger one is shown as it was sent."""

_ENCODING: Final = b"content-encoding"


class ShownBody(Struct):
    """A body as it was sent, with its codings, and as it is shown.

    A component that replaces the body replaces what is read; any other leaves what was sent.
    """

    sent: bytes
    codings: list[bytes]
    shown: bytes


def shown_response(
    request: Request, status: int, raw: RawHeaders, body: bytes, flags: list[str]
) -> tuple[ScrapyResponse, ShownBody]:
    """Return a response as Scrapy's middleware for compression leaves it, and its body."""
    grouped = group_headers(raw)
    shown = ShownBody(body, grouped.get(_ENCODING, []), body)
    decoded = _decode(body, shown.codings) if body and shown.codings else None
    if decoded is not None:
        shown.shown = decoded
        del grouped[_ENCODING]
    headers, url = Headers(grouped), request.url
    kind = responsetypes.from_args(headers, url, body=shown.shown)
    return kind(url, status, headers, shown.shown, flags, request), shown


def _decode(body: bytes, codings: list[bytes]) -> bytes | None:
    names = [coding.decode("latin-1") for coding in codings]
    decoded = Decoded(body, names, limit=MAX_BYTES, files=False)
    whole = b"".join(decoded)
    return None if decoded.error or decoded.truncated else whole

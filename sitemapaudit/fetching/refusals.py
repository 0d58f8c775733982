"""Responses that ask to wait: 429, and 503 with ``Retry-After``."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from sitemapaudit.http.dates import parse_http_date

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response as ScrapyResponse

TOO_MANY_REQUESTS: Final = 429
UNAVAILABLE: Final = 503

_MAX_DOUBLINGS: Final = 16


class RefusedError(Exception):
    """A response asks to wait, which concerns the process that sends all requests of its host."""

    def __init__(self, response: ScrapyResponse, request: Request) -> None:
        super().__init__(response.status)
        self.response, self.request = response, request


class Handover:
    """The pace of a worker: raises RefusedError for each response that asks to wait."""

    def take_request(self, request: Request) -> None:
        """Do nothing."""

    def take_response(self, response: ScrapyResponse, request: Request) -> None:
        """Raise RefusedError for a response that asks to wait."""
        if requested_wait(response, 0) is not None:
            raise RefusedError(response, request)


def requested_wait(response: ScrapyResponse, refused_before: int) -> float | None:
    """Return the seconds that a response asks to wait; None if it is not a refusal.

    A 429 without ``Retry-After`` asks for one second, and for twice as long after each further 429.
    A 503 without it asks for nothing.
    """
    if response.status not in (TOO_MANY_REQUESTS, UNAVAILABLE):
        return None
    stated = retry_after(response)
    if stated is not None or response.status == UNAVAILABLE:
        return stated
    return 2.0 ** min(refused_before, _MAX_DOUBLINGS)


def retry_after(response: ScrapyResponse) -> float | None:
    """Return the seconds of ``Retry-After`` (RFC 9110 section 10.2.3); None if it is unusable."""
    value = (response.headers.get(b"Retry-After") or b"").decode("latin-1").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    moment = parse_http_date(value) if value else None
    return None if moment is None else max(0.0, (moment - datetime.now(UTC)).total_seconds())

"""Repeats failed requests as Scrapy does, and refused ones when their host permits."""

import asyncio
from time import monotonic
from typing import Any, Final, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.downloadermiddlewares.retry import RetryMiddleware
from scrapy.http import Response as ScrapyResponse

from sitemapaudit.engine.audits import config_of
from sitemapaudit.engine.private_api import is_closing
from sitemapaudit.fetching.exchange import Exchange
from sitemapaudit.fetching.failures import TRANSIENT, classify_error
from sitemapaudit.fetching.refusals import requested_wait
from sitemapaudit.items import Error

SERVER_ERRORS: Final = range(500, 600)
"""The statuses of server errors."""

_STEP: Final = 0.5
"""Seconds between checks whether the run is closed."""


class PatientRetryMiddleware(RetryMiddleware):
    """Waits before it repeats a refused request; other URLs of the host do not wait."""

    crawler: Crawler
    max_delay: float
    """The longest wait in seconds; 0 disables waiting."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the middleware with AUDIT_MAX_DELAY.

        Raises NotConfigured if the spider is not an audit, or with ``RETRY_ENABLED=False``.
        """
        config = config_of(crawler)
        middleware = super().from_crawler(crawler)
        middleware.crawler, middleware.max_delay = crawler, config.settings.max_delay
        return middleware

    def process_response(self, request: Request, response: ScrapyResponse) -> Any:  # type: ignore[override]
        """Return the response, or a request that repeats it, after the wait that it asks for."""
        if response.status not in self.retry_http_codes:
            return response
        if response.status in SERVER_ERRORS:
            self._leave_last(request)
        result = super().process_response(request, response)
        wait = requested_wait(response, request.meta.get("retry_times", 0))
        if wait and self.max_delay and isinstance(result, Request):
            return self._later(result, min(wait, self.max_delay))
        return result

    def process_exception(self, request: Request, exception: Exception) -> Any:  # type: ignore[override]
        """Return a request that repeats a failed one, or None.

        A page that times out does so only once more, at the end of the run.
        """
        error = classify_error(exception)
        if error in TRANSIENT:
            self._leave_last(request, at_once=0 if error is Error.TIMEOUT else None)
        return super().process_exception(request, exception)

    def _leave_last(self, request: Request, at_once: int | None = None) -> None:
        """Leave the last repetition of a page to its recheck at the end of the run."""
        if Exchange.of(request).rechecked:
            most = self.max_retry_times - 1
            request.meta["max_retry_times"] = most if at_once is None else at_once

    async def _later(self, request: Request, seconds: float) -> Request:
        """Return a request after a wait, or at once if the run is closed: it is not sent then."""
        end = monotonic() + seconds
        # Scrapy has no event for a run that begins to close.
        while (left := end - monotonic()) > 0 and not is_closing(self.crawler):  # noqa: ASYNC110
            await asyncio.sleep(min(left, _STEP))
        return request

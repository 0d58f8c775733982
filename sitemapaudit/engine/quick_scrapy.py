"""The private parts of Scrapy that only save time, and how they are used.

Without them, requests pass through ``engine.download_async``: see ``requests``.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final, cast

from scrapy import Request
from scrapy.core.downloader import Downloader as ScrapyDownloader
from scrapy.core.downloader import Slot
from scrapy.core.downloader.handlers.base import BaseDownloadHandler
from scrapy.core.downloader.middleware import DownloaderMiddlewareManager
from scrapy.exceptions import _InvalidOutput
from scrapy.http import Response as ScrapyResponse
from scrapy.utils.defer import ensure_awaitable
from scrapy.utils.python import global_object_name

if TYPE_CHECKING:
    from scrapy.core.downloader.handlers import DownloadHandlers

__all__ = ["RELIED_ON", "Middlewares", "ScrapyDownloader", "Slot", "send", "try_parts"]

RELIED_ON: Final = {
    "scrapy.core.downloader.Downloader": (
        "active",
        "middleware",
        "handlers",
        "total_concurrency",
        "_get_slot",
        "_latercall",
        "_process_queue",
        "_enqueue_request",
    ),
    "scrapy.core.downloader.Slot": (
        "lastseen",
        "latercall",
        "active",
        "queue",
        "transferring",
        "free_transfer_slots",
        "download_delay",
    ),
    "scrapy.core.downloader.handlers.DownloadHandlers": ("_handlers", "download_request_async"),
    "scrapy.core.downloader.middleware.DownloaderMiddlewareManager": (
        "methods",
        "download_async",
        "_handle_mw_method",
        "_process_request",
        "_process_response",
    ),
    "scrapy.exceptions": ("_InvalidOutput",),
    "scrapy.utils.defer": ("ensure_awaitable",),
    "scrapy.utils.python": ("global_object_name",),
}
"""The names that are used of each module and class."""

_Method = Callable[..., Any]


def try_parts() -> None:
    """Use the parts once. Raises an exception if one of them has another shape."""
    slot = Slot(1, 0.0, None)
    request = Request("https://www.example.com/")
    slot.queue.append((request, None))  # type: ignore[arg-type]
    slot.queue.popleft()
    slot.active.add(request)
    slot.transferring.add(request)
    if (slot.free_transfer_slots(), slot.download_delay(), slot.latercall) != (0, 0.0, None):
        raise TypeError("slots work in another way")
    for owner, names in (
        (ScrapyDownloader, ("_get_slot", "_latercall", "_process_queue", "_enqueue_request")),
        (DownloaderMiddlewareManager, ("download_async", "_handle_mw_method")),
        (DownloaderMiddlewareManager, ("_process_request", "_process_response")),
    ):
        for name in names:
            getattr(owner, name)


class Middlewares(DownloaderMiddlewareManager):
    """Calls the middlewares as Scrapy does, but awaits only awaitable results.

    Scrapy wraps every result in a coroutine; most middlewares return None.
    """

    async def _process_request(
        self,
        request: Request,
        download_func: Callable[[Request], Coroutine[Any, Any, ScrapyResponse]],
    ) -> ScrapyResponse | Request:
        for method in self.methods["process_request"]:
            result = self._handle_mw_method(cast("_Method", method), request=request)
            if result is not None:
                finished = await _finished(result, method)
                if finished is not None:
                    return finished
        return await download_func(request)

    async def _process_response(
        self, response: ScrapyResponse | Request, request: Request
    ) -> ScrapyResponse | Request:
        for method in self.methods["process_response"]:
            if not isinstance(response, ScrapyResponse):
                break
            result = self._handle_mw_method(
                cast("_Method", method), request=request, response=response
            )
            if result is not response:
                finished = await _finished(result, method)
                if finished is None:
                    raise _InvalidOutput(f"Middleware {global_object_name(method)} returned None")
                response = finished
        return response


async def _finished(result: Any, method: Any) -> ScrapyResponse | Request | None:
    """Return the result of a middleware, awaited if necessary. Raises _InvalidOutput."""
    name = global_object_name(method)
    finished = await ensure_awaitable(result, _warn=name)
    if finished is None or isinstance(finished, ScrapyResponse | Request):
        return finished
    raise _InvalidOutput(f"Middleware {name} returned {type(finished)}")


async def send(handlers: DownloadHandlers, request: Request) -> ScrapyResponse:
    """Return the response of the handler of a request.

    To find that handler, Scrapy parses the whole URL.
    """
    handler: Any = handlers._handlers.get(request.url.partition(":")[0])  # noqa: SLF001
    if isinstance(handler, BaseDownloadHandler):
        response: ScrapyResponse = await handler.download_request(request)
        return response
    return await handlers.download_request_async(request)

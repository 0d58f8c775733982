"""One page in the browser, from its first navigation until it comes to rest."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final
from weakref import WeakSet

from playwright.async_api import (
    BrowserContext,
    ConsoleMessage,
    Download,
    Frame,
    Page,
    Request,
    Response,
    Route,
    WebSocketRoute,
)
from playwright.async_api import Error as BrowserError
from playwright.async_api import TimeoutError as BrowserTimeoutError

from sitemapaudit import urls
from sitemapaudit.pages.reader import MAX_BYTES
from sitemapaudit.rendering.observed import MAX_NAVIGATIONS, Observed
from sitemapaudit.rendering.resources import MAX_REQUESTS, Decision

_POLL: Final = 0.05
_STEP: Final = 1_000.0
"""Milliseconds after which it is looked whether a page is loaded, if it does not tell."""

_LAST_WORDS: Final = 5.0
"""Seconds for the text of a page that did not load in its time."""

# Engines read shadow trees as part of the page; the visit is over, so that they may be moved.
_SERIALISE: Final = """limit => {
    const flatten = root => {
        for (const host of root.querySelectorAll('*')) {
            if (host.shadowRoot) { flatten(host.shadowRoot); host.append(host.shadowRoot); }
        }
    };
    flatten(document);
    const root = document.documentElement;
    return root ? '<!doctype html>' + root.outerHTML.slice(0, limit) : '';
}"""


class Over(Exception):  # noqa: N818 - it is no error
    """The visit is over: ends the download, whose handler would go on without a limit of time."""


@dataclass(slots=True, frozen=True)
class Reply:
    """What the site answered for the page: the browser gets it from memory."""

    url: str
    status: int
    headers: dict[str, str]
    body: bytes


@dataclass(slots=True, frozen=True)
class Patience:
    """Seconds: of quiet after which a page is at rest, and for the visit as a whole."""

    settle: float
    total: float


class Visit:
    """Answers the first navigation from memory, watches, and waits."""

    def __init__(
        self,
        reply: Reply,
        patience: Patience,
        decide: Callable[[str, str], Awaitable[Decision]],
    ) -> None:
        self.observed = Observed(reply.status)
        self._reply = reply
        self._patience = patience
        self._decide = decide
        self._begun = False
        self._opened = time.monotonic()
        self._address = reply.url
        self._underway: Request | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    async def prepare(self, page: Page, _: Any = None) -> None:
        """Listen to a page that is still empty."""
        self._opened = time.monotonic()
        page.on("console", self._on_console)
        page.on("pageerror", lambda error: self.observed.note_console(str(error)))
        page.on("response", lambda response: self._later(self._on_response(response, page)))
        page.on("requestfailed", self._on_failure)
        page.on("framenavigated", lambda frame: self._on_navigated(frame, page))
        page.on("popup", lambda popup: self._later(popup.close()))
        page.on("download", self._on_download)
        if page.context not in _guarded:
            _guarded.add(page.context)
            await page.context.route("**/*", _abort)
            await page.context.route_web_socket("**/*", _close)
        await page.route_web_socket("**/*", _close)
        await page.route("**/*", lambda route, request: self._route(route, request, page))

    async def stay(self, page: Page) -> None:
        """Wait until the page is at rest or its time is over, and take what it holds.

        Raises Over at the end, and BrowserError if the browser fails.
        """
        try:
            await self._watch(page, self._opened + self._patience.total)
        finally:
            self.observed.elapsed = time.monotonic() - self._opened
        raise Over

    async def _watch(self, page: Page, ends: float) -> None:
        while self.observed.html is None:
            with suppress(TimeoutError):
                async with asyncio.timeout(ends - time.monotonic()):
                    await self._rest(page)
            async with asyncio.timeout(max(ends - time.monotonic(), _LAST_WORDS)):
                self.observed.html = await _asked(page, _SERIALISE, MAX_BYTES)
        self.observed.final_url = urls.normalise(page.url)
        if self.observed.goes_round:
            await _halt(page)

    async def _rest(self, page: Page) -> None:
        observed = self.observed
        while True:
            seen = len(observed.navigations)
            await _load(page)
            observed.loaded = True
            observed.settled = await self._is_quiet(page)
            while self._underway is not None:  # noqa: ASYNC110 - the total is limited
                await asyncio.sleep(_POLL)
            if len(observed.navigations) == seen or observed.goes_round:
                return

    async def _is_quiet(self, page: Page) -> bool:
        """Wait for a time without requests; False if there is none within ten such times."""
        settle = self._patience.settle
        await asyncio.sleep(settle)
        try:
            await page.wait_for_load_state("networkidle", timeout=10_000 * settle or 1)
        except BrowserError:
            if page.is_closed():
                raise
            return False
        return True

    async def _route(self, route: Route, request: Request, page: Page) -> None:
        try:
            if request.is_navigation_request() and request.frame == page.main_frame:
                await self._navigate(route, request)
            else:
                await self._load(route, request)
        except BrowserError:
            pass  # The page went away in between.

    async def _navigate(self, route: Route, request: Request) -> None:
        if self._begun and not self.observed.goes_on("document", request.url):
            await route.abort("aborted")
            return
        self._begun = True
        if urls.normalise(request.url) == self._reply.url and request.method == "GET":
            self._underway = request
            reply = self._reply
            await route.fulfill(status=reply.status, headers=reply.headers, body=reply.body)
            return
        decision = await self._decide(request.url, "document")
        if decision is Decision.LOAD:
            self._underway = request
            await route.continue_()
        else:
            self.observed.note_refused(decision, request.resource_type, request.url)
            await route.abort("aborted")

    async def _load(self, route: Route, request: Request) -> None:
        self.observed.requests += 1
        if self.observed.requests > MAX_REQUESTS:
            await route.abort("blockedbyclient")
            return
        decision = await self._decide(request.url, request.resource_type)
        if decision is Decision.LOAD:
            await route.continue_()
            return
        self.observed.note_refused(decision, request.resource_type, request.url)
        await route.abort("blockedbyclient")

    async def _on_response(self, response: Response, page: Page) -> None:
        request = response.request
        if request.is_navigation_request() and request.frame == page.main_frame:
            if not 300 <= response.status < 400:
                self.observed.status = response.status
                if self.observed.navigations:
                    self.observed.headers = await _headers(response)
        elif response.status >= 400:
            self.observed.note_failed(request.url, f"status {response.status}")

    def _on_failure(self, request: Request) -> None:
        if request is self._underway:
            self._underway = None
        why = request.failure or ""
        if "BLOCKED_BY_CLIENT" not in why and "ERR_ABORTED" not in why:
            self.observed.note_failed(request.url, why)

    def _on_navigated(self, frame: Frame, page: Page) -> None:
        """Note an address that no document was asked for: it came by ``history``."""
        if frame != page.main_frame:
            return
        underway, self._underway = self._underway, None
        before, self._address = self._address, frame.url
        if underway is None and self._begun and _bare(frame.url) != _bare(before):
            self.observed.goes_on("history", frame.url)

    def _on_download(self, download: Download) -> None:
        """What the page went to is no page: it stays."""
        self._underway = None
        self._later(download.cancel())

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.observed.note_console(message.text)

    def _later(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do what an event calls for; the page may be gone by then."""

        async def quietly() -> None:
            with suppress(BrowserError):
                await work

        task = asyncio.ensure_future(quietly())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


_guarded: Final[WeakSet[BrowserContext]] = WeakSet()


async def _abort(route: Route) -> None:
    """Load nothing for a window that a page has opened, and that is about to be closed."""
    with suppress(BrowserError):
        await route.abort()


async def _close(socket: WebSocketRoute) -> None:
    """Let no page speak anything but HTTP."""
    await socket.close()


async def _load(page: Page) -> None:
    """Wait until a page is loaded.

    Of one that broke off going elsewhere while it loaded the browser does not tell.
    """
    while True:
        try:
            await page.wait_for_load_state("load", timeout=_STEP)
        except BrowserTimeoutError:
            if await _asked(page, "document.readyState") != "complete":
                continue
        return


async def _halt(page: Page) -> None:
    """Stop a page that goes on and on: what it asks for as it is closed would be let through."""
    for _ in range(MAX_NAVIGATIONS):
        with suppress(BrowserError):
            await page.goto("about:blank", timeout=_STEP)
            return


async def _asked(page: Page, script: str, value: Any = None) -> Any:
    """Ask a page; None if it gave way to another in between."""
    try:
        return await page.evaluate(script, value)
    except BrowserError as error:
        if "context was destroyed" not in error.message:
            raise
        return None


async def _headers(response: Response) -> dict[str, list[str]]:
    headers: dict[str, list[str]] = {}
    for header in await response.headers_array():
        headers.setdefault(header["name"].lower(), []).append(header["value"])
    return headers


def _bare(url: str) -> str:
    return url.partition("#")[0]

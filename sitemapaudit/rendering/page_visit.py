"""One page in the browser, from its first navigation until it is idle."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Final
from weakref import WeakSet

from msgspec import Struct
from playwright.async_api import (
    BrowserContext,
    ConsoleMessage,
    Download,
    Frame,
    Page,
    Request,
    Response,
    Route,
)
from playwright.async_api import Error as BrowserError
from playwright.async_api import TimeoutError as BrowserTimeoutError

from sitemapaudit import urls
from sitemapaudit.pages.page_reader import MAX_BYTES
from sitemapaudit.rendering.observations import (
    DOCUMENT,
    MAX_NAVIGATIONS,
    MAX_URL,
    Observations,
)
from sitemapaudit.rendering.request_gate import Check, RequestGate, gate_of
from sitemapaudit.rendering.resources import MAX_REQUESTS, Decision

_POLL: Final = 0.05
_STEP: Final = 1_000.0
"""Milliseconds between checks whether a page is loaded, if the browser does not say."""

_SERIALIZE_TIMEOUT: Final = 5.0
"""Seconds for reading the text of a page that did not finish loading."""

_OF_THE_GATE: Final = ("Failed to load resource", "WebSocket connection to")
"""Script errors about failed requests, which are counted elsewhere or refused by us."""

_IDLE_FACTOR: Final = 10
"""A page that is never idle gets this multiple of the idle time."""

# Search engines read shadow trees as part of the page. The visit is over, so they can be moved.
_SERIALIZE: Final = """limit => {
    const flatten = root => {
        for (const host of root.querySelectorAll('*')) {
            if (host.shadowRoot) { flatten(host.shadowRoot); host.append(host.shadowRoot); }
        }
    };
    flatten(document);
    const root = document.documentElement;
    return root ? '<!doctype html>' + root.outerHTML.slice(0, limit) : '';
}"""

# Playwright's own replacement returns nothing: scripts that read its properties would fail.
_NO_WORKER: Final = """if (navigator.serviceWorker) {
    navigator.serviceWorker.register = () => new Promise(() => {});
}"""

_YIELD: Final = "async () => { try { await new Promise(done => setTimeout(done)) } catch {} }"
"""Ends after the due scripts, which a busy machine may not have run yet."""


class VisitEnded(Exception):  # noqa: N818 - it is not an error
    """The visit is over; this ends the download, whose handler would continue without a limit."""


class StoredResponse(Struct, frozen=True):
    """The response that was fetched for the page, and is served to the browser from memory."""

    url: str
    status: int
    headers: dict[str, str]
    body: bytes


class VisitTimeouts(Struct, frozen=True):
    """Seconds without a request after which a page is idle, and seconds of the whole visit."""

    idle: float
    total: float


Serve = Callable[[str], Awaitable[StoredResponse | None]]
"""Returns the response for a URL, None if there is none."""


class PageVisit:
    """Serves the first navigation from memory, observes the page, and waits.

    With ``serve``, the browser requests nothing: staging or a build folder replaces the site.
    """

    def __init__(
        self,
        stored: StoredResponse,
        timeouts: VisitTimeouts,
        decide: Callable[[str, str], Awaitable[Decision]],
        serve: Serve | None = None,
    ) -> None:
        self.observed = Observations(stored.status)
        self._stored = stored
        self._timeouts = timeouts
        self._decide = decide
        self._serve = serve
        self.crashed = False
        self._started = False
        self._opened = time.monotonic()
        self._url = stored.url
        self._pending: Request | None = None
        self._in_flight: set[Request] = set()
        self._active = self._opened
        self._gate: RequestGate | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._is_read = False

    async def prepare(self, page: Page, _: Any = None) -> None:
        """Listen to the events of a page that is still empty."""
        self._opened = time.monotonic()
        page.on("console", self._on_console)
        page.on("pageerror", self._on_exception)
        page.on("response", lambda response: self._later(self._on_response(response, page)))
        page.on("request", self._on_request)
        page.on("requestfinished", self._on_end)
        page.on("requestfailed", self._on_failure)
        page.on("framenavigated", lambda frame: self._on_navigated(frame, page))
        page.on("crash", self._on_crash)
        page.on("popup", lambda popup: self._later(popup.close()))
        page.on("download", self._on_download)
        if page.context not in _guarded:
            _guarded.add(page.context)
            await page.context.route("**/*", _abort)
        await page.add_init_script(_NO_WORKER)
        assert page.context.browser is not None
        self._gate = await gate_of(page.context.browser)
        await page.route("**/*", lambda route, request: self._route(route, request, page))

    def end(self) -> None:
        """Refuse further requests of the page."""
        if self._gate is not None:
            self._gate.end(self)

    async def watch(self, page: Page) -> None:
        """Wait until the page is idle or its time is over, and read it.

        Raises VisitEnded at the end, and BrowserError if the browser fails.
        """
        try:
            await self._watch(page, self._opened + self._timeouts.total)
        finally:
            self.observed.elapsed = time.monotonic() - self._opened
        raise VisitEnded

    async def _watch(self, page: Page, ends: float) -> None:
        while self.observed.html is None:
            self._is_read = False
            with suppress(TimeoutError):
                async with asyncio.timeout(ends - time.monotonic()):
                    await self._wait_until_idle(page)
            self._is_read = True
            async with asyncio.timeout(max(ends - time.monotonic(), _SERIALIZE_TIMEOUT)):
                self.observed.html = await _evaluate(page, _SERIALIZE, MAX_BYTES)
        self.observed.final_url = urls.normalize(page.url)
        if self.observed.navigates_endlessly:
            await _halt(page)

    async def _wait_until_idle(self, page: Page) -> None:
        observed = self.observed
        while True:
            seen = len(observed.navigations)
            await _wait_until_loaded(page)
            observed.loaded = True
            self._active = time.monotonic()
            observed.idle = await self._is_idle(page)
            while self._pending is not None:  # noqa: ASYNC110 - the total is limited
                await asyncio.sleep(_POLL)
            if len(observed.navigations) == seen or observed.navigates_endlessly:
                return

    async def _is_idle(self, page: Page) -> bool:
        """Wait for an idle time without requests; False if requests continue for ten times as long.

        It is also False if the page is closed, whose requests may never end.

        The browser's event "networkidle" does not help: it happens once, and on a busy machine
        before the first script runs.
        """
        idle = self._timeouts.idle
        ends = time.monotonic() + (1 + _IDLE_FACTOR) * idle
        while True:
            missing = _POLL if self._in_flight else self._active + idle - _POLL - time.monotonic()
            if missing > 0:
                if time.monotonic() > ends or page.is_closed():
                    return False
                await asyncio.sleep(missing)
                continue
            active, asked = self._active, time.monotonic()
            await _evaluate(page, _YIELD)
            # The requests of these scripts are announced late if the machine is busy.
            await asyncio.sleep(max(_POLL, time.monotonic() - asked))
            if active == self._active and not self._in_flight:
                return True

    async def _route(self, route: Route, request: Request, page: Page) -> None:
        try:
            if request.is_navigation_request() and request.frame == page.main_frame:
                await self._navigate(route, request)
            else:
                await self._load(route, request)
        except BrowserError:
            pass  # The page was closed meanwhile.

    async def _navigate(self, route: Route, request: Request) -> None:
        if self._started and not self.observed.note_navigation(DOCUMENT, request.url):
            await route.abort("aborted")
            return
        self._started = True
        self.observed.disallowed = None
        if urls.normalize(request.url) == self._stored.url and request.method == "GET":
            self._pending = request
            stored = self._stored
            await route.fulfill(status=stored.status, headers=stored.headers, body=stored.body)
            return
        if await self._may_navigate(request.url):
            self._pending = request
            await self._continue(route, request, self._may_navigate)
        else:
            await route.abort("aborted")

    async def _load(self, route: Route, request: Request) -> None:
        check = partial(self._may_load, request.resource_type)
        if await check(request.url):
            await self._continue(route, request, check)
        else:
            await route.abort("blockedbyclient")

    async def _continue(self, route: Route, request: Request, check: Check) -> None:
        """Let a request pass the gate, with each of its redirects that passes the check."""
        if self._serve is not None:
            stored = await self._serve(request.url) if request.method == "GET" else None
            if stored is None:
                await route.abort("failed")
            else:
                await route.fulfill(status=stored.status, headers=stored.headers, body=stored.body)
            return
        assert self._gate is not None
        self._gate.allow(request.url, self, check)
        await route.continue_()

    def _on_exception(self, error: BrowserError) -> None:
        """Record an exception of the page; custom elements that are moved can raise others."""
        if not self._is_read:
            self.observed.note_exception(str(error))

    async def _may_load(self, kind: str, url: str) -> bool:
        self.observed.requests += 1
        return self.observed.requests <= MAX_REQUESTS and await self._may_request(kind, url)

    async def _may_navigate(self, url: str) -> bool:
        decision = await self._decide(url, DOCUMENT)
        if decision is Decision.BLOCKED:
            self.observed.blocked_requests += 1
            self.observed.disallowed = urls.normalize(url[:MAX_URL])
            return False
        self.observed.note_refused(decision, DOCUMENT, url)
        if decision is Decision.REFUSED:
            self.observed.left_for = url[:MAX_URL]
        return decision is Decision.LOAD

    async def _may_request(self, kind: str, url: str) -> bool:
        return await self._decide_request(kind, url) is Decision.LOAD

    async def _decide_request(self, kind: str, url: str) -> Decision:
        decision = await self._decide(url, kind)
        self.observed.note_refused(decision, kind, url)
        return decision

    async def _on_response(self, response: Response, page: Page) -> None:
        request = response.request
        if request.is_navigation_request() and request.frame == page.main_frame:
            if not 300 <= response.status < 400:
                self.observed.status = response.status
                if self.observed.navigations:
                    self.observed.headers = await _headers(response)
        elif response.status >= 400:
            self.observed.note_failed(request.url, f"status {response.status}")

    def _on_request(self, request: Request) -> None:
        self._in_flight.add(request)

    def _on_end(self, request: Request) -> None:
        self._in_flight.discard(request)
        self._active = time.monotonic()

    def _on_crash(self, page: Page) -> None:
        """Close a crashed page: otherwise some calls that wait for it never end."""
        self.crashed = True
        self._later(page.close())

    def _on_failure(self, request: Request) -> None:
        self._on_end(request)
        if self._pending is not None and self._pending in _redirect_chain(request):
            self._pending = None
        reason = request.failure or ""
        if "BLOCKED_BY_CLIENT" not in reason and "ERR_ABORTED" not in reason:
            self.observed.note_failed(request.url, reason)

    def _on_navigated(self, frame: Frame, page: Page) -> None:
        """Record a new URL without a request: ``history`` set it."""
        if frame != page.main_frame:
            return
        pending, self._pending = self._pending, None
        if pending is not None:  # The browser does not say how requests of a left document end.
            self._in_flight = {each for each in self._in_flight if each.is_navigation_request()}
        before, self._url = self._url, frame.url
        if (
            pending is None
            and self._started
            and _without_fragment(frame.url) != (_without_fragment(before))
        ):
            self.observed.note_navigation("history", frame.url)

    def _on_download(self, download: Download) -> None:
        """Cancel a download; the page stays open."""
        self._pending = None
        self._later(download.cancel())

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not message.text.startswith(_OF_THE_GATE):
            self.observed.note_console(message.text)

    def _later(self, work: Coroutine[Any, Any, Any]) -> None:
        """Handle an event in a task; the page may be closed by then."""

        async def do() -> None:
            with suppress(BrowserError):
                await work

        task = asyncio.ensure_future(do())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


_guarded: Final[WeakSet[BrowserContext]] = WeakSet()


async def _abort(route: Route) -> None:
    """Load nothing for a window that a page opened: it will be closed."""
    with suppress(BrowserError):
        await route.abort()


def _redirect_chain(request: Request) -> Iterator[Request]:
    """Yield a request, and the requests that were redirected to it."""
    step: Request | None = request
    while step is not None:
        yield step
        step = step.redirected_from


async def _wait_until_loaded(page: Page) -> None:
    """Wait until a page is loaded.

    The browser does not report that if the page started and aborted a navigation while loading.
    """
    while True:
        try:
            await page.wait_for_load_state("load", timeout=_STEP)
        except BrowserTimeoutError:
            if await _evaluate(page, "document.readyState") != "complete":
                continue
        return


async def _halt(page: Page) -> None:
    """Stop a page that navigates endlessly: requests while it closes would be allowed."""
    for _ in range(MAX_NAVIGATIONS):
        with suppress(BrowserError):
            await page.goto("about:blank", timeout=_STEP)
            return


async def _evaluate(page: Page, script: str, value: Any = None) -> Any:
    """Evaluate a script; return None if the page navigated meanwhile."""
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


def _without_fragment(url: str) -> str:
    return url.partition("#")[0]

"""The gate of a browser, which only passes requests that a visit has allowed.

Playwright shows a visit the requests of its page. It shows neither their redirects nor what shared
workers, worklets and closed pages send. The browser shows every request, just before the network:
those that a visit allowed pass, their redirects are new requests, and all others are refused.
"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final
from weakref import WeakKeyDictionary

from playwright.async_api import Browser, CDPSession
from playwright.async_api import Error as BrowserError

Check = Callable[[str], Awaitable[bool]]
"""Returns whether a visit may request a URL."""


class RequestGate:
    """Passes the requests that open visits have allowed."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        self._allowed: defaultdict[str, list[tuple[object, Check]]] = defaultdict(list)
        self._passed: dict[str, tuple[object, Check]] = {}
        self._checked: dict[str, tuple[object, Check]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Pause every request from now on; raises BrowserError."""
        self._session.on("Fetch.requestPaused", self._on_paused)
        await self._session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})

    def allow(self, url: str, visit: object, check: Check) -> None:
        """Let a visit send one request; ``check`` decides about its redirects."""
        self._allowed[_without_fragment(url)].append((visit, check))

    def end(self, visit: object) -> None:
        """Refuse further requests of a visit."""
        for url, owners in [*self._allowed.items()]:
            owners[:] = [owner for owner in owners if owner[0] is not visit]
            if not owners:
                del self._allowed[url]
        for requests in (self._passed, self._checked):
            for request in [key for key, owner in requests.items() if owner[0] is visit]:
                del requests[request]

    def _on_paused(self, event: dict[str, Any]) -> None:
        task = asyncio.ensure_future(self._answer(event))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, event: dict[str, Any]) -> None:
        request = event["requestId"]
        with suppress(BrowserError):  # The browser was closed meanwhile.
            if await self._passes(event):
                await self._session.send("Fetch.continueRequest", {"requestId": request})
            else:
                refusal = {"requestId": request, "errorReason": _reason(event)}
                await self._session.send("Fetch.failRequest", refusal)

    async def _passes(self, event: dict[str, Any]) -> bool:
        url, request = _without_fragment(event["request"]["url"]), event["requestId"]
        redirected = event.get("redirectedRequestId")
        if redirected is not None:
            owner = self._passed.pop(redirected, None)
            if owner is not None:
                owner = await self._check_redirect(request, owner, url)
        else:
            owners = self._allowed.get(url)
            owner = owners.pop(0) if owners else None
        if owner is not None:
            self._passed[request] = owner
        return owner is not None

    async def _check_redirect(
        self, request: str, owner: tuple[object, Check], url: str
    ) -> tuple[object, Check] | None:
        """Return the owner if it may follow a redirect, and its visit did not end meanwhile."""
        self._checked[request] = owner
        try:
            allowed = await owner[1](url)
        finally:
            current = self._checked.pop(request, None)
        return current if allowed else None


async def gate_of(browser: Browser) -> RequestGate:
    """Return the gate of a browser, open; raises BrowserError."""
    if browser not in _gates:
        _gates[browser] = asyncio.ensure_future(_open_gate(browser))
    return await asyncio.shield(_gates[browser])


async def _open_gate(browser: Browser) -> RequestGate:
    gate = RequestGate(await browser.new_browser_cdp_session())
    await gate.open()
    return gate


def _reason(event: dict[str, Any]) -> str:
    """Return the reason for a failed request: after "Aborted", a page keeps its URL."""
    return "Aborted" if event["resourceType"] == "Document" else "BlockedByClient"


def _without_fragment(url: str) -> str:
    return url.partition("#")[0]


_gates: Final[WeakKeyDictionary[Browser, asyncio.Future[RequestGate]]] = WeakKeyDictionary()

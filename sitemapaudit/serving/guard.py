"""The guard of the server: it answers only the browser of the user who started it.

Any page of any website can send requests to loopback. So each request needs the right host, which
stops DNS rebinding, and the secret of the cookie; none may come from another origin. What changes
something also needs the secret of the form. A refusal says nothing about the runs.
"""

from dataclasses import dataclass, field
from secrets import compare_digest, token_urlsafe
from typing import Final
from urllib.parse import parse_qsl

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_FORM: Final = 10_000
"""Limit for the body of a form, in bytes."""

TOKEN: Final = "token"  # noqa: S105 - the name of the parameter

FORM_TOKEN: Final = "form_token"  # noqa: S105 - the name of the field

_FORM_TYPE: Final = "application/x-www-form-urlencoded"

HEADERS: Final = {
    "Cache-Control": "no-store",
    # no-referrer would hide the origin of forms too.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
"""The headers of each response that does not have its own."""


def _secret() -> str:
    return token_urlsafe(32)


@dataclass(frozen=True, slots=True)
class Access:
    """The port of the server, and its secrets: of its address, of the cookie, of the forms."""

    port: int
    token: str = field(default_factory=_secret)
    session: str = field(default_factory=_secret)
    form_token: str = field(default_factory=_secret)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names of the server."""
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"

    @property
    def address(self) -> str:
        """The address that lets a browser in."""
        return f"http://{self.hosts[0]}/?{TOKEN}={self.token}"

    @property
    def cookie(self) -> str:
        """The name of the cookie: a browser has the same cookies for all ports of a host."""
        return f"sitemapaudit-{self.port}"


class Guard:
    """An application that lets only allowed requests reach another one."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it. There is nothing but HTTP."""
        if scope["type"] != "http":
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        request = Request(scope, receive)
        refusal = self._refuse(request) or await self._read_form(request)
        await (refusal or self._app)(scope, receive, send_guarded)

    def _refuse(self, request: Request) -> Response | None:
        """Return a response to a request that must not be answered; None for others."""
        access = self._access
        if request.headers.getlist("host") not in [[host] for host in access.hosts]:
            return _refusal(403, "This is not the address of the server.")
        if request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return _refusal(403, "Another website sent this request.")
        token = request.query_params.get(TOKEN)
        if token is not None and request.method == "GET" and _equal(token, access.token):
            return self._let_in()
        if not _equal(request.cookies.get(access.cookie, ""), access.session):
            return _refusal(401, "Open the address that sitemapaudit serve printed.")
        if request.method not in ("GET", "HEAD", "POST"):
            return _refusal(405, "This method is not allowed.")
        return None

    def _let_in(self) -> Response:
        response = RedirectResponse("/", 303)
        response.set_cookie(
            self._access.cookie, self._access.session, httponly=True, samesite="strict"
        )
        return response

    async def _read_form(self, request: Request) -> Response | None:
        """Read the form of a request into its state; return a response if it is not ours."""
        if request.method != "POST":
            return None
        if request.headers.get("origin") != f"http://{request.headers['host']}":
            return _refusal(403, "Another website sent this form.")
        if request.headers.get("content-type") != _FORM_TYPE:
            return _refusal(415, "This is not a form.")
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > MAX_FORM:
                return _refusal(413, "This form is too large.")
        form = dict(parse_qsl(body.decode(errors="replace"), keep_blank_values=True))
        if not _equal(form.pop(FORM_TOKEN, ""), self._access.form_token):
            return _refusal(403, "This form is out of date: load its page again.")
        request.state.form = form
        return None


def _equal(given: str, secret: str) -> bool:
    return compare_digest(given.encode(errors="replace"), secret.encode())


def _refusal(status: int, sentence: str) -> Response:
    return PlainTextResponse(f"{sentence}\n", status)

"""Answers that never end, or not in the way that they say, whatever they are an answer to."""

from collections.abc import Callable, Iterator
from itertools import chain

from tests.hostile.attacks import Attack
from tests.hostile.host import FOREVER, HTML, RESET, XML, Sent, Wire, endless, http

OK = b"HTTP/1.1 200 OK\r\n"
SITEMAPS: dict[str | None, str] = {None: "sitemap-too-large"}
PAGES: dict[str | None, tuple[str, ...]] = {
    None: ("page-html-too-large", "canonical-missing"),
    "timeout": ("page-timeout",),
}


def drip(data: bytes) -> Iterator[bytes | float]:
    """Send a byte a second."""
    for byte in data:
        yield bytes([byte])
        yield 1.0


def after(*pieces: bytes, then: Callable[[], Wire] = tuple) -> Sent:
    """Return what sends some pieces first."""
    return lambda: chain(pieces, then())


def wire(kind: str, start: bytes) -> dict[tuple[str, str | None], Sent]:
    """Return what is sent, by a name and the error that it must end with.

    ``kind`` is the header that states a media type, ``start`` how a document of it begins.
    """
    head = OK + f"{kind}\r\n".encode()
    chunked = head + b"Transfer-Encoding: chunked\r\n\r\n"
    long = head + b"Content-Length: 100000\r\n\r\n"
    return {
        ("stall", "timeout"): lambda: [FOREVER],
        ("stall-in-head", "timeout"): after(head, then=lambda: [FOREVER]),
        ("drip", "timeout"): lambda: http(drip(start), kind),
        ("drip-head", "timeout"): lambda: drip(head),
        ("headers", "invalid-http"): after(head, then=lambda: endless(b"X-A: bbbbbbbbbb\r\n")),
        ("header", "reset"): after(head, b"X-A: ", then=lambda: endless(b"b")),
        ("folded", "invalid-http"): after(head, b"X-A: a\r\n", then=lambda: endless(b" b\r\n")),
        ("continue", "invalid-http"): lambda: endless(b"HTTP/1.1 100 Continue\r\n\r\n"),
        ("chunks", "timeout"): after(chunked, then=lambda: endless(b"1\r\na\r\n")),
        ("chunk-size", "invalid-http"): after(chunked, then=lambda: endless(b"0")),
        ("bad-chunk", "invalid-http"): after(chunked, b"zz\r\n"),
        ("short", "truncated"): after(long, start),
        ("negative", "invalid-http"): after(head, b"Content-Length: -1\r\n\r\n", start),
        ("two-lengths", "invalid-http"): after(
            head, b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", start
        ),
        ("reset", "reset"): after(RESET),
        ("reset-in-body", "truncated"): after(long, start, RESET),
        ("closed", "reset"): after(),
        ("noise", "invalid-http"): lambda: endless(bytes(range(256))),
        ("endless", None): lambda: http(chain([start], endless(b" ")), kind),
    }


def sitemaps(start: str) -> list[Attack]:
    """Return the sitemaps."""
    return [
        Attack(f"/{name}.xml", sent, (SITEMAPS.get(error, "sitemap-unreachable"),), error)
        for (name, error), sent in wire(XML, start.encode()).items()
    ]


def pages() -> list[Attack]:
    """Return the pages."""
    start = b"<!doctype html><html lang=en><title>Hostile</title>"
    return [
        Attack(f"/{name}", sent, PAGES.get(error, ("page-connection-error",)), error)
        for (name, error), sent in wire(HTML, start).items()
    ]

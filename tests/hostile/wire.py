"""Responses that never end, or that break off, for sitemaps and pages alike."""

from collections.abc import Callable, Iterator
from itertools import chain

from tests.hostile.attacks import Attack
from tests.hostile.host import FOREVER, HTML, RESET, XML, Chunks, Sender, endless, stream

OK = b"HTTP/1.1 200 OK\r\n"
SITEMAP_RULES: dict[str | None, str] = {None: "sitemap-too-large"}
PAGE_RULES: dict[str | None, tuple[str, ...]] = {
    None: ("page-html-too-large", "canonical-missing"),
    "timeout": ("page-timeout",),
}


def drip(data: bytes) -> Iterator[bytes | float]:
    """Send one byte per second."""
    for byte in data:
        yield bytes([byte])
        yield 1.0


def bursts(piece: bytes) -> Iterator[bytes | float]:
    """Repeat a piece without end, in chunks of some hundred kilobytes, one every two seconds."""
    for chunk in endless(piece):
        yield chunk
        yield 2.0


def send(*chunks: bytes, then: Callable[[], Chunks] = tuple) -> Sender:
    """Return a sender of these chunks, and of what ``then`` returns."""
    return lambda: chain(chunks, then())


def broken_responses(kind: str, start: bytes) -> dict[tuple[str, str | None], Sender]:
    """Return senders by name and expected error.

    ``kind`` is the Content-Type header, and ``start`` the beginning of a document of that type.
    """
    head = OK + f"{kind}\r\n".encode()
    chunked = head + b"Transfer-Encoding: chunked\r\n\r\n"
    long = head + b"Content-Length: 100000\r\n\r\n"
    return {
        ("stall", "timeout"): lambda: [FOREVER],
        ("stall-in-head", "timeout"): send(head, then=lambda: [FOREVER]),
        ("drip", "timeout"): lambda: stream(drip(start), kind),
        ("drip-head", "timeout"): lambda: drip(head),
        ("headers", "invalid-http"): send(head, then=lambda: endless(b"X-A: bbbbbbbbbb\r\n")),
        ("header", "invalid-http"): send(head, b"X-A: ", then=lambda: endless(b"b")),
        ("folded", "invalid-http"): send(head, b"X-A: a\r\n", then=lambda: endless(b" b\r\n")),
        ("continue", "invalid-http"): lambda: endless(b"HTTP/1.1 100 Continue\r\n\r\n"),
        ("chunks", "timeout"): send(chunked, then=lambda: bursts(b"1\r\na\r\n")),
        ("chunk-size", "truncated"): send(chunked, then=lambda: endless(b"0")),
        ("bad-chunk", "invalid-http"): send(chunked, b"zz\r\n"),
        ("late-bad-chunk", "invalid-http"): lambda: [chunked, 0.5, b"zz\r\n"],
        ("short", "truncated"): send(long, start),
        ("negative", "invalid-http"): send(head, b"Content-Length: -1\r\n\r\n", start),
        ("two-lengths", "invalid-http"): send(
            head, b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n", start
        ),
        ("reset", "reset"): send(RESET),
        ("reset-in-body", "truncated"): send(long, start, RESET),
        ("closed", "reset"): send(),
        ("noise", "invalid-http"): lambda: endless(bytes(range(256))),
        ("endless", None): lambda: stream(chain([start], endless(b" ")), kind),
    }


def broken_sitemaps(start: str) -> list[Attack]:
    """Return the attacks by sitemaps."""
    return [
        Attack(f"/{name}.xml", sender, (SITEMAP_RULES.get(error, "sitemap-unreachable"),), error)
        for (name, error), sender in broken_responses(XML, start.encode()).items()
    ]


def broken_pages() -> list[Attack]:
    """Return the attacks by pages."""
    start = b"<!doctype html><html lang=en><title>Hostile</title>"
    return [
        Attack(f"/{name}", sender, PAGE_RULES.get(error, ("page-connection-error",)), error)
        for (name, error), sender in broken_responses(HTML, start).items()
    ]

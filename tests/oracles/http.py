"""HTTP: the response that is read of the bytes that a server sends."""

import asyncio
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from importlib.metadata import version
from random import Random
from typing import Any, Final

import h11
from msgspec import Struct
from scrapy import Request
from scrapy.utils.test import get_crawler

from sitemapaudit.fetching.exchange import Exchange
from sitemapaudit.fetching.failures import classify_error
from sitemapaudit.fetching.http_handler import HttpHandler
from sitemapaudit.fetching.plain_response import PlainResponse
from sitemapaudit.items import Error
from tests.builds.oracles.tools import Tools
from tests.oracles.oracle import Comparison, Explanation, Oracle

_AT_ONCE: Final = 20
"""Requests at the same time."""

_STATUSES: Final = (
    *("HTTP/1.1 200 OK",) * 6,
    *("HTTP/1.1 404 Not Found", "HTTP/1.1 301 Moved", "HTTP/1.1 204 No Content", "HTTP/1.0 200 OK"),
    *("HTTP/1.1 304 Not Modified", "HTTP/1.1 500", "HTTP/1.1 599 ", "HTTP/1.1 200 \xe9"),
    *("HTTP/1.1 99 A", "HTTP/1.1 2000 OK", "HTTP/1.1 abc", "HTTP/2 200 OK", "http/1.1 200 OK", ""),
    *("HTTP/1.1  200 OK", "HTTP/1.1 200\tOK", "SSH-2.0", "HTTP/1.1 600 A", "ICY 200 OK"),
)
_HEADERS: Final = (
    *("Content-Type: text/html", "X-Robots-Tag: noindex", "x-robots-tag:none", "Location: /a"),
    *("Link: </a>; rel=canonical", "X:", "X: \xe9", "X: a\tb ", "Server:  a  ", 'ETag: "a"'),
    *(" folded", "\tfolded", "X : a", "X a", ": a", "X: a\x01", "X\x00: a", "Connection: close"),
    *("Content-Length: 3", "Content-Length: 3", "Content-Length: 3, 3", "Content-Length: -1"),
    *("Content-Length: +3", "Content-Length: x", "Transfer-Encoding: chunked"),
    *(
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: identity",
        "Transfer-Encoding: CHUNKED",
    ),
)
_BODIES: Final = (b"", b"abc", b"abcdef", b"a\r\nb", b"\x00\xff", b"x" * 3_000)
_CHUNKS: Final = (
    b"3",
    b"3",
    b"3;a=b",
    b"03",
    b"3 ",
    b"0x3",
    b"-3",
    b"g",
    b"",
    b"ffffffffffffffff1",
    b"2",
)
_ENDS: Final = (b"\r\n", b"\r\n", b"\r\n", b"\r\n", b"\n", b"\r")


class Reply(Struct, frozen=True):
    """The bytes that a server sends before it closes the connection."""

    data: bytes


class Answer(Struct, frozen=True):
    """A complete response; headers are in order, their names in lower case."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes


FAILED: Final = "no complete response"
_CHUNKED_HEAD: Final = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
_SIZE_WITH_LF: Final = re.compile(rb"\n[0-9A-Fa-f]+[^\r\n]*(?<!\r)\n")
_CR_IN_CHUNK: Final = re.compile(rb"\n[0-9A-Fa-f]+;[^\r\n]*\r[^\n]")
_CODING: Final = b"transfer-encoding"
_HAS_BOTH: Final = re.compile(b"(?is)transfer-enc.*content-length|content-length.*transfer-enc")
_PLAIN_CODING: Final = re.compile(rb"transfer-encoding: *chunked *\r?\n(?![ \t])", re.IGNORECASE)


def _normal(headers: Iterable[tuple[bytes, bytes]]) -> tuple[tuple[bytes, bytes], ...]:
    """Return headers in order; a folded line begins with one space.

    The length of a chunked body does not count (RFC 9112 section 6.3).
    """
    found = sorted((name.lower(), b" ".join(value.split())) for name, value in headers)
    is_chunked = any(name == _CODING for name, _ in found)
    return tuple(
        (name, value.lower() if name == _CODING else value)
        for name, value in found
        if not (is_chunked and name == b"content-length")
    )


def _has_odd_coding(case: Reply, theirs: object, _ours: object) -> bool:
    names = re.findall(b"(?i)transfer-encoding", case.data)
    return (
        theirs == FAILED
        and len(names) > 0
        and (len(names), len(_PLAIN_CODING.findall(case.data))) != (1, 1)
    )


class _H11(Oracle[Reply]):
    """h11, which reads HTTP/1.1 strictly."""

    name = "h11"
    in_tests = 60
    explanations = (
        Explanation(
            "h11 refuses a Transfer-Encoding that is not just chunked",
            "RFC 9112 section 6.3: the body of such a response ends with its connection",
            _has_odd_coding,
            Reply(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nabc"),
        ),
        Explanation(
            "h11 refuses a chunked body whose Content-Length is invalid",
            "RFC 9112 section 6.3: Transfer-Encoding overrides it",
            lambda case, theirs, _ours: theirs == FAILED and _HAS_BOTH.search(case.data),
            Reply(_CHUNKED_HEAD + b"Content-Length: x\r\n\r\n0\r\n\r\n"),
        ),
        Explanation(
            "h11 refuses a chunk whose size ends with LF",
            "RFC 9112 section 2.2: a recipient can accept a line that ends so",
            lambda case, theirs, _ours: theirs == FAILED and _SIZE_WITH_LF.search(case.data),
            Reply(_CHUNKED_HEAD + b"\r\n3;a\nabc\r\n0\r\n\r\n"),
        ),
        Explanation(
            "h11 accepts CR in the extension of a chunk",
            "RFC 9112 section 2.2: a bare CR is invalid",
            lambda case, _theirs, ours: ours == FAILED and _CR_IN_CHUNK.search(case.data),
            Reply(_CHUNKED_HEAD + b"\r\n3;a\rb\r\nabc\r\n0\r\n\r\n"),
        ),
        Explanation(
            "h11 accepts versions that do not exist",
            "llhttp, the parser of aiohttp and Node, refuses them",
            lambda case, _theirs, ours: (
                ours == FAILED
                and re.search(rb"HTTP/0\.1|HTTP/[1-9]?\.?[2-9a-zG]|HTTP/0", case.data)
            ),
            Reply(b"HTTP/0.1 200 OK\r\n\r\n"),
        ),
        Explanation(
            "h11 refuses white space before the first header",
            "llhttp ignores it; RFC 9112 section 2.2 allows to refuse it or to ignore the line",
            lambda case, theirs, _ours: (
                theirs == FAILED and re.search(rb"\A[^\n]*\n[ \t]|\r\n\r\n[^\n]*\n[ \t]", case.data)
            ),
            Reply(b"HTTP/1.1 200 OK\r\n Server: a\r\n\r\n"),
        ),
        Explanation(
            "h11 refuses control characters in the reason",
            "clients ignore the reason (RFC 9112 section 4)",
            lambda case, theirs, _ours: (
                theirs == FAILED
                and re.search(
                    rb"HTTP/1\.[01] [0-9]{3} [^\r\n]*[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]", case.data
                )
            ),
            Reply(b"HTTP/1.1 200 \0K\r\n\r\n"),
        ),
        Explanation(
            "h11 refuses a status below 100",
            "we report the status that the server sent",
            lambda case, theirs, _ours: (
                theirs == FAILED and re.search(rb"HTTP/1\.[01] 0[0-9]{2}", case.data)
            ),
            Reply(b"HTTP/1.1 099 A\r\n\r\n"),
        ),
    )

    def install(self, _tools: Tools) -> str:
        return f"h11 {version('h11')}"

    def random_case(self, random: Random) -> Reply:
        end = random.choice(_ENDS)
        lines = [random.choice(_STATUSES[: None if random.random() < 0.2 else 10])]
        chunked = random.random() < 0.4
        lines += ["Transfer-Encoding: chunked"] if chunked else []
        body = random.choice(_BODIES)
        if not chunked and random.random() < 0.6:
            lines.append(f"Content-Length: {len(body) + random.choice((0, 0, 0, 0, 1, -1))}")
        pool = _HEADERS[: None if random.random() < 0.3 else 10]
        lines += random.choices(pool, k=random.randint(0, 3))
        head = end.join(line.encode("latin-1") for line in lines) + end * 2
        data = head + (_random_chunks(random) if chunked else body)
        if random.random() < 0.1:
            data = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + data
        return Reply(_mutate(random, data))

    def theirs(self, cases: Sequence[Reply]) -> Iterable[Answer | str]:
        return (_read(case.data) for case in cases)

    def ours(self, cases: Sequence[Reply]) -> Iterable[Answer | str]:
        return asyncio.run(_fetch_all([case.data for case in cases]))


def _random_chunks(random: Random) -> bytes:
    """Return a body in chunks of three bytes; some are invalid."""
    chunks = b""
    for _ in range(random.randint(0, 3)):
        size = b"3" if random.random() < 0.8 else random.choice(_CHUNKS)
        end = b"\r\n" if random.random() < 0.9 else random.choice(_ENDS)
        chunks += size + end + b"abc" + end
    last = random.choice((b"0", b"0", b"0", b"00", b"0;a", b""))
    return (
        chunks + last + b"\r\n" + random.choice((b"\r\n", b"\r\n", b"\r\n", b"X: a\r\n\r\n", b""))
    )


def _mutate(random: Random, data: bytes) -> bytes:
    """Return the data; some is cut, and in some of it a byte differs."""
    chance = random.random()
    at = random.randrange(len(data) + 1)
    if chance < 0.1:
        return data[:at]
    if chance < 0.2:
        return data[:at] + bytes([random.choice(b"\r\n\0 :;0aG\x7f\xff")]) + data[at + 1 :]
    return data


def _read(data: bytes) -> Answer | str:
    """Return what h11 reads."""
    connection = h11.Connection(h11.CLIENT)
    connection.send(h11.Request(method="GET", target="/", headers=[("Host", "a")]))
    connection.send(h11.EndOfMessage())
    response: h11.Response | None = None
    body = b""
    with suppress(h11.RemoteProtocolError):
        connection.receive_data(data)
        connection.receive_data(b"")
        while True:
            event = connection.next_event()
            if isinstance(event, h11.Response):
                response = event
            elif isinstance(event, h11.Data):
                body += event.data
            elif isinstance(event, h11.EndOfMessage) and response is not None:
                return Answer(response.status_code, _normal(response.headers), body)
            elif event in (h11.NEED_DATA, h11.PAUSED) or isinstance(event, h11.ConnectionClosed):
                return FAILED
    return FAILED


class _Handler(HttpHandler):
    """The downloader without other components of a project, which see responses."""

    _shows_responses = False


async def _fetch_all(replies: Sequence[bytes]) -> list[Answer | str]:
    """Serve the replies on a socket, and return what we read of each."""

    async def reply(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        writer.write(replies[int(head.split()[1][1:])])
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()

    handler = _Handler(get_crawler(settings_dict={"DOWNLOAD_TIMEOUT": 30}))
    room = asyncio.Semaphore(_AT_ONCE)
    server = await asyncio.start_server(reply, "127.0.0.1", 0)
    origin = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"

    async def fetch(number: int) -> Answer | str:
        request: Any = Request(f"{origin}/{number}", meta=Exchange().as_meta())
        async with room:
            try:
                response = await handler.download_request(request)
            except Exception as error:
                if classify_error(error) is Error.INTERNAL:
                    raise
                return FAILED
        assert isinstance(response, PlainResponse)
        return Answer(response.status, _normal(response.raw_headers), response.body)

    async with server:
        found = await asyncio.gather(*map(fetch, range(len(replies))))
        await handler.close()
    return found


COMPARISONS: Final[Sequence[Comparison]] = (_H11(),)

"""A parser of HTTP that reads the response of one request, and no byte behind it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from aiohttp import StreamReader
    from aiohttp.http import RawResponseMessage

INTERIM: Final = frozenset(range(100, 200)) - {101}
"""Statuses of interim responses (RFC 9110 section 15.2); 101 ends HTTP."""

RESPONSE: Final = b"HTTP/"
"""The first bytes of a response."""

_END_OF_HEAD: Final = re.compile(rb"(\r?\n)\r?\n")
"""A line can also end without CR (RFC 9112 section 2.2)."""

_LENGTH: Final = b"content-length"
_FOLD: Final = re.compile(rb"\r?\n[ \t]+")
"""The start of a line that continues the previous one (RFC 9112 section 5.2)."""

_CHUNKED: Final = (b"transfer-encoding", b"chunked")
_NOTHING: Final[tuple[Any, ...]] = ((), False, b"")

_Message = tuple["RawResponseMessage", "StreamReader"]


class OneResponse:
    """Stands in for a parser of aiohttp.

    aiohttp takes bytes behind a response for the next response, or refuses a complete response
    because of them. Here ``end`` is called with them instead: the connection cannot be used again.
    ``new_parser`` returns a parser of aiohttp.
    """

    def __init__(self, new_parser: Callable[[], Any], end: Callable[[bytes], None]) -> None:
        self._new_parser = new_parser
        self._end = end
        self._parser = new_parser()
        self._payload: StreamReader | None = None
        self._begun = b""
        """The bytes that arrived before the head was complete."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._parser, name)

    def feed_data(self, data: bytes) -> tuple[Sequence[_Message], bool, bytes]:
        """Return the messages in the data, as a parser of aiohttp does. Raises its exceptions."""
        payload = self._payload
        if payload is not None and payload.is_eof():
            if data:
                self._end(data)
            return _NOTHING
        try:
            messages, upgraded, tail = self._parser.feed_data(data)
        except Exception:
            again = self._read_again(data)
            if again is None:
                raise
            messages, upgraded, tail = again, False, b""
        return (self._first(messages, data) if messages or payload is None else ()), upgraded, tail

    def _first(self, messages: Sequence[_Message], data: bytes) -> Sequence[_Message]:
        """Return the messages up to the first that is not interim."""
        if self._payload is not None:
            self._end(RESPONSE)
            return ()
        if len(messages) == 1 and messages[0][0].code not in INTERIM:  # As nearly all are.
            self._payload, self._begun = messages[0][1], b""
            return messages
        for number, (message, payload) in enumerate(messages, 1):
            if message.code not in INTERIM:
                self._payload, self._begun = payload, b""
                if number < len(messages):
                    self._end(RESPONSE)
                return messages[:number]
        self._begun += data
        return messages

    def _read_again(self, data: bytes) -> Sequence[_Message] | None:
        """Return the messages of a response that only the bytes behind it make invalid, or None.

        Clients also accept a repeated length, and ignore that of a chunked body (RFC 9112
        section 6.3).
        """
        if self._payload is not None:  # Its body can have been complete.
            if not self._payload.is_eof() or self._payload.exception() is not None:
                return None
            self._end(b"")
            return ()
        try:
            return self._read_in_pieces(self._begun + data)
        except Exception:  # noqa: BLE001 - the first exception says what is wrong
            return None

    def _read_in_pieces(self, data: bytes) -> Sequence[_Message] | None:
        parser, messages = self._new_parser(), list[_Message]()
        while not messages or messages[-1][0].code in INTERIM:
            end = _END_OF_HEAD.search(data)
            if not end:
                return None
            head, data = data[: end.start()], data[end.end() :]
            messages += parser.feed_data(_with_one_length(head, end[1]) + end[0])[0]
        message, payload = messages[-1]
        for piece in _pieces(message, data):
            if payload.is_eof():
                self._end(piece)
                break
            parser.feed_data(piece)
        self._parser = parser
        return messages


def _with_one_length(head: bytes, eol: bytes) -> bytes:
    """Return a head in which equal lengths of the body occur once, and none if it is chunked."""
    start, _, fields = head.partition(eol)
    lines, values = [start], set[bytes]()
    chunked = False
    for line in _FOLD.sub(b" ", fields).split(eol):
        name, _, value = line.partition(b":")
        chunked = chunked or (name.lower(), value.strip().lower()) == _CHUNKED
        if name.lower() != _LENGTH:
            lines.append(line)
            continue
        values |= {each.strip() for each in value.split(b",")}
    if chunked:
        return eol.join(lines)
    if len(values) > 1:
        return head
    lines += [b"%s: %s" % (_LENGTH, value) for value in values]
    return eol.join(lines)


def _pieces(message: RawResponseMessage, data: bytes) -> Iterator[bytes]:
    """Yield pieces of data; the body ends with a piece."""
    if message.chunked:
        yield from data.splitlines(keepends=True)
        return
    length = message.headers.get("Content-Length", "")
    end = int(length[:18]) if length.isdecimal() else len(data)
    yield from filter(None, (data[:end], data[end:]))

"""Bytes as sent → bytes as meant: Content-Encoding, then gzip files, as a stream.

Nothing is trusted: gzip is told by its bytes and not by a name, sizes are
counted while decoding and stop at a cap, and what was decoded before a fault
is kept.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Final

import brotli

CHUNK: Final = 65_536
"""Bytes decoded at once, and handed out at least, but for the last ones."""

GZIP_MAGIC: Final = b"\x1f\x8b"
MAX_GZIP_LAYERS: Final = 2
MAX_CODINGS: Final = 5
"""Content codings of one answer that are undone; each costs memory, and one is usual."""


class DecodingError(Exception):
    """The bytes are not what they claim to be; the message says how."""


class Decoded:
    """An iterable of decoded chunks, and what was learnt on the way.

    ``bytes`` counts what came out, ``layers`` the gzip layers of the file
    itself; ``fault`` says why decoding ended ``early``, or that
    Content-Encoding was a false claim; ``cut`` that the cap was met. The
    figures are final when the iteration has ended.
    """

    def __init__(
        self, body: bytes, content_encoding: Iterable[str] = (), *, cap: int, files: bool = True
    ) -> None:
        self.bytes = 0
        self.layers = 0
        self.fault: str | None = None
        self.early = False
        self.cut = False
        self._body = body
        self._encodings = _codings(content_encoding)
        self._cap = cap
        self._files = files

    def __iter__(self) -> Iterator[bytes]:
        try:
            for piece in _gathered(self._layers()):
                room = self._cap - self.bytes
                self.bytes += min(len(piece), room)
                if len(piece) > room:
                    self.cut = True
                    yield piece[:room]
                    return
                yield piece
        except DecodingError as fault:
            self.fault, self.early = str(fault), True

    def _layers(self) -> Iterator[bytes]:
        if len(self._encodings) > MAX_CODINGS:
            raise DecodingError(f"Content-Encoding names {len(self._encodings)} codings")
        stream = _slices(self._body)
        for coding in self._encodings:
            stream = self._undo(coding, stream)
        while self._files and self.layers < MAX_GZIP_LAYERS:
            head, stream = _peek(stream)
            if not head.startswith(GZIP_MAGIC):
                break
            self.layers += 1
            stream = _gunzip(stream)
        return stream

    def _undo(self, coding: str, stream: Iterator[bytes]) -> Iterator[bytes]:
        head, stream = _peek(stream)
        if not head:
            return stream  # Nothing was sent, and so nothing was compressed.
        if coding in ("gzip", "x-gzip") and not head.startswith(GZIP_MAGIC):
            self.fault = "Content-Encoding says gzip, and the bytes are not gzip"
            return stream
        decode = _DECODERS.get(coding)
        if decode is None:
            raise DecodingError(f"Content-Encoding {coding[:40]!r} is not known")
        return decode(stream)


def decode(body: bytes, content_encoding: Iterable[str] = (), *, cap: int) -> tuple[bytes, Decoded]:
    """Undo Content-Encoding at once; the second value tells what was learnt."""
    decoded = Decoded(body, content_encoding, cap=cap, files=False)
    return b"".join(decoded), decoded


def _codings(lines: Iterable[str]) -> list[str]:
    """Content codings in the order in which they are undone (RFC 9110 section 8.4)."""
    names = [name.strip().lower() for line in lines for name in line.split(",")]
    return [name for name in reversed(names) if name not in ("", "identity")]


def _slices(body: bytes) -> Iterator[bytes]:
    for start in range(0, len(body), CHUNK):
        yield body[start : start + CHUNK]


def _gathered(stream: Iterator[bytes]) -> Iterator[bytes]:
    """Join small pieces: a file may be made of a million members of one byte each."""
    held = bytearray()
    fault = None
    try:
        for piece in stream:
            held += piece
            if len(held) >= CHUNK:
                yield bytes(held)
                held.clear()
    except DecodingError as error:
        fault = error
    if held:
        yield bytes(held)
    if fault is not None:
        raise fault


def _peek(stream: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return the beginning, long enough to be told by, and the stream from there on."""
    head = b""
    while len(head) < len(GZIP_MAGIC) and (piece := next(stream, b"")):
        head += piece
    return head, chain((head,), stream) if head else stream


def _gunzip(stream: Iterator[bytes]) -> Iterator[bytes]:
    """Decode every member of a gzip file (RFC 1952 section 2.2); zero padding is no fault."""
    pending = next(stream, b"")
    while pending:
        decoder = zlib.decompressobj(wbits=31)
        yield from _inflate(decoder, chain((pending,), stream))
        pending = _after_padding(decoder.unused_data, stream)
        if not pending.startswith(GZIP_MAGIC[: len(pending)]):
            raise DecodingError("bytes that are not gzip follow the gzip data")


def _after_padding(pending: bytes, stream: Iterator[bytes]) -> bytes:
    pending = pending.lstrip(b"\0")
    while not pending:
        piece = next(stream, b"")
        if not piece:
            break
        pending = piece.lstrip(b"\0")
    return pending


def _inflate(decoder: zlib._Decompress, stream: Iterator[bytes]) -> Iterator[bytes]:
    for piece in stream:
        waiting = piece
        while waiting and not decoder.eof:
            before = decoder.copy()
            try:
                out = decoder.decompress(waiting, CHUNK)
            except zlib.error as fault:
                yield _before_fault(before, waiting)
                raise DecodingError(
                    str(fault).partition("decompressing data: ")[2] or str(fault)
                ) from fault
            if out:
                yield out
            waiting = decoder.unconsumed_tail
        if decoder.eof:
            return
    raise DecodingError("the compressed data ends too early")


def _before_fault(decoder: zlib._Decompress, waiting: bytes) -> bytes:
    """Decode up to a fault: zlib gives out nothing of a call that meets one, so byte by byte."""
    out = []
    for byte in waiting:
        try:
            out.append(decoder.decompress(bytes((byte,))))
        except zlib.error:
            break
    return b"".join(out)


def _deflate(stream: Iterator[bytes]) -> Iterator[bytes]:
    """Decode ``deflate``: zlib format (RFC 9110 section 8.4.1.2), or raw as some send it."""
    head, stream = _peek(stream)
    zlib_format = len(head) > 1 and head[0] & 15 == 8 and (head[0] << 8 | head[1]) % 31 == 0
    return _inflate(zlib.decompressobj(wbits=15 if zlib_format else -15), stream)


def _brotli(stream: Iterator[bytes]) -> Iterator[bytes]:
    """Decode ``br`` (RFC 7932); of the chunk that meets a fault, the library gives out nothing."""
    decoder = brotli.Decompressor()
    for piece in stream:
        waiting = piece
        while not decoder.is_finished():
            try:
                out = decoder.process(waiting, output_buffer_limit=CHUNK)
            except brotli.error as fault:
                raise DecodingError("the brotli data is invalid") from fault
            waiting = b""
            if out:
                yield out
            elif decoder.can_accept_more_data():
                break
    if not decoder.is_finished():
        raise DecodingError("the compressed data ends too early")


_DECODERS: Final[dict[str, Callable[[Iterator[bytes]], Iterator[bytes]]]] = {
    "gzip": _gunzip,
    "x-gzip": _gunzip,
    "deflate": _deflate,
    "br": _brotli,
}

"""Bodies as sent → decoded bytes: Content-Encoding, then gzip files, as a stream.

Gzip is detected from its bytes, never from a file name. Sizes are counted while decoding, and
decoding stops at a limit. What was decoded before an error is kept.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Final

import brotli

CHUNK: Final = 65_536
"""Bytes that are decoded at once; every chunk but the last has at least this size."""

GZIP_MAGIC: Final = b"\x1f\x8b"
MAX_GZIP_LAYERS: Final = 2
MAX_CODINGS: Final = 5
"""Limit for content codings of one response: each costs memory, and one is usual."""

_READ_WORK: Final = 4
"""Work of reading one byte: Huffman tables without content are the slowest bytes."""

_WORK_PER_BYTE: Final = 2 * (_READ_WORK + 1)
"""Work allowed per byte of the limit: enough for two layers of incompressible data."""

_LEAST_WORK: Final = 1_048_576
"""Work that is always allowed: a layer is decoded in chunks, however low the limit is."""

_MEMBER_WORK: Final = 256
"""Work of starting one gzip member, even an empty one."""


class DecodingError(Exception):
    """The bytes are not what they claim to be; the message says how."""


class _Work:
    """The work that decoding may take: bytes in and out of every layer, and gzip members.

    Layers within layers can decode gigabytes to nothing, so limiting the result is not enough.
    Work is counted in bytes, not in seconds: the same file stops at the same byte on any machine.
    """

    def __init__(self, limit: int) -> None:
        self._allowed = self._left = _LEAST_WORK + _WORK_PER_BYTE * limit

    def spend(self, amount: int) -> None:
        """Count work; raises DecodingError if it exceeds the limit."""
        self._left -= amount
        if self._left < 0:
            raise DecodingError(f"its layers exceed the work limit of {self._allowed:,} bytes")


class Decoded:
    """An iterable of decoded chunks that records facts about the decoding.

    ``bytes`` counts the decoded bytes, ``gzip_layers`` the gzip layers of the file itself.
    ``error`` says why decoding ``ended_early``, or that Content-Encoding was wrong. ``truncated``
    means that the limit was reached. All values are final when the iteration has ended.
    """

    def __init__(
        self, body: bytes, content_encoding: Iterable[str] = (), *, limit: int, files: bool = True
    ) -> None:
        self.bytes = 0
        self.gzip_layers = 0
        self.error: str | None = None
        self.ended_early = False
        self.truncated = False
        self._body = body
        self._codings = _content_codings(content_encoding)
        self._limit = limit
        self._work = _Work(limit)
        self._files = files

    @property
    def is_plain(self) -> bool:
        """True if there is nothing to decode."""
        return not (self._codings or self._files)

    def take_plain(self) -> bytes:
        """Return a plain body, up to the limit, without copying it."""
        self.bytes = min(len(self._body), self._limit)
        self.truncated = len(self._body) > self._limit
        return self._body[: self._limit]

    def __iter__(self) -> Iterator[bytes]:
        try:
            for piece in _joined(self._decode_layers()):
                room = self._limit - self.bytes
                self.bytes += min(len(piece), room)
                if len(piece) > room:
                    self.truncated = True
                    yield piece[:room]
                    return
                yield piece
        except DecodingError as error:
            self.error, self.ended_early = str(error), True

    def _decode_layers(self) -> Iterator[bytes]:
        if len(self._codings) > MAX_CODINGS:
            raise DecodingError(f"Content-Encoding lists {len(self._codings)} codings")
        self._work = _Work(self._limit)
        stream = _slices(self._body)
        for coding in self._codings:
            stream = self._undo(coding, stream)
        while self._files and self.gzip_layers < MAX_GZIP_LAYERS:
            head, stream = _peek(stream)
            if not head.startswith(GZIP_MAGIC):
                break
            self.gzip_layers += 1
            stream = _gunzip(stream, self._work)
        return stream

    def _undo(self, coding: str, stream: Iterator[bytes]) -> Iterator[bytes]:
        head, stream = _peek(stream)
        if not head:
            return stream  # An empty body is not compressed.
        if coding in ("gzip", "x-gzip") and not head.startswith(GZIP_MAGIC):
            self.error = "Content-Encoding is gzip, but the bytes are not gzip"
            return stream
        decoder = _DECODERS.get(coding)
        if decoder is None:
            raise DecodingError(f"Content-Encoding {coding[:40]!r} is not supported")
        return decoder(stream, self._work)


def decode(
    body: bytes, content_encoding: Iterable[str] = (), *, limit: int
) -> tuple[bytes, Decoded]:
    """Undo Content-Encoding; return at most ``limit`` bytes and the record of decoding them."""
    decoded = Decoded(body, content_encoding, limit=limit, files=False)
    return decoded.take_plain() if decoded.is_plain else b"".join(decoded), decoded


def _content_codings(lines: Iterable[str]) -> list[str]:
    """Return content codings in the order in which they are undone (RFC 9110 section 8.4).

    Browsers ignore names of other things, such as ``utf-8``, ``none`` and ``aws-chunked``.
    """
    names = [name.strip().lower() for line in lines for name in line.split(",")]
    return [name for name in reversed(names) if name in _DECODERS or name in _UNSUPPORTED]


def _slices(body: bytes) -> Iterator[bytes]:
    for start in range(0, len(body), CHUNK):
        yield body[start : start + CHUNK]


def _joined(stream: Iterator[bytes]) -> Iterator[bytes]:
    """Join small pieces: a file can consist of a million members of one byte each."""
    buffer = bytearray()
    failure = None
    try:
        for piece in stream:
            buffer += piece
            if len(buffer) >= CHUNK:
                yield bytes(buffer)
                buffer.clear()
    except DecodingError as error:
        failure = error
    if buffer:
        yield bytes(buffer)
    if failure is not None:
        raise failure


def _peek(stream: Iterator[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return enough first bytes to detect gzip, and the stream with these bytes put back."""
    head = b""
    while len(head) < len(GZIP_MAGIC) and (piece := next(stream, b"")):
        head += piece
    return head, chain((head,), stream) if head else stream


def _ungzip(stream: Iterator[bytes], work: _Work) -> Iterator[bytes]:
    """Decode Content-Encoding: clients ignore bytes behind the gzip data."""
    return _gunzip(stream, work, strict=False)


def _gunzip(stream: Iterator[bytes], work: _Work, *, strict: bool = True) -> Iterator[bytes]:
    """Decode every member of a gzip file (RFC 1952 section 2.2); zero padding is allowed."""
    pending = next(stream, b"")
    while pending:
        work.spend(_MEMBER_WORK)
        decoder = zlib.decompressobj(wbits=31)
        yield from _inflate(decoder, chain((pending,), stream), work)
        pending = _skip_padding(decoder.unused_data, stream, work)
        if not pending.startswith(GZIP_MAGIC[: len(pending)]):
            if not strict:
                return
            raise DecodingError("the gzip data is followed by bytes that are not gzip")


def _skip_padding(pending: bytes, stream: Iterator[bytes], work: _Work) -> bytes:
    pending = pending.lstrip(b"\0")
    while not pending:
        piece = next(stream, b"")
        if not piece:
            break
        work.spend(len(piece))
        pending = piece.lstrip(b"\0")
    return pending


def _inflate(decoder: zlib._Decompress, stream: Iterator[bytes], work: _Work) -> Iterator[bytes]:
    for piece in stream:
        pending = piece
        while pending and not decoder.eof:
            snapshot = decoder.copy()
            try:
                out = decoder.decompress(pending, CHUNK)
            except zlib.error as error:
                yield _decode_until_error(snapshot, pending)
                raise DecodingError(
                    str(error).partition("decompressing data: ")[2] or str(error)
                ) from error
            rest = decoder.unconsumed_tail or decoder.unused_data
            work.spend(len(out) + _READ_WORK * (len(pending) - len(rest)))
            if out:
                yield out
            pending = decoder.unconsumed_tail
        if decoder.eof:
            return
    raise DecodingError("the compressed data ends too early")


def _decode_until_error(decoder: zlib._Decompress, pending: bytes) -> bytes:
    """Decode byte by byte up to an error: zlib returns nothing from a call that fails."""
    out = []
    for byte in pending:
        try:
            out.append(decoder.decompress(bytes((byte,))))
        except zlib.error:
            break
    return b"".join(out)


def _deflate(stream: Iterator[bytes], work: _Work) -> Iterator[bytes]:
    """Decode ``deflate``: zlib format (RFC 9110 section 8.4.1.2), or raw as some servers send."""
    head, stream = _peek(stream)
    zlib_format = len(head) > 1 and head[0] & 15 == 8 and (head[0] << 8 | head[1]) % 31 == 0
    return _inflate(zlib.decompressobj(wbits=15 if zlib_format else -15), stream, work)


def _brotli(stream: Iterator[bytes], work: _Work) -> Iterator[bytes]:
    """Decode ``br`` (RFC 7932); the library returns nothing from a chunk with an error."""
    decoder = brotli.Decompressor()
    for piece in stream:
        pending = piece
        while not decoder.is_finished():
            try:
                out = decoder.process(pending, output_buffer_limit=CHUNK)
            except brotli.error as error:
                raise DecodingError("the brotli data is invalid") from error
            work.spend(len(out) + _READ_WORK * len(pending))
            pending = b""
            if out:
                yield out
            elif decoder.can_accept_more_data():
                break
    if not decoder.is_finished():
        raise DecodingError("the compressed data ends too early")


_UNSUPPORTED: Final = frozenset(
    {"aes128gcm", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress", "zstd"}
)
"""The other names in the registry of content codings (IANA); ``identity`` changes nothing."""

_DECODERS: Final[dict[str, Callable[[Iterator[bytes], _Work], Iterator[bytes]]]] = {
    "gzip": _ungzip,
    "x-gzip": _ungzip,
    "deflate": _deflate,
    "br": _brotli,
}

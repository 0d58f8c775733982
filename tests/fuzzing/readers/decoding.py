"""Decoded bytes are counted and limited; valid gzip decodes as in the gzip module of Python."""

import gzip
import zlib

from sitemapaudit.http.decoding import Decoded, decode
from tests.fuzzing.message import parse_message

WORDS = (
    b"content-encoding: gzip\n", b"content-encoding: deflate\n", b"content-encoding: br\n",
    b"identity", b"x-gzip", b", ", b"\x1f\x8b\x08", b"\x1f\x8b\x08\0\0\0\0\0\0\3", b"\x78\x9c",
    b"\x0b\x02\x80", b"\x03\0", b"\0\0\0\0\0\0\0\0",
)  # fmt: skip

_LIMIT = 200_000


def check(data: bytes) -> None:
    """Decode a body by its headers, as a response and as a file."""
    response = parse_message(data)
    encodings = response.header_lines("content-encoding")
    body, decoded = decode(response.body, encodings, limit=_LIMIT)
    _check(body, decoded)
    expected = _gunzip(response.body) if encodings == ["gzip"] else None
    if expected:
        assert decoded.error is None
        assert body == expected[:_LIMIT]
    file = Decoded(response.body, encodings, limit=_LIMIT)
    _check(b"".join(file), file)


def _check(body: bytes, decoded: Decoded) -> None:
    assert len(body) == decoded.bytes <= _LIMIT
    assert not decoded.ended_early or decoded.error
    assert not (decoded.ended_early and decoded.truncated)


def _gunzip(body: bytes) -> bytes | None:
    try:
        return gzip.decompress(body)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        return None

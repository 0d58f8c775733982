"""What comes out is counted and capped; sound gzip gives what Python's own module gives."""

import gzip
import zlib

from sitemapaudit.decoding import Decoded, decode
from tests.fuzzing.message import message

WORDS = (
    b"content-encoding: gzip\n", b"content-encoding: deflate\n", b"content-encoding: br\n",
    b"identity", b"x-gzip", b", ", b"\x1f\x8b\x08", b"\x1f\x8b\x08\0\0\0\0\0\0\3", b"\x78\x9c",
    b"\x0b\x02\x80", b"\x03\0", b"\0\0\0\0\0\0\0\0",
)  # fmt: skip

_CAP = 200_000


def check(data: bytes) -> None:
    """Decode a body by its headers, as an answer and as a file."""
    answer = message(data)
    encodings = answer.lines("content-encoding")
    body, decoded = decode(answer.body, encodings, cap=_CAP)
    _check(body, decoded)
    sound = _sound(answer.body) if encodings == ["gzip"] else None
    if sound:
        assert decoded.fault is None
        assert body == sound[:_CAP]
    file = Decoded(answer.body, encodings, cap=_CAP)
    _check(b"".join(file), file)


def _check(body: bytes, decoded: Decoded) -> None:
    assert len(body) == decoded.bytes <= _CAP
    assert not decoded.early or decoded.fault
    assert not (decoded.early and decoded.cut)


def _sound(body: bytes) -> bytes | None:
    try:
        return gzip.decompress(body)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        return None

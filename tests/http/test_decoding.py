"""Content-Encoding and gzip files are decoded as a stream, whatever the bytes are."""

import gzip
import random
import tracemalloc
import zlib
from collections.abc import Iterable

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapaudit.http.decoding import CHUNK, MAX_CODINGS, Decoded, decode

TEXT = b"".join(b"<url><loc>https://example.com/%d</loc></url>\n" % n for n in range(400))
LIMIT = 10_000_000


def deflate(data: bytes, wbits: int = 15) -> bytes:
    compressor = zlib.compressobj(wbits=wbits)
    return compressor.compress(data) + compressor.flush()


def compress(coding: str, data: bytes) -> bytes:
    """Compress with a content coding; ``raw`` is deflate without the zlib format."""
    match coding:
        case "gzip" | "x-gzip":
            return gzip.compress(data, mtime=0)
        case "deflate":
            return deflate(data)
        case "raw":
            return deflate(data, -15)
        case "br":
            return bytes(brotli.compress(data, quality=1))
        case _:
            return data


def decompress(body: bytes, *codings: str, limit: int = LIMIT) -> tuple[bytes, Decoded]:
    decoded = Decoded(body, codings, limit=limit)
    return b"".join(decoded), decoded


def measure(decoded: Iterable[bytes]) -> tuple[int, int]:
    """Return the number of decoded bytes, and the peak of the memory."""
    tracemalloc.start()
    try:
        size = sum(len(chunk) for chunk in decoded)
        return size, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# Files: gzip is detected from its bytes.


@pytest.mark.parametrize("layers", [0, 1, 2])
def test_gzip_layers_are_decoded_and_counted(layers: int) -> None:
    body = TEXT
    for _ in range(layers):
        body = gzip.compress(body)
    data, decoded = decompress(body)
    assert data == TEXT
    assert decoded.gzip_layers == layers
    assert decoded.bytes == len(TEXT)
    assert (decoded.error, decoded.ended_early, decoded.truncated) == (None, False, False)


def test_a_third_gzip_layer_is_not_decoded() -> None:
    inner = gzip.compress(TEXT)
    data, decoded = decompress(gzip.compress(gzip.compress(inner)))
    assert data == inner
    assert decoded.gzip_layers == 2
    assert decoded.error is None


def test_a_gzip_header_with_name_comment_and_extra_field() -> None:
    plain = gzip.compress(TEXT, mtime=0)
    flags = 4 | 8 | 16  # FEXTRA, FNAME, FCOMMENT (RFC 1952 section 2.3.1)
    optional = b"\x03\x00abc" + b"sitemap.xml\x00" + b"comment\x00"
    data, decoded = decompress(plain[:3] + bytes((flags,)) + plain[4:10] + optional + plain[10:])
    assert data == TEXT
    assert decoded.error is None


@pytest.mark.parametrize(
    "members",
    [
        [TEXT[:100], TEXT[100:]],
        [b"", TEXT],
        [TEXT, b""],
        [TEXT[:1], b"", TEXT[1:2], TEXT[2:]],
        [TEXT[n : n + 50] for n in range(0, len(TEXT), 50)],
    ],
    ids=["two", "first empty", "last empty", "tiny", "many"],
)
def test_several_members_are_decoded(members: list[bytes]) -> None:
    data, decoded = decompress(b"".join(gzip.compress(member) for member in members))
    assert data == TEXT
    assert decoded.gzip_layers == 1
    assert decoded.error is None


@pytest.mark.parametrize("zeros", [1, 511, CHUNK, 3 * CHUNK + 1])
def test_zero_padding_is_not_an_error(zeros: int) -> None:
    data, decoded = decompress(gzip.compress(TEXT) + bytes(zeros))
    assert data == TEXT
    assert decoded.error is None


def test_zeros_between_members_are_skipped() -> None:
    data, decoded = decompress(gzip.compress(TEXT) + bytes(9) + gzip.compress(b"end"))
    assert data == TEXT + b"end"
    assert decoded.error is None


@pytest.mark.parametrize("junk", [b"junk", b"\n", bytes(5) + b"x", b"<html>" * CHUNK])
def test_other_bytes_after_the_gzip_data_are_an_error(junk: bytes) -> None:
    body = gzip.compress(TEXT) + junk
    data, decoded = decompress(body)
    assert data == TEXT
    assert decoded.error == "the gzip data is followed by bytes that are not gzip"
    assert decoded.ended_early
    # Clients ignore them where the coding is that of the response.
    data, decoded = decode(body, ["gzip"], limit=2**24)
    assert (data, decoded.error, decoded.ended_early) == (TEXT, None, False)


@pytest.mark.parametrize("layer", ["file", "coding"])
def test_gzip_truncated_at_every_byte(layer: str) -> None:
    text = bytes(range(256))
    whole = gzip.compress(text)
    codings = ["gzip"] if layer == "coding" else []
    for size in range(2, len(whole)):
        data, decoded = decompress(whole[:size], *codings)
        assert text.startswith(data)
        assert decoded.error == "the compressed data ends too early"
        assert decoded.ended_early
    assert decompress(whole[:-8], *codings)[0] == text  # Only the trailer is missing.


@pytest.mark.parametrize("size", range(40))
@pytest.mark.parametrize("coding", ["deflate", "raw", "br"])
def test_other_codings_truncated_at_any_byte(coding: str, size: int) -> None:
    text = bytes(range(256))
    body = compress(coding, text)[:size]
    data, decoded = decompress(body, "br" if coding == "br" else "deflate")
    assert text.startswith(data)
    assert (decoded.error is not None) == (size > 0)


@pytest.mark.parametrize(
    ("position", "error"), [(-8, "incorrect data check"), (-4, "incorrect length check")]
)
def test_data_before_a_wrong_trailer_is_kept(position: int, error: str) -> None:
    body = bytearray(gzip.compress(TEXT))
    body[position] ^= 0xFF
    data, decoded = decompress(bytes(body))
    assert data == TEXT
    assert decoded.error == error
    assert decoded.bytes == len(TEXT)


@pytest.mark.parametrize("size", [10, 1_000, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK])
def test_data_before_an_error_is_kept(size: int) -> None:
    compressor = zlib.compressobj(wbits=31)
    valid = bytes(n * n % 251 for n in range(size))
    body = compressor.compress(valid) + compressor.flush(zlib.Z_SYNC_FLUSH)
    data, decoded = decompress(body + b"\x07")  # There is no block type 3 (RFC 1951 section 3.2.3).
    assert data == valid
    assert decoded.error == "invalid block type"


def test_an_error_in_the_second_member_keeps_the_first() -> None:
    second = bytearray(gzip.compress(b"second"))
    second[-8] ^= 1
    data, decoded = decompress(gzip.compress(TEXT) + bytes(second))
    assert data == TEXT + b"second"
    assert decoded.error == "incorrect data check"


def test_an_error_in_the_outer_layer_keeps_the_data_of_the_inner_one() -> None:
    outer = gzip.compress(gzip.compress(TEXT))
    data, decoded = decompress(outer[:-9])
    assert TEXT.startswith(data)
    assert data
    assert decoded.gzip_layers == 2
    assert decoded.error == "the compressed data ends too early"


@pytest.mark.parametrize("body", [b"\x1f", b"\x1f\x8c" + TEXT, b"\x8b\x1f", b"plain", b"\0" * 99])
def test_other_files_are_not_decoded(body: bytes) -> None:
    data, decoded = decompress(body)
    assert data == body
    assert decoded.gzip_layers == 0
    assert decoded.error is None


def test_decode_undoes_only_the_content_coding() -> None:
    inner = gzip.compress(TEXT)
    data, decoded = decode(gzip.compress(inner), ["gzip"], limit=LIMIT)
    assert data == inner
    assert decoded.gzip_layers == 0


# Content-Encoding (RFC 9110 section 8.4).


@pytest.mark.parametrize(
    ("coding", "name"),
    [
        ("gzip", "gzip"),
        ("gzip", "x-gzip"),
        ("gzip", "GZip"),
        ("gzip", " gzip "),
        ("deflate", "deflate"),
        ("raw", "deflate"),
        ("br", "br"),
        ("identity", "identity"),
        ("identity", ""),
        ("identity", ", ,identity,"),
    ],
)
def test_content_codings(coding: str, name: str) -> None:
    data, decoded = decompress(compress(coding, TEXT), name)
    assert data == TEXT
    assert decoded.gzip_layers == 0
    assert decoded.error is None


@pytest.mark.parametrize(
    ("applied", "lines"),
    [
        (["gzip", "br"], ["gzip, br"]),
        (["gzip", "br"], ["gzip", "br"]),
        (["br", "gzip"], ["br,gzip"]),
        (["deflate", "gzip", "br"], ["deflate", "identity, gzip ,br"]),
        (["gzip"] * MAX_CODINGS, ["gzip," * MAX_CODINGS]),
    ],
)
def test_several_codings_are_undone_in_reverse_order(applied: list[str], lines: list[str]) -> None:
    body = TEXT
    for coding in applied:
        body = compress(coding, body)
    data, decoded = decompress(body, *lines)
    assert data == TEXT
    assert decoded.error is None


@pytest.mark.parametrize("number", [MAX_CODINGS + 1, 900, 20_000])
def test_too_many_codings_are_an_error(number: int) -> None:
    body = b"x"
    for _ in range(min(number, 900)):
        body = gzip.compress(body, compresslevel=0)
    data, decoded = decompress(body, "gzip," * number)
    assert data == b""
    assert decoded.error == f"Content-Encoding lists {number} codings"


@pytest.mark.parametrize("name", ["zstd", "compress", "DCB"])
def test_another_registered_coding_is_an_error(name: str) -> None:
    data, decoded = decompress(TEXT, name)
    assert data == b""
    assert decoded.error == f"Content-Encoding {name.lower()!r} is not supported"
    assert decoded.ended_early


@pytest.mark.parametrize("name", ["utf-8", "none", "8bit", "aws-chunked", "gzip2", "x" * 5_000])
def test_a_name_that_is_no_coding_is_ignored(name: str) -> None:
    for names, body in (((name,), TEXT), ((name, "gzip"), gzip.compress(TEXT))):
        data, decoded = decompress(body, *names)
        assert (data, decoded.error, decoded.ended_early) == (TEXT, None, False)


def test_a_false_gzip_encoding_keeps_the_bytes() -> None:
    data, decoded = decompress(TEXT, "gzip")
    assert data == TEXT
    assert decoded.error == "Content-Encoding is gzip, but the bytes are not gzip"
    assert not decoded.ended_early


@pytest.mark.parametrize("name", ["br", "deflate"])
def test_another_false_encoding_is_an_error(name: str) -> None:
    _, decoded = decompress(b"<urlset>" + TEXT, name)
    assert decoded.error is not None
    assert decoded.ended_early


def test_a_gz_file_with_a_gzip_encoding() -> None:
    data, decoded = decompress(gzip.compress(TEXT), "gzip")
    assert data == TEXT
    assert decoded.gzip_layers == 0
    assert decoded.error is None


def test_a_gz_file_that_the_server_compressed_again() -> None:
    data, decoded = decompress(gzip.compress(gzip.compress(TEXT)), "gzip")
    assert data == TEXT
    assert decoded.gzip_layers == 1
    assert decoded.error is None


@pytest.mark.parametrize("codings", [[], ["gzip"], ["x-gzip"], ["deflate"], ["br"], ["br, gzip"]])
def test_an_empty_body_is_not_an_error(codings: list[str]) -> None:
    data, decoded = decompress(b"", *codings)
    assert data == b""
    assert decoded.error is None
    assert decoded.bytes == 0


@pytest.mark.parametrize("coding", ["gzip", "deflate", "raw", "br"])
def test_compressed_empty_data_is_empty(coding: str) -> None:
    name = "deflate" if coding == "raw" else coding
    data, decoded = decompress(compress(coding, b""), name)
    assert data == b""
    assert decoded.error is None


# Limits.


@pytest.mark.parametrize("coding", ["identity", "gzip", "deflate", "br"])
@pytest.mark.parametrize(
    ("room", "truncated"), [(-1, True), (0, False), (1, False), (-len(TEXT), True), (CHUNK, False)]
)
def test_the_size_is_limited(coding: str, room: int, truncated: bool) -> None:
    data, decoded = decompress(compress(coding, TEXT), coding, limit=len(TEXT) + room)
    assert data == TEXT[: len(TEXT) + room]
    assert decoded.truncated is truncated
    assert decoded.bytes == len(data)
    assert decoded.error is None


def make_bomb(coding: str) -> bytes:
    return compress(coding, bytes(50_000_000))


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br"])
def test_a_bomb_is_decoded_in_small_chunks(coding: str) -> None:
    body = make_bomb(coding)
    assert len(body) < 60_000
    size, peak = measure(Decoded(body, [coding], limit=10**9))
    assert size == 50_000_000
    assert peak < 20 * CHUNK


def test_a_nested_bomb_is_decoded_in_small_chunks() -> None:
    body = gzip.compress(make_bomb("gzip"))
    assert len(body) < 1_000
    size, peak = measure(Decoded(body, limit=10**9))
    assert size == 50_000_000
    assert peak < 20 * CHUNK


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br"])
def test_a_bomb_stops_at_the_limit(coding: str) -> None:
    decoded = Decoded(make_bomb(coding), [coding], limit=1_000_000)
    chunks = [len(chunk) for chunk in decoded]
    assert sum(chunks) == decoded.bytes == 1_000_000
    assert max(chunks) <= 2 * CHUNK
    assert decoded.truncated


def test_many_empty_members_take_little_memory() -> None:
    size, peak = measure(Decoded(gzip.compress(b"", mtime=0) * 20_000, limit=LIMIT))
    assert size == 0
    assert peak < 20 * CHUNK


def test_a_second_layer_that_starts_in_a_tiny_member_is_detected() -> None:
    inner = gzip.compress(TEXT)
    data, decoded = decompress(gzip.compress(inner[:1]) + gzip.compress(inner[1:]))
    assert (data, decoded.gzip_layers, decoded.error) == (TEXT, 2, None)


def test_many_tiny_members_make_few_chunks() -> None:
    tiny = gzip.compress(b"a", mtime=0)
    sizes = [len(chunk) for chunk in Decoded(tiny * 70_000, limit=LIMIT)]
    assert sizes == [CHUNK, 70_000 - CHUNK]
    sizes = [len(chunk) for chunk in Decoded(tiny * 70_000 + b"junk", limit=LIMIT)]
    assert sizes == [CHUNK, 70_000 - CHUNK]


EMPTY = gzip.compress(b"", mtime=0)


@pytest.mark.parametrize(
    "waste",
    [EMPTY * 500_000, bytes(20_000_000), EMPTY + bytes(20_000_000)],
    ids=["members", "padding", "member and padding"],
)
@pytest.mark.parametrize("outer", ["gzip", "deflate", "br"])
def test_layers_that_decode_to_nothing_are_given_up(waste: bytes, outer: str) -> None:
    body = compress(outer, gzip.compress(TEXT) + waste)
    assert len(body) < 200_000
    data, decoded = decompress(body, f"gzip, {outer}", limit=1_000_000)
    assert data == TEXT
    assert decoded.ended_early
    assert "work limit" in str(decoded.error)


@pytest.mark.parametrize("layers", [1, 2])
def test_data_that_does_not_compress_may_fill_the_limit(layers: int) -> None:
    noise = random.Random(0).randbytes(1_000_000)
    body = noise
    for _ in range(layers):
        body = gzip.compress(body, 1)
    data, decoded = decompress(body, *["gzip"] * layers, limit=len(noise))
    assert data == noise
    assert decoded.error is None


# Any bytes.

CODINGS = st.lists(st.sampled_from(["gzip", "x-gzip", "deflate", "br", "identity"]), max_size=4)
BODIES = st.binary(max_size=400)


@given(BODIES | BODIES.map(lambda tail: b"\x1f\x8b\x08\0\0\0\0\0\0\3" + tail), CODINGS)
def test_any_bytes_are_decoded_within_the_limit(body: bytes, codings: list[str]) -> None:
    data, decoded = decompress(body, ", ".join(codings), limit=100_000)
    assert decoded.bytes == len(data) <= 100_000


@given(st.binary(max_size=3_000), CODINGS, st.integers(0, 2))
def test_any_data_round_trips(data: bytes, codings: list[str], layers: int) -> None:
    body = b"~" + data  # Never gzip by chance.
    for coding in ("gzip",) * layers + tuple(codings):
        body = compress(coding, body)
    out, decoded = decompress(body, ", ".join(codings))
    assert out == b"~" + data
    assert decoded.gzip_layers == layers
    assert decoded.error is None


@given(st.data(), st.sampled_from(["gzip", "deflate", "br"]))
def test_damaged_gzip_data_is_detected(data: st.DataObject, coding: str) -> None:
    body = bytearray(compress(coding, TEXT))
    position = data.draw(st.integers(0, len(body) - 1))
    body[position] ^= data.draw(st.integers(1, 255))
    out, decoded = decompress(bytes(body), coding, limit=1_000_000)
    if coding == "gzip" and decoded.error is None:
        assert out == TEXT  # The checksum matched.
    assert decoded.bytes == len(out)

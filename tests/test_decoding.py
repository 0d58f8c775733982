"""decoding: Content-Encoding and gzip files undone as a stream, whatever the bytes are."""

import gzip
import tracemalloc
import zlib
from collections.abc import Iterable

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapaudit.decoding import CHUNK, MAX_CODINGS, Decoded, decode

TEXT = b"".join(b"<url><loc>https://example.com/%d</loc></url>\n" % n for n in range(400))
CAP = 10_000_000


def deflated(data: bytes, wbits: int = 15) -> bytes:
    compressor = zlib.compressobj(wbits=wbits)
    return compressor.compress(data) + compressor.flush()


def compressed(coding: str, data: bytes) -> bytes:
    """Compress by the name of a content coding; ``raw`` is deflate without the zlib format."""
    match coding:
        case "gzip" | "x-gzip":
            return gzip.compress(data, mtime=0)
        case "deflate":
            return deflated(data)
        case "raw":
            return deflated(data, -15)
        case "br":
            return bytes(brotli.compress(data, quality=1))
        case _:
            return data


def unpacked(body: bytes, *codings: str, cap: int = CAP) -> tuple[bytes, Decoded]:
    decoded = Decoded(body, codings, cap=cap)
    return b"".join(decoded), decoded


def peak_of(decoded: Iterable[bytes]) -> tuple[int, int]:
    """Return the bytes that came out, and the most memory that this took."""
    tracemalloc.start()
    try:
        size = sum(len(chunk) for chunk in decoded)
        return size, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# Files: gzip is told by its bytes.


@pytest.mark.parametrize("layers", [0, 1, 2])
def test_gzip_layers_are_undone_and_counted(layers: int) -> None:
    body = TEXT
    for _ in range(layers):
        body = gzip.compress(body)
    data, decoded = unpacked(body)
    assert data == TEXT
    assert decoded.layers == layers
    assert decoded.bytes == len(TEXT)
    assert (decoded.fault, decoded.early, decoded.cut) == (None, False, False)


def test_a_third_gzip_layer_stays() -> None:
    inner = gzip.compress(TEXT)
    data, decoded = unpacked(gzip.compress(gzip.compress(inner)))
    assert data == inner
    assert decoded.layers == 2
    assert decoded.fault is None


def test_gzip_header_with_name_comment_and_extra_field() -> None:
    plain = gzip.compress(TEXT, mtime=0)
    flags = 4 | 8 | 16  # FEXTRA, FNAME, FCOMMENT (RFC 1952 section 2.3.1)
    optional = b"\x03\x00abc" + b"sitemap.xml\x00" + b"comment\x00"
    data, decoded = unpacked(plain[:3] + bytes((flags,)) + plain[4:10] + optional + plain[10:])
    assert data == TEXT
    assert decoded.fault is None


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
def test_members_follow_each_other(members: list[bytes]) -> None:
    data, decoded = unpacked(b"".join(gzip.compress(member) for member in members))
    assert data == TEXT
    assert decoded.layers == 1
    assert decoded.fault is None


@pytest.mark.parametrize("zeros", [1, 511, CHUNK, 3 * CHUNK + 1])
def test_zero_padding_is_no_fault(zeros: int) -> None:
    data, decoded = unpacked(gzip.compress(TEXT) + bytes(zeros))
    assert data == TEXT
    assert decoded.fault is None


def test_zeros_between_members_are_passed_over() -> None:
    data, decoded = unpacked(gzip.compress(TEXT) + bytes(9) + gzip.compress(b"end"))
    assert data == TEXT + b"end"
    assert decoded.fault is None


@pytest.mark.parametrize("junk", [b"junk", b"\n", bytes(5) + b"x", b"<html>" * CHUNK])
def test_junk_behind_the_gzip_data_is_a_fault(junk: bytes) -> None:
    data, decoded = unpacked(gzip.compress(TEXT) + junk)
    assert data == TEXT
    assert decoded.fault == "bytes that are not gzip follow the gzip data"
    assert decoded.early


@pytest.mark.parametrize("layer", ["file", "coding"])
def test_gzip_cut_at_every_byte(layer: str) -> None:
    text = bytes(range(256))
    whole = gzip.compress(text)
    codings = ["gzip"] if layer == "coding" else []
    for size in range(2, len(whole)):
        data, decoded = unpacked(whole[:size], *codings)
        assert text.startswith(data)
        assert decoded.fault == "the compressed data ends too early"
        assert decoded.early
    assert unpacked(whole[:-8], *codings)[0] == text  # Only the trailer is missing.


@pytest.mark.parametrize("size", range(40))
@pytest.mark.parametrize("coding", ["deflate", "raw", "br"])
def test_other_codings_cut_at_any_byte(coding: str, size: int) -> None:
    text = bytes(range(256))
    body = compressed(coding, text)[:size]
    data, decoded = unpacked(body, "br" if coding == "br" else "deflate")
    assert text.startswith(data)
    assert (decoded.fault is not None) == (size > 0)


@pytest.mark.parametrize(
    ("place", "fault"), [(-8, "incorrect data check"), (-4, "incorrect length check")]
)
def test_what_a_wrong_trailer_follows_is_kept(place: int, fault: str) -> None:
    body = bytearray(gzip.compress(TEXT))
    body[place] ^= 0xFF
    data, decoded = unpacked(bytes(body))
    assert data == TEXT
    assert decoded.fault == fault
    assert decoded.bytes == len(TEXT)


@pytest.mark.parametrize("size", [10, 1_000, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK])
def test_what_stands_before_broken_data_is_kept(size: int) -> None:
    compressor = zlib.compressobj(wbits=31)
    sound = bytes(n * n % 251 for n in range(size))
    body = compressor.compress(sound) + compressor.flush(zlib.Z_SYNC_FLUSH)
    data, decoded = unpacked(body + b"\x07")  # There is no block type 3 (RFC 1951 section 3.2.3).
    assert data == sound
    assert decoded.fault == "invalid block type"


def test_a_fault_in_a_second_member_keeps_the_first() -> None:
    second = bytearray(gzip.compress(b"second"))
    second[-8] ^= 1
    data, decoded = unpacked(gzip.compress(TEXT) + bytes(second))
    assert data == TEXT + b"second"
    assert decoded.fault == "incorrect data check"


def test_a_fault_in_the_outer_layer_keeps_what_the_inner_one_gives() -> None:
    outer = gzip.compress(gzip.compress(TEXT))
    data, decoded = unpacked(outer[:-9])
    assert TEXT.startswith(data)
    assert data
    assert decoded.layers == 2
    assert decoded.fault == "the compressed data ends too early"


@pytest.mark.parametrize("body", [b"\x1f", b"\x1f\x8c" + TEXT, b"\x8b\x1f", b"plain", b"\0" * 99])
def test_what_is_not_gzip_stays(body: bytes) -> None:
    data, decoded = unpacked(body)
    assert data == body
    assert decoded.layers == 0
    assert decoded.fault is None


def test_only_the_coding_is_undone_where_no_file_is_meant() -> None:
    inner = gzip.compress(TEXT)
    data, decoded = decode(gzip.compress(inner), ["gzip"], cap=CAP)
    assert data == inner
    assert decoded.layers == 0


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
def test_coding(coding: str, name: str) -> None:
    data, decoded = unpacked(compressed(coding, TEXT), name)
    assert data == TEXT
    assert decoded.layers == 0
    assert decoded.fault is None


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
def test_several_codings_are_undone_from_the_last_to_the_first(
    applied: list[str], lines: list[str]
) -> None:
    body = TEXT
    for coding in applied:
        body = compressed(coding, body)
    data, decoded = unpacked(body, *lines)
    assert data == TEXT
    assert decoded.fault is None


@pytest.mark.parametrize("number", [MAX_CODINGS + 1, 900, 20_000])
def test_a_heap_of_codings_is_refused(number: int) -> None:
    body = b"x"
    for _ in range(min(number, 900)):
        body = gzip.compress(body, compresslevel=0)
    data, decoded = unpacked(body, "gzip," * number)
    assert data == b""
    assert decoded.fault == f"Content-Encoding names {number} codings"


@pytest.mark.parametrize("name", ["zstd", "compress", "gzip2", "x" * 5_000])
def test_an_unknown_coding_is_a_fault(name: str) -> None:
    data, decoded = unpacked(TEXT, name)
    assert data == b""
    assert decoded.fault == f"Content-Encoding {name[:40]!r} is not known"
    assert decoded.early


def test_a_false_claim_of_gzip_leaves_the_bytes() -> None:
    data, decoded = unpacked(TEXT, "gzip")
    assert data == TEXT
    assert decoded.fault == "Content-Encoding says gzip, and the bytes are not gzip"
    assert not decoded.early


@pytest.mark.parametrize("name", ["br", "deflate"])
def test_a_false_claim_that_bytes_cannot_disprove_is_a_fault(name: str) -> None:
    _, decoded = unpacked(b"<urlset>" + TEXT, name)
    assert decoded.fault is not None
    assert decoded.early


def test_a_gz_file_that_is_served_with_its_own_encoding() -> None:
    data, decoded = unpacked(gzip.compress(TEXT), "gzip")
    assert data == TEXT
    assert decoded.layers == 0
    assert decoded.fault is None


def test_a_gz_file_that_is_compressed_again_on_the_way() -> None:
    data, decoded = unpacked(gzip.compress(gzip.compress(TEXT)), "gzip")
    assert data == TEXT
    assert decoded.layers == 1
    assert decoded.fault is None


@pytest.mark.parametrize("codings", [[], ["gzip"], ["x-gzip"], ["deflate"], ["br"], ["br, gzip"]])
def test_an_empty_body_is_no_fault(codings: list[str]) -> None:
    data, decoded = unpacked(b"", *codings)
    assert data == b""
    assert decoded.fault is None
    assert decoded.bytes == 0


@pytest.mark.parametrize("coding", ["gzip", "deflate", "raw", "br"])
def test_nothing_compressed_is_nothing(coding: str) -> None:
    name = "deflate" if coding == "raw" else coding
    data, decoded = unpacked(compressed(coding, b""), name)
    assert data == b""
    assert decoded.fault is None


# Caps.


@pytest.mark.parametrize("coding", ["identity", "gzip", "deflate", "br"])
@pytest.mark.parametrize(
    ("room", "cut"), [(-1, True), (0, False), (1, False), (-len(TEXT), True), (CHUNK, False)]
)
def test_cap(coding: str, room: int, cut: bool) -> None:
    data, decoded = unpacked(compressed(coding, TEXT), coding, cap=len(TEXT) + room)
    assert data == TEXT[: len(TEXT) + room]
    assert decoded.cut is cut
    assert decoded.bytes == len(data)
    assert decoded.fault is None


def bomb(coding: str) -> bytes:
    return compressed(coding, bytes(50_000_000))


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br"])
def test_a_bomb_goes_by_in_small_pieces(coding: str) -> None:
    body = bomb(coding)
    assert len(body) < 60_000
    size, peak = peak_of(Decoded(body, [coding], cap=10**9))
    assert size == 50_000_000
    assert peak < 20 * CHUNK


def test_a_nested_bomb_goes_by_in_small_pieces() -> None:
    body = gzip.compress(bomb("gzip"))
    assert len(body) < 1_000
    size, peak = peak_of(Decoded(body, cap=10**9))
    assert size == 50_000_000
    assert peak < 20 * CHUNK


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br"])
def test_a_bomb_stops_at_the_cap(coding: str) -> None:
    decoded = Decoded(bomb(coding), [coding], cap=1_000_000)
    chunks = [len(chunk) for chunk in decoded]
    assert sum(chunks) == decoded.bytes == 1_000_000
    assert max(chunks) <= 2 * CHUNK
    assert decoded.cut


def test_a_heap_of_empty_members() -> None:
    size, peak = peak_of(Decoded(gzip.compress(b"", mtime=0) * 100_000, cap=CAP))
    assert size == 0
    assert peak < 20 * CHUNK


def test_a_second_layer_that_begins_within_a_tiny_member_is_seen() -> None:
    inner = gzip.compress(TEXT)
    data, decoded = unpacked(gzip.compress(inner[:1]) + gzip.compress(inner[1:]))
    assert (data, decoded.layers, decoded.fault) == (TEXT, 2, None)


def test_a_heap_of_tiny_members_makes_few_pieces() -> None:
    tiny = gzip.compress(b"a", mtime=0)
    pieces = [len(piece) for piece in Decoded(tiny * 100_000, cap=CAP)]
    assert pieces == [CHUNK, 100_000 - CHUNK]
    pieces = [len(piece) for piece in Decoded(tiny * 100_000 + b"junk", cap=CAP)]
    assert pieces == [CHUNK, 100_000 - CHUNK]


# Any bytes.

CODINGS = st.lists(st.sampled_from(["gzip", "x-gzip", "deflate", "br", "identity"]), max_size=4)
BODIES = st.binary(max_size=400)


@given(BODIES | BODIES.map(lambda tail: b"\x1f\x8b\x08\0\0\0\0\0\0\3" + tail), CODINGS)
def test_any_bytes_with_any_coding(body: bytes, codings: list[str]) -> None:
    data, decoded = unpacked(body, ", ".join(codings), cap=100_000)
    assert decoded.bytes == len(data) <= 100_000


@given(st.binary(max_size=3_000), CODINGS, st.integers(0, 2))
def test_round_trip(data: bytes, codings: list[str], layers: int) -> None:
    body = b"~" + data  # Not by chance gzip.
    for coding in ("gzip",) * layers + tuple(codings):
        body = compressed(coding, body)
    out, decoded = unpacked(body, ", ".join(codings))
    assert out == b"~" + data
    assert decoded.layers == layers
    assert decoded.fault is None


@given(st.data(), st.sampled_from(["gzip", "deflate", "br"]))
def test_damaged_data_never_passes_for_more_than_it_is(data: st.DataObject, coding: str) -> None:
    body = bytearray(compressed(coding, TEXT))
    place = data.draw(st.integers(0, len(body) - 1))
    body[place] ^= data.draw(st.integers(1, 255))
    out, decoded = unpacked(bytes(body), coding, cap=1_000_000)
    if coding == "gzip" and decoded.fault is None:
        assert out == TEXT  # The checksum held.
    assert decoded.bytes == len(out)

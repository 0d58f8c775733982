"""sitemap-too-large: more than 52,428,800 bytes after all decoding; just that many pass."""

import json

import pytest

from tests.rules.sitemap.files import answer, compressed, read, row_of, rules_on, url, urlset
from tests.support import SITEMAP, found, severities

LIMIT = 52_428_800
EDGE = pytest.mark.parametrize(("size", "expected"), [(LIMIT, []), (LIMIT + 1, ["error"])])
TEXT = b"https://www.example.com/a\n"


def xml(size: int) -> bytes:
    """Return a well-formed urlset of a million bytes an entry, of just that size."""
    filler = f"<!--{' ' * 1_000_000}-->"
    entries = [url() + filler for _ in range(size // (len(url() + filler) + 1))]
    body = urlset(*entries).encode()
    return body + b"\n" * (size - len(body))


def text(size: int) -> bytes:
    return TEXT + b" " * (size - len(TEXT))


@EDGE
def test_decoded_bytes_of_xml(size: int, expected: list[str]) -> None:
    row = row_of(xml(size))
    assert (row.bytes, row.fault) == (size, None)
    assert severities("sitemap-too-large", row) == expected


@EDGE
def test_decoded_bytes_of_text(size: int, expected: list[str]) -> None:
    assert severities("sitemap-too-large", row_of(text(size))) == expected


@EDGE
def test_bytes_behind_a_gzip_file(size: int, expected: list[str]) -> None:
    assert severities("sitemap-too-large", row_of(compressed(text(size)))) == expected


@EDGE
def test_bytes_behind_a_content_encoding(size: int, expected: list[str]) -> None:
    row = read(answer(compressed(text(size)), encoding="gzip"))
    assert severities("sitemap-too-large", row) == expected


def test_a_file_beyond_the_cap_on_reading() -> None:
    row = read(answer(text(LIMIT + 2)), cap=LIMIT + 1)
    (finding,) = found("sitemap-too-large", row)
    assert finding.message == (
        "has 52,428,801 bytes or more (reading stopped), and 52,428,800 are allowed"
    )


def test_a_file_whose_download_was_stopped() -> None:
    assert severities("sitemap-too-large", read(answer(TEXT, cut=True))) == ["error"]


def test_xml_that_was_cut_is_the_one_finding() -> None:
    row = read(answer(xml(LIMIT)), cap=LIMIT // 2)
    assert row.fault is not None
    assert rules_on(row) == ["sitemap-too-large"]


@pytest.mark.parametrize("status", [403, 404, 500])
def test_what_was_not_read_is_not_judged(status: int) -> None:
    assert severities("sitemap-too-large", read(answer(text(LIMIT + 1), status))) == []


def test_message_and_evidence_name_the_size() -> None:
    (finding,) = found("sitemap-too-large", row_of(text(LIMIT + 1)))
    assert finding.message == "has 52,428,801 bytes, and 52,428,800 are allowed"
    assert (finding.url, finding.sitemap) == (None, SITEMAP)
    assert json.loads(finding.evidence or "")["bytes"] == LIMIT + 1

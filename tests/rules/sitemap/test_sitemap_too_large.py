"""sitemap-too-large: more than 52,428,800 decoded bytes; exactly that many are allowed."""

import json
from functools import cache

import pytest

from tests.rules.sitemap.files import compressed, read, response, row_of, rules_on, url, urlset
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

LIMIT = 52_428_800
EDGE = pytest.mark.parametrize(("size", "expected"), [(LIMIT, []), (LIMIT + 1, ["error"])])
TEXT = b"https://www.example.com/a\n"


def xml(size: int) -> bytes:
    """Return a well-formed urlset of exactly this size, with a megabyte per entry."""
    filler = f"<!--{' ' * 1_000_000}-->"
    entries = [url() + filler for _ in range(size // (len(url() + filler) + 1))]
    body = urlset(*entries).encode()
    return body + b"\n" * (size - len(body))


def text(size: int) -> bytes:
    return TEXT + b" " * (size - len(TEXT))


@cache
def zipped_text(size: int) -> bytes:
    return compressed(text(size))


@EDGE
def test_decoded_bytes_of_xml(size: int, expected: list[str]) -> None:
    row = row_of(xml(size))
    assert (row.bytes, row.xml_error) == (size, None)
    assert severities("sitemap-too-large", row) == expected


@EDGE
def test_decoded_bytes_of_text(size: int, expected: list[str]) -> None:
    assert severities("sitemap-too-large", row_of(text(size))) == expected


@EDGE
def test_decoded_bytes_of_a_gzip_file(size: int, expected: list[str]) -> None:
    assert severities("sitemap-too-large", row_of(zipped_text(size))) == expected


@EDGE
def test_decoded_bytes_of_a_content_encoding(size: int, expected: list[str]) -> None:
    row = read(response(zipped_text(size), encoding="gzip"))
    assert severities("sitemap-too-large", row) == expected


def test_a_file_above_the_limit_on_reading() -> None:
    row = read(response(text(LIMIT + 2)), limit=LIMIT + 1)
    (finding,) = found("sitemap-too-large", row)
    assert finding.message == (
        "has 52,428,801 bytes or more (reading stopped); at most 52,428,800 are allowed"
    )


def test_a_file_with_a_stopped_download() -> None:
    assert severities("sitemap-too-large", read(response(TEXT, truncated=True))) == ["error"]


def test_truncated_xml_is_one_finding() -> None:
    row = read(response(xml(LIMIT)), limit=LIMIT // 2)
    assert row.xml_error is not None
    assert rules_on(row) == ["sitemap-too-large"]


def test_message_and_evidence_contain_the_size() -> None:
    (finding,) = found("sitemap-too-large", row_of(text(LIMIT + 1)))
    assert finding.message == "has 52,428,801 bytes; at most 52,428,800 are allowed"
    assert (finding.url, finding.sitemap) == (None, SITEMAP)
    assert json.loads(finding.evidence or "")["bytes"] == LIMIT + 1

"""sitemap-gzip-invalid: gzip that cannot be decoded; plain XML named .gz is a notice."""

import json
import random

import pytest

from sitemapaudit.items import Sitemap
from tests.rules.sitemap.files import (
    compressed,
    entries_of,
    read,
    response,
    row_of,
    rules_on,
    url,
    urlset,
)
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

PLAIN = urlset(url())
GZIP = compressed(PLAIN)
NAMED = f"{SITEMAP}.gz"
NOISE = random.Random(0).randbytes(200_000).hex()
LARGE = urlset(url(), f"<!--{NOISE}-->", url())


def flipped(body: bytes, place: int) -> bytes:
    damaged = bytearray(body)
    damaged[place] ^= 1
    return bytes(damaged)


@pytest.mark.parametrize("name", [SITEMAP, NAMED])
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (GZIP, []),
        (GZIP + GZIP, []),
        (GZIP + b"\0" * 512, []),
        (compressed(GZIP), ["warning"]),
        (compressed(LARGE), []),
        (GZIP[:-1], ["error"]),
        (GZIP[:-8], ["error"]),
        (GZIP[: len(GZIP) // 2], ["error"]),
        (GZIP[:2], ["error"]),
        (compressed(LARGE)[:100_000], ["error"]),
        (flipped(GZIP, -5), ["error"]),
        (flipped(GZIP, -1), ["error"]),
        (flipped(compressed(LARGE), 100_000), ["error"]),
        (GZIP[:2] + b"\xff" * 40, ["error"]),
        (GZIP + PLAIN.encode(), ["error"]),
    ],
    ids=[
        "whole",
        "two-members",
        "trailing-zeros",
        "twice",
        "large",
        "last-byte-missing",
        "no-trailer",
        "half",
        "only-magic-bytes",
        "large-ends-early",
        "wrong-checksum",
        "wrong-length",
        "damaged-data",
        "damaged-header",
        "trailing-plain-text",
    ],
)
def test_gzip_is_detected_from_its_bytes(name: str, body: bytes, expected: list[str]) -> None:
    assert severities("sitemap-gzip-invalid", row_of(body, at=name)) == expected


@pytest.mark.parametrize("encoding", ["gzip", "GZIP", "x-gzip"])
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (GZIP, []),
        (compressed(GZIP), []),
        (compressed(compressed(GZIP)), ["warning"]),
        (GZIP[:-1], ["error"]),
        (PLAIN, ["error"]),
    ],
    ids=["whole", "twice", "three-times", "last-byte-missing", "plain"],
)
def test_content_encoding(encoding: str, body: str | bytes, expected: list[str]) -> None:
    row = read(response(body, encoding=encoding))
    assert severities("sitemap-gzip-invalid", row) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("sitemap.xml", []),
        ("sitemap.xml.gz", ["notice"]),
        ("SITEMAP.XML.GZ", ["notice"]),
        ("sitemap.xml.gz?version=2", ["notice"]),
        ("sitemap.xml?file=sitemap.xml.gz", []),
        ("sitemap.gz.xml", []),
        ("sitemap-gz", []),
    ],
)
def test_plain_xml_with_a_name(name: str, expected: list[str]) -> None:
    row = row_of(PLAIN, at=f"https://www.example.com/{name}")
    assert severities("sitemap-gzip-invalid", row) == expected


def test_the_gzip_layer_of_a_gz_name_may_be_the_content_encoding() -> None:
    assert severities("sitemap-gzip-invalid", read(response(GZIP, at=NAMED, encoding="gzip"))) == []


def test_the_name_of_the_final_url_counts() -> None:
    plain, named = response(PLAIN), response(PLAIN, at=NAMED)
    assert severities("sitemap-gzip-invalid", read(plain, Sitemap(NAMED, hops=1))) == []
    assert severities("sitemap-gzip-invalid", read(named, Sitemap(SITEMAP, hops=1))) == ["notice"]


def test_an_html_page_named_gz_is_not_reported() -> None:
    row = row_of("<!doctype html><title>Sign in</title>", at=NAMED)
    assert rules_on(row) == ["sitemap-is-html"]


@pytest.mark.parametrize(
    "body", [GZIP[:-1], GZIP[: len(GZIP) // 2], flipped(GZIP, -5), compressed(LARGE)[:100_000]]
)
def test_a_compression_error_is_the_only_finding(body: bytes) -> None:
    assert rules_on(row_of(body)) == ["sitemap-gzip-invalid"]


def test_entries_before_the_error_are_read() -> None:
    assert len(entries_of(compressed(LARGE)[:100_000])) == 1


def test_message_contains_the_error() -> None:
    (finding,) = found("sitemap-gzip-invalid", row_of(GZIP[:-1]))
    assert finding.message == "cannot be decoded: the compressed data ends too early"
    assert (finding.url, finding.sitemap) == (None, SITEMAP)
    evidence = json.loads(finding.evidence or "")
    assert evidence["error"] == "the compressed data ends too early"
    assert evidence["bytes"] > len(GZIP)


def test_gzip_within_gzip_is_read() -> None:
    row = row_of(compressed(GZIP))
    (finding,) = found("sitemap-gzip-invalid", row)
    assert finding.message == "is compressed twice: gzip within gzip"
    assert (row.gzip_layers, row.entries) == (2, 1)


def test_message_of_an_uncompressed_file() -> None:
    (finding,) = found("sitemap-gzip-invalid", row_of(PLAIN, at=NAMED))
    assert finding.message == "is named .gz but is not compressed"
    assert finding.sitemap == NAMED

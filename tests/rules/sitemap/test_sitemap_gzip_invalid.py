"""sitemap-gzip-invalid: gzip that cannot be decoded; a .gz name over plain XML is a notice."""

import random

import pytest

from sitemapaudit.items import Sitemap
from tests.rules.sitemap.files import (
    answer,
    compressed,
    entries_of,
    read,
    row_of,
    rules_on,
    url,
    urlset,
)
from tests.support import SITEMAP, found, severities

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
        (compressed(GZIP), []),
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
        "zeros-behind",
        "twice",
        "large",
        "last-byte-missing",
        "no-trailer",
        "half",
        "magic-alone",
        "large-breaks-off",
        "wrong-checksum",
        "wrong-length",
        "damaged-data",
        "damaged-header",
        "plain-text-behind",
    ],
)
def test_gzip_is_told_by_its_bytes(name: str, body: bytes, expected: list[str]) -> None:
    assert severities("sitemap-gzip-invalid", row_of(body, at=name)) == expected


@pytest.mark.parametrize("encoding", ["gzip", "GZIP", "x-gzip"])
@pytest.mark.parametrize(
    ("body", "expected"),
    [(GZIP, []), (compressed(GZIP), []), (GZIP[:-1], ["error"]), (PLAIN, ["error"])],
    ids=["whole", "twice", "last-byte-missing", "plain"],
)
def test_content_encoding(encoding: str, body: str | bytes, expected: list[str]) -> None:
    row = read(answer(body, encoding=encoding))
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
def test_plain_xml_under_a_name(name: str, expected: list[str]) -> None:
    row = row_of(PLAIN, at=f"https://www.example.com/{name}")
    assert severities("sitemap-gzip-invalid", row) == expected


def test_the_one_layer_of_a_gz_name_may_be_the_content_encoding() -> None:
    assert severities("sitemap-gzip-invalid", read(answer(GZIP, at=NAMED, encoding="gzip"))) == []


def test_the_name_that_counts_is_that_of_the_file_which_answered() -> None:
    plain, named = answer(PLAIN), answer(PLAIN, at=NAMED)
    assert severities("sitemap-gzip-invalid", read(plain, Sitemap(NAMED, hops=1))) == []
    assert severities("sitemap-gzip-invalid", read(named, Sitemap(SITEMAP, hops=1))) == ["notice"]


@pytest.mark.parametrize("status", [304, 403, 404, 500])
def test_what_was_not_read_is_not_judged(status: int) -> None:
    assert severities("sitemap-gzip-invalid", read(answer(GZIP[:-1], status, at=NAMED))) == []


def test_a_web_page_under_a_gz_name_is_told_as_such() -> None:
    row = row_of("<!doctype html><title>Sign in</title>", at=NAMED)
    assert rules_on(row) == ["sitemap-is-html"]


@pytest.mark.parametrize(
    "body", [GZIP[:-1], GZIP[: len(GZIP) // 2], flipped(GZIP, -5), compressed(LARGE)[:100_000]]
)
def test_broken_compression_is_the_one_finding(body: bytes) -> None:
    assert rules_on(row_of(body)) == ["sitemap-gzip-invalid"]


def test_what_was_decoded_before_the_fault_is_read() -> None:
    assert len(entries_of(compressed(LARGE)[:100_000])) == 1


def test_message_names_the_fault() -> None:
    (finding,) = found("sitemap-gzip-invalid", row_of(GZIP[:-1]))
    assert finding.message == "cannot be decoded: the compressed data ends too early"
    assert (finding.url, finding.sitemap) == (None, SITEMAP)


def test_message_of_a_name_without_compression() -> None:
    (finding,) = found("sitemap-gzip-invalid", row_of(PLAIN, at=NAMED))
    assert finding.message == "is named .gz, and is not compressed"
    assert finding.sitemap == NAMED

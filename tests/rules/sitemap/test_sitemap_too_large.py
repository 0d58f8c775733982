"""sitemap-too-large: more than 52,428,800 decoded bytes; exactly that many are allowed."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from sitemapaudit.http.response import Response
from tests.rules.sitemap.files import compressed, read, response, rules_on, url, urlset
from tests.support.findings import found
from tests.support.rows import SITEMAP

RULE = "sitemap-too-large"
LIMIT = 52_428_800
ABOVE = LIMIT + 1
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
def zipped_text() -> bytes:
    return compressed(text(ABOVE))


@pytest.mark.parametrize(
    "make",
    [
        lambda: response(xml(ABOVE)),
        lambda: response(text(ABOVE)),
        lambda: response(zipped_text()),
        lambda: response(zipped_text(), encoding="gzip"),
    ],
    ids=["xml", "text", "gzip file", "content encoding"],
)
def test_decoded_bytes_count(make: Callable[[], Response]) -> None:
    row = read(make())
    assert (row.bytes, row.xml_error) == (ABOVE, None)
    (finding,) = found(RULE, row)
    assert finding.message == "has 52,428,801 bytes; at most 52,428,800 are allowed"
    assert (finding.severity, finding.url, finding.sitemap) == ("error", None, SITEMAP)
    assert json.loads(finding.evidence or "")["bytes"] == ABOVE
    assert found(RULE, replace(row, bytes=LIMIT)) == []


def test_a_file_above_the_limit_on_reading() -> None:
    row = read(response(text(LIMIT + 2)), limit=ABOVE)
    (finding,) = found(RULE, row)
    assert finding.message == (
        "has 52,428,801 bytes or more (reading stopped); at most 52,428,800 are allowed"
    )


@pytest.mark.parametrize("body", [TEXT, b""])
def test_a_smaller_file_with_a_stopped_download_says_nothing_about_the_site(body: bytes) -> None:
    row = read(response(body, truncated=True))
    assert row.truncated
    assert {RULE, "sitemap-body-empty"}.isdisjoint(rules_on(row))


def test_truncated_xml_is_one_finding() -> None:
    row = read(response(xml(4_000_000)), limit=2_000_000)
    assert row.xml_error is not None
    assert rules_on(row) == []
    assert rules_on(replace(row, bytes=ABOVE)) == [RULE]

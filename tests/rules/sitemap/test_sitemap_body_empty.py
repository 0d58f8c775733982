"""sitemap-body-empty: 200 or 204, and nothing but whitespace is left after decoding."""

import codecs

import pytest

from tests.rules.sitemap.files import compressed, index, read, response, row_of, rules_on, urlset
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b" ",
        b"\r\n\t \n",
        b"\n" * 200_000,
        codecs.BOM_UTF8,
        codecs.BOM_UTF8 + b"\n",
        codecs.BOM_UTF16_LE + "\n".encode("utf-16-le"),
        compressed(b""),
        compressed(b" \n"),
    ],
)
def test_nothing_but_whitespace(body: bytes) -> None:
    assert severities("sitemap-body-empty", row_of(body)) == ["error"]


def test_no_other_rule_reports_it() -> None:
    assert rules_on(row_of("")) == ["sitemap-body-empty"]


@pytest.mark.parametrize("body", ["x", "0", urlset(), index(), "<?xml version='1.0'?>", "{}"])
def test_bodies_that_are_not_empty(body: str) -> None:
    assert severities("sitemap-body-empty", row_of(body)) == []


def test_content_encoding_is_decoded_first() -> None:
    row = read(response(compressed(b"\n"), encoding="gzip"))
    assert severities("sitemap-body-empty", row) == ["error"]


@pytest.mark.parametrize("kept", [1, 2, 5, 10])
def test_gzip_that_ends_before_any_content_is_not_empty(kept: int) -> None:
    row = read(response(compressed(urlset())[:kept], encoding="gzip"))
    assert severities("sitemap-body-empty", row) == []
    assert severities("sitemap-gzip-invalid", row) == ["error"]


@pytest.mark.parametrize("status", [200, 204])
def test_message_names_the_status(status: int) -> None:
    (finding,) = found("sitemap-body-empty", read(response(status=status)))
    assert finding.message == f"returns {status} with an empty body"
    assert (finding.url, finding.sitemap) == (None, SITEMAP)

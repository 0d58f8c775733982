"""sitemap-not-utf8: the bytes are not UTF-8, or another encoding is declared."""

import codecs

import pytest

from tests.rules.sitemap.files import PAGE, read, response, row_of, url, urlset
from tests.support.findings import found, severities

RULE = "sitemap-not-utf8"
PLAIN = urlset(url(PAGE))
ACCENTED = urlset(url(f"{PAGE}é"))


@pytest.mark.parametrize(
    "body",
    [
        PLAIN,
        ACCENTED,
        codecs.BOM_UTF8 + PLAIN.encode(),
        PLAIN.replace("UTF-8", "utf-8"),
        PLAIN.replace("UTF-8", "us-ascii"),
        PLAIN.partition("\n")[2],
        f"{PAGE}\n{PAGE}é\n",
    ],
)
def test_utf_8_is_allowed(body: str | bytes) -> None:
    assert severities(RULE, row_of(body)) == []


@pytest.mark.parametrize(
    "body",
    [
        PLAIN.replace("UTF-8", "ISO-8859-1"),
        ACCENTED.replace("UTF-8", "ISO-8859-1").encode("latin-1"),
        ACCENTED.encode("latin-1"),
        codecs.BOM_UTF16_LE + PLAIN.replace("UTF-8", "UTF-16").encode("utf-16-le"),
        codecs.BOM_UTF16_BE + PLAIN.replace("UTF-8", "UTF-16").encode("utf-16-be"),
        f"{PAGE}\n{PAGE}é\n".encode("latin-1"),
    ],
)
def test_other_encodings(body: str | bytes) -> None:
    assert severities(RULE, row_of(body)) == ["error"]


def test_the_charset_of_the_header_counts() -> None:
    sent = response(PLAIN)
    sent.headers["content-type"] = ["application/xml; charset=windows-1252"]
    assert severities(RULE, read(sent)) == ["error"]


def test_message() -> None:
    (finding,) = found(RULE, row_of(PLAIN.replace("UTF-8", "ISO-8859-1")))
    assert finding.message.startswith("is not UTF-8: ")
    assert "ISO-8859-1" in finding.message


@pytest.mark.parametrize("body", ["", "<!doctype html><title>\xe9</title>".encode("latin-1")])
def test_a_file_that_is_not_a_sitemap_is_not_checked(body: str | bytes) -> None:
    assert severities(RULE, row_of(body)) == []

"""sitemap-archive-unsupported: zip, bz2, xz, 7z, tar or zstd, detected from the first bytes."""

import bz2
import io
import lzma
import tarfile
import zipfile

import pytest

from tests.rules.sitemap.files import compressed, read, response, row_of, rules_on, url, urlset
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "sitemap-archive-unsupported"
BODY = urlset(url()).encode()


def zipped(*, empty: bool = False) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        if not empty:
            archive.writestr("sitemap.xml", BODY)
    return file.getvalue()


def tarred(variant: int) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=variant) as archive:
        member = tarfile.TarInfo("sitemap.xml")
        member.size = len(BODY)
        archive.addfile(member, io.BytesIO(BODY))
    return file.getvalue()


ARCHIVES = [
    (zipped(), "zip"),
    (zipped(empty=True), "zip"),
    (bz2.compress(BODY), "bz2"),
    (lzma.compress(BODY), "xz"),
    (b"7z\xbc\xaf\x27\x1c\x00\x04" + b"\x00" * 24, "7z"),
    (b"\x28\xb5\x2f\xfd\x24\x00\x01\x00\x00", "zstd"),
    (tarred(tarfile.USTAR_FORMAT), "tar"),
    (tarred(tarfile.GNU_FORMAT), "tar"),
    (tarred(tarfile.PAX_FORMAT), "tar"),
]


@pytest.mark.parametrize(("body", "archive"), ARCHIVES)
def test_an_archive_is_one_finding(body: bytes, archive: str) -> None:
    row = row_of(body)
    (finding,) = found(RULE, row)
    assert finding.message == f"is a {archive} file; engines support only gzip"
    assert (finding.severity, finding.sitemap, finding.url) == ("error", SITEMAP, None)
    assert rules_on(row) == [RULE]


@pytest.mark.parametrize(("body", "archive"), ARCHIVES)
def test_an_archive_within_gzip(body: bytes, archive: str) -> None:
    (finding,) = found(RULE, row_of(compressed(body)))
    assert finding.message == f"is a {archive} file; engines support only gzip"


@pytest.mark.parametrize(
    "body",
    [
        BODY,
        compressed(BODY),
        b"",
        b"PK https://www.example.com/a\n",
        b"BZ https://www.example.com/a\n",
        b"\n" + zipped(),
        b"https://www.example.com/ustar\n" * 20,
    ],
)
def test_files_that_are_not_archives(body: bytes) -> None:
    assert severities(RULE, row_of(body)) == []


def test_the_name_is_ignored() -> None:
    assert severities(RULE, row_of(BODY, at=f"{SITEMAP}.zip")) == []


def test_a_file_that_was_not_read_is_not_checked() -> None:
    assert severities(RULE, read(response(zipped(), 404))) == []

"""Files that decompress to a thousand times their size."""

import gzip
import struct
import zlib
from functools import cache

import brotli

from tests.hostile.attacks import URLSET_START, Attack
from tests.hostile.host import HTML, TEXT, response

GIGABYTE = 1024
GZIP_HEADER = b"\x1f\x8b\x08\0\0\0\0\0\2\xff"
TOO_LARGE = ("sitemap-too-large",)
UNDECODABLE = ("page-connection-error",)
TWICE = "Content-Encoding: gzip, gzip"
PAGE = ("page-html-too-large", "canonical-missing")


@cache
def bomb(head: bytes, megabytes: int) -> bytes:
    """Return a gzip file of ``head`` and a number of megabytes of white space.

    A megabyte is compressed once, and repeated.
    """
    blank = b" " * 2**20
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    start = packer.compress(head) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(blank) + packer.flush(zlib.Z_FULL_FLUSH)
    body = start + block * megabytes + packer.flush()
    checksum = zlib.crc32(head)
    for _ in range(megabytes):
        checksum = zlib.crc32(blank, checksum)
    size = (len(head) + megabytes * len(blank)) % 2**32
    return GZIP_HEADER + body + struct.pack("<LL", checksum, size)


@cache
def padded(megabytes: int) -> bytes:
    """Return gzip within gzip: the inner file is empty, and padded with megabytes of zero bytes."""
    return gzip.compress(gzip.compress(b"") + bytes(megabytes * 2**20), 1)


@cache
def many_members() -> bytes:
    """Return gzip within gzip: the inner file has two million empty members."""
    return gzip.compress(gzip.compress(b"", mtime=0) * 2_000_000, 1)


def compressed_sitemaps() -> list[Attack]:
    """Return the attacks by sitemaps."""
    packed = bomb(URLSET_START.encode(), GIGABYTE)
    return [
        Attack("/bomb.xml.gz", response(packed, "Content-Type: application/gzip"), TOO_LARGE),
        Attack(
            "/nested.xml.gz",
            response(gzip.compress(packed), "Content-Type: application/gzip"),
            (*TOO_LARGE, "sitemap-gzip-invalid"),
        ),
    ]


def compressed_pages() -> list[Attack]:
    """Return the attacks by pages."""
    page = b"<!doctype html><title>Bomb</title><p>Text"
    return [
        Attack("/bomb", response(bomb(page, GIGABYTE), HTML, "Content-Encoding: gzip"), PAGE),
        Attack(
            "/twice",
            response(gzip.compress(bomb(page, GIGABYTE)), HTML, TWICE),
            PAGE,
        ),
        Attack(
            "/padding",
            response(padded(200), HTML, TWICE),
            UNDECODABLE,
            "encoding",
        ),
        Attack(
            "/members",
            response(many_members(), HTML, TWICE),
            UNDECODABLE,
            "encoding",
        ),
        Attack(
            "/brotli",
            response(brotli.compress(page + b" " * 2**26, quality=4), HTML, "Content-Encoding: br"),
            PAGE,
        ),
    ]


def compressed_robots() -> dict[str, Attack]:
    """Return the attacks by a robots.txt, by name."""
    packed, path = bomb(b"User-agent: *\n", GIGABYTE), "/robots.txt"
    return {
        "bomb": Attack(path, response(packed, TEXT, "Content-Encoding: gzip")),
        "padding": Attack(path, response(padded(200), TEXT, TWICE), UNDECODABLE, "encoding"),
        "members": Attack(path, response(many_members(), TEXT, TWICE), UNDECODABLE, "encoding"),
    }

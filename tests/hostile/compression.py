"""Files that are a thousand times as large when they are unpacked."""

import gzip
import zlib
from functools import cache

import brotli

from tests.hostile.attacks import OPENING, Attack
from tests.hostile.host import HTML, TEXT, text

GIGABYTE = 1024
TOO_LARGE = ("sitemap-too-large",)
PAGE = ("page-html-too-large", "canonical-missing")


@cache
def bomb(head: bytes, megabytes: int) -> bytes:
    """Return a gzip file of so many megabytes of white space."""
    packer = zlib.compressobj(9, wbits=31)
    pieces = [packer.compress(head), *(packer.compress(b" " * 2**20) for _ in range(megabytes))]
    return b"".join([*pieces, packer.flush()])


def compression() -> list[Attack]:
    """Return the sitemaps."""
    packed = bomb(OPENING.encode(), GIGABYTE)
    return [
        Attack("/bomb.xml.gz", text(packed, "Content-Type: application/gzip"), TOO_LARGE),
        Attack(
            "/nested.xml.gz",
            text(gzip.compress(packed), "Content-Type: application/gzip"),
            TOO_LARGE,
        ),
    ]


def compressed_pages() -> list[Attack]:
    """Return the pages."""
    page = b"<!doctype html><title>Bomb</title><p>Text"
    return [
        Attack("/bomb", text(bomb(page, GIGABYTE), HTML, "Content-Encoding: gzip"), PAGE),
        Attack(
            "/twice",
            text(gzip.compress(bomb(page, GIGABYTE)), HTML, "Content-Encoding: gzip, gzip"),
            PAGE,
        ),
        Attack(
            "/brotli",
            text(brotli.compress(page + b" " * 2**26), HTML, "Content-Encoding: br"),
            PAGE,
        ),
    ]


def compressed_robots() -> Attack:
    """Return a robots.txt."""
    return Attack(
        "/robots.txt", text(bomb(b"User-agent: *\n", GIGABYTE), TEXT, "Content-Encoding: gzip")
    )

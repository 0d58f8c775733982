"""Files that decompress to a thousand times their size."""

import gzip
import zlib
from functools import cache

import brotli

from tests.hostile.attacks import URLSET_START, Attack
from tests.hostile.host import HTML, TEXT, response

GIGABYTE = 1024
TOO_LARGE = ("sitemap-too-large",)
PAGE = ("page-html-too-large", "canonical-missing")


@cache
def bomb(head: bytes, megabytes: int) -> bytes:
    """Return a gzip file of ``head`` and a number of megabytes of white space."""
    packer = zlib.compressobj(9, wbits=31)
    pieces = [packer.compress(head), *(packer.compress(b" " * 2**20) for _ in range(megabytes))]
    return b"".join([*pieces, packer.flush()])


def compressed_sitemaps() -> list[Attack]:
    """Return the attacks by sitemaps."""
    packed = bomb(URLSET_START.encode(), GIGABYTE)
    return [
        Attack("/bomb.xml.gz", response(packed, "Content-Type: application/gzip"), TOO_LARGE),
        Attack(
            "/nested.xml.gz",
            response(gzip.compress(packed), "Content-Type: application/gzip"),
            TOO_LARGE,
        ),
    ]


def compressed_pages() -> list[Attack]:
    """Return the attacks by pages."""
    page = b"<!doctype html><title>Bomb</title><p>Text"
    return [
        Attack("/bomb", response(bomb(page, GIGABYTE), HTML, "Content-Encoding: gzip"), PAGE),
        Attack(
            "/twice",
            response(gzip.compress(bomb(page, GIGABYTE)), HTML, "Content-Encoding: gzip, gzip"),
            PAGE,
        ),
        Attack(
            "/brotli",
            response(brotli.compress(page + b" " * 2**26), HTML, "Content-Encoding: br"),
            PAGE,
        ),
    ]


def compressed_robots() -> Attack:
    """Return the attack by a robots.txt."""
    return Attack(
        "/robots.txt",
        response(bomb(b"User-agent: *\n", GIGABYTE), TEXT, "Content-Encoding: gzip"),
    )

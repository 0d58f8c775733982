"""``_headers`` of Cloudflare Pages and Workers, as ``parseHeaders.ts`` reads it."""

import re
from typing import Final

from sitemapaudit.builds.header_rules import HeaderBlock, PathHeaders
from sitemapaudit.builds.headers_file import read_headers
from sitemapaudit.builds.patterns import compile_letters
from sitemapaudit.builds.requests import encode
from sitemapaudit.builds.rule_file import IgnoredError, RuleFile

MAX_RULES: Final = 100
"""Blocks with headers."""

_PATH: Final = re.compile(r"/|\S+://")
_ADDRESS: Final = re.compile(r"https://([^/]+)(/.*)?")


def read_file(file: RuleFile) -> list[PathHeaders]:
    """Read the blocks of the file."""
    return read_headers(file, _path_headers, begins_path=_PATH, removes=True, max_rules=MAX_RULES)


def _path_headers(path: str, block: HeaderBlock) -> PathHeaders:
    if path.startswith("/"):
        return PathHeaders(compile_letters(encode(path)), block)
    address = _ADDRESS.fullmatch(path)
    if address is None:
        raise IgnoredError("the path begins with neither a slash nor https://")
    if re.search(r":\d+$", address[1]):
        raise IgnoredError("ports are not supported")
    host = compile_letters(address[1].lower(), "[^/.]+")
    return PathHeaders(compile_letters(encode(address[2] or "/")), block, host)

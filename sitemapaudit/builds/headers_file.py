"""``_headers``: blocks of a path and its headers, in the dialects of Cloudflare and Netlify.

Sources: https://developers.cloudflare.com/pages/configuration/headers/ with ``parseHeaders.ts`` of
cloudflare/workers-sdk, and https://docs.netlify.com/routing/headers/ with
``packages/headers-parser`` of netlify/build.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from sitemapaudit.builds.header_rules import HeaderRule, is_header
from sitemapaudit.builds.patterns import compile_letters, compile_parts
from sitemapaudit.builds.replies import Problem
from sitemapaudit.builds.requests import encode
from sitemapaudit.builds.rule_lines import text_lines

MAX_RULES: Final = 100
MAX_LINE: Final = 2_000
"""Cloudflare's limits: blocks, and characters of a line."""

_PATH: Final = re.compile(r"/|\S+://")
_ADDRESS: Final = re.compile(r"https://([^/]+)(/.*)?")


class _Block(Struct):
    line: int
    path: str
    headers: dict[str, tuple[str, str]] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)


class _Reader:
    """Collects the blocks of a file, and the lines that the host ignores."""

    def __init__(self, file: Path, *, is_cloudflare: bool) -> None:
        self.rules: list[HeaderRule] = []
        self.problems: list[Problem] = []
        self._file = file
        self._is_cloudflare = is_cloudflare
        self._block: _Block | None = None

    def read(self, text: str) -> None:
        for number, line in text_lines(text):
            self._read_line(number, line)
        self._end_block()

    def _read_line(self, number: int, line: str) -> None:
        if self._is_cloudflare and len(line) > MAX_LINE:
            self._ignore(number, f"is longer than {MAX_LINE:,} characters")
        elif _PATH.match(line) if self._is_cloudflare else line.startswith("/"):
            self._end_block()
            self._block = _Block(number, line)
        else:
            self._read_header(number, line)

    def _read_header(self, number: int, line: str) -> None:
        name, colon, value = (part.strip() for part in line.partition(":"))
        if self._block is None:
            self._ignore(number, "stands before the first path")
        elif not colon and line.startswith("! ") and self._is_cloudflare:
            self._block.removed.append(line[2:].strip())
        elif not is_header(name, value):
            self._ignore(number, "is not like Name: value")
        else:
            earlier = self._block.headers.get(name.lower())
            text = value if earlier is None else f"{earlier[1]}, {value}"
            self._block.headers[name.lower()] = (name, text)

    def _end_block(self) -> None:
        block, self._block = self._block, None
        if block is None:
            return
        if not block.headers and not block.removed:
            self._ignore(block.line, "has no headers")
        elif self._is_cloudflare and len(self.rules) >= MAX_RULES:
            self._ignore(block.line, f"there are more than {MAX_RULES} paths")
        else:
            self._add_rule(block)

    def _add_rule(self, block: _Block) -> None:
        headers, removed = tuple(block.headers.values()), tuple(block.removed)
        if not self._is_cloudflare:
            self.rules.append(HeaderRule(compile_netlify_path(block.path), headers))
            return
        address = _ADDRESS.fullmatch(block.path)
        if address is None and not block.path.startswith("/"):
            self._ignore(block.line, "the path begins with neither a slash nor https://")
        elif address is not None and re.search(r":\d+$", address[1]):
            self._ignore(block.line, "ports are not supported")
        else:
            try:
                path = compile_letters(encode(address[2] or "/" if address else block.path))
                host = compile_letters(address[1].lower(), "[^/.]+") if address else None
            except re.error:
                self._ignore(block.line, "a splat or a placeholder is repeated")
                return
            self.rules.append(HeaderRule(path, headers, removed, host))

    def _ignore(self, line: int, reason: str) -> None:
        self.problems.append(Problem(self._file, line, reason))


def read_headers(
    file: Path, text: str, *, is_cloudflare: bool
) -> tuple[list[HeaderRule], list[Problem]]:
    """Read the blocks of a file, and the lines that the host ignores."""
    reader = _Reader(file, is_cloudflare=is_cloudflare)
    reader.read(text)
    return reader.rules, reader.problems


def compile_netlify_path(path: str) -> re.Pattern[str]:
    """Compile the path of a block; Netlify never fills in its placeholders."""
    return compile_parts(encode(path), ignore_case=True, named=False)

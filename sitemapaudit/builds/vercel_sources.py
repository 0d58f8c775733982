r"""The sources of vercel.json as regular expressions, and their destinations.

A source is a path of path-to-regexp (version 6: ``/a/:slug*``, ``/a/:id(\d+)``), which also allows
regular expressions in parentheses without a name. Matching is strict and sensitive to case:
``sourceToRegex`` in ``packages/routing-utils/src/superstatic.ts`` of vercel/vercel.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from sitemapaudit.builds.replies import IgnoredError

_TOKEN: Final = re.compile(
    r"(?P<escaped>\\.)|:(?P<name>[A-Za-z0-9_]+)|(?P<open>\()|(?P<brace>[{}])|(?P<letter>.)",
    re.DOTALL,
)
_REFERENCE: Final = re.compile(r":([A-Za-z0-9_]+)[*+?]?|\$([0-9]+|[A-Za-z][A-Za-z0-9]*)")
_SEGMENT: Final = "[^/]+?"


class Source(Struct, frozen=True):
    """A compiled source: the names of its groups, by their order; unnamed ones are None."""

    pattern: re.Pattern[str]
    names: tuple[str | None, ...]

    def match(self, path: str) -> dict[str, str] | None:
        """Return the values by name and by number, or None."""
        match = self.pattern.fullmatch(path)
        if match is None:
            return None
        values = {}
        for number, (name, value) in enumerate(zip(self.names, match.groups(), strict=True), 1):
            values[str(number)] = value or ""
            if name is not None:
                values[name] = value or ""
        return values


def compile_source(source: str) -> Source:
    """Compile a source; ``IgnoredError`` if it is none."""
    compiler = _Compiler(source)
    try:
        pattern = re.compile(compiler.compile())
    except (re.error, OverflowError, RecursionError) as error:
        raise IgnoredError("the source cannot be parsed") from error
    if pattern.groups != len(compiler.names):
        raise IgnoredError("the source has a capturing group in a group")
    return Source(pattern, tuple(compiler.names))


def fill_in(destination: str, values: Mapping[str, str]) -> str:
    """Replace the names and numbers of groups by their values."""
    return _REFERENCE.sub(lambda match: values.get(match[1] or match[2], match[0]), destination)


class _Compiler:
    def __init__(self, source: str) -> None:
        self.names: list[str | None] = []
        self._source = source
        self._at = 0

    def compile(self) -> str:
        return "".join(self._parts())

    def _parts(self) -> Iterator[str]:
        text = ""
        while match := _TOKEN.match(self._source, self._at):
            self._at = match.end()
            if match["brace"]:
                raise IgnoredError("the source has braces")
            if match["name"] or match["open"]:
                prefix = text[-1:] if text[-1:] in ("/", ".") else ""
                yield re.escape(text.removesuffix(prefix)) + self._group(match["name"], prefix)
                text = ""
            else:
                text += match["letter"] or match["escaped"][1]
        yield re.escape(text)

    def _group(self, name: str | None, prefix: str) -> str:
        self.names.append(name)
        if name is None:
            self._at -= 1
        pattern = self._read_pattern() or _SEGMENT
        modifier = self._read_modifier()
        before = re.escape(prefix)
        if not prefix:
            return f"({pattern}){modifier}"
        if modifier in ("*", "+"):
            many = f"{before}((?:{pattern})(?:{before}(?:{pattern}))*)"
            return f"(?:{many})?" if modifier == "*" else many
        return f"(?:{before}({pattern}))?" if modifier == "?" else f"{before}({pattern})"

    def _read_modifier(self) -> str:
        modifier = self._source[self._at : self._at + 1]
        if not modifier or modifier not in "*+?":
            return ""
        self._at += 1
        return modifier

    def _read_pattern(self) -> str:
        """Return the regular expression in parentheses; it may have groups, but not capture."""
        if self._source[self._at : self._at + 1] != "(":
            return ""
        depth, start = 0, self._at
        while self._at < len(self._source):
            letter = self._source[self._at]
            depth += (letter == "(") - (letter == ")")
            self._at += 2 if letter == "\\" else 1
            if depth == 0:
                return self._source[start + 1 : self._at - 1]
        raise IgnoredError("the source has an unclosed parenthesis")

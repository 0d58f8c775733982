r"""Redirects of firebase.json that carry parts of a path: ``/blog/:slug*`` to ``/news/:slug*``.

A source is a path of path-to-regexp (version 1): matching ignores the case, and a slash at the end.
A destination is such a path too: a name with ``*`` or ``+`` may have several parts, others one.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final
from urllib.parse import quote

from msgspec import Struct

from sitemapaudit.builds.hostings.firebase.globs import MAX_LETTERS, compile_source
from sitemapaudit.builds.rule_file import IgnoredError

CAPTURES: Final = re.compile(r"(?:^|/):")
"""A destination in which names are replaced."""

_TOKEN: Final = re.compile(
    r"(?P<escaped>\\.)|(?P<prefix>[/.])?"
    r"(?:(?::(?P<name>\w+)(?:\((?P<pattern>(?:\\.|[^\\()])+)\))?|\((?P<group>(?:\\.|[^\\()])+)\))"
    r"(?P<modifier>[+*?])?|(?P<star>\*))",
    re.ASCII,
)


class _Token(Struct, frozen=True):
    """A name in a path."""

    name: str
    prefix: str
    pattern: str
    modifier: str
    partial: bool
    """The part of the path goes on after it."""

    @property
    def repeats(self) -> bool:
        return self.modifier in ("*", "+")

    @property
    def is_optional(self) -> bool:
        return self.modifier in ("*", "?")

    def compile(self) -> str:
        """Return the expression, with one group."""
        prefix = re.escape(self.prefix)
        value = f"(?:{self.pattern})"
        if self.repeats:
            value += f"(?:{prefix}{value})*"
        if not self.is_optional:
            return f"{prefix}({value})"
        return f"{prefix}({value})?" if self.partial else f"(?:{prefix}({value}))?"

    def fill(self, value: str | None, *, splits: bool) -> str | None:
        """Return the part of a destination, or None if it cannot have this value."""
        if value is None:
            return (self.prefix if self.partial else "") if self.is_optional else None
        values = value.split("/") if splits else [quote(value, safe="")]
        if len(values) > 1 and not self.repeats:
            return None
        if not all(map(compile_source(self.pattern, ignore_case=True).fullmatch, values)):
            return None
        return self.prefix + ((self.prefix or "/").join(values) if splits else value)


@cache
def _parse(path: str) -> tuple[str | _Token, ...]:
    return tuple(_tokens(path))


def _tokens(path: str) -> Iterator[str | _Token]:
    text, end, unnamed = "", 0, 0
    for match in _TOKEN.finditer(path):
        text += path[end : match.start()]
        end = match.end()
        if match["escaped"]:
            text += match["escaped"][1]
            continue
        if text:
            yield text
        prefix, following = match["prefix"] or "", path[end : end + 1]
        name = match["name"] or str(unnamed)
        unnamed += not match["name"]
        yield _Token(
            name,
            prefix,
            _pattern(match, prefix or text),
            match["modifier"] or "",
            partial=bool(prefix and following and following != prefix),
        )
        text = ""
    text += path[end:]
    if text:
        yield text


def _pattern(match: re.Match[str], before: str) -> str:
    """Return the expression of a value: its own, or that of all but the next separator."""
    own = match["pattern"] or match["group"]
    if own:
        return re.sub(r"([=!:$/()])", r"\\\1", own)
    if match["star"]:
        return ".*"
    separator = match["prefix"] or "/"
    if not before or separator in before:
        return f"[^{re.escape(separator)}]+?"
    text = re.escape(before)
    return f"{text}|(?:(?!{text})[^{re.escape(separator)}])+?"


class Captures(Struct, frozen=True):
    """The names in a source, and its expression."""

    pattern: str
    names: tuple[str, ...]

    @classmethod
    def compile(cls, source: str) -> "Captures":
        """Compile a source. Raises ``IgnoredError``."""
        if len(source) > MAX_LETTERS:
            raise IgnoredError(f"the source has more than {MAX_LETTERS:,} characters")
        tokens = _parse(source)
        texts = (re.escape(each) if isinstance(each, str) else each.compile() for each in tokens)
        pattern = "".join(texts).removesuffix("/") + "/?"
        compile_source(pattern, ignore_case=True)
        return cls(pattern, tuple(each.name for each in tokens if isinstance(each, _Token)))

    def match(self, path: str) -> dict[str, str | None] | None:
        """Return the values by their names, or None if the source does not match a path."""
        match = compile_source(self.pattern, ignore_case=True).fullmatch(path)
        return None if match is None else dict(zip(self.names, match.groups(), strict=True))


def fill_in(destination: str, values: Mapping[str, str | None], *, splits: bool) -> str | None:
    """Return a destination with its values, or None if one is missing.

    With ``splits``, a value with several parts needs a name that may have them.
    """
    filled = [
        each if isinstance(each, str) else each.fill(values.get(each.name), splits=splits)
        for each in _parse(destination)
    ]
    return None if None in filled else "".join(filter(None, filled))

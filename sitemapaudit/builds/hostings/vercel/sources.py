r"""The sources of vercel.json as regular expressions, and their destinations.

A source is a path of path-to-regexp (version 6: ``/a/:slug*``, ``/a/:id(\d+)``), which also allows
regular expressions in parentheses without a name. Matching is strict and sensitive to case:
``sourceToRegex`` in ``packages/routing-utils/src/superstatic.ts`` of vercel/vercel.
"""

import re
from collections.abc import Mapping
from functools import cache, reduce
from typing import Final

from msgspec import Struct

from sitemapaudit.builds.requests import encode
from sitemapaudit.builds.rule_file import IgnoredError
from sitemapaudit.regexes import Regex, RegexError, compile_regex

_MAX_DEPTH: Final = 8
"""Levels of parentheses that are read."""

_PARENTHESES: Final = reduce(
    lambda inner, _: rf"\((?:\\.|[^\\()]|{inner})*\)", range(_MAX_DEPTH), "(?!)"
)
_TOKEN: Final = re.compile(
    rf"(?P<prefix>[/.]?)(?::(?P<name>\w+)(?P<pattern>{_PARENTHESES})?|(?P<unnamed>{_PARENTHESES}))"
    r"(?P<modifier>[*+?]?)|\\(?P<escaped>.)|(?P<invalid>[({}])|(?P<letter>.)",
    re.DOTALL | re.ASCII,
)
_REFERENCE: Final = re.compile(r":([A-Za-z0-9_]+)[*+?]?|\$([0-9]+|[A-Za-z][A-Za-z0-9]*)")


class Source(Struct, frozen=True):
    """A compiled source: the names of its groups, by their order; unnamed ones are None."""

    pattern: Regex
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


@cache
def compile_source(source: str) -> Source:
    """Compile a source. Raises ``IgnoredError``."""
    tokens = list(_TOKEN.finditer(encode(source)))
    try:
        pattern = compile_regex("".join(map(_compile_token, tokens)))
    except RegexError as error:
        raise IgnoredError("the source cannot be parsed") from error
    names = tuple(token["name"] for token in tokens if token["name"] or token["unnamed"])
    if pattern.groups != len(names):
        raise IgnoredError("the source has a capturing group in a group")
    return Source(pattern, names)


def fill_in(destination: str, values: Mapping[str, str]) -> str:
    """Replace the names and numbers of groups by their values."""
    return _REFERENCE.sub(lambda match: values.get(match[1] or match[2], match[0]), destination)


def _compile_token(token: re.Match[str]) -> str:
    if token["invalid"]:
        raise IgnoredError("the source has braces or an unclosed parenthesis")
    if not token["name"] and not token["unnamed"]:
        return re.escape(token["escaped"] or token["letter"])
    prefix, modifier = re.escape(token["prefix"]), token["modifier"]
    pattern = (token["pattern"] or token["unnamed"] or "")[1:-1] or "[^/]+?"
    if not prefix:
        return f"({pattern}){modifier}"
    if modifier in ("*", "+"):
        many = f"{prefix}((?:{pattern})(?:{prefix}(?:{pattern}))*)"
        return f"(?:{many})?" if modifier == "*" else many
    return f"(?:{prefix}({pattern}))?" if modifier == "?" else f"{prefix}({pattern})"

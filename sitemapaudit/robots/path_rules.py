"""The path rules of robots.txt: which of them match a URL, and which one wins (RFC 9309)."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from sitemapaudit import urls
from sitemapaudit.robots.groups import RobotsLine

_ROBOTS: Final = "/robots.txt"

_TRIPLET: Final = re.compile("%[0-9A-Fa-f]{2}")
_BROKEN: Final = re.compile("%(?![0-9A-Fa-f]{2})")
_NEEDLESS: Final = re.compile("(?i)%(?:2[DE]|3[0-9]|[46][1-9A-F]|[57][0-9A]|5F|7E)")
"""The triplet of an unreserved character (RFC 3986 section 2.3)."""

_SEPARATORS: Final = "/?&=%"
_NOT_PRINTABLE: Final = re.compile("[^ -~]+")

_INDEX: Final = re.compile(r"(.*/)index\.htm[^/]*")
"""An allowed ``/index.html`` also allows ``/``, as in Google's parser."""


class _Rule(Struct, frozen=True):
    """A rule; wildcards are between its ``parts``. ``is_final`` means that it ends with ``$``.

    Its ``length`` is that of the line, as in Google's parser, but a triplet of an unreserved
    character counts as the character, with which it is compared (section 2.2.2). With a broken
    triplet, as in ``/*%``, it is compared with URLs ``as_written``.
    """

    length: int
    allows: bool
    parts: tuple[str, ...]
    is_final: bool
    as_written: bool

    @property
    def is_prefix(self) -> bool:
        """True if it matches each URL that begins with it."""
        return not (self.is_final or self.as_written) and len(self.parts) == 1

    def matches(self, path: str) -> bool:
        """Return whether the rule matches a path."""
        first, *others = self.parts
        if not path.startswith(first):
            return False
        at = len(first)
        if not others:
            return not self.is_final or at == len(path)
        *others, last = others
        for part in others:
            found = path.find(part, at)
            if found < 0:
                return False
            at = found + len(part)
        if self.is_final:
            return path.endswith(last, at)
        return path.find(last, at) >= 0


class PathRules:
    """The rules of the lines that an agent obeys.

    The longest rule that matches wins; in a tie, the URL is allowed (section 2.2.2).
    """

    def __init__(self, lines: Iterable[RobotsLine]) -> None:
        rules = [rule for line in lines if line.is_rule for rule in _read_rules(line)]
        self._rules = sorted(rules, key=lambda rule: (rule.length, rule.allows), reverse=True)
        self._prefixes = tuple(rule.parts[0] for rule in self._rules if rule.is_prefix)
        self._others = [rule for rule in self._rules if not rule.is_prefix]

    def allow(self, url: str) -> bool:
        """Return whether a normalized URL may be fetched."""
        written = urls.request_target(url)
        if written.startswith(_ROBOTS) and urls.path(url) == _ROBOTS:
            return True
        path = _spell(written)
        for rule in self._rules if path.startswith(self._prefixes) else self._others:
            if rule.matches(written if rule.as_written else path):
                return rule.allows
        return True


def _read_rules(line: RobotsLine) -> Iterator[_Rule]:
    """Yield the rule of a line, and that of the folder if it allows an index page."""
    allows = line.field.startswith("allow")
    if line.value:
        yield _read_rule(line.value, allows=allows)
    if allows and (index := _INDEX.fullmatch(line.value)):
        yield _read_rule(f"{index[1]}$", allows=allows)


def _read_rule(value: str, *, allows: bool) -> _Rule:
    """Return the rule of a value; ``$`` is special at its end only (section 2.2.3)."""
    is_final, as_written = value.endswith("$"), bool(_BROKEN.search(value))
    spell = _encode if as_written else _spell
    parts = tuple(map(spell, value.removesuffix("$").split("*")))
    written = value if as_written else _NEEDLESS.sub("_", value)
    return _Rule(len(_encode(written)), allows, parts, is_final, as_written)


def _spell(text: str) -> str:
    """Return a path in the spelling that is compared (section 2.2.2).

    A character and its triplet are equal, unless the character separates parts of a URL: in
    ``/Who%3F``, no query begins. In the table of that section, ``?`` and ``=`` stay what they are.
    """
    if not text.isascii() or not text.isprintable():
        text = _encode(text)
    return _TRIPLET.sub(_decode, text) if "%" in text else text


def _decode(match: re.Match[str]) -> str:
    character = chr(int(match[0][1:], 16))
    is_kept = character in _SEPARATORS or not " " <= character <= "~"
    return match[0].upper() if is_kept else character


def _encode(text: str) -> str:
    """Return a path with triplets in upper case for everything that is not printable ASCII."""
    upper = _TRIPLET.sub(lambda match: match[0].upper(), text)
    return _NOT_PRINTABLE.sub(
        lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode()), upper
    )

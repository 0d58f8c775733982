"""Sources of firebase.json: globs with braces and extended patterns, as ``minimatch`` reads them.

A star matches within a part of a path, and ``**`` as a whole part matches any number of parts.
Neither matches a part that begins with a dot. A slash at the end of a path makes no difference.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from sitemapaudit.builds.rule_file import IgnoredError
from sitemapaudit.regexes import Regex, RegexError, compile_regex

MAX_LETTERS: Final = 1_000
"""Characters of a source, more than any site needs."""

_MAX_ALTERNATIVES: Final = 200
"""Globs that the braces of one may stand for."""

_CLASS: Final = re.compile(r"\[(!|\^)?(\]?[^\]/]*)\]")
_GROUP: Final = re.compile(r"[!?*+@]\(")
_REPETITIONS: Final = {"?": "?", "*": "*", "+": "+", "@": ""}


class Glob:
    """A compiled glob; with ``dots``, its wildcards match names that begin with a dot."""

    def __init__(self, text: str, *, dots: bool = False) -> None:
        """Compile a glob. Raises ``IgnoredError``."""
        self._negated = text.startswith("!") and not text.startswith("!(")
        text = text[1:] if self._negated else text
        self._any_name = "[^/]*" if dots else "(?:[^/.][^/]*)?"
        self._dots = dots
        try:
            patterns = "|".join(map(self._compile, _expand(text)))
        except RecursionError as error:
            raise IgnoredError("the source has too many levels of parentheses") from error
        self._pattern = compile_source(f"(?:{patterns})")

    def matches(self, path: str) -> bool:
        """Return whether the glob matches a path."""
        found = self._pattern.fullmatch(re.sub("/+", "/", path)) is not None
        return found is not self._negated

    def _compile(self, text: str) -> str:
        *parts, last = re.split("/+", text)
        before = (
            f"(?:{self._any_name}/)*" if part == "**" else f"{self._part(part)}/" for part in parts
        )
        if last == "**":
            return "".join([*before, f"{self._any_name}(?:/{self._any_name})*"])
        return "".join([*before, self._part(last), "/?"])

    def _part(self, part: str) -> str:
        if not part.startswith(("*", "?", "[")) and not _GROUP.match(part):
            return _translate(part)
        if self._dots:
            return f"(?=[^/]){_translate(part)}" if part.strip("*") else "[^/]+"
        rest = part.lstrip("*")
        is_group = _GROUP.match(part) or _GROUP.match(f"*{rest}")
        if is_group or rest.startswith(("?", "[")) or not part.startswith("*"):
            return rf"(?!\.)(?=[^/]){_translate(part)}"
        optional = "?" if rest and not rest.startswith(".") else ""
        return f"(?:[^/.][^/]*){optional}{_translate(rest)}"


def compile_source(pattern: str, *, ignore_case: bool = False) -> Regex:
    """Compile an expression. Raises ``IgnoredError``."""
    try:
        return compile_regex(f"(?i:{pattern})" if ignore_case else pattern)
    except RegexError as error:
        raise IgnoredError(f"the source cannot be parsed: {error}") from error


def _translate(text: str) -> str:
    """Return the expression of a part of a path."""
    found = []
    while text:
        expression, text = _translate_start(text)
        found.append(expression)
    return "".join(found)


def _translate_start(text: str) -> tuple[str, str]:
    """Return the expression of the start of a text, and the rest."""
    if _GROUP.match(text) and (end := _end_of(text, 1, "()")):
        rest = text[end + 1 :]
        inner = "|".join(map(_translate, _split(text[2:end], "|", "()")))
        if text[0] != "!":
            return f"(?:{inner}){_REPETITIONS[text[0]]}", rest
        following = _translate(rest)
        return f"(?!(?:{inner}){following}(?:/|$))[^/]*?{following}", ""
    if match := _CLASS.match(text):
        letters = match[2].replace("\\", "\\\\").replace("[", "\\[")
        return f"[{'^/' if match[1] else ''}{letters}]", text[match.end() :]
    if text[0] == "\\" and len(text) > 1:
        return re.escape(text[1]), text[2:]
    return {"*": "[^/]*", "?": "[^/]"}.get(text[0]) or re.escape(text[0]), text[1:]


def _expand(text: str) -> list[str]:
    """Return the globs that the braces of one stand for."""
    if len(text) > MAX_LETTERS:
        raise IgnoredError(f"the source has more than {MAX_LETTERS:,} characters")
    expanded = [*islice(_alternatives(text), _MAX_ALTERNATIVES + 1)]
    if len(expanded) > _MAX_ALTERNATIVES:
        raise IgnoredError(f"the braces stand for more than {_MAX_ALTERNATIVES} sources")
    return expanded


def _alternatives(text: str) -> Iterator[str]:
    for start in (at for at, letter in enumerate(text) if letter == "{"):
        end = _end_of(text, start, "{}")
        choices = _split(text[start + 1 : end], ",", "{}") if end else []
        if len(choices) > 1 and end:
            for choice in choices:
                yield from _alternatives(text[:start] + choice + text[end + 1 :])
            return
    yield text


def _end_of(text: str, start: int, pair: str) -> int | None:
    """Return where the bracket at ``start`` is closed."""
    depth = 0
    for at in range(start, len(text)):
        depth += {pair[0]: 1, pair[1]: -1}.get(text[at], 0)
        if not depth:
            return at
    return None


def _split(text: str, separator: str, pair: str) -> list[str]:
    """Split a text at separators that are in no brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += {pair[0]: 1, pair[1]: -1}.get(letter, 0)
        if letter == separator and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts

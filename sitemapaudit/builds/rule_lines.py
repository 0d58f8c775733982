"""The lines of ``_redirects``: what its three dialects share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

from sitemapaudit.builds.redirect_rules import RedirectRule
from sitemapaudit.builds.replies import IgnoredError, Problem
from sitemapaudit.builds.requests import ABSOLUTE

Parsed = tuple[list[RedirectRule], list[Problem]]
"""The rules of a file, and the lines that the host ignores."""

ReadRule = Callable[[str, str], RedirectRule]
"""Reads a line; the first argument names it."""


def read_rules(file: Path, text: str, read: ReadRule) -> Parsed:
    """Read all lines but comments; ``IgnoredError`` and ``re.error`` of ``read`` are problems."""
    rules, problems = [], []
    for number, line in text_lines(text):
        try:
            rules.append(read(f"{file.name}:{number}", line))
        except IgnoredError as error:
            problems.append(Problem(file, number, str(error)))
        except re.error:
            problems.append(Problem(file, number, "a splat or a placeholder is repeated"))
    return rules, problems


def text_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines with text, and their numbers; a line with ``#`` is a comment."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield number, stripped


def split_fields(line: str) -> list[str]:
    """Return the parts of a line, without a comment at its end."""
    return re.sub(r"\s#.*", "", line).split()


def is_target(part: str) -> bool:
    """Return whether a part is a path or a URL."""
    return part.startswith("/") or ABSOLUTE.match(part) is not None


def split_source(source: str) -> tuple[str | None, str]:
    """Return the host of a source, None for any host, and its path."""
    if not ABSOLUTE.match(source):
        return None, source
    try:
        parts = urlsplit(source)
    except ValueError as error:
        raise IgnoredError("the URL cannot be parsed") from error
    return parts.hostname, parts.path or "/"

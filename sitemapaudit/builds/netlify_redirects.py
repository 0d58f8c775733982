"""``_redirects`` of Netlify: parameters may stand before the target, and conditions after it.

Sources: https://docs.netlify.com/routing/redirects/redirect-options/, and
``packages/redirect-parser`` of netlify/build.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from sitemapaudit.builds.patterns import compile_parts, literal_path
from sitemapaudit.builds.redirect_rules import RedirectRule
from sitemapaudit.builds.replies import IgnoredError
from sitemapaudit.builds.requests import encode
from sitemapaudit.builds.rule_lines import (
    Parsed,
    is_target,
    read_rules,
    split_fields,
    split_source,
)

_STATUS: Final = re.compile(r"([1-5][0-9][0-9])(!?)")


def read_netlify(file: Path, text: str) -> Parsed:
    """Read the file."""
    return read_rules(file, text, _read_rule)


def make_rule(
    name: str,
    source: str,
    to: str | None,
    status: int,
    *,
    force: bool = False,
    query: tuple[tuple[str, str], ...] = (),
    conditions: tuple[str, ...] = (),
) -> RedirectRule:
    """Make a rule; a splat without a target keeps its path. Raises ``IgnoredError``."""
    if to is None and source.endswith("/*") and 200 <= status < 300:
        to = source.removesuffix("*") + ":splat"
    if to is None:
        raise IgnoredError("has no target")
    host, path = split_source(source)
    if path.startswith("/.netlify"):
        raise IgnoredError("the path begins with /.netlify")
    path = encode(path)
    pattern, literal = compile_parts(path), literal_path(path)
    return RedirectRule(name, pattern, to, status, host, force, query, conditions, literal)


def _read_rule(name: str, line: str) -> RedirectRule:
    source, *parts = split_fields(line)
    before, to, after = _split_parts(parts)
    code, *conditions = after or ["301"]
    match = _STATUS.fullmatch(code)
    if match is None:
        raise IgnoredError(f"{code!r} is not a status")
    return make_rule(
        name,
        source,
        to,
        int(match[1]),
        force=bool(match[2]),
        query=tuple((key, value) for key, _, value in (part.partition("=") for part in before)),
        conditions=tuple(conditions),
    )


def _split_parts(parts: list[str]) -> tuple[list[str], str | None, list[str]]:
    """Return the parameters, the target, and the rest; a line may have a status and no target."""
    if not parts:
        raise IgnoredError("has no target")
    if _STATUS.fullmatch(parts[0]):
        return [], None, parts
    at = next((index for index, part in enumerate(parts) if is_target(part)), None)
    if at is None:
        raise IgnoredError("no target begins with a slash, http:// or https://")
    return parts[:at], parts[at], parts[at + 1 :]

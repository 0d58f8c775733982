"""``_redirects`` of GitLab Pages.

Sources: https://docs.gitlab.com/user/project/pages/redirects/, and ``internal/redirects`` of
gitlab-pages.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sitemapaudit.builds.patterns import compile_parts, literal_path
from sitemapaudit.builds.redirect_rules import RedirectRule
from sitemapaudit.builds.replies import IgnoredError, Problem
from sitemapaudit.builds.rule_lines import (
    Parsed,
    is_target,
    read_rules,
    split_fields,
    split_source,
)

MAX_RULES: Final = 1_000
"""Rules that are read, if the instance does not change it."""

MAX_BYTES: Final = 64 * 1024
"""Size of the file; a larger one has no rules."""

_STATUSES: Final = frozenset({200, 301, 302})


def read_gitlab(file: Path, text: str) -> Parsed:
    """Read the file; rules beyond the limits are ignored."""
    if len(text.encode()) > MAX_BYTES:
        return [], [Problem(file, None, f"is larger than {MAX_BYTES:,} bytes")]
    count = 0

    def read(name: str, line: str) -> RedirectRule:
        nonlocal count
        count += 1
        if count > MAX_RULES:
            raise IgnoredError(f"there are more than {MAX_RULES:,} redirects")
        return _read_rule(name, split_fields(line))

    return read_rules(file, text, read)


def _read_rule(name: str, fields: list[str]) -> RedirectRule:
    if not 2 <= len(fields) <= 3:
        raise IgnoredError("parameters and conditions are not supported")
    source, to, status = [*fields, "301"][:3]
    if not is_target(source) or not is_target(to):
        raise IgnoredError("path and target must begin with a slash, http:// or https://")
    if status.endswith("!"):
        raise IgnoredError("GitLab cannot force a redirect")
    if not status.isdecimal() or int(status) not in _STATUSES:
        raise IgnoredError(f"{status!r} is not a status that GitLab supports")
    host, path = split_source(source)
    pattern, literal = compile_parts(path, ignore_case=True), literal_path(path)
    return RedirectRule(name, pattern, to, int(status), host, literal=literal)

"""``_redirects`` of Cloudflare Pages.

Sources: https://developers.cloudflare.com/pages/configuration/redirects/, and
``packages/workers-shared/utils/configuration/parseRedirects.ts`` of cloudflare/workers-sdk.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from sitemapaudit.builds.patterns import compile_letters, literal_path
from sitemapaudit.builds.redirect_rules import RedirectRule
from sitemapaudit.builds.replies import IgnoredError
from sitemapaudit.builds.requests import ABSOLUTE, encode
from sitemapaudit.builds.rule_lines import Parsed, read_rules, split_fields

MAX_STATIC: Final = 2_000
"""Redirects without a splat or a placeholder."""

MAX_DYNAMIC: Final = 100
"""Redirects with one, and all that stand below the first of these."""

MAX_LINE: Final = 2_000
"""Characters of a line in the source; the documentation says 1,000."""

_STATUSES: Final = frozenset({200, 301, 302, 303, 307, 308})
_INDEX: Final = re.compile(r".*/index(?:\.html)?")


def read_cloudflare(file: Path, text: str) -> Parsed:
    """Read the file; rules beyond the limits are ignored."""
    return read_rules(file, text, _Counter().read)


class _Counter:
    """Reads lines, and counts them against the limits."""

    def __init__(self) -> None:
        self._counts = {False: 0, True: 0}
        self._sources: set[str] = set()

    def read(self, name: str, line: str) -> RedirectRule:
        if len(line) > MAX_LINE:
            raise IgnoredError(f"is longer than {MAX_LINE:,} characters")
        fields = split_fields(line)
        if not 2 <= len(fields) <= 3:
            raise IgnoredError(f"has {len(fields)} parts, not 2 or 3")
        source = _read_source(fields[0])
        self._count(source)
        rule = _make_rule(name, source, *fields[1:])
        if source in self._sources:
            raise IgnoredError("an earlier line has the same path")
        self._sources.add(source)
        return rule

    def _count(self, source: str) -> None:
        dynamic = literal_path(source) is None or self._counts[True] > 0
        self._counts[dynamic] += 1
        if self._counts[dynamic] > (MAX_DYNAMIC if dynamic else MAX_STATIC):
            limit = f"{MAX_DYNAMIC} dynamic" if dynamic else f"{MAX_STATIC:,} static"
            raise IgnoredError(f"there are more than {limit} redirects")


def _read_source(text: str) -> str:
    if ABSOLUTE.match(text):
        raise IgnoredError("the path is an absolute URL")
    return encode("/" + re.split("[?#]", text, maxsplit=1)[0].removeprefix("/"))


def _make_rule(name: str, source: str, to: str, status: str = "302") -> RedirectRule:
    is_absolute = to.startswith("https://")
    if not is_absolute and not to.startswith("/"):
        raise IgnoredError("the target begins with neither a slash nor https://")
    if not status.isdecimal() or int(status) not in _STATUSES:
        raise IgnoredError(f"{status!r} is not a status that Cloudflare supports")
    if source.endswith(("/*", "/")) and not is_absolute and _INDEX.fullmatch(to):
        raise IgnoredError("would redirect in a loop")
    if status == "200" and is_absolute:
        raise IgnoredError("a rewrite to another host is not supported")
    pattern, literal = compile_letters(source), literal_path(source)
    return RedirectRule(name, pattern, to, int(status), literal=literal)

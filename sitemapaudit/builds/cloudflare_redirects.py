"""``_redirects`` of Cloudflare Pages and Workers, as ``parseRedirects.ts`` reads it."""

import re
from typing import Final

from msgspec.structs import replace

from sitemapaudit.builds.patterns import SPLAT_OR_PLACEHOLDER, compile_letters
from sitemapaudit.builds.redirect_rules import RedirectRule
from sitemapaudit.builds.redirects_file import read_redirects, read_status
from sitemapaudit.builds.requests import ABSOLUTE, encode, path_of
from sitemapaudit.builds.rule_file import IgnoredError, RuleFile

MAX_LINE: Final = 2_000
"""Characters of a line in the source; the documentation says 1,000 for ``_redirects``."""

MAX_STATIC: Final = 2_000
"""Redirects without a splat or a placeholder."""

MAX_DYNAMIC: Final = 100
"""Redirects with one, and all redirects below the first of these."""

_STATUSES: Final = frozenset({200, 301, 302, 303, 307, 308})
_SLASHES_AFTER_HOST: Final = re.compile(r"^(https://[^/]+)//+")
_INDEX: Final = re.compile(r".*/index(?:\.html)?")


def read_file(
    file: RuleFile, *, strips_index: bool = True, merges_slashes: bool = False
) -> list[RedirectRule]:
    """Read the redirects of the file; ``strips_index``: ``/index.html`` redirects to ``/``.

    ``merges_slashes``: the targets of dynamic redirects have no slashes that follow each other.
    """
    reader = _Reader(strips_index=strips_index, merges_slashes=merges_slashes)
    return read_redirects(file, reader.read)


class _Reader:
    """Reads lines, and counts them against the limits."""

    def __init__(self, *, strips_index: bool, merges_slashes: bool) -> None:
        self._merges_slashes = merges_slashes
        self._loops = ("/*", "/") if strips_index else ("/*",)
        self._counts = {False: 0, True: 0}
        self._sources: set[str] = set()

    def read(self, name: str, fields: list[str]) -> RedirectRule:
        if not 2 <= len(fields) <= 3:
            raise IgnoredError(f"has {len(fields)} parts, not 2 or 3")
        source = _read_source(fields[0])
        self._count(source)
        rule = _make_rule(name, source, *fields[1:])
        is_relative = not ABSOLUTE.match(rule.to)
        if source.endswith(self._loops) and is_relative and _INDEX.fullmatch(rule.to):
            raise IgnoredError("would redirect in a loop")
        if source in self._sources:
            raise IgnoredError("an earlier line has the same path")
        self._sources.add(source)
        is_dynamic = self._counts[True] > 0
        if self._merges_slashes and is_dynamic and is_relative:
            return replace(rule, to=re.sub("/+", "/", rule.to))
        return rule

    def _count(self, source: str) -> None:
        dynamic = SPLAT_OR_PLACEHOLDER.search(source) is not None or self._counts[True] > 0
        self._counts[dynamic] += 1
        if self._counts[dynamic] > (MAX_DYNAMIC if dynamic else MAX_STATIC):
            limit = f"{MAX_DYNAMIC} dynamic" if dynamic else f"{MAX_STATIC:,} static"
            raise IgnoredError(f"there are more than {limit} redirects")


def _read_source(text: str) -> str:
    if ABSOLUTE.match(text):
        raise IgnoredError("the path is an absolute URL")
    return encode("/" + path_of(text).removeprefix("/"))


def _make_rule(name: str, source: str, to: str, status: str = "302") -> RedirectRule:
    is_absolute = to.startswith("https://")
    to = _SLASHES_AFTER_HOST.sub(r"\1/", to)
    if not is_absolute and not to.startswith("/"):
        raise IgnoredError("the target begins with neither a slash nor https://")
    code = read_status(status, _STATUSES)
    if code == 200 and is_absolute:
        raise IgnoredError("a rewrite to another host is not supported")
    return RedirectRule(name, source, compile_letters(source), to, code)

"""Paths that only the running site can answer: functions, middleware, paths of the hosting."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from sitemapaudit.builds.replies import HostedReply, unknown
from sitemapaudit.builds.requests import ABSOLUTE, HostedRequest, host_of
from sitemapaudit.regexes import Regex, compile_linear

SCRIPT_SUFFIXES: Final = (".js", ".ts", ".mjs", ".mts", ".jsx", ".tsx")
EVERYTHING: Final = compile_linear(r"(?s)/.*")
FUNCTION: Final = "is served by a function"


class EdgePaths(Struct, frozen=True):
    """Paths that code answers, except those that are excluded, and the reason in words."""

    included: tuple[Regex, ...]
    reason: str
    excluded: tuple[Regex, ...] = ()

    def matches(self, request: HostedRequest) -> bool:
        """Return whether code answers the request."""
        return any(pattern.fullmatch(request.path) for pattern in self.included) and not any(
            pattern.fullmatch(request.path) for pattern in self.excluded
        )


def find_reason(request: HostedRequest, edge: Iterable[EdgePaths]) -> str | None:
    """Return why the reply is unknown, or None if the folder determines it."""
    return next((paths.reason for paths in edge if paths.matches(request)), None)


def own_paths(path: str, owner: str) -> EdgePaths:
    """Return the paths of the hosting itself, by a regular expression."""
    return EdgePaths((compile_linear(path),), f"is served by {owner}")


def forward(target: str, functions: re.Pattern[str] | None, rule: str) -> HostedReply | None:
    """Return the reply of a rewrite to another host or to a function; None for one to a file."""
    if ABSOLUTE.match(target):
        return unknown(f"is forwarded to {host_of(target)}", rule)
    if functions is not None and functions.match(target):
        return unknown(FUNCTION, rule)
    return None


def scripts(folder: Path) -> Iterator[Path]:
    """Yield the scripts in a folder and below it."""
    return (file for file in folder.rglob("*") if file.suffix in SCRIPT_SUFFIXES and file.is_file())

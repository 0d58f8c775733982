"""``vercel.json``: its redirects, headers and rewrites, ``cleanUrls`` and ``trailingSlash``.

Sources: https://vercel.com/docs/project-configuration/vercel-json, and for the order and the
statuses ``packages/routing-utils/src`` of vercel/vercel.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field

from sitemapaudit.builds.header_rules import is_header
from sitemapaudit.builds.replies import IgnoredError, Problem
from sitemapaudit.builds.requests import HostRequest, encode
from sitemapaudit.builds.vercel_conditions import Condition, Unknowable, read_conditions
from sitemapaudit.builds.vercel_sources import Source, compile_source

MAX_RULES: Final = 2_048
"""Rules of one list; with more, the deployment fails (``schemas.ts`` of routing-utils)."""


class VercelRule(Struct, frozen=True):
    """A rule of a list; a redirect has a ``status``, a block of headers no ``destination``."""

    name: str
    source: Source
    has: tuple[Condition, ...]
    missing: tuple[Condition, ...]
    destination: str = ""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()

    def match(self, request: HostRequest) -> dict[str, str] | None:
        """Return the values of the rule, or None; ``Unknowable`` if it is about the visitor."""
        values = self.source.match(request.path)
        if values is None:
            return None
        for condition in self.has:
            captured = condition.match(request) if condition.is_known else {}
            if captured is None:
                return None
            values |= captured
        if any(condition.match(request) is not None for condition in self.missing):
            return None
        for condition in (*self.has, *self.missing):
            if not condition.is_known:
                raise Unknowable(f"{condition.kind} {condition.key}".strip())
        return values


class VercelConfig(Struct):
    """What the file says; ``trailing_slash`` None leaves both forms of a URL."""

    clean_urls: bool = False
    trailing_slash: bool | None = None
    redirects: list[VercelRule] = field(default_factory=list)
    headers: list[VercelRule] = field(default_factory=list)
    rewrites: list[VercelRule] = field(default_factory=list)
    has_routes: bool = False
    """It has ``routes``, the older form that replaces all of these."""
    problems: list[Problem] = field(default_factory=list)


def read_vercel_config(file: Path, text: str) -> VercelConfig:
    """Read the file; one that is not JSON is a problem, and says nothing."""
    config = VercelConfig()
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else None
        config.problems.append(Problem(file, line, "is not JSON"))
        return config
    if not isinstance(document, dict):
        config.problems.append(Problem(file, None, "is not an object"))
        return config
    config.clean_urls = document.get("cleanUrls") is True
    slash = document.get("trailingSlash")
    config.trailing_slash = slash if isinstance(slash, bool) else None
    config.has_routes = bool(document.get("routes"))
    for key, rules in (
        ("redirects", config.redirects),
        ("headers", config.headers),
        ("rewrites", config.rewrites),
    ):
        rules.extend(_read_list(file, key, document.get(key), config.problems))
    return config


def _read_list(file: Path, key: str, values: Any, problems: list[Problem]) -> Iterator[VercelRule]:
    values = [] if values is None else values
    if not isinstance(values, list) or len(values) > MAX_RULES:
        reason = f"{key} is not a list of at most {MAX_RULES:,} rules"
        problems.append(Problem(file, None, reason))
        return
    for number, value in enumerate(values, start=1):
        name = f"{file.name}: {key} {number}"
        try:
            yield _read_rule(name, key, value)
        except IgnoredError as error:
            problems.append(Problem(file, None, f"{key} {number}: {error}"))


def _read_rule(name: str, key: str, value: Any) -> VercelRule:
    if not isinstance(value, dict) or not isinstance(value.get("source"), str):
        raise IgnoredError("has no source")
    source = compile_source(encode(value["source"]))
    has, missing = read_conditions(value.get("has")), read_conditions(value.get("missing"))
    if key == "headers":
        return VercelRule(name, source, has, missing, headers=_read_headers(value.get("headers")))
    if not isinstance(value.get("destination"), str):
        raise IgnoredError("has no destination")
    status = _read_status(value) if key == "redirects" else 200
    return VercelRule(name, source, has, missing, value["destination"], status)


def _read_status(value: dict[str, Any]) -> int:
    """Return the status of a redirect: 308 and 307 by ``permanent``, 308 without it."""
    if "permanent" in value:
        return 308 if value["permanent"] else 307
    status = value.get("statusCode", 308)
    if not isinstance(status, int) or not 300 <= status < 400:
        raise IgnoredError(f"{status!r} is not the status of a redirect")
    return status


def _read_headers(values: Any) -> tuple[tuple[str, str], ...]:
    pairs = values if isinstance(values, list) else []
    headers = tuple(
        (str(pair.get("key")), str(pair.get("value"))) for pair in pairs if isinstance(pair, dict)
    )
    if not headers or not all(is_header(name, value) for name, value in headers):
        raise IgnoredError("has no headers, or one that cannot be sent")
    return headers

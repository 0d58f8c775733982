"""``netlify.toml``: its redirects, headers, edge functions, and the setting of pretty URLs.

Source: https://docs.netlify.com/build/configure-builds/file-based-configuration/. The rules of
``_redirects`` come first.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from sitemapaudit.builds.header_rules import HeaderRule, is_header
from sitemapaudit.builds.headers_file import compile_netlify_path
from sitemapaudit.builds.netlify_redirects import make_rule
from sitemapaudit.builds.redirect_rules import RedirectRule
from sitemapaudit.builds.replies import IgnoredError, Problem


class NetlifyConfig(Struct):
    """What the file says about paths; ``edge_functions`` are paths by the name of a function."""

    redirects: list[RedirectRule] = field(default_factory=list)
    headers: list[HeaderRule] = field(default_factory=list)
    edge_functions: list[tuple[str, str | None]] = field(default_factory=list)
    pretty_urls: bool = True
    problems: list[Problem] = field(default_factory=list)


def read_netlify_config(file: Path, text: str) -> NetlifyConfig:
    """Read the file; one that is not TOML is a problem, and says nothing."""
    config = NetlifyConfig()
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        config.problems.append(Problem(file, None, f"is not TOML: {error}"))
        return config
    lines = {key: _lines_of(text, key) for key in ("redirects", "headers")}
    for line, table in zip(lines["redirects"], _tables(document, "redirects"), strict=False):
        try:
            config.redirects.append(_read_redirect(f"{file.name}:{line}", table))
        except IgnoredError as error:
            config.problems.append(Problem(file, line, str(error)))
    for line, table in zip(lines["headers"], _tables(document, "headers"), strict=False):
        rule = _read_headers(table)
        if rule is None:
            config.problems.append(Problem(file, line, "needs a path (for) and values"))
        else:
            config.headers.append(rule)
    config.edge_functions = [
        (str(table.get("function")), _text(table.get("path")))
        for table in _tables(document, "edge_functions")
    ]
    config.pretty_urls = _has_pretty_urls(document)
    return config


def _tables(document: Mapping[str, Any], key: str) -> Iterator[Mapping[str, Any]]:
    tables = document.get(key)
    for table in tables if isinstance(tables, list) else ():
        if isinstance(table, dict):
            yield table


def _lines_of(text: str, key: str) -> Iterator[int | None]:
    """Return the lines where the tables begin, then None for tables written in another form."""
    header = re.compile(rf"\s*\[\[\s*{key}\s*\]\]")
    for number, line in enumerate(text.split("\n"), start=1):
        if header.match(line):
            yield number
    while True:
        yield None


def _read_redirect(name: str, table: Mapping[str, Any]) -> RedirectRule:
    source, status = _text(table.get("from")), table.get("status", 301)
    if source is None:
        raise IgnoredError("has no path (from)")
    if not isinstance(status, int):
        raise IgnoredError("the status is not a number")
    query, conditions = table.get("query"), table.get("conditions")
    try:
        return make_rule(
            name,
            source,
            _text(table.get("to")),
            status,
            force=table.get("force") is True,
            query=tuple((key, str(value)) for key, value in query.items()) if query else (),
            conditions=tuple(f"{key}={value}" for key, value in (conditions or {}).items()),
        )
    except (AttributeError, re.error) as error:
        raise IgnoredError("cannot be read") from error


def _read_headers(table: Mapping[str, Any]) -> HeaderRule | None:
    path, values = _text(table.get("for")), table.get("values")
    if path is None or not isinstance(values, dict):
        return None
    headers = tuple((str(name), _join(value)) for name, value in values.items())
    if not all(is_header(name, value) for name, value in headers):
        return None
    return HeaderRule(compile_netlify_path(path), headers)


def _join(value: Any) -> str:
    parts = value if isinstance(value, list) else [value]
    return ", ".join(" ".join(str(part).split()) for part in parts)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _has_pretty_urls(document: Mapping[str, Any]) -> bool:
    found: Any = document
    for key in ("build", "processing", "html", "pretty_urls"):
        found = found.get(key) if isinstance(found, dict) else None
    return found is not False

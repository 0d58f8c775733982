"""``netlify.toml``: its redirects, headers, edge functions, and the setting of pretty URLs."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, repeat
from typing import Any, TypeVar

from msgspec import Struct, convert

from sitemapaudit.builds.header_rules import HeaderBlock, PathHeaders, check_header
from sitemapaudit.builds.hostings.netlify.redirects import NetlifyRedirect
from sitemapaudit.builds.patterns import compile_parts
from sitemapaudit.builds.redirect_rules import RedirectRule
from sitemapaudit.builds.requests import encode
from sitemapaudit.builds.rule_file import MAX_RULES, RuleFile

_Table = Mapping[str, Any]
_RuleT = TypeVar("_RuleT")


class NetlifyConfig(Struct, frozen=True):
    """The rules in the file, and whether it keeps pretty URLs."""

    redirects: list[RedirectRule]
    headers: list[PathHeaders]
    edge_functions: list[tuple[Any, Any]]
    """Names and paths; the code of a function has the paths if they are not a text here."""
    pretty_urls: bool


def path_headers(path: str, block: HeaderBlock) -> PathHeaders:
    """Make the rule of a block; Netlify never replaces its placeholders."""
    return PathHeaders(compile_parts(encode(path), ignore_case=True), block)


def read_block(path: str, block: HeaderBlock) -> PathHeaders:
    """Make the rule of a block of ``_headers``."""
    headers = tuple((name, _separate(value)) for name, value in block.headers)
    return path_headers(path, HeaderBlock(headers))


def _separate(value: str) -> str:
    """Return a value with a space after each comma."""
    return re.sub(r"\s*,\s*", ", ", value)


def read_config(file: RuleFile) -> NetlifyConfig:
    """Read the file; if it is not TOML, that fails the deployment, and there are no rules."""
    document = _parse(file)
    functions = _tables(document, "edge_functions")
    return NetlifyConfig(
        _read_rules(file, document, "redirects", _read_redirect),
        _read_rules(file, document, "headers", _read_headers),
        [(table.get("function"), table.get("path")) for table in functions],
        _has_pretty_urls(document),
    )


def _parse(file: RuleFile) -> _Table:
    try:
        return tomllib.loads(file.text)
    except (ValueError, RecursionError) as error:
        file.refuse(f"is not TOML: {error}")
        return {}


def _read_rules(
    file: RuleFile, document: _Table, key: str, read: Callable[[str, _Table], _RuleT]
) -> list[_RuleT]:
    rules = []
    for line, table in zip(_lines_of(file.text, key), _tables(document, key), strict=False):
        with file.ignoring(line):
            rules.append(read(f"{file.name}:{line}", table))
    return rules


def _tables(document: _Table, key: str) -> Iterator[_Table]:
    tables = document.get(key)
    for table in tables[:MAX_RULES] if isinstance(tables, list) else ():
        if isinstance(table, dict):
            yield table


def _lines_of(text: str, key: str) -> Iterator[int | None]:
    """Return the lines where the tables begin, then None for tables written in another form."""
    header = re.compile(rf"[ \t]*\[\[\s*{key}\s*\]\]")
    lines = enumerate(text.split("\n"), start=1)
    return chain((number for number, line in lines if header.match(line)), repeat(None))


class _Headers(Struct, frozen=True, rename={"path": "for"}):
    path: str
    values: dict[str, Any]


def _read_redirect(name: str, table: _Table) -> RedirectRule:
    return convert(table, NetlifyRedirect).compile(name)


def _read_headers(_name: str, table: _Table) -> PathHeaders:
    text = convert(table, _Headers)
    headers = tuple(check_header(name, _join(value)) for name, value in text.values.items())
    return path_headers(text.path, HeaderBlock(headers))


def _join(value: Any) -> str:
    if not isinstance(value, list):
        return _separate(" ".join(str(value).split()))
    return ", ".join(" ".join(str(part).split()) for part in value)


def _has_pretty_urls(document: _Table) -> bool:
    found: Any = document
    for key in ("build", "processing", "html", "pretty_urls"):
        found = found.get(key) if isinstance(found, dict) else None
    return found is not False

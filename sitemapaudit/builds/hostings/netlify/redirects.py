"""The redirects of Netlify: parameters may come before the target, and conditions after it."""

import re
from typing import Any, Final

from msgspec import Struct

from sitemapaudit.builds.hostings.netlify.patterns import compile_path
from sitemapaudit.builds.redirect_rules import RedirectRule
from sitemapaudit.builds.redirects_file import is_target, split_source
from sitemapaudit.builds.requests import encode
from sitemapaudit.builds.rule_file import IgnoredError

_STATUS: Final = re.compile(r"([1-5][0-9][0-9])(?:[^0-9].*)?")
"""The digits at the beginning count, as for ``Number.parseInt``."""


class NetlifyRedirect(Struct, frozen=True, rename={"source": "from"}):
    """A redirect as the file has it."""

    source: str
    to: str | None = None
    status: int = 301
    force: bool = False
    query: dict[str, Any] = {}
    conditions: dict[str, Any] = {}

    def compile(self, name: str) -> RedirectRule:
        """Make the rule; a splat without a target keeps its path. Raises ``IgnoredError``."""
        to = self.to
        if to is None and self.source.endswith("/*") and 200 <= self.status < 300:
            to = self.source.removesuffix("*") + ":splat"
        if to is None:
            raise IgnoredError("has no target")
        host, path = split_source(self.source)
        scheme = self.source.partition("://")[0].lower() if host is not None else None
        path = encode("/" + path.removeprefix("/"))
        if path.startswith("/.netlify"):
            raise IgnoredError("the path begins with /.netlify")
        query = {key: str(value) for key, value in self.query.items()}
        conditions = tuple(f"{key}={value}" for key, value in self.conditions.items())
        pattern, names = compile_path(path)
        return RedirectRule(
            name,
            path,
            pattern,
            to,
            self.status,
            host,
            scheme,
            self.force,
            query,
            conditions,
            names,
        )


def read_redirect(name: str, fields: list[str]) -> RedirectRule:
    """Read a line of ``_redirects``. Raises ``IgnoredError``."""
    source, *others = fields
    before, to, after = _split_fields(others)
    code, *conditions = after or ["301"]
    match = _STATUS.fullmatch(code)
    if match is None:
        raise IgnoredError(f"{code!r} is not a status")
    status, force = int(match[1]), code.endswith("!")
    text = NetlifyRedirect(source, to, status, force, _pairs(before), _pairs(conditions))
    return text.compile(name)


def _pairs(fields: list[str]) -> dict[str, str]:
    """Return names and values; words without ``=`` have none, and mean nothing."""
    pairs = (field.split("=") for field in fields)
    return {pair[0]: pair[1] for pair in pairs if len(pair) > 1}


def _split_fields(fields: list[str]) -> tuple[list[str], str | None, list[str]]:
    """Return the parameters, the target, and the rest; a line may have a status and no target."""
    if not fields:
        raise IgnoredError("has no target")
    if _STATUS.fullmatch(fields[0]):
        return [], None, fields
    at = next((index for index, field in enumerate(fields) if is_target(field)), None)
    if at is None:
        raise IgnoredError("no target begins with a slash, http:// or https://")
    return fields[:at], fields[at], fields[at + 1 :]

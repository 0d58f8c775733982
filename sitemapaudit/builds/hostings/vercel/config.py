"""``vercel.json``: its redirects, headers and rewrites, ``cleanUrls`` and ``trailingSlash``."""

import json
import re
from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from sitemapaudit.builds.header_rules import Header, HeaderBlock
from sitemapaudit.builds.hostings.vercel.conditions import Condition, Unknowable
from sitemapaudit.builds.hostings.vercel.sources import compile_source, fill_in
from sitemapaudit.builds.requests import HostedRequest
from sitemapaudit.builds.rule_file import IgnoredError, RuleFile

_SEGMENT: Final = re.compile(r":([A-Za-z_]\w*)", re.ASCII)

MAX_RULES: Final = 2_048
"""Rules of one list; with more, the deployment fails (``schemas.ts`` of routing-utils)."""


class VercelRule(Struct, frozen=True, kw_only=True, rename="camel"):
    """The part that all rules share: the requests that they match."""

    source: str
    has: tuple[Condition, ...] = ()
    missing: tuple[Condition, ...] = ()

    def __post_init__(self) -> None:
        """Raise ``IgnoredError`` for an invalid source."""
        compile_source(self.source)

    def values(self, request: HostedRequest) -> dict[str, str] | None:
        """Return the captured values, or None if it does not match.

        Raises ``Unknowable`` if that depends on the visitor.
        """
        values = compile_source(self.source).match(request.path)
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


class Rewrite(VercelRule, frozen=True, kw_only=True):
    """A rule that serves another path, or forwards the request."""

    destination: str

    def __post_init__(self) -> None:
        """Raise ``IgnoredError`` for an invalid source, and for a name that nothing defines."""
        super().__post_init__()
        known = {*compile_source(self.source).names}
        known.update(name for condition in self.has for name in condition.names)
        unknown = (name for name in _SEGMENT.findall(self.destination) if name not in known)
        for name in unknown:
            raise IgnoredError(f"neither source nor has defines :{name} of the destination")


class Redirect(Rewrite, frozen=True, kw_only=True, rename="camel"):
    """A rule with a status: 308 or 307 by ``permanent``, or its own."""

    permanent: bool | None = None
    status_code: Annotated[int, Meta(ge=300, lt=400)] = 308

    @property
    def status(self) -> int:
        """The status of the redirect."""
        return {None: self.status_code, True: 308, False: 307}[self.permanent]


class Headers(VercelRule, frozen=True, kw_only=True):
    """A rule that adds headers."""

    headers: Annotated[tuple[Header, ...], Meta(min_length=1)]

    def match(self, request: HostedRequest) -> HeaderBlock | None:
        """Return the headers for the reply to a request, or None for other requests."""
        values = self.values(request)
        if values is None:
            return None
        return HeaderBlock(tuple((each.key, fill_in(each.value, values)) for each in self.headers))


class VercelConfig(Struct, frozen=True):
    """The rules in the file by their names, and how URLs are written."""

    clean_urls: bool
    trailing_slash: bool | None
    """None leaves both forms of a URL."""
    redirects: dict[str, Redirect]
    headers: dict[str, Headers]
    rewrites: dict[str, Rewrite]
    has_routes: bool
    """It has ``routes``, the older form that replaces all of these."""


def read_config(file: RuleFile) -> VercelConfig:
    """Read the file; if it is not JSON, that is a problem and there are no rules."""
    document = _parse(file)
    slash = document.get("trailingSlash")
    return VercelConfig(
        clean_urls=document.get("cleanUrls") is True,
        trailing_slash=slash if isinstance(slash, bool) else None,
        redirects=file.read_rules(document, "redirects", Redirect, MAX_RULES),
        headers=file.read_rules(document, "headers", Headers, MAX_RULES),
        rewrites=file.read_rules(document, "rewrites", Rewrite, MAX_RULES),
        has_routes=bool(document.get("routes")),
    )


def _parse(file: RuleFile) -> dict[str, Any]:
    line = None
    try:
        document = json.loads(file.text) if file.exists else {}
    except (ValueError, RecursionError) as error:
        document, line = None, getattr(error, "lineno", None)
    if isinstance(document, dict):
        return document
    file.ignore("is not a JSON object", line)
    return {}

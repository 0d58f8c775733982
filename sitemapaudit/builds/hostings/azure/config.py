"""``staticwebapp.config.json``: routes, fallback, replies to errors, headers, content types."""

import json
import re
from functools import cached_property
from typing import Any, Final, Literal

from msgspec import Struct, ValidationError, convert

from sitemapaudit.builds.header_rules import HeaderBlock, check_header
from sitemapaudit.builds.requests import path_of
from sitemapaudit.builds.rule_file import IgnoredError, RuleFile
from sitemapaudit.regexes import Regex, compile_linear

MAX_BYTES: Final = 20 * 1024
"""Size of the file; a larger one is refused."""

_WILDCARD: Final = re.compile(r"([^*]*)\*(?:\.(\w+|\{\w+(?:,\w+)*\}))?")
"""A path with a star at its end, or before an extension."""


def compile_route(route: str) -> Regex | None:
    """Compile a route with a star; None without one. Raises ``IgnoredError``."""
    if "*" not in route:
        return None
    match = _WILDCARD.fullmatch(route)
    if match is None:
        raise IgnoredError("the star is neither at the end nor before an extension")
    extensions = "|".join((match[2] or "").strip("{}").split(","))
    end = rf"\.(?:{extensions})" if match[2] else ""
    return compile_linear(f"(?s){re.escape(match[1])}.*{end}")


def with_index(path: str) -> str:
    """Return the path of the index file that a path may mean; names with a dot are files."""
    return path if "." in path else f"{path.removesuffix('/')}/index.html"


class Pattern(Struct, frozen=True, dict=True):
    """The paths of a route."""

    text: str

    @cached_property
    def _regex(self) -> Regex | None:
        return compile_route(self.text)

    def matches(self, path: str) -> bool | None:
        """Return whether a path is meant; None if that is not known.

        The documentation says that ``/a/*`` does not mean ``/a``, and the emulator that it does.
        """
        if self._regex is None:
            return self.text in (path, with_index(path))
        if self._regex.fullmatch(path):
            return True
        return None if self._regex.fullmatch(with_index(path)) else False


class Route(Struct, frozen=True, rename="camel", kw_only=True):
    """A rule for the paths that match its route."""

    route: str
    methods: tuple[str, ...] | None = None
    rewrite: str | None = None
    redirect: str | None = None
    status_code: int | None = None
    headers: dict[str, str] = {}
    allowed_roles: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise ``IgnoredError`` for an invalid route."""
        compile_route(self.route)
        if self.rewrite is not None and self.redirect is not None:
            raise IgnoredError("has both a rewrite and a redirect")
        check_headers(self.headers)

    @property
    def needs_login(self) -> bool:
        """Return whether visitors need a role that not everybody has."""
        return bool(self.allowed_roles) and "anonymous" not in self.allowed_roles

    def matches(self, path: str) -> bool | None:
        """Return whether it applies to a GET request for a path; None if that is not known."""
        if self.methods is not None and "GET" not in self.methods:
            return False
        if self.redirect is not None and path_of(self.redirect) == path:
            return False  # It would redirect to itself.
        return Pattern(self.route).matches(path)


class Fallback(Struct, frozen=True):
    """The page of missing paths, except those that are excluded."""

    rewrite: str
    exclude: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise ``IgnoredError`` for an invalid path."""
        for path in self.exclude:
            compile_route(path)

    def covers(self, path: str) -> bool | None:
        """Return whether a missing path has this page; None if that is not known."""
        matches = [Pattern(each).matches(path) for each in self.exclude]
        return False if True in matches else None if None in matches else True


class Override(Struct, frozen=True, rename="camel"):
    """A reply in place of an error."""

    rewrite: str | None = None
    redirect: str | None = None
    status_code: int | None = None


class AzureConfig(Struct, frozen=True, rename="camel"):
    """The settings of a site."""

    routes: tuple[Route, ...] = ()
    navigation_fallback: Fallback | None = None
    response_overrides: dict[str, Override] = {}
    global_headers: dict[str, str] = {}
    mime_types: dict[str, str] = {}
    trailing_slash: Literal["always", "never", "auto"] | None = None
    networking: dict[str, Any] = {}
    forwarding_gateway: dict[str, Any] = {}

    def __post_init__(self) -> None:
        """Raise ``IgnoredError`` for a header that cannot be sent."""
        check_headers(self.global_headers)
        check_headers(dict.fromkeys(self.mime_types.values(), "a"), is_name=False)

    @property
    def condition(self) -> str | None:
        """The condition on visitors that no folder can know."""
        if self.networking.get("allowedIpRanges"):
            return "the address of the visitor (allowedIpRanges)"
        if self.forwarding_gateway.get("requiredHeaders"):
            return "the headers of the visitor (requiredHeaders)"
        return None


def check_headers(headers: dict[str, str], *, is_name: bool = True) -> None:
    """Raise ``IgnoredError`` for a header that cannot be sent; an empty value removes one."""
    for name, value in headers.items():
        check_header(*((name, value or "a") if is_name else ("a", name)))


def make_block(headers: dict[str, str]) -> HeaderBlock:
    """Return the headers that are set, and those that are removed."""
    kept = tuple((name, value) for name, value in headers.items() if value)
    return HeaderBlock(kept, tuple(name for name, value in headers.items() if not value))


def read_config(file: RuleFile) -> AzureConfig:
    """Read the file; if it is not valid, that is a problem and the defaults count."""
    if not file.exists:
        return AzureConfig()
    if len(file.text.encode()) > MAX_BYTES:
        file.ignore(f"is larger than {MAX_BYTES:,} bytes")
        return AzureConfig()
    try:
        return convert(json.loads(file.text), AzureConfig)
    except ValidationError as error:
        file.ignore(str(error))
    except (ValueError, RecursionError) as error:
        file.ignore("is not JSON", getattr(error, "lineno", None))
    return AzureConfig()

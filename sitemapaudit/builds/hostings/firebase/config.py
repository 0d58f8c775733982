"""``firebase.json``: the part about hosting."""

import json
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final

from msgspec import Struct, ValidationError, convert

from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.header_rules import Header, HeaderBlock
from sitemapaudit.builds.hostings.firebase.captures import CAPTURES, Captures, fill_in
from sitemapaudit.builds.hostings.firebase.globs import Glob, compile_source
from sitemapaudit.builds.requests import HostedRequest, decode
from sitemapaudit.builds.rule_file import IgnoredError, RuleFile
from sitemapaudit.regexes import Match

_DECODED: Final = re.compile(r"(?:%(?!2[346BCF]|3[ABDF]|40)[0-9A-F]{2})+")
"""Triplets of characters that separate nothing in a URL."""


def decode_path(request: HostedRequest) -> str:
    """Return the path as sources match it: decoded, except separators."""
    return _DECODED.sub(lambda match: decode(match[0]), request.path)


class FirebaseRule(Struct, frozen=True, kw_only=True, dict=True):
    """The part that all rules share: a glob, or a regular expression that is found in a path."""

    source: str | None = None
    glob: str | None = None
    regex: str | None = None

    def __post_init__(self) -> None:
        """Raise ``IgnoredError`` for a rule without a valid source."""
        if (self.glob or self.source) is None and self.regex is None:
            raise IgnoredError("has no source")
        _ = self._glob, self._regex

    @property
    def _text(self) -> str | None:
        """The glob; those of redirects and headers may lack the first slash."""
        return self.glob or self.source

    @cached_property
    def _glob(self) -> Glob | None:
        return None if self._text is None else Glob(self._text)

    @cached_property
    def _regex(self) -> Any:
        pattern = (self.regex or "").replace("(?<", "(?P<")
        return compile_source(pattern) if self.regex is not None else None

    def matches(self, path: str) -> bool:
        """Return whether the rule applies to a decoded path."""
        if self._glob is not None:
            return self._glob.matches(path)
        return self._regex.search(path) is not None


class _SlashedRule(FirebaseRule, frozen=True, kw_only=True):
    @property
    def _text(self) -> str | None:
        text = self.glob or self.source
        if text is None:
            return None
        sign = "!" if text.startswith("!") and not text.startswith("!(") else ""
        return f"{sign}/{text.removeprefix(sign).lstrip('/')}"


class Redirect(_SlashedRule, frozen=True, kw_only=True, rename={"status": "type"}):
    """A redirect; names in its destination are those of the source or of the expression."""

    destination: str
    status: int = 301

    def __post_init__(self) -> None:
        """Raise ``IgnoredError`` for an invalid source."""
        super().__post_init__()
        _ = self._captures

    @cached_property
    def _captures(self) -> Captures | None:
        if self._text is None or not CAPTURES.search(self.destination):
            return None
        return Captures.compile(self._text)

    def target(self, path: str) -> str | None:
        """Return the target of a path, or None if the rule does not apply."""
        if not CAPTURES.search(self.destination):
            return self.destination if self.matches(path) else None
        values = self._values(path)
        if values is not None:
            return fill_in(self.destination, values, splits=self._captures is not None)
        return self.destination if self.matches(path) else None

    def _values(self, path: str) -> dict[str, str | None] | None:
        if self._captures is not None:
            return self._captures.match(path)
        match: Match | None = self._regex.search(path)
        if match is None:
            return None
        numbered = {str(number): value for number, value in enumerate(match.groups(), start=1)}
        return numbered | {"0": match[0]} | match.groupdict()


class Rewrite(FirebaseRule, frozen=True, kw_only=True):
    """A rewrite to a file; without a destination, to code of the site."""

    destination: str | None = None


class Headers(_SlashedRule, frozen=True, kw_only=True):
    """A rule that adds headers, to the page of errors too if it matches its path."""

    headers: tuple[Header, ...] = ()

    def match(self, request: HostedRequest) -> HeaderBlock | None:
        """Return the headers for the reply to a request, or None for other requests."""
        if not self.matches(decode_path(request)):
            return None
        return HeaderBlock(tuple((each.key, each.value) for each in self.headers))


class FirebaseConfig(Struct, frozen=True):
    """The rules by their names, how URLs are written, and the folder with content by language."""

    redirects: dict[str, Redirect] = {}
    rewrites: dict[str, Rewrite] = {}
    headers: dict[str, Headers] = {}
    clean_urls: bool = False
    trailing_slash: bool | None = None
    """None leaves both forms of a URL."""
    i18n: str | None = None
    ignored: tuple[Glob, ...] = ()


def read_config(file: RuleFile, folder: Folder) -> FirebaseConfig:
    """Read the file; what is not valid is a problem, and has no effect."""
    document = _find_site(file, folder)
    slash, i18n = document.get("trailingSlash"), document.get("i18n")
    root = i18n.get("root") if isinstance(i18n, dict) else None
    return FirebaseConfig(
        redirects=file.read_rules(document, "redirects", Redirect),
        rewrites=file.read_rules(document, "rewrites", Rewrite),
        headers=file.read_rules(document, "headers", Headers),
        clean_urls=document.get("cleanUrls") is True,
        trailing_slash=slash if isinstance(slash, bool) else None,
        i18n=root.strip("/") if isinstance(root, str) else None,
        ignored=tuple(_read_ignored(file, document)),
    )


def _find_site(file: RuleFile, folder: Folder) -> dict[str, Any]:
    """Return the settings of the site whose ``public`` is the build, or those of the only site."""
    try:
        document = json.loads(file.text) if file.exists else {}
        hosting = document.get("hosting", {})
    except (ValueError, RecursionError, AttributeError) as error:
        file.ignore("is not a JSON object", getattr(error, "lineno", None))
        return {}
    if isinstance(hosting, dict):
        return hosting
    sites = [site for site in hosting if isinstance(site, dict)] if hosting else []
    places = ((site, file.project / str(site.get("public", ""))) for site in sites)
    found = [site for site, place in places if place.resolve() == folder.root]
    if not found and sites:
        file.ignore("none of its sites has this folder as public")
    return found[0] if found else {}


def _read_ignored(file: RuleFile, document: dict[str, Any]) -> Iterator[Glob]:
    try:
        globs = convert(document.get("ignore", []), list[str])
    except ValidationError as error:
        file.ignore(f"ignore: {error}")
        return
    for glob in globs:
        with file.ignoring(rule="ignore: "):
            yield Glob(glob, dots=True)

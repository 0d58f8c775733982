"""The website configuration of a bucket: as JSON, or as XML as S3 stores it."""

import json
from typing import Any, Final, Literal

from lxml import etree
from msgspec import Struct, ValidationError, convert

from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.rule_file import IgnoredError, RuleFile

NAMES: Final = ("website.json", "website.xml")
"""The names of the file; the first that exists counts."""

_LISTS: Final = ("RoutingRules",)


class Index(Struct, frozen=True, rename="pascal"):
    """The index document of folders."""

    suffix: str = "index.html"

    def __post_init__(self) -> None:
        """Raise ``IgnoredError`` for a name that S3 refuses."""
        if not self.suffix or "/" in self.suffix:
            raise IgnoredError("the suffix of IndexDocument is empty or has a slash")


class ErrorPage(Struct, frozen=True, rename="pascal"):
    """The page of errors."""

    key: str


class Condition(Struct, frozen=True, rename="pascal"):
    """The requests to which a rule applies: by the start of the key, or by the status."""

    key_prefix_equals: str = ""
    http_error_code_returned_equals: int | None = None


class Target(Struct, frozen=True, rename="pascal"):
    """The target of a redirect."""

    host_name: str | None = None
    protocol: Literal["http", "https"] | None = None
    http_redirect_code: int = 301
    replace_key_prefix_with: str | None = None
    replace_key_with: str | None = None

    def __post_init__(self) -> None:
        """Raise ``IgnoredError`` for a target that S3 refuses."""
        if not 301 <= self.http_redirect_code <= 399:
            raise IgnoredError("HttpRedirectCode is not the status of a redirect")
        if self.replace_key_prefix_with is not None and self.replace_key_with is not None:
            raise IgnoredError("has both ReplaceKeyPrefixWith and ReplaceKeyWith")


class Rule(Struct, frozen=True, rename="pascal"):
    """A redirect."""

    redirect: Target
    condition: Condition = Condition()

    def key(self, key: str) -> str:
        """Return the key to which a key is redirected."""
        target = self.redirect
        if target.replace_key_with is not None:
            return target.replace_key_with
        if target.replace_key_prefix_with is None:
            return key
        prefix = self.condition.key_prefix_equals
        return target.replace_key_prefix_with + key.removeprefix(prefix)


class Website(Struct, frozen=True, rename="pascal"):
    """The configuration, with the usual one of sites as its default."""

    index_document: Index = Index()
    error_document: ErrorPage | None = None
    redirect_all_requests_to: Target | None = None
    routing_rules: tuple[Rule, ...] = ()


def find_config(folder: Folder) -> RuleFile:
    """Return the file in the build or above it; if there is none, the last name, without text."""
    files = [RuleFile(folder, name, in_project=True) for name in NAMES]
    return next((file for file in files if file.exists or file.problems), files[-1])


def read_config(file: RuleFile) -> Website:
    """Read the file; if it is not valid, that is a problem and the defaults count."""
    try:
        document = _parse(file)
        rules = {"RoutingRules": document} if isinstance(document, list) else document
        return convert(rules, Website, strict=False)
    except (ValueError, RecursionError, ValidationError, etree.XMLSyntaxError) as error:
        file.ignore(f"cannot be read: {error}")
        return Website()


def _parse(file: RuleFile) -> Any:
    if not file.exists:
        return {}
    if file.name.endswith(".json"):
        return json.loads(file.text)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True)
    root = etree.fromstring(file.text.encode(), parser)
    return _read_element(root)


def _read_element(element: Any) -> Any:
    """Return an element as JSON has it: a list of rules, an object, or a text."""
    children = [(etree.QName(child).localname, child) for child in element]
    if etree.QName(element).localname in _LISTS:
        return [_read_element(child) for _, child in children]
    if not children:
        return (element.text or "").strip()
    return {name: _read_element(child) for name, child in children}

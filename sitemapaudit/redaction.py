"""Hides the passwords of URLs in everything that is written, including those that a site sends.

User names stay, so that a URL can be recognized.
"""

import logging
import re
from copy import deepcopy
from dataclasses import fields, is_dataclass
from typing import Any, Final, TypeVar

import msgspec

from sitemapaudit.output import printable

T = TypeVar("T")

HIDDEN: Final = "***"

# As lenient as the URL standard, and as people who write such URLs: any number of slashes of either
# kind; the last @ ends it; a colon can be %3A. A port or an IPv6 address is not a password.
_START = r"(?:\b(?:https?|wss?|ftps?|s3|gs):[/\\]*+|(?<![/\\])[/\\]{2,}+)"
_NO_HOST = r"(?!\[[\da-f:.]*\][^@/\\?#]*(?:[/\\?#]|$))"
_NO_HOST_IN_TEXT = r"(?!\[[\da-f:.]*\][^@/\\?#\s]*(?:[/\\?#\s]|$))"
_NAME = r"(?:[^/?#:%]|%(?!3A))*(?::|%3A)"
_NAME_IN_WORD = r"(?:[^/?#:%]|%(?!3A)){0,64}(?::|%3A)"
_NO_PORT = r"(?!\d*(?:[/\\?#]|$))"
_IN_VALUE: Final = re.compile(
    rf"\A([\0- ]*{_START}{_NO_HOST}{_NAME}){_NO_PORT}(?:[^/\\?#]*|.{{0,128}})@",
    re.IGNORECASE | re.DOTALL,
)
"""A value that is a URL: its user information can contain anything."""

_OF_OTHER_SCHEME: Final = re.compile(
    r"\A([\0- ]*(?!(?:https?|wss?|ftp|file):)[a-z][a-z\d+.-]*://[^/?#:]*+:)[^/?#]*@", re.IGNORECASE
)
"""The same, of a scheme that the URL standard does not name: a backslash does not end a host."""

_IN_WORD: Final = re.compile(
    rf"({_START}{_NO_HOST_IN_TEXT}{_NAME_IN_WORD}){_NO_PORT}[^/\\?#]{{0,256}}@", re.IGNORECASE
)
"""A URL in a text without spaces. Its name is short: a text can have very many beginnings."""

_SKIPPED: Final = frozenset("\t\n\r")
"""Characters that the URL standard removes from a URL, wherever they are."""

_PROSE = r"(?!\d+\s|\s+[^\s@]*\s)"
_IN_TEXT: Final = re.compile(
    rf"({_START}{_NO_HOST_IN_TEXT}(?:[^\n/\\?#@:]{{0,64}}?|[^\s/\\?#:]{{0,64}}?)(?::|%3A))"
    rf"{_NO_PORT}{_PROSE}"
    r"(?:[^/\\?#\n]{0,256}|\S{0,64})@",
    re.IGNORECASE,
)
"""A URL in a text: a colon with a space and several words after it is prose."""

_OTHER_IN_TEXT: Final = re.compile(
    r"((?<![a-z\d+.-])(?!(?:https?|wss?|ftp|file):)[a-z][a-z\d+.-]{0,32}://[^\s/?#:@]{0,64}:)"
    r"[^\s/?#]{0,256}@",
    re.IGNORECASE,
)
"""A URL of another scheme in a text, such as the header ``Link``."""

_ENCODED: Final = re.compile(
    r"((?:%2F){2}[^\s/?#&%@:]*(?:%3A|:))[^\s/?#&@]{0,64}?%40", re.IGNORECASE
)
"""A URL in the query of another URL."""

_SETTING: Final = re.compile(
    r"""('\w{0,64}(?:PASS|SECRET|TOKEN|STAGING_HEADERS|NOTIFY)\w{0,64}': )"""
    r"""b?(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\[[^\]\n]*\]|\([^)\n]*\))"""
)


def mask_address(address: str) -> str:
    """Return the address of a service for alerts without its secrets, which can be anywhere."""
    scheme, colon, _ = address.partition("://")
    return f"{scheme}://{HIDDEN}" if colon and scheme.isalnum() else HIDDEN


def hide_passwords(text: str) -> str:
    """Return a text with the passwords in its URLs replaced."""
    if "%40" in text:
        text = _ENCODED.sub(rf"\1{HIDDEN}%40", text)
    if "@" not in text:
        return text
    for pattern in (_IN_VALUE, _OF_OTHER_SCHEME):
        text = _hide_found(pattern, text)
    for pattern in (_IN_TEXT, _OTHER_IN_TEXT):
        text = pattern.sub(rf"\1{HIDDEN}@", text)
    if _SKIPPED.isdisjoint(text):
        return text
    return " ".join(_hide_found(_IN_WORD, word) for word in text.split(" "))


def _hide_found(pattern: re.Pattern[str], text: str) -> str:
    """Hide the passwords that are found in a text without the characters that a browser skips."""
    if "@" not in text:
        return text
    places = [place for place, character in enumerate(text) if character not in _SKIPPED]
    clean = "".join(text[place] for place in places)
    parts, rest = [], 0
    for found in pattern.finditer(clean):
        parts += [text[rest : places[found.end(1) - 1] + 1], HIDDEN]
        rest = places[found.end() - 1]
    return "".join([*parts, text[rest:]])


def redacted(item: T, encoded: bytes | None = None) -> T:
    """Return an item without passwords in its texts: the item itself, or a copy.

    ``encoded`` is the item as JSON, if it is known. The original item is not changed: the crawl
    continues with it.
    """
    if not may_contain_password(_encode(item) if encoded is None else encoded):
        return item
    copy = deepcopy(item)
    _redact(copy)
    return copy


def may_contain_password(encoded: bytes) -> bool:
    """Return whether JSON may contain a password: most has no @, and this is the fastest search."""
    return b"@" in encoded or b"%40" in encoded


def _encode(item: Any) -> bytes:
    try:
        return msgspec.json.encode(item)
    except (TypeError, ValueError):
        return b"@"  # The ledger reports an item that cannot be encoded.


def _redact(item: Any) -> None:
    for field in fields(item):
        name, value = field.name, getattr(item, field.name)
        if isinstance(value, str):
            setattr(item, name, hide_passwords(value))
        elif isinstance(value, list):
            _redact_list(value)


def _redact_list(values: list[Any]) -> None:
    for place, value in enumerate(values):
        if isinstance(value, str):
            values[place] = hide_passwords(value)
        elif is_dataclass(value):
            _redact(value)


class RedactedLogRecord(logging.LogRecord):
    """A log record without passwords: in URLs, in tracebacks, and among Scrapy's settings."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.exc_info and self.exc_info[0]:
            # A formatter writes this text instead of formatting the exception.
            formatted = logging.Formatter().formatException(self.exc_info)
            self.exc_text = printable(_redact_text(formatted))

    def getMessage(self) -> str:  # noqa: N802 - logging's name
        """Return the message with its arguments filled in."""
        return printable(_redact_text(super().getMessage()))


def _redact_text(text: str) -> str:
    return _SETTING.sub(rf"\1'{HIDDEN}'", hide_passwords(text))

"""Hides the passwords of URLs in everything that is written, also those that a site sends.

User names stay, so that a URL can be recognized.
"""

from __future__ import annotations

import logging
import re
from copy import deepcopy
from dataclasses import fields, is_dataclass
from typing import Any, Final, TypeVar

import msgspec

T = TypeVar("T")

HIDDEN: Final = "***"

# As lenient as the URL standard: any number of slashes of either kind; the last @ ends it.
_IN_URL: Final = re.compile(
    r"((?:\b(?:https?|ftps?|s3|gs):[/\\]*|[/\\]{2})[^ \"'<>/\\?#@:]*:)[^ \"'<>/\\?#]*@",
    re.IGNORECASE,
)
_SETTING: Final = re.compile(r"('\w*(?:PASS|SECRET|TOKEN)\w*': )(?:'[^'\n]*'|\"[^\"\n]*\")")


def hide_passwords(text: str) -> str:
    """Return a text with the passwords in its URLs replaced."""
    return _IN_URL.sub(rf"\1{HIDDEN}@", text) if "@" in text else text


def redacted(item: T) -> T:
    """Return an item without passwords in its texts: the item itself, or a copy.

    The original item is not changed: the crawl continues with it.
    """
    if not _contains_at(item):
        return item
    copy = deepcopy(item)
    _redact(copy)
    return copy


def _contains_at(item: Any) -> bool:
    """Return whether an item may contain an @: most contain none, and encoding is the fastest."""
    try:
        return b"@" in msgspec.json.encode(item)
    except (TypeError, ValueError):
        return True  # The ledger reports an item that cannot be encoded.


def _redact(item: Any) -> None:
    for field in fields(item):
        name, value = field.name, getattr(item, field.name)
        if isinstance(value, str):
            if "@" in value:
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
    """A log record without passwords: in URLs, and among Scrapy's settings."""

    def getMessage(self) -> str:  # noqa: N802 - logging's name
        """Return the message with its arguments filled in."""
        return _SETTING.sub(rf"\1'{HIDDEN}'", hide_passwords(super().getMessage()))

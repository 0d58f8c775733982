"""Passwords in addresses: they are written down nowhere, whoever sent them.

The user name stays, so that what a site says can still be recognised.
"""

from __future__ import annotations

import logging
import re
from copy import deepcopy
from dataclasses import fields, is_dataclass
from typing import Any, Final, TypeVar

T = TypeVar("T")

HIDDEN: Final = "***"

# As lenient as the URL standard: any number of slashes, of either kind; the last @ ends it.
_IN_ADDRESS: Final = re.compile(
    r"((?:\b(?:https?|ftps?|s3|gs):[/\\]*|[/\\]{2})[^ \"'<>/\\?#@:]*:)[^ \"'<>/\\?#]*@",
    re.IGNORECASE,
)
_SETTING: Final = re.compile(r"('\w*(?:PASS|SECRET|TOKEN)\w*': )(?:'[^'\n]*'|\"[^\"\n]*\")")


def hide(text: str) -> str:
    """Return a text in which no address has a password."""
    return _IN_ADDRESS.sub(rf"\1{HIDDEN}@", text) if "@" in text else text


def hidden(item: T) -> T:
    """Return an item in which no text has a password: itself, or a copy.

    Whoever made the item goes on with what was sent.
    """
    if not _may_have_some(item):
        return item
    copy = deepcopy(item)
    _hide_in(copy)
    return copy


def _may_have_some(value: Any) -> bool:
    if isinstance(value, str):
        return "@" in value
    if isinstance(value, list):
        return any(map(_may_have_some, value))
    return is_dataclass(value) and any(
        _may_have_some(getattr(value, field.name)) for field in fields(value)
    )


def _hide_in(item: Any) -> None:
    for field in fields(item):
        name, value = field.name, getattr(item, field.name)
        if isinstance(value, str):
            if "@" in value:
                setattr(item, name, hide(value))
        elif isinstance(value, list):
            _hide_in_list(value)


def _hide_in_list(values: list[Any]) -> None:
    for place, value in enumerate(values):
        if isinstance(value, str):
            values[place] = hide(value)
        elif is_dataclass(value):
            _hide_in(value)


class DiscreetRecord(logging.LogRecord):
    """A record of the log that hides passwords: in addresses, and among Scrapy's settings."""

    def getMessage(self) -> str:  # noqa: N802 - the name is that of logging
        """Return the message with its arguments in place."""
        return _SETTING.sub(rf"\1'{HIDDEN}'", hide(super().getMessage()))

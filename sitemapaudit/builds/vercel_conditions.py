"""``has`` and ``missing`` of vercel.json: what else a request must be like.

Source: https://vercel.com/docs/project-configuration/vercel-json#redirects. The host and the query
are known; headers and cookies are the visitor's.
"""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import parse_qs

from msgspec import Struct

from sitemapaudit.builds.replies import IgnoredError
from sitemapaudit.builds.requests import HostRequest, encode

_NAMED_GROUP: Final = re.compile(r"\(\?<(?=[A-Za-z])")


class Unknowable(Exception):  # noqa: N818 -- no error: the folder cannot know
    """A rule depends on the visitor; the message names how."""


class Condition(Struct, frozen=True):
    """One condition; ``value`` None means any value.

    ``is_known``: it is about the host or the query, so that ``match`` can tell.
    """

    kind: str
    key: str
    value: re.Pattern[str] | None
    is_known: bool = True

    def match(self, request: HostRequest) -> dict[str, str] | None:
        """Return the values that it captures, or None if the request is not known to meet it."""
        text = self._subject(request) if self.is_known else None
        if text is None:
            return None
        if self.value is None:
            return {self.key: encode(text)}
        match = self.value.fullmatch(text)
        if match is None:
            return None
        captured = {name: encode(value or "") for name, value in match.groupdict().items()}
        return captured | ({"host": text} if self.kind == "host" else {})

    def _subject(self, request: HostRequest) -> str | None:
        if self.kind == "host":
            return request.host
        values = parse_qs(request.query, keep_blank_values=True).get(self.key)
        return values[-1] if values else None


def read_conditions(values: Any) -> tuple[Condition, ...]:
    """Read a list of conditions; ``IgnoredError`` if it is none."""
    if values is None:
        return ()
    if not isinstance(values, list):
        raise IgnoredError("the conditions are not a list")
    return tuple(_read_condition(value) for value in values)


def _read_condition(value: Any) -> Condition:
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        raise IgnoredError("a condition has no type")
    kind, key, wanted = value["type"], str(value.get("key", "")), value.get("value")
    if not isinstance(wanted, str | None):
        return Condition(kind, key, None, is_known=False)
    is_known = kind in ("host", "query")
    if wanted is None:
        return Condition(kind, key, None, is_known)
    try:
        pattern = re.compile(_NAMED_GROUP.sub("(?P<", wanted))
    except (re.error, OverflowError, RecursionError) as error:
        raise IgnoredError("a condition cannot be parsed") from error
    return Condition(kind, key, pattern, is_known)

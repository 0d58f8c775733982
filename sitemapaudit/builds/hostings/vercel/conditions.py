"""``has`` and ``missing`` of vercel.json: conditions on the rest of a request."""

import re
from functools import cache
from typing import Any, Final
from urllib.parse import parse_qs

from msgspec import Struct

from sitemapaudit.builds.requests import HostedRequest, encode
from sitemapaudit.builds.rule_file import IgnoredError
from sitemapaudit.regexes import Regex, RegexError, compile_regex

_GROUP_NAME: Final = re.compile(r"\(\?<([A-Za-z]\w*)>")
_NAMED_GROUP: Final = re.compile(r"\(\?<(?=[A-Za-z])")


class Unknowable(Exception):  # noqa: N818 -- no error: the folder cannot know
    """A rule depends on the visitor; the message names the condition."""


class Condition(Struct, frozen=True, rename={"kind": "type"}):
    """A condition of a rule; ``value`` None means any value."""

    kind: str
    key: str = ""
    value: Any = None

    def __post_init__(self) -> None:
        """Raise ``IgnoredError`` for an invalid value."""
        if isinstance(self.value, str):
            _compile(self.value)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the values that it can capture."""
        if not isinstance(self.value, str):
            return (self.key,)
        return (*_GROUP_NAME.findall(self.value), *(["host"] if self.kind == "host" else []))

    @property
    def is_known(self) -> bool:
        """Return whether it is about host or query. Headers and cookies are the visitor's."""
        return self.kind in ("host", "query") and isinstance(self.value, str | None)

    def match(self, request: HostedRequest) -> dict[str, str] | None:
        """Return the values that it captures, or None if the request is not known to meet it."""
        text = self._subject(request) if self.is_known else None
        if text is None:
            return None
        if self.value is None:
            return {self.key: encode(text)}
        match = _compile(self.value).fullmatch(text)
        if match is None:
            return None
        captured = {name: encode(value or "") for name, value in match.groupdict().items()}
        return captured | ({"host": text} if self.kind == "host" else {})

    def _subject(self, request: HostedRequest) -> str | None:
        if self.kind == "host":
            return request.host
        values = parse_qs(request.query, keep_blank_values=True).get(self.key)
        return values[-1] if values else None


@cache
def _compile(value: str) -> Regex:
    try:
        return compile_regex(_NAMED_GROUP.sub("(?P<", value))
    except RegexError as error:
        raise IgnoredError("the value cannot be parsed") from error

"""Regular expressions that others wrote: matched in linear time, or within a budget of time.

Google's RE2 needs time in proportion to the text, but has neither lookarounds nor references to
groups. Expressions with these are matched by backtracking, which may take hours for a short text.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    import regex

BUDGET: Final = 0.5
"""Seconds that an expression may take for one text; a slower one is not tried again."""

TOTAL_BUDGET: Final = 4.0
"""Seconds that all slow expressions of a process may take. Signals wait for them."""


class RegexError(ValueError):
    """A text is not a regular expression; the message is the reason."""


class SlowRegexError(Exception):
    """A regular expression takes too long; the message is the expression."""


class Match(Protocol):
    """A match of an expression, with its groups; a group that took no part is None."""

    def __getitem__(self, group: int | str, /) -> Any:
        """Return the text of a group."""

    def groups(self) -> tuple[Any, ...]:
        """Return the texts of all groups."""

    def groupdict(self, default: Any = None, /) -> dict[str, Any]:
        """Return the texts of the groups with names."""


class Regex(Protocol):
    """A compiled regular expression. Its methods may raise SlowRegexError."""

    @property
    def groups(self) -> int:
        """The number of groups."""

    @property
    def pattern(self) -> str:
        """The expression as it was written."""

    def fullmatch(self, text: str, /) -> Match | None:
        """Match a whole text."""

    def search(self, text: str, /) -> Match | None:
        """Find the first match in a text."""


def compile_linear(pattern: str, *, ignore_case: bool = False) -> Regex:
    """Compile an expression of RE2. Raises RegexError."""
    import re2  # noqa: PLC0415 - few audits need it

    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not ignore_case
    try:
        compiled: Regex = re2.compile(pattern, options)
    except (re2.error, UnicodeError) as error:
        reason = error.args[0]
        raise RegexError(reason.decode() if isinstance(reason, bytes) else str(error)) from error
    return compiled


def compile_regex(pattern: str) -> Regex:
    """Compile an expression of Python, for ASCII texts. Raises RegexError."""
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise RegexError(str(error)) from error
    if "{," not in pattern:  # For RE2, this is text.
        with suppress(RegexError):
            return compile_linear(pattern)
    import regex  # noqa: PLC0415 - as above, and it takes long

    return _Backtracking(regex.compile(pattern))


class _Backtracking:
    """An expression that is matched by backtracking."""

    _left = TOTAL_BUDGET

    def __init__(self, compiled: regex.Pattern[str]) -> None:
        self._compiled = compiled
        self._is_slow = False
        self.groups = compiled.groups
        self.pattern = compiled.pattern

    def fullmatch(self, text: str) -> Match | None:
        return self._match(self._compiled.fullmatch, text)

    def search(self, text: str) -> Match | None:
        return self._match(self._compiled.search, text)

    def _match(self, match: Any, text: str) -> Match | None:
        budget = min(BUDGET, _Backtracking._left)
        if self._is_slow or budget <= 0:
            raise SlowRegexError(self.pattern)
        try:
            found: Match | None = match(text, timeout=budget)
        except TimeoutError:
            _Backtracking._left -= budget
            self._is_slow = True
            raise SlowRegexError(self.pattern) from None
        return found

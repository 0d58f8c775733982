"""Mutants of SQL: comparisons, logic, joins, order and constants."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from sqlglot import Token
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import SqlglotError

_IS_SQL: Final = re.compile(
    r"<>| [<>]=? | = | \|\| |\bis (?:not )?(?:null|distinct)\b|\bin \(|\bbetween \S+ and\b"
    r"|\bselect\b|\bjoin\b|\b(?:len|count|coalesce|contains|starts_with|if)\("
)

_SWAPPED: Final = {
    "=": "<>", "<>": "=", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
    "and": "or", "or": "and", "true": "false", "false": "true",
    "semi": "anti", "anti": "semi", "min": "max", "max": "min",
    "bool_or": "bool_and", "bool_and": "bool_or",
    "arg_min": "arg_max", "arg_max": "arg_min",
}  # fmt: skip

_REMOVED: Final = {"not": "materialized", "left": "(", "desc": "", "distinct": "from"}
"""Words that can be removed, unless this word follows."""

_NEGATED: Final = {"is": ("null", "distinct"), "in": ("(",)}
"""Words that get a negation, if one of these words follows: after "is", before "in"."""


class Change(NamedTuple):
    """A replacement of a part of a text."""

    start: int
    end: int
    text: str

    def apply(self, text: str) -> str:
        """Return the changed text."""
        return text[: self.start] + self.text + text[self.end :]


def is_sql(text: str) -> bool:
    """Return whether a text looks like SQL."""
    return _IS_SQL.search(text) is not None


def changes(text: str) -> Iterator[Change]:
    """Yield the mutants of a part of SQL; none if its quotes are not closed."""
    try:
        tokens = DuckDB().tokenize(text)
    except SqlglotError:
        return
    between = False
    for at, token in enumerate(tokens):
        word = token.text.lower()
        is_text = token.token_type.name == "STRING"
        if not is_text and word == "between":
            between = True
        elif not is_text and word == "and" and between:
            between = False
        else:
            yield from _changes_of(token, is_text=is_text, around=_around(tokens, at))


def _around(tokens: Sequence[Token], at: int) -> tuple[str, str]:
    """Return the words before and after a token."""
    before = tokens[at - 1].text.lower() if at else ""
    after = tokens[at + 1].text.lower() if at + 1 < len(tokens) else ""
    return before, after


def _changes_of(token: Token, *, is_text: bool, around: tuple[str, str]) -> Iterator[Change]:
    word, start, end = token.text.lower(), token.start, token.end + 1
    before, after = around
    if is_text:
        yield Change(end - 1, end, "XX'")
    elif token.token_type.name == "NUMBER" and word.isdecimal():
        yield Change(start, end, str(int(word) + 1))
    elif word in _SWAPPED:
        yield Change(start, end, _SWAPPED[word])
    elif word in _REMOVED and after != _REMOVED[word]:
        yield Change(start, end, "")
    elif word == "join" and before not in ("left", "semi", "anti", "asof", "cross"):
        yield Change(start, end, "left join")
    elif word in _NEGATED and after in _NEGATED[word]:
        if word == "is":
            yield Change(start, end, "is not")
        elif before != "not":
            yield Change(start, end, "not in")

"""Readers of values: text of users, or a Python object → a typed value.

Each raises ValueError with the rest of a sentence that begins with the name of the option.
"""

import json
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, Final, TypeVar

T = TypeVar("T")

_SWITCH: Final = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


def one_of(*allowed: str) -> Callable[[Any], str]:
    """Return a reader that accepts one of these words, in any case."""

    def read(given: Any) -> str:
        word = str(given).strip().lower()
        if word not in allowed:
            raise ValueError(f"{given!r} is not one of {', '.join(allowed)}")
        return word

    return read


def whole_number(minimum: int) -> Callable[[Any], int]:
    """Return a reader that accepts a whole number of at least ``minimum``."""

    def read(given: Any) -> int:
        try:
            number = int(str(given).strip().replace("_", ""))
        except ValueError:
            number = minimum - 1
        if number < minimum:
            raise ValueError(f"{given!r} is not a whole number of at least {minimum}")
        return number

    return read


def count_or(*words: str) -> Callable[[Any], int | str]:
    """Return a reader that accepts one of these words, or a whole number of at least 1."""

    def read(given: Any) -> int | str:
        word = str(given).strip().lower()
        if word in words:
            return word
        try:
            return whole_number(1)(word)
        except ValueError:
            allowed = f"{', '.join(words)} or a whole number of at least 1"
            raise ValueError(f"{given!r} is not {allowed}") from None

    return read


def number(what: str, maximum: float, example: str = "") -> Callable[[Any], float]:
    """Return a reader that accepts a number from 0 to ``maximum``; ``what`` names it."""
    allowed = f"{what} from 0 to {maximum:,g}" + (f", such as {example}" if example else "")

    def read(given: Any) -> float:
        try:
            value = float(str(given))
        except ValueError:
            value = -1
        if not 0 <= value <= maximum:
            raise ValueError(f"{given!r} is not {allowed}")
        return value

    return read


def seconds(maximum: int) -> Callable[[Any], float]:
    """Return a reader that accepts a number of seconds."""
    return number("a number of seconds", maximum)


read_share: Final = number("a share", 1, "0.95")


def read_percent(given: Any) -> float:
    """Read a percentage; the sign may be missing."""
    return number("a percentage", 100)(str(given).strip().removesuffix("%"))


def read_switch(given: Any) -> bool:
    """Read true or false."""
    word = str(given).strip().lower()
    if word not in _SWITCH:
        raise ValueError(f"{given!r} is not one of true, false")
    return _SWITCH[word]


def optional(read: Callable[[Any], T]) -> Callable[[Any], T | None]:
    """Return a reader that returns None for an empty value."""
    return lambda given: None if given in (None, "") else read(given)


def read_text(given: Any) -> str:
    """Accept a text."""
    match given:
        case str():
            return given
    raise ValueError(f"{given!r} is not a text")


def read_path(given: Any) -> Path:
    """Read the path of a file or a folder."""
    return given if isinstance(given, Path) else Path(read_text(given))


def split_words(given: Any) -> list[str]:
    """Split a comma-separated text; accept a list as it is."""
    parts = map(str, read_list(given, ","))
    return [part.strip() for part in parts if part.strip()]


def read_list(given: Any, separator: str | None = None) -> Collection[Any]:
    """Split a text, at white space without a ``separator``; accept a list as it is.

    The error does not repeat the value: it can contain a password.
    """
    match given:
        case str():
            return given.split(separator)
        case list() | tuple() | set() | frozenset() | dict():
            return given
    raise ValueError("the value is neither a text nor a list")


def read_words(given: Any) -> tuple[str, ...]:
    """Read comma-separated words; each counts once."""
    return tuple(dict.fromkeys(split_words(given)))


def read_mapping(given: Any, unnamed: str | None = None) -> dict[str, str]:
    """Read a mapping: ``name=value,name=value``, a JSON object, or a dictionary.

    ``unnamed`` is the name of words without ``=``, which are joined with commas. The error does not
    repeat the text: it can contain a password.
    """
    try:
        if isinstance(given, str):
            is_json = given.lstrip().startswith("{")
            given = json.loads(given) if is_json else _read_pairs(given, unnamed)
        return {str(name): str(value) for name, value in dict(given).items()}
    except (TypeError, ValueError):
        raise ValueError("the value is neither NAME=VALUE,… nor a JSON object") from None


def _read_pairs(given: str, unnamed: str | None) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for word in split_words(given):
        name, equals, value = (part.strip() for part in word.partition("="))
        if equals and name:
            pairs[name] = value
        elif unnamed is not None and not equals:
            pairs[unnamed] = f"{pairs[unnamed]},{name}" if unnamed in pairs else name
        else:
            raise ValueError(word)
    return pairs

"""Options as users write them → typed values, each defined once with its meaning."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self, TypeVar

from sitemapaudit.passwords import hide

T = TypeVar("T")


class ConfigError(ValueError):
    """The caller's fault, in one sentence: the option, what was given and what is allowed."""


def option(read: Callable[[Any], T], default: str, meaning: str) -> T:
    """Define an option as a field of a dataclass.

    ``read`` turns what was given (a text, from the shell) into the value, and
    raises ValueError with the rest of a sentence that begins with the name.
    """
    value: T = field(
        default_factory=lambda: read(default),
        metadata={"read": read, "default": default, "meaning": meaning},
    )
    return value


@dataclass(slots=True, frozen=True)
class Described:
    """An option as the README shows it."""

    name: str
    default: str
    meaning: str


class Options:
    """Base of a dataclass whose fields are options; ``prefix`` goes before their names."""

    prefix: ClassVar[str] = ""

    @classmethod
    def name_of(cls, field_name: str) -> str:
        """Return the name by which users know a field."""
        return f"{cls.prefix}{field_name.upper()}" if cls.prefix else field_name

    @classmethod
    def described(cls) -> list[Described]:
        """Return every option with its default and its meaning."""
        return [
            Described(cls.name_of(f.name), f.metadata["default"], f.metadata["meaning"])
            for f in fields(cls)  # type: ignore[arg-type]
        ]

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Read the options that were given; raises ConfigError."""
        readers = {cls.name_of(f.name): f for f in fields(cls)}  # type: ignore[arg-type]
        refuse_unknown(given, readers)
        values = {}
        for name, value in given.items():
            try:
                values[readers[name].name] = readers[name].metadata["read"](value)
            except ValueError as error:
                raise ConfigError(hide(f"{name}: {error}.")) from None
        return cls(**values)


def refuse_unknown(given: Iterable[str], known: Iterable[str]) -> None:
    """Raise ConfigError for a name that is not known."""
    names = list(known)
    for name in given:
        if name not in names:
            offer = nearest(name, names) or f"known are {', '.join(names)}"
            raise ConfigError(f"{name} is not known: {offer}.")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Offer the known name that is most like a misspelt one, if any is."""
    near = difflib.get_close_matches(name, known, n=1)
    return f"perhaps {near[0]} is meant" if near else None


def one_of(*allowed: str) -> Callable[[Any], str]:
    """Return a reader that accepts one of these words, in any case."""

    def read(given: Any) -> str:
        word = str(given).strip().lower()
        if word not in allowed:
            raise ValueError(f"{given!r} is none of {', '.join(allowed)}")
        return word

    return read


def whole_number(least: int) -> Callable[[Any], int]:
    """Return a reader that accepts a whole number from ``least`` upwards."""

    def read(given: Any) -> int:
        try:
            number = int(str(given).strip().replace("_", ""))
        except ValueError:
            number = least - 1
        if number < least:
            raise ValueError(f"{given!r} is no whole number from {least} upwards")
        return number

    return read


def words(given: Any) -> list[str]:
    """Split a comma separated text, or take a list as it is."""
    parts = given.split(",") if isinstance(given, str) else given
    return [str(part).strip() for part in parts if str(part).strip()]

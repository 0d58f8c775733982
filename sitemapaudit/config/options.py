"""Options as users write them → typed values; each option is defined once, with its meaning."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, fields
from typing import Any, ClassVar, Self, TypeVar

from msgspec import Struct

from sitemapaudit.redaction import hide_passwords

T = TypeVar("T")


class ConfigError(ValueError):
    """A mistake of the caller, as one sentence: the option, its value, and the allowed values."""


def option(read: Callable[[Any], T], default: str, meaning: str) -> T:
    """Define an option as a field of a dataclass.

    ``read`` turns what was given (text, from the shell) into the value. It raises ValueError with
    the rest of a sentence that begins with the option's name.
    """
    value: T = field(
        default_factory=lambda: read(default),
        metadata={"read": read, "default": default, "meaning": meaning},
    )
    return value


class OptionDescription(Struct, frozen=True):
    """An option as the documentation and ``--help`` show it."""

    name: str
    default: str
    meaning: str

    @property
    def help_text(self) -> str:
        """The meaning, and the default if there is one."""
        return f"{self.meaning} (default: {self.default})" if self.default else self.meaning


class Options:
    """Base of a dataclass whose fields are options; ``prefix`` precedes their names.

    ``synonyms`` are names that people guess, with the option that they mean.
    """

    prefix: ClassVar[str] = ""
    synonyms: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def public_name(cls, field_name: str) -> str:
        """Return the name by which users know a field."""
        return f"{cls.prefix}{field_name.upper()}" if cls.prefix else field_name

    @classmethod
    def describe(cls) -> list[OptionDescription]:
        """Return every option with its default and its meaning."""
        return [
            OptionDescription(cls.public_name(f.name), f.metadata["default"], f.metadata["meaning"])
            for f in fields(cls)  # type: ignore[arg-type]
        ]

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """Read options; raises ConfigError."""
        readers = {cls.public_name(f.name): f for f in fields(cls)}  # type: ignore[arg-type]
        reject_unknown(given, readers, cls.synonyms)
        values = {}
        for name, value in given.items():
            try:
                values[readers[name].name] = readers[name].metadata["read"](value)
            except ValueError as error:
                raise ConfigError(sentence(f"{name}: {error}")) from None
        return cls(**values)


def sentence(text: str) -> str:
    """Return a text as a sentence, without passwords."""
    return hide_passwords(text if text.endswith((".", "?")) else f"{text}.")


def reject_unknown(
    given: Iterable[str], known: Iterable[str], synonyms: Mapping[str, str] | None = None
) -> None:
    """Raise ConfigError for an unknown name."""
    names = list(known)
    for name in given:
        if name not in names:
            offer = suggest_name(name, names, synonyms) or f"use one of {', '.join(names)}"
            raise ConfigError(sentence(f"{name} is unknown; {offer}"))


def suggest_name(
    name: str, known: Iterable[str], synonyms: Mapping[str, str] | None = None
) -> str | None:
    """Suggest the known name that means the same, or is most similar; None if none is."""
    meant = (synonyms or {}).get(name.lower())
    similar = [meant] if meant else difflib.get_close_matches(name, known, n=1)
    return f"did you mean {similar[0]}?" if similar else None


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


def split_words(given: Any) -> list[str]:
    """Split a comma-separated text; accept a list as it is."""
    parts = given.split(",") if isinstance(given, str) else given
    return [str(part).strip() for part in parts if str(part).strip()]

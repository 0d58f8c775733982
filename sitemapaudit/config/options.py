"""Options: each is defined once, with its reader, value, default and meaning."""

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, fields
from typing import Any, ClassVar, Final, Self, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from sitemapaudit.redaction import hide_passwords

T = TypeVar("T")

PAIR: Final = "NAME=SELECTOR"
"""The value of an option that is given once per name."""

SWITCH: Final = ""
"""The value of a switch: its name alone turns it on."""


class ConfigError(ValueError):
    """A mistake of the caller in one sentence: the option, its value, and the allowed values."""


def option(read: Callable[[Any], T], metavar: str, default: str, meaning: str) -> T:
    """Define an option as a field of a dataclass.

    ``read`` converts the given object (text from the shell) into the value. It raises ValueError
    with the rest of a sentence that begins with the option's name. ``metavar`` shows what users
    write: capitals are placeholders, ``|`` separates alternatives, ``,…`` marks a list.
    """
    metadata = {"read": read, "metavar": metavar, "default": default, "meaning": meaning}
    value: T = field(default_factory=lambda: read(default), metadata=metadata)
    return value


class OptionDescription(Struct, frozen=True):
    """An option for the command line, configuration files and the documentation.

    ``name`` is its name in ``-a`` or ``-s``.
    """

    name: str
    read: Callable[[Any], Any]
    metavar: str
    default: str
    meaning: str
    prefix: str = ""

    @property
    def key(self) -> str:
        """Its name in a configuration file."""
        return self.name.removeprefix(self.prefix).lower().replace("_", "-")

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return f"--{self.key.removesuffix('s') if self.repeats else self.key}"

    @property
    def repeats(self) -> bool:
        """True if it can be given several times, each with one value by name."""
        return self.metavar == PAIR

    @property
    def off_flag(self) -> str:
        """The option that turns off a switch on the command line."""
        return f"--no-{self.key}"

    @property
    def usage(self) -> str:
        """Its form on the command line."""
        return f"{self.flag}, {self.off_flag}" if self.is_switch else f"{self.flag} {self.metavar}"

    @property
    def is_switch(self) -> bool:
        """True if it is on or off."""
        return self.metavar == SWITCH

    @property
    def is_list(self) -> bool:
        """True if it takes several values."""
        return ",…" in self.metavar

    @property
    def is_mapping(self) -> bool:
        """True if it takes values by name."""
        return "=" in self.metavar

    @property
    def is_path(self) -> bool:
        """True if it takes a file or a folder."""
        return self.metavar.partition("|")[0] in ("DIR", "FILE", "RUN")

    @property
    def help_text(self) -> str:
        """The meaning, and the default if any."""
        return f"{self.meaning} (default: {self.default})" if self.default else self.meaning

    def with_default(self, default: str) -> Self:
        """Return the option with another default."""
        return replace(self, default=default)


class Options:
    """The base of dataclasses whose fields are options; ``prefix`` precedes their names.

    ``synonyms`` are names that people guess, with the option that they mean.
    """

    prefix: ClassVar[str] = ""
    synonyms: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def public_name(cls, field_name: str) -> str:
        """Return the user's name of a field."""
        return f"{cls.prefix}{field_name.upper()}" if cls.prefix else field_name

    @classmethod
    def describe(cls) -> list[OptionDescription]:
        """Return every option."""
        return [
            OptionDescription(name=cls.public_name(each.name), prefix=cls.prefix, **each.metadata)
            for each in fields(cls)  # type: ignore[arg-type]
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
    """Suggest the known name with the same meaning or a similar spelling; None without one."""
    meant = (synonyms or {}).get(name.lower())
    similar = [meant] if meant else difflib.get_close_matches(name, known, n=1)
    return f"did you mean {similar[0]}?" if similar else None

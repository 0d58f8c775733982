"""Faults of a network: how responses fail, and in which manners those arrive that do not."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from sitemapaudit.items import Error

ATTEMPTS: Final = 3
"""The number of times that an audit requests what fails: RETRY_TIMES is 2."""

ERRORS: Final = {
    "reset": Error.RESET,
    "close": Error.RESET,
    "cut": Error.TRUNCATED,
    "cut-chunk": Error.TRUNCATED,
    "garbage": Error.INVALID_HTTP,
    "silence": Error.TIMEOUT,
    "name": Error.DNS,
    "mute": Error.DNS,
}
"""How a response can fail, and the error that an audit must record if it always does.

reset, close: the connection ends before a response. cut: the body ends before its announced length,
cut-chunk: before its last chunk. garbage: the response is not HTTP. silence: nothing is sent. name:
the name of the website has no address; mute: the resolver does not answer for it.
"""

NAMES: Final = ("name", "mute")
"""Those of the name of a website."""

WAYS: Final = tuple(how for how in ERRORS if how not in ("silence", *NAMES))
"""Those for which an audit does not wait, and which are those of single responses."""

CUTS: Final = ("cut", "cut-chunk")
"""Those of responses with a body."""

MANNERS: Final = ("slow", "chunked", "pieces", "extra", "late-extra")
"""How a response can arrive that is otherwise fine.

slow: after a moment. chunked: without Content-Length. pieces: in several parts. extra: with another
response on the same connection that nothing requested; late-extra: some time after it.
"""


@dataclass(frozen=True)
class Network:
    """What a network can do to websites.

    Responses fail in these ways, or arrive in these manners. Names can have no address if websites
    have ``names``, and another one later if that ``turns``. There is an address that nobody may
    contact if it has an ``outside``.
    """

    ways: Sequence[str] = WAYS
    manners: Sequence[str] = MANNERS
    names: bool = False
    turns: bool = False
    outside: bool = False


@dataclass(frozen=True)
class Fault:
    """How the first requests for a path fail, or all of them if ``times`` is None."""

    how: str
    times: int | None = None

    @property
    def lasts(self) -> bool:
        return self.times is None

    @classmethod
    def draw(cls, dice: random.Random, ways: Sequence[str]) -> Self:
        """Return a fault that an audit survives, or one that it must record.

        An audit requests a page that does not respond only twice.
        """
        how = dice.choice(ways)
        times = dice.randint(1, 1 if how == "silence" else ATTEMPTS - 1)
        return cls(how, None if how in NAMES or dice.random() < 0.4 else times)


@dataclass(frozen=True)
class Turn:
    """A name that has another address after some lookups, and its own again after some more."""

    after: int
    times: int

    def turns(self, lookup: int) -> bool:
        """Return whether the lookup with this number finds the other address."""
        return self.after < lookup <= self.after + self.times

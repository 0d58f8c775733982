"""The folder of an audit on a cluster: what it is, and the runs of its shards."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final, Self

import msgspec
from msgspec import Struct

from sitemapaudit.config.recorded import OF_LISTED
from sitemapaudit.distribution.places import Place, find_run_at, open_place
from sitemapaudit.distribution.shard_task import STOP
from sitemapaudit.runs.folder_names import folder_name

_FOLDER: Final = "distributed"
_FILE: Final = "audit.json"
_MERGED: Final = "merged"
_ALWAYS: Final = ("--results", "later", "--exit-zero")


class Order(Struct, frozen=True):
    """An audit to distribute: arguments by name, settings by name, and the number of shards."""

    arguments: dict[str, str]
    settings: dict[str, str]
    shards: int


class DistributedAudit(Struct, frozen=True):
    """An order, and its folder: ``read/`` has the run with the entries, ``shards/N/`` the shards.

    The same order again continues the audit until its shards are merged.
    """

    place: Place
    order: Order

    @classmethod
    def open(cls, audits: str, name: str, order: Order) -> Self:
        """Return the unfinished audit of an order, or a new one. Raises OSError."""
        above = open_place(audits).at(_FOLDER).at(folder_name(name))
        names = above.folders()
        for place in map(above.at, reversed(names)):
            found = place.read(_FILE)
            if found and place.read(_MERGED) is None:
                audit = cls(place, msgspec.json.decode(found, type=Order))
                if audit.order == order:
                    place.remove(STOP)
                    return audit
        stem = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%SZ")
        number = next(
            count for count in range(1, len(names) + 2) if _name(stem, count) not in names
        )
        place = above.at(_name(stem, number))
        place.write(_FILE, [msgspec.json.encode(order)])
        return cls(place, order)

    @property
    def folder(self) -> str:
        """The path or the address of its folder."""
        return self.place.address

    @property
    def name(self) -> str:
        """The name of its tasks: the same for everybody who continues it."""
        return "-".join(self.folder.replace("\\", "/").split("/")[-2:])

    @property
    def read_folder(self) -> str:
        """The folder of the run that reads the sitemaps."""
        return self.place.at("read/0").address

    def read_words(self) -> list[str]:
        """Return the arguments of that run."""
        arguments = {name: self.order.arguments.get(name) for name in OF_LISTED}
        return [*_words(arguments), "--pages", "none", "--exit-zero", *self._settings()]

    def shard_folder(self, number: int) -> str:
        """Return the folder of a shard."""
        return self.place.at(f"shards/{number}").address

    def shard_words(self, number: int) -> list[str]:
        """Return the arguments of a shard."""
        others = {
            name: value for name, value in self.order.arguments.items() if name not in OF_LISTED
        }
        read = find_run_at(self.read_folder)
        assert read is not None
        source = ("--entries-from", read.address)
        shard = ("--shard", f"{number}/{self.order.shards}")
        return [*source, *shard, *_words(others), *_ALWAYS, *self._settings()]

    def shards(self) -> range:
        """Return the numbers of the shards."""
        return range(1, self.order.shards + 1)

    def stop(self) -> None:
        """Let all tasks end; they can be continued."""
        self.place.write(STOP, [b"stop"])

    def note_merged(self, into: str) -> None:
        """Record the merged run: the same order is a new audit then."""
        self.place.write(_MERGED, [into.encode()])

    def _settings(self) -> Iterator[str]:
        for name, value in self.order.settings.items():
            yield from ("-s", f"{name}={value}")


def _name(stem: str, number: int) -> str:
    return stem if number == 1 else f"{stem}-{number}"


def _words(arguments: Mapping[str, Any]) -> Sequence[str]:
    """Return arguments as words of a command line; the site is not an option."""
    words = []
    for name, value in arguments.items():
        if value is None:
            continue
        flag = f"--{name.replace('_', '-')}"
        if name == "site":
            words.append(value)
        elif value in ("true", "false"):
            words.append(flag if value == "true" else flag.replace("--", "--no-", 1))
        else:
            words.append(f"{flag}={value}")
    return words

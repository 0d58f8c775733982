"""The folder of an audit on a cluster: what it is, and the runs of its shards."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

import msgspec
from msgspec import Struct

from sitemapaudit.config.recorded import OF_LISTED
from sitemapaudit.distribution.shard_task import STOP
from sitemapaudit.runs.folder_names import folder_name
from sitemapaudit.runs.folders import find_run, new_run_folder

_FOLDER: Final = "distributed"
_FILE: Final = "audit.json"
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

    folder: Path
    order: Order

    @classmethod
    def open(cls, audits: Path, name: str, order: Order) -> Self:
        """Return the unfinished audit of an order, or a new one. Raises OSError."""
        above = audits.resolve() / _FOLDER
        for folder in sorted((above / folder_name(name)).glob("*"), reverse=True):
            if (folder / _FILE).is_file() and not (folder / "merged").exists():
                audit = cls(folder, msgspec.json.decode((folder / _FILE).read_bytes(), type=Order))
                if audit.order == order:
                    (folder / STOP).unlink(missing_ok=True)
                    return audit
        folder = new_run_folder(above, name, datetime.now(UTC))
        (folder / _FILE).write_bytes(msgspec.json.encode(order))
        return cls(folder, order)

    @property
    def name(self) -> str:
        """The name of its tasks: the same for everybody who continues it."""
        return f"{self.folder.parent.name}-{self.folder.name}"

    @property
    def read_folder(self) -> str:
        """The folder of the run that reads the sitemaps."""
        return str(self.folder / "read" / "0")

    def read_words(self) -> list[str]:
        """Return the arguments of that run."""
        arguments = {name: self.order.arguments.get(name) for name in OF_LISTED}
        return [*_words(arguments), "--pages", "none", "--exit-zero", *self._settings()]

    def shard_folder(self, number: int) -> str:
        """Return the folder of a shard."""
        return str(self.folder / "shards" / str(number))

    def shard_words(self, number: int) -> list[str]:
        """Return the arguments of a shard."""
        others = {
            name: value for name, value in self.order.arguments.items() if name not in OF_LISTED
        }
        source = ("--entries-from", str(find_run(self.read_folder)))
        shard = ("--shard", f"{number}/{self.order.shards}")
        return [*source, *shard, *_words(others), *_ALWAYS, *self._settings()]

    def shards(self) -> range:
        """Return the numbers of the shards."""
        return range(1, self.order.shards + 1)

    def stop(self) -> None:
        """Let all tasks end; they can be continued."""
        (self.folder / STOP).touch()

    def note_merged(self, into: Path) -> None:
        """Record the merged run: the same order is a new audit then."""
        (self.folder / "merged").write_text(str(into), encoding="utf-8")

    def _settings(self) -> Iterator[str]:
        for name, value in self.order.settings.items():
            yield from ("-s", f"{name}={value}")


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

"""Random command lines over every command, and files of runs and of users that are damaged."""

import os
import shutil
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

from sitemapaudit.cli.commands import command_names, load_command
from sitemapaudit.cli.program import make_parser

NEVER = ("--send", "--sites", "--help", "-h")
"""The options that need a network, start audits here, or do nothing else."""

UNENDING = ("distribute", "serve")
"""The commands that start audits in other processes, or end only when they are interrupted."""

PLAIN = [
    *("", "0", "1", "-1", "0.5", "1e999", "nan", "x", "no", "true", "never", "error", "new", "all"),
    *("passed", "plain", "10%", "256MB", "1MB", "9" * 30, "*", "a=b", "=", "\x01", "é", "\udce9"),
    *(
        "hreflang-*=off",
        "http://[",
        "http://a:b@127.0.0.1:9/",
        "nope://a",
        "www.example.com",
        "../x",
    ),
    *("Googlebot", "latest", "xlsx", "jsonl", "2/8", "AUDIT_MEMORY=1MB", "LOG_LEVEL=1"),
    "www.example.com",
]
PLACES = ["earlier", "later", "audits", "known.json", "sites.txt", "own.toml", "gone", "new/place"]
FILES = {
    "known.json": '{"schema_version": 1, "findings": []}',
    "sites.txt": "www.example.com pages=none\nsitemap=https://www.example.org/s.xml\n",
    "own.toml": "[tool]\n",
}


class World:
    """A folder with two runs of a site, and with files that options name."""

    def __init__(self, folder: Path, made: Path) -> None:
        self.folder = folder
        self._made = made

    def renew(self) -> None:
        """Undo what commands have done, and what was damaged."""
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self._made, self.folder / "audits")
        for name, text in FILES.items():
            (self.folder / name).write_text(text)

    def place(self, name: str) -> str:
        """Return the path of a file or a folder."""
        runs = {"earlier": self.folder / "audits" / "1", "later": self.folder / "audits" / "2"}
        return str(runs.get(name, self.folder / name))

    def damage(self, chance: Random) -> str:
        """Damage a file; return what was done."""
        files = sorted(file for file in self.folder.rglob("*") if file.is_file())
        file, how = chance.choice(files), chance.choice(DAMAGES)
        how(file, chance)
        return f"{how.__name__} {file.relative_to(self.folder)}"


def cut(file: Path, chance: Random) -> None:
    os.truncate(file, chance.randrange(1 + file.stat().st_size))


def garble(file: Path, chance: Random) -> None:
    content = bytearray(file.read_bytes())
    for _ in range(min(len(content), 20)):
        content[chance.randrange(len(content))] = chance.randrange(256)
    file.write_bytes(content)


def randomize(file: Path, chance: Random) -> None:
    file.write_bytes(chance.randbytes(300))


def remove(file: Path, chance: Random) -> None:
    file.unlink()


def replace_by_folder(file: Path, chance: Random) -> None:
    file.unlink()
    file.mkdir()


def replace_by_pipe(file: Path, chance: Random) -> None:
    file.unlink()
    os.mkfifo(file)


def replace_by_another(file: Path, chance: Random) -> None:
    others = sorted(each for each in file.parent.iterdir() if each.is_file())
    file.write_bytes(chance.choice(others).read_bytes())


def replace_text(file: Path, chance: Random) -> None:
    deep = "[" * 5_000
    texts = ("[1]", "null", "{}", "\ufeff{}", deep, '{"a": Infinity}', "{" + '"a":{' * 2_000, "\0")
    file.write_text(chance.choice(texts))


DAMAGES: list[Callable[[Path, Random], None]] = [
    *(cut, garble, randomize, remove, replace_by_folder, replace_by_pipe),
    *(replace_by_another, replace_text),
]


class CommandLines:
    """Draws command lines; half of them would be right if nothing was damaged."""

    def __init__(self, world: World, chance: Random) -> None:
        self._world = world
        self._chance = chance
        self._parsers = {
            name: make_parser(load_command(name))
            for name in command_names()
            if name not in UNENDING
        }

    def draw(self) -> list[str]:
        """Return the words of a command line."""
        chance, place = self._chance, self._world.place
        earlier, later, audits = map(place, ("earlier", "later", "audits"))
        usual = [
            ["report", later], ["report", earlier, later, "--into", place("new/place")],
            ["report", "--fleet", audits], ["compare", earlier, later], ["compare", audits],
            ["compare", earlier, later, "--fail-on", "new", "--junit", place("new.xml")],
            ["changed", later], ["changed", audits, "--csv", place("new.csv")],
            ["repair", later], ["repair", later, "--into", place("new"), "--gzip", "--strict"],
            ["gate", "--run", later], ["gate", "--run", later, "--against", "passed"],
            ["gate", "--run", later, "--baseline", place("known.json")], ["baseline", later],
            ["audit", "--resume", later], ["audit", "www.example.com", "--reuse", later],
            ["schedule", place("sites.txt")],
            ["rules", "loc-invalid"], ["rules", "--config", place("own.toml")],
        ]  # fmt: skip
        if chance.random() < 0.5:
            words = chance.choice(usual)
        else:
            words = [chance.choice([*self._parsers, "oops"])]
            words += (self._value() for _ in range(chance.choice((0, 1, 1, 2, 3))))
        if chance.random() < 0.5 and words[0] in self._parsers:
            words += self._options(self._parsers[words[0]])
        return words

    def _options(self, parser: ArgumentParser) -> Iterator[str]:
        known = [name for name in parser._option_string_actions if name not in NEVER]
        for _ in range(self._chance.choice((1, 1, 2, 4))):
            yield self._chance.choice([*known, "--oops"])
            if self._chance.random() < 0.8:
                yield self._value()

    def _value(self) -> str:
        chance = self._chance
        if chance.random() < 0.5:
            return self._world.place(chance.choice(PLACES))
        return chance.choice(PLAIN)

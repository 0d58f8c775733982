"""The writes of a process, and the folders that a power cut can leave of them.

strace records the calls of the file system, also those of DuckDB. At each moment, the disk surely
has the content that was synced, and the names of synced folders. Each later write and each later
name can be on it or not, in any order, and a write can be torn.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

CALLS = (
    "openat,open,creat,write,pwrite64,writev,ftruncate,rename,renameat,renameat2,unlink,unlinkat,"
    "mkdir,mkdirat,rmdir,fsync,fdatasync,close,dup,dup2,dup3,fcntl,lseek,copy_file_range,sendfile"
)
_LINE = re.compile(r"(\d+) +(?:<\.\.\. \w+ resumed>|(\w+)\()(.*)", re.DOTALL)
_END = re.compile(r"\) += (-?\d+).*")
_UNFINISHED = " <unfinished ...>"


@dataclass(eq=False)
class Node:
    """A file or a folder: what is surely on the disk, and what may be on it."""

    content: bytearray = field(default_factory=bytearray)
    names: "dict[str, Node]" = field(default_factory=dict)
    writes: list[tuple[int, bytes | None]] = field(default_factory=list)
    """The offset and the bytes of each write since the last sync; None cuts the file there."""
    changes: "list[tuple[str, Node | None, str | None]]" = field(default_factory=list)
    """The changes of names since then: a name, its node if it got one, and the former name."""
    is_folder: bool = False

    def sync(self) -> None:
        for write in self.writes:
            _write(self.content, *write)
        for change in self.changes:
            _rename(self.names, *change)
        self.writes, self.changes = [], []

    def now(self) -> "dict[str, Node]":
        """Return the names that the system shows."""
        names = dict(self.names)
        for change in self.changes:
            _rename(names, *change)
        return names

    def size(self) -> int:
        content = bytearray(self.content)
        for write in self.writes:
            _write(content, *write)
        return len(content)

    def leave(self, into: Path, chance: Random, kept: float) -> None:
        """Write what a power cut leaves; ``kept`` is the share of changes that are on the disk."""
        if not self.is_folder:
            content = bytearray(self.content)
            for offset, data in self.writes:
                if chance.random() < kept:
                    is_torn = data and kept < 1 and chance.random() < 0.3
                    part = data[: chance.randrange(len(data))] if data and is_torn else data
                    _write(content, offset, part)
            into.write_bytes(content)
            return
        into.mkdir(parents=True)
        names = dict(self.names)
        for change in self.changes:
            if chance.random() < kept:
                _rename(names, *change)
        for name, node in names.items():
            node.leave(into / name, chance, kept)


def _write(content: bytearray, offset: int, data: bytes | None) -> None:
    content.extend(bytes(max(0, offset - len(content))))
    if data is None:
        del content[offset:]
    else:
        content[offset : offset + len(data)] = data


def _rename(names: dict[str, Node], name: str, node: Node | None, former: str | None) -> None:
    if former is not None and names.get(former) is node:
        del names[former]
    if node is not None:
        names[name] = node
    else:
        names.pop(name, None)


@dataclass(eq=False)
class _Opened:
    path: Path
    node: Node
    offset: int = 0
    appends: bool = False


class Disk:
    """The disk below a folder, as the calls of one process change it."""

    def __init__(self, root: Path) -> None:
        self.root = Node(is_folder=True)
        self._place = root
        self._opened: dict[int, _Opened] = {}

    def apply(self, call: str, arguments: Sequence[str], result: int) -> bool:
        """Apply a call; return whether it changed something."""
        handler = getattr(self, f"_{call.rstrip('0123456789')}", None)
        return result >= 0 and handler is not None and bool(handler(arguments, result))

    def _find(self, path: Path) -> Node | None:
        if not path.is_relative_to(self._place):
            return None
        node: Node | None = self.root
        for name in path.relative_to(self._place).parts:
            node = node.now().get(name) if node else None
        return node

    def _path(self, folder: str, text: str) -> Path:
        base = self._opened.get(int(folder)) if folder.isdecimal() else None
        return (base.path if base else Path.cwd()) / os.fsdecode(_decode(text))

    def _openat(self, arguments: Sequence[str], result: int) -> bool:
        self._opened.pop(result, None)
        path, flags = self._path(*arguments[:2]), arguments[2]
        if not path.is_relative_to(self._place) or "O_TMPFILE" in flags:
            return False
        node, created = self._find(path), False
        if node is None:
            folder = self._find(path.parent)
            if folder is None or "O_CREAT" not in flags:
                return False
            node, created = Node(), True
            folder.changes.append((path.name, node, None))
        if "O_TRUNC" in flags and not created:
            node.writes.append((0, None))
        self._opened[result] = _Opened(path, node, 0, "O_APPEND" in flags)
        return created or "O_TRUNC" in flags

    def _open(self, arguments: Sequence[str], result: int) -> bool:
        return self._openat(["AT_FDCWD", *arguments], result)

    def _creat(self, arguments: Sequence[str], result: int) -> bool:
        return self._openat(["AT_FDCWD", arguments[0], "O_CREAT|O_TRUNC"], result)

    def _write(self, arguments: Sequence[str], result: int) -> bool:
        opened = self._opened.get(int(arguments[0]))
        if opened is None:
            return False
        if opened.appends:
            opened.offset = opened.node.size()
        data = b"".join(map(_decode, re.findall(r'"[^"]*"', ", ".join(arguments))))
        opened.node.writes.append((opened.offset, data[:result]))
        opened.offset += result
        return True

    _writev = _write

    def _pwrite(self, arguments: Sequence[str], result: int) -> bool:
        opened = self._opened.get(int(arguments[0]))
        if opened is None:
            return False
        opened.node.writes.append((int(arguments[3]), _decode(arguments[1])[:result]))
        return True

    def _ftruncate(self, arguments: Sequence[str], result: int) -> bool:  # noqa: ARG002
        opened = self._opened.get(int(arguments[0]))
        if opened is not None:
            opened.node.writes.append((int(arguments[1]), None))
        return opened is not None

    def _lseek(self, arguments: Sequence[str], result: int) -> None:
        if opened := self._opened.get(int(arguments[0])):
            opened.offset = result

    def _fsync(self, arguments: Sequence[str], result: int) -> bool:  # noqa: ARG002
        opened = self._opened.get(int(arguments[0]))
        if opened is not None:
            opened.node.sync()
        return opened is not None

    _fdatasync = _fsync

    def _close(self, arguments: Sequence[str], result: int) -> None:  # noqa: ARG002
        self._opened.pop(int(arguments[0]), None)

    def _dup(self, arguments: Sequence[str], result: int) -> None:
        self._opened.pop(result, None)
        if opened := self._opened.get(int(arguments[0])):
            self._opened[result] = opened

    def _fcntl(self, arguments: Sequence[str], result: int) -> None:
        if arguments[1].startswith("F_DUPFD"):
            self._dup(arguments, result)

    def _rename(self, arguments: Sequence[str], result: int) -> bool:
        return self._renameat(["AT_FDCWD", arguments[0], "AT_FDCWD", arguments[1]], result)

    def _renameat(self, arguments: Sequence[str], result: int) -> bool:  # noqa: ARG002
        old, new = self._path(*arguments[:2]), self._path(*arguments[2:4])
        node, source, target = self._find(old), self._find(old.parent), self._find(new.parent)
        if node is None or source is None or target is None:
            return False
        if source is target:
            target.changes.append((new.name, node, old.name))
        else:  # Two folders: the disk can have the new name with the old one, or neither.
            target.changes.append((new.name, node, None))
            source.changes.append((old.name, None, None))
        return True

    def _unlink(self, arguments: Sequence[str], result: int) -> bool:
        return self._unlinkat(["AT_FDCWD", *arguments], result)

    _rmdir = _unlink

    def _unlinkat(self, arguments: Sequence[str], result: int) -> bool:  # noqa: ARG002
        path = self._path(*arguments[:2])
        folder = self._find(path.parent)
        if folder is not None:
            folder.changes.append((path.name, None, None))
        return folder is not None

    def _mkdir(self, arguments: Sequence[str], result: int) -> bool:
        return self._mkdirat(["AT_FDCWD", *arguments], result)

    def _mkdirat(self, arguments: Sequence[str], result: int) -> bool:  # noqa: ARG002
        path = self._path(*arguments[:2])
        folder = self._find(path.parent)
        if folder is not None:
            folder.changes.append((path.name, Node(is_folder=True), None))
        return folder is not None

    def _sendfile(self, arguments: Sequence[str], result: int) -> None:  # noqa: ARG002
        assert int(arguments[0]) not in self._opened, "this call is not understood"

    def _copy_file_range(self, arguments: Sequence[str], result: int) -> None:  # noqa: ARG002
        assert int(arguments[2]) not in self._opened, "this call is not understood"


def _decode(text: str) -> bytes:
    return bytes.fromhex(text.strip('"').replace("\\x", ""))


def record(words: Sequence[str], trace: Path, environment: dict[str, str]) -> int:
    """Run ``scrapy`` with these words on one processor; return its exit status."""
    options = ["-f", "-qq", "-xx", "-s", "99999999", "-e", f"trace={CALLS}", "-o", str(trace)]
    return subprocess.run(
        ["strace", *options, sys.executable, "-m", "scrapy", *words],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    ).returncode


def read_calls(trace: Path) -> Iterator[tuple[str, list[str], int]]:
    """Yield the name, the arguments and the result of each call, in the order of their ends.

    A file is closed when the call begins: before it ends, another thread can get its number.
    """
    waiting: dict[str, tuple[str, str]] = {}
    with trace.open() as lines:
        for line in lines:
            match = _LINE.match(line.rstrip("\n"))
            if match is None:
                continue
            thread, name, rest = match[1], match[2], match[3]
            if name is None:
                name, begun = waiting.pop(thread, ("", ""))
                rest = begun + rest
            if rest.endswith(_UNFINISHED):
                begun = rest.removesuffix(_UNFINISHED)
                if name == "close":
                    yield name, [begun], 0
                else:
                    waiting[thread] = (name, begun)
            elif end := _END.search(rest):
                yield name, rest[: end.start()].split(", "), int(end[1])

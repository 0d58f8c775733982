"""The process that starts the child processes of a pool, and waits for them.

It imports their program once, and forks: a fork takes a twentieth of the time of a new interpreter,
and shares most of its memory. Where it cannot fork, it starts a new interpreter for each.

It reports to its standard output: a line ``started PID`` for each process, in the order of their
pipes, ``failed REASON`` if the system refuses one, and ``ended PID STATUS``. While it waits, it is
another program, ``reaper.py``: 3 MB instead of 37.
"""

import gc
import os
import pkgutil
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Final, NoReturn, Self

from msgspec import Struct

from sitemapaudit.forking import can_fork

_STDOUT, _STDERR = 1, 2

_BUNDLE: Final = "SSL_CERT_FILE"
"""The environment variable that names the file of trusted authorities for OpenSSL."""

STARTED: Final = b"started"
FAILED: Final = b"failed"
ENDED: Final = b"ended"
"""It is written by ``reaper.py``."""


class Pipes(Struct, frozen=True):
    """The ends of two pipes: a process reads ``orders``, and writes ``answers``."""

    orders: int
    answers: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the pipes in an argument of a process."""
        orders, answers = map(int, text.split(":"))
        return cls(orders, answers)

    def __str__(self) -> str:
        return f"{self.orders}:{self.answers}"


def run(program: str, pipes: Pipes) -> NoReturn:
    """Run a program in this process, to its end."""
    try:
        _import(program).main(pipes.orders, pipes.answers)
    except Exception:  # noqa: BLE001 - a fork must not return
        traceback.print_exc()
    finally:
        os._exit(1)  # Programs end the process themselves.


def start_all(program: str, all_pipes: Sequence[Pipes]) -> NoReturn:
    """Start a process for each pair of pipes, and wait until all have ended."""
    reports = os.dup(_STDOUT)
    os.dup2(_STDERR, _STDOUT)  # Other output is not a report.
    with suppress(BrokenPipeError):  # The main process has ended, and with it all others.
        running = _start_each(program, list(all_pipes), reports)
        os.set_inheritable(reports, True)
        reaper = pkgutil.get_data(str(__package__), "reaper.py")  # It can be in an egg.
        words = (sys.executable, "-I", "-S", "-c", reaper or b"", str(reports), str(running))
        os.execv(sys.executable, words)  # noqa: S606 - our own program
    os._exit(0)


def _start_each(program: str, waiting: list[Pipes], reports: int) -> int:
    """Start the processes; return how many the system allows."""
    start = _fork if _prepare(program) else _spawn
    running = 0
    while waiting:
        pipes = waiting.pop(0)
        # Otherwise the main process would not learn that another process has ended.
        foreign = [reports, *(end for each in waiting for end in (each.orders, each.answers))]
        try:
            pid = start(program, pipes, foreign)
        except OSError as error:
            _report(reports, FAILED, error)
        else:
            running += 1
            _report(reports, STARTED, pid)
        os.close(pipes.orders)
        os.close(pipes.answers)
    return running


def _report(reports: int, kind: bytes, *values: object) -> None:
    os.write(reports, b" ".join([kind, *(str(value).encode() for value in values)]) + b"\n")


def _prepare(program: str) -> bool:
    """Import what a program needs; return whether this process can be forked after that."""
    if not can_fork():
        return False
    gc.disable()  # Imports leave no garbage that would be worth a search.
    _import(program).prepare()
    gc.freeze()  # A search would copy memory that forks share.
    gc.enable()
    return can_fork()


def _import(program: str) -> ModuleType:
    """Import the module of a program, and aiohttp without the certificates of authorities.

    aiohttp reads all of them twice when it is imported, in a tenth of the time of all imports. Its
    contexts are not used: connections have that of Scrapy's settings.
    """
    own = os.environ.get(_BUNDLE)
    os.environ[_BUNDLE] = os.devnull
    try:
        return import_module(f"{__package__}.{program}")
    finally:
        if own is None:
            del os.environ[_BUNDLE]
        else:
            os.environ[_BUNDLE] = own


def _fork(program: str, pipes: Pipes, foreign: Sequence[int]) -> int:
    """Start a process in a fork of this one, without ``foreign`` files. Raises OSError."""
    if pid := os.fork():
        return pid
    for number in foreign:
        os.close(number)
    run(program, pipes)


def _spawn(program: str, pipes: Pipes, foreign: Sequence[int]) -> int:
    """Start a process in a new interpreter, without ``foreign`` files. Raises OSError."""
    command = [sys.executable, "-m", str(__package__), program, str(pipes)]
    closed = [(os.POSIX_SPAWN_CLOSE, number) for number in foreign]
    return os.posix_spawn(sys.executable, command, os.environ, file_actions=closed)

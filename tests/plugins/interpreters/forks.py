"""Forks of a process that has imported everything: see server.py.

All processes of a run of the tests share the server. The first that needs it starts it.
"""

import atexit
import contextlib
import fcntl
import os
import pickle
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from multiprocessing.connection import Client, Connection
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[3]
SERVER = "tests.plugins.interpreters.server"
LOG = "log"
"""The file of the shared folder in which the server says why it failed."""
_VARIABLE = "SITEMAPAUDIT_TESTS_FORKING"


@cache
def shared_folder() -> Path:
    """Return the folder of the sockets; the first process makes it, and its children share it.

    The process that forks the others ends when the first process does.
    """
    if _VARIABLE not in os.environ:
        os.environ[_VARIABLE] = tempfile.mkdtemp()
        atexit.register(shutil.rmtree, os.environ[_VARIABLE], ignore_errors=True)
        # Open until this process ends, however it ends.
        listen(Path(os.environ[_VARIABLE], "main")).detach()
    return Path(os.environ[_VARIABLE])


def listen(address: Path) -> socket.socket:
    """Return a socket to which processes can connect from the moment that its file exists."""
    listener = socket.socket(socket.AF_UNIX)
    unready = address.with_suffix(".unready")
    listener.bind(str(unready))
    listener.listen()
    unready.rename(address)
    return listener


def _connect() -> Connection:
    """Return a connection to the process that forks the others."""
    address = shared_folder() / "commands"
    with (shared_folder() / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not address.exists():
            with listen(address) as listener, (shared_folder() / LOG).open("w") as log:
                number = listener.fileno()
                words = [sys.executable, "-m", SERVER, str(number), str(shared_folder())]
                subprocess.run(words, cwd=PROJECT, pass_fds=[number], stderr=log, check=True)
    return Client(str(address))


class Fork:
    """A forked process that calls a function, in a process group of its own."""

    def __init__(self, target: Callable[..., None], *arguments: Any) -> None:
        try:
            self._connection = _connect()
            self._connection.send_bytes(pickle.dumps((target, arguments)))
            self.pid: int = self._connection.recv()
        except (ConnectionError, EOFError) as error:
            error.add_note((shared_folder() / LOG).read_text(encoding="utf-8"))
            raise
        self._status: int | None = None

    def wait(self, seconds: float) -> int | None:
        """Return the exit status, or None if the process still runs after these seconds."""
        if self._status is None and self._connection.poll(seconds):
            self._status = self._connection.recv()
        return self._status

    def kill(self) -> None:
        """Kill the process and those that it started, and wait for its end."""
        kill_group(self.pid)
        self.wait(60)


def kill_group(pid: int) -> None:
    """Kill a process with its group."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:  # It has ended, or its group does not exist yet.
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

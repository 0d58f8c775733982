"""Forked processes that answer questions within a limit of time."""

import contextlib
import ctypes
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, Final

import psutil

_IDLE: Final = 20
"""The number of seconds that a process may wait for each second that it may work."""

_ENDS_WITH_PARENT: Final = 1


class TimedOutError(Exception):
    """A process took longer than it may; it was killed."""


class EndedError(Exception):
    """A process ended without an answer."""


class Child:
    """A fork of this process that serves a connection until that is closed."""

    def __init__(self, serve: Callable[[Connection], None]) -> None:
        self._connection, other = Pipe()
        self._pid = os.fork()
        if self._pid == 0:
            self._connection.close()
            _run(serve, other)
        other.close()

    def ask(self, question: Any, seconds: float | None = None) -> Any:
        """Return the answer; the process may work for this many seconds.

        Raises TimedOutError, or EndedError.
        """
        try:
            self._connection.send(question)
            self._wait(seconds)
            return self._connection.recv()
        except (EOFError, ConnectionError) as error:
            self.end()
            raise EndedError from error

    def _wait(self, seconds: float | None) -> None:
        began, worked = time.monotonic(), self._worked()
        while not self._connection.poll(0.2):
            idle = time.monotonic() - began
            if seconds is not None and (
                self._worked() - worked > seconds or idle > seconds * _IDLE
            ):
                self.end()
                raise TimedOutError

    def _worked(self) -> float:
        with contextlib.suppress(psutil.Error):
            times = psutil.Process(self._pid).cpu_times()
            return float(times.user + times.system)
        return 0.0

    def end(self) -> None:
        """Kill the process, and those that it started."""
        if self._pid:
            self._connection.close()
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._pid, signal.SIGKILL)
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(self._pid, 0)
            self._pid = 0


def answering(answer: Callable[[Any], Any]) -> Callable[[Connection], None]:
    """Return a function that serves a connection with these answers."""

    def serve(connection: Connection) -> None:
        with contextlib.suppress(EOFError):
            while True:
                connection.send(answer(connection.recv()))

    return serve


def _run(serve: Callable[[Connection], None], connection: Connection) -> None:
    """Serve the connection in this process, which writes nothing, and end it."""
    try:
        os.setpgid(0, 0)
        if sys.platform == "linux":  # It ends with the process that started it.
            ctypes.CDLL(None).prctl(_ENDS_WITH_PARENT, signal.SIGKILL)
        if "MUTANTS_LOG" not in os.environ:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
        serve(connection)
    except BaseException:  # noqa: BLE001 - it is printed, and this process ends
        traceback.print_exc()
    finally:
        os._exit(0)

"""A process that prepares to build results while this one prepares to crawl.

With a processor for each, an audit of ten URLs takes 10 % less time. The process is a fork, so that
it need not repeat imports.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import threading
from contextlib import suppress
from importlib import import_module
from io import BufferedRWPair
from typing import TYPE_CHECKING, Final, NoReturn

from sitemapaudit.forking import can_fork
from sitemapaudit.results.job import Results, ResultsJob, build, ready

if TYPE_CHECKING:
    from sitemapaudit.workers.log_forwarding import Logged

_SHOWN: Final = ("sitemapaudit.report.terminal", "rich.table")
"""The modules that show a summary."""


SILENCE: Final = 10.0
"""Seconds without a sign of life after which the process is ended: it was stopped, or it hangs."""

_SIGN: Final = 1.0
"""Seconds between its signs of life."""


class ResultsProcess:
    """A process that waits for a run, and builds its results.

    It ends when this process ends, for whatever reason.
    """

    def __init__(self, pid: int, stream: BufferedRWPair) -> None:
        self._pid = pid
        self._stream = stream

    @classmethod
    def fork(cls) -> ResultsProcess | None:
        """Start the process; None if this process cannot be forked."""
        if not can_fork():
            return None
        ours, theirs = socket.socketpair()
        try:
            pid = os.fork()
        except OSError:
            return None
        with ours, theirs:
            if not pid:
                ours.close()
                _serve(theirs.makefile("rwb"))
            ours.settimeout(SILENCE)
            return cls(pid, ours.makefile("rwb"))

    def build(self, job: ResultsJob) -> Results | None:
        """Let the process build the results of a run; None if it fails or is silent."""
        from sitemapaudit.workers.log_forwarding import log_forwarded  # noqa: PLC0415

        try:
            pickle.dump(job, self._stream)
            self._stream.flush()
            for module in _SHOWN:
                import_module(module)
            while not isinstance(answer := pickle.load(self._stream), Results):  # noqa: S301
                if answer is not None:
                    log_forwarded(answer)
        except Exception:  # noqa: BLE001 - it is ours, or met again when this process builds them
            return None
        return answer

    def end(self) -> None:
        """End the process; what it has sent is complete, and what it has not is built again."""
        with suppress(OSError):
            self._stream.close()
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(self._pid, signal.SIGKILL)  # It also ends a process that is stopped.
            os.waitpid(self._pid, 0)


def _serve(stream: BufferedRWPair) -> NoReturn:
    """Build the results of one run, unless this process is no longer needed."""
    try:
        # Ctrl-C reaches all processes of a terminal; only the main process handles it.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with ready():
            job: ResultsJob = pickle.load(stream)  # noqa: S301 - from the main process
            threading.Thread(target=_end_with, args=(stream,), daemon=True).start()
            _answer(job, stream)
    finally:
        # What fails here fails again in the main process, which reports it.
        os._exit(0)


def _answer(job: ResultsJob, stream: BufferedRWPair) -> None:
    from sitemapaudit.runs.durable import Repeating  # noqa: PLC0415
    from sitemapaudit.workers.log_forwarding import forward_log  # noqa: PLC0415

    one_at_a_time = threading.Lock()

    def send(message: Logged | Results | None) -> None:
        with one_at_a_time:
            pickle.dump(message, stream)
            stream.flush()

    forward_log(send, job.log_level)
    with Repeating(lambda: send(None), _SIGN):
        results = build(job)
    send(results)


def _end_with(stream: BufferedRWPair) -> None:
    """End this process together with the main one."""
    with suppress(OSError):
        stream.read(1)
    os._exit(0)

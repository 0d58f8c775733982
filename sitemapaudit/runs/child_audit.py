"""An audit in a separate process, which ends with this one; its run can be resumed."""

import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from tempfile import TemporaryFile
from typing import Final, Self

from sitemapaudit.runs.progress_report import ProgressReport

_GRACE: Final = 60.0
"""Seconds that a stopped audit has to end by itself."""

_LAST_WORDS: Final = 2_000
_LAST_LINES: Final = 20


class ChildAudit:
    """A running ``sitemapaudit`` command; a context manager that waits for its end.

    The child ends when its standard input does, and so with this process. ``report`` gets each
    report of its progress, in another thread.
    """

    def __init__(self, words: Sequence[str], report: Callable[[ProgressReport], None]) -> None:
        self.is_stopping = False
        self._said: deque[bytes] = deque(maxlen=_LAST_LINES)
        read_end, write_end = os.pipe()
        threading.Thread(target=self._follow, args=(read_end, report), daemon=True).start()
        self._errors = TemporaryFile()  # noqa: SIM115 - closed with the child
        with open(write_end, "wb") as output:  # noqa: PTH123 - a pipe
            # In its own session, Ctrl+C does not reach it: this process stops it.
            self._process = subprocess.Popen(  # noqa: S603 - our own command
                [sys.executable, "-m", "sitemapaudit.cli.child", *words],
                stdin=subprocess.PIPE,
                stdout=output,
                stderr=self._errors,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    @property
    def status(self) -> int | None:
        """Its exit status; None while it runs."""
        return self._process.poll()

    def wait(self, seconds: float) -> None:
        """Wait for its end, or for some seconds."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)

    def ask_to_stop(self) -> None:
        """Let it end as soon as its run can be resumed; a second signal would abort it."""
        if self.status is None and not self.is_stopping:
            self.is_stopping = True
            self._process.terminate()

    def stop(self) -> None:
        """Let it end, and wait; kill it if that takes too long."""
        self.ask_to_stop()
        self.wait(_GRACE)
        if self.status is None:
            self._process.kill()
            self._process.wait()

    def last_words(self) -> str:
        """Return the end of its standard error; if that is empty, of its standard output."""
        self._errors.seek(0)
        said = self._errors.read() or b"".join([*self._said])
        return said.decode(errors="replace")[-_LAST_WORDS:].strip()

    def close(self) -> None:
        """Close its standard input, and wait for its end."""
        self._process.__exit__(None, None, None)
        self._errors.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _follow(self, output: int, report: Callable[[ProgressReport], None]) -> None:
        """Report the progress that the child prints, until its output ends."""
        with open(output, "rb") as lines:
            for line in lines:
                if found := ProgressReport.read(line):
                    report(found)
                else:
                    self._said.append(line)

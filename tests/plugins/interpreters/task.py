"""A command with all that its process needs."""

import atexit
import os
import resource
import runpy
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Task:
    """``python -m module`` with these words.

    ``limits`` are those of the process, by number. ``prepare`` is called in the process before the
    command; it may change the folder.
    """

    module: str
    words: Sequence[str]
    environment: Mapping[str, str]
    cwd: Path | None
    output: Path
    log: Path
    limits: Mapping[int, int]
    prepare: Callable[[], None] | None

    def run(self) -> None:
        """Run the command in this process."""
        if self.prepare:
            self.prepare()
        self.set_limits()
        for file, number in ((self.output, 1), (self.log, 2)):
            os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND), number)
        if self.cwd:
            os.chdir(self.cwd)
        os.environ.clear()
        os.environ.update(self.environment)
        sys.argv = [self.module, *self.words]
        try:
            runpy.run_module(self.module, run_name="__main__", alter_sys=True)
        finally:
            atexit._run_exitfuncs()

    def set_limits(self) -> None:
        """Set the limits of this process."""
        for number, limit in self.limits.items():
            resource.setrlimit(number, (limit, limit))

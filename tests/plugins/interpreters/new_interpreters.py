"""Runs commands in new interpreters, as users do."""

import pickle
import subprocess
import sys

from tests.plugins.interpreters.forks import PROJECT, kill_group
from tests.plugins.interpreters.task import Task

RUN_PICKLED = "import pickle, sys; pickle.load(sys.stdin.buffer).run()"


class NewInterpreter:
    """A new interpreter that runs a command, in a process group of its own."""

    def __init__(self, task: Task) -> None:
        self._process = _run_prepared(task) if task.prepare else _run(task)
        self.pid = self._process.pid

    def wait(self, seconds: float) -> int | None:
        """Return the exit status, or None if the process still runs after these seconds."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def kill(self) -> None:
        """Kill the process and those that it started, and wait for its end."""
        kill_group(self.pid)
        self.wait(60)


def _run(task: Task) -> "subprocess.Popen[bytes]":
    with task.output.open("ab") as output, task.log.open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", task.module, *task.words],
            cwd=task.cwd or PROJECT,
            env=task.environment,
            stdout=output,
            stderr=log,
            preexec_fn=task.set_limits,  # noqa: PLW1509 - it only sets limits
            start_new_session=True,
        )


def _run_prepared(task: Task) -> "subprocess.Popen[bytes]":
    """Start an interpreter that is prepared by functions of the tests before the command."""
    process = subprocess.Popen(
        [sys.executable, "-c", RUN_PICKLED],
        cwd=PROJECT,
        stdin=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdin
    process.stdin.write(pickle.dumps(task))
    process.stdin.close()
    return process

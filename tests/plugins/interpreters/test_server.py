"""No process outlives what started it."""

import os
import pickle
import subprocess
import sys
import time
from multiprocessing.connection import Client
from pathlib import Path

from tests.plugins.interpreters.forks import PROJECT, Fork, listen
from tests.plugins.interpreters.server import serve
from tests.support.commands import TIMEOUT

CLIENT = """
import time
from tests.plugins.interpreters.forks import Fork
fork = Fork(time.sleep, 600)  # What is not kept ends at once.
print(fork.pid, flush=True)
time.sleep(600)
"""


def test_a_command_ends_with_the_process_that_started_it() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", CLIENT], cwd=PROJECT, stdout=subprocess.PIPE
    ) as client:
        assert client.stdout
        try:
            pid = int(client.stdout.readline())
            time.sleep(0.1)
            assert is_running(pid)
        finally:
            client.kill()
    assert ends(pid)


def serve_until_the_end(folder: Path) -> None:
    """Fork processes as the one for all tests does."""
    with listen(folder / "commands") as commands, Client(str(folder / "main")) as main:
        serve(commands, main)


def test_everything_ends_with_the_main_process(tmp_path: Path) -> None:
    with listen(tmp_path / "main") as main:
        server = Fork(serve_until_the_end, tmp_path)
        while not (tmp_path / "commands").exists() and server.wait(0.01) is None:
            pass
        with Client(str(tmp_path / "commands")) as client:
            client.send_bytes(pickle.dumps((time.sleep, (600,))))
            pid = client.recv()
            assert (is_running(pid), server.wait(0)) == (True, None)
            main.close()
            assert (ends(pid), server.wait(TIMEOUT)) == (True, 0)


def is_running(pid: int) -> bool:
    """Return whether there is a process with this number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def ends(pid: int) -> bool:
    """Wait for the end of a process, which may take a moment."""
    for _ in range(1_000):
        if not is_running(pid):
            return True
        time.sleep(0.01)
    return False

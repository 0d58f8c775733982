"""A command in a forked process behaves as in a new interpreter."""

import os
import pickle
import re
import subprocess
import sys
import time
from multiprocessing.connection import Client
from pathlib import Path

import pytest

from tests import warm
from tests.forking import serve
from tests.support import PROJECT, TIMEOUT, own_environment

UNREACHABLE = ["crawl", "sitemap", "-a", "site=http://127.0.0.1:9", "-s", "RETRY_TIMES=0"]


def without_numbers(*texts: str) -> list[str]:
    """Return texts with every number replaced: times, and names of folders."""
    return [re.sub(r"\d+", "0", text) for text in texts]


@pytest.mark.parametrize(
    ("module", "words", "status"),
    [
        ("sitemapaudit", ["rules", "loc-missing"], 0),
        ("sitemapaudit", ["report", "nowhere"], 2),
        ("scrapy", UNREACHABLE, 3),
    ],
    ids=["rules", "report", "crawl"],
)
def test_output_and_status_are_those_of_a_new_interpreter(
    tmp_path: Path, module: str, words: list[str], status: int
) -> None:
    forked = warm.run(
        module, [*words, "-s", f"AUDIT_DIR={tmp_path / '1'}"], own_environment(), TIMEOUT
    )
    new = subprocess.run(
        [sys.executable, "-m", module, *words, "-s", f"AUDIT_DIR={tmp_path / '2'}"],
        cwd=PROJECT,
        env=own_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (forked.returncode, new.returncode) == (status, status)
    texts = without_numbers(forked.stdout, forked.stderr)
    assert texts == without_numbers(new.stdout, new.stderr)
    assert any(texts)


def test_a_command_that_takes_too_long_is_killed() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        warm.run("scrapy", ["rules"], own_environment(), 0)


CLIENT = """
import time
from tests import warm
print(warm.Forked(time.sleep, 600).pid, flush=True)
time.sleep(600)
"""


def test_a_command_ends_with_the_process_that_started_it() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", CLIENT], cwd=PROJECT, stdout=subprocess.PIPE
    ) as client:
        assert client.stdout
        pid = int(client.stdout.readline())
        assert is_running(pid)
        client.kill()
    assert ends(pid)


def serve_until_the_end(folder: Path) -> None:
    """Fork processes as the one for all tests does."""
    with warm.listen(folder / "commands") as commands, Client(str(folder / "main")) as main:
        serve(commands, main)


def test_everything_ends_with_the_main_process(tmp_path: Path) -> None:
    with warm.listen(tmp_path / "main") as main:
        server = warm.Forked(serve_until_the_end, tmp_path)
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

"""A command behaves the same in a fork as in a new interpreter."""

import os
import re
import resource
import subprocess
import sys
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path

import pytest

from tests.plugins.interpreters.commands import COLD, Command, own_environment, run
from tests.plugins.interpreters.forks import PROJECT
from tests.support.commands import TIMEOUT

pytestmark = pytest.mark.xdist_group("interpreters")

UNREACHABLE = [
    "crawl",
    "sitemap",
    "-a",
    "site=http://127.0.0.1:9",
    "-s",
    "RETRY_TIMES=0",
    "-s",
    "AUDIT_DIR={folder}",
]


@pytest.fixture(params=["a fork", "a new interpreter"], autouse=True)
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(COLD, raising=False)
    if request.param == "a new interpreter":
        monkeypatch.setenv(COLD, "1")


def without_numbers(*texts: str) -> list[str]:
    """Return texts with every number replaced: times, and names of folders."""
    return [re.sub(r"\d+", "0", text) for text in texts]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("commands")


@cache
def run_in_shell(module: str, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run a command in the way of a shell, once for both other ways."""
    return subprocess.run(
        [sys.executable, "-m", module, *words],
        cwd=PROJECT,
        env=own_environment(),
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("module", "words", "status"),
    [
        ("sitemapaudit", ["rules", "loc-missing"], 0),
        ("sitemapaudit", ["report", "{folder}"], 2),
        ("scrapy", UNREACHABLE, 3),
    ],
    ids=["rules", "report", "crawl"],
)
def test_output_and_status_are_those_of_the_shell(
    folder: Path, module: str, words: list[str], status: int
) -> None:
    number = 1 + (COLD in os.environ)
    forked = [word.format(folder=folder / str(number)) for word in words]
    done = run(module, forked, own_environment(), TIMEOUT)
    shell = run_in_shell(module, *(word.format(folder=folder / "0") for word in words))
    assert (done.returncode, shell.returncode) == (status, status)
    texts = without_numbers(done.stdout, done.stderr)
    assert texts == without_numbers(shell.stdout, shell.stderr)
    assert any(texts)


SCRIPT = """
import os, resource
print(os.environ["GIVEN"], resource.getrlimit(resource.RLIMIT_CORE)[1])
os.setpgid(0, 0)  # the leader of a session must not
"""


@pytest.mark.parametrize("prepare", [None, os.getpid], ids=["not prepared", "prepared"])
def test_a_command_has_its_folder_its_environment_and_its_limits(
    tmp_path: Path, prepare: Callable[[], None] | None
) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    environment = own_environment() | {"GIVEN": "yes", "PYTHONPATH": str(PROJECT)}
    command = Command(
        ["script.py"],
        {resource.RLIMIT_CORE: 7},
        prepare,
        module="tests.docs.script",
        environment=environment,
        cwd=tmp_path,
    )
    assert command.wait(TIMEOUT) == 1
    assert command.output == "yes 7\n"
    assert "PermissionError" in command.log


def test_a_command_is_prepared(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text("print('found')")
    command = Command(
        ["script.py"], prepare=partial(os.chdir, tmp_path), module="tests.docs.script"
    )
    assert (command.wait(TIMEOUT), command.output) == (0, "found\n")


def test_a_command_that_takes_too_long_is_killed() -> None:
    command = Command(["shell"])
    with pytest.raises(TimeoutError):
        command.wait(0)
    assert command.poll() == -9

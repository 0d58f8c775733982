"""Mistakes of ``sitemapaudit serve``: one sentence each."""

import socket
import sys
from pathlib import Path

import pytest

from tests.support.commands import run_in_process


def test_a_port_that_is_taken_is_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run_in_process("serve", str(tmp_path), "--port", port)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(f"--port: {port} cannot be used: ")
    assert run_in_process("serve", str(tmp_path), "--port", "65536").returncode == 2


def test_a_folder_that_does_not_exist_is_one_sentence(tmp_path: Path) -> None:
    done = run_in_process("serve", str(tmp_path / "x"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{tmp_path / 'x'} is not a folder: name the one with the audits.\n"


def test_a_missing_extra_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sitemapaudit.serving.server", None)
    done = run_in_process("serve", str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (
        2, "", "serve: install sitemapaudit[serve].\n",
    )  # fmt: skip

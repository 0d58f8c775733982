"""Real web servers: each case is a folder that the server has for one host."""

import http.client
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ClassVar, Final

from tests.builds.oracles.oracle import Case, Oracle
from tests.builds.oracles.tools import Tools
from tests.crawling.revalidating.nginx import free_port

_START: Final = 60
"""Seconds that a server may need to start."""


def write_site(case: Case, folder: Path) -> None:
    """Write the files of a case; a file that has no text contains its name."""
    for name, text in case.files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text or f"FILE {name}")


class ServerOracle(Oracle):
    """A web server. The host of each case is its number, and the name of its folder."""

    public: ClassVar[str] = "."
    """The folder of the files in that of a case."""

    def command(self, folder: Path, port: int, tools: Tools) -> list[str]:
        """Configure the server in a folder, and return its command."""
        raise NotImplementedError

    def ask(self, cases: Sequence[Case], tools: Tools) -> None:
        folder = tools.fresh(f"{self.name}-sites")
        for number, case in enumerate(cases):
            write_site(case, folder / f"t{number}" / self.public)
        port = free_port()
        with running(self.command(folder, port, tools), folder, port, tools):
            for number, case in enumerate(cases):
                host, place = f"t{number}", str(folder / f"t{number}")
                case.answers = [
                    ask(port, host, target).replace(place, "/FOLDER") for target in case.requests
                ]


@contextmanager
def running(command: Sequence[str], folder: Path, port: int, tools: Tools) -> Iterator[None]:
    """Start a server in a folder, and wait until it has its port."""
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=tools.environment, stdout=log, stderr=log, process_group=0
        )
    try:
        _wait_for(port, process, folder / "log")
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait()


def _wait_for(port: int, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + _START
    while process.poll() is None and time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(log.read_text(errors="replace")[-2000:])


def ask(port: int, host: str, target: str) -> str:
    """Return the answer to a request, such as ``200 a.html noindex`` or ``301 /a/``."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", target, headers={"Host": host})
    response = connection.getresponse()
    body = response.read().decode(errors="replace")
    connection.close()
    location = response.getheader("Location")
    if location is not None:
        return f"{response.status} {re.sub(rf'^https?://{host}(:[0-9]+)?', '', location)}"
    name = body.removeprefix("FILE ") if body.startswith("FILE ") else ""
    tags = ", ".join(response.headers.get_all("X-Robots-Tag") or [])
    return " ".join(filter(None, (str(response.status), name, tags)))

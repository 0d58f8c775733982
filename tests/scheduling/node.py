"""A real Scrapyd on loopback; the project is deployed to it as users do."""

import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlencode
from urllib.request import ProxyHandler, build_opener

from sitemapaudit.runs.folders import find_runs
from sitemapaudit.runs.manifest import Manifest
from tests.plugins.interpreters.commands import own_environment
from tests.support.paths import PROJECT

PATIENCE = 90
JOBS = 3
"""Jobs that the server runs at once."""

_NOT_COPIED = (".*", "__pycache__", "audits", "build", "_build", "setup.py", "*.egg-info")
_CONFIGURATION = """
[scrapyd]
http_port = {port}
max_proc = {jobs}
poll_interval = 0.2
"""


class Server:
    """Scrapyd in a folder of its own; a context manager that runs it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.audits = folder / "node", folder / "audits"
        self._clone = folder / "clone"
        self._open = build_opener(ProxyHandler({})).open

    def __enter__(self) -> Self:
        self.folder.mkdir()
        port = _free_port()
        self.url = f"http://127.0.0.1:{port}"
        configuration = _CONFIGURATION.format(port=port, jobs=JOBS)
        (self.folder / "scrapyd.conf").write_text(configuration, encoding="utf-8")
        self._file = (self.folder / "output").open("w+", encoding="utf-8")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "scrapyd", "--pidfile="],
            cwd=self.folder,
            env=own_environment(),
            stdout=self._file,
            stderr=subprocess.STDOUT,
        )
        self.until(self._responds)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE)
        self._file.close()

    @property
    def output(self) -> str:
        """The log of Scrapyd itself, with the output of its jobs."""
        return (self.folder / "output").read_text(encoding="utf-8")

    def deploy(self) -> str:
        """Run scrapyd-deploy in a copy of the project, and remove the copy; return its output."""
        shutil.copytree(PROJECT, self._clone, ignore=shutil.ignore_patterns(*_NOT_COPIED))
        file = self._clone / "scrapy.cfg"
        text = file.read_text(encoding="utf-8")
        assert "http://localhost:6800/" in text
        file.write_text(text.replace("http://localhost:6800", self.url), encoding="utf-8")
        done = subprocess.run(
            [Path(sys.executable).with_name("scrapyd-deploy")],
            cwd=self._clone,
            env=own_environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        shutil.rmtree(self._clone)
        return done.stdout

    @property
    def eggs(self) -> list[Path]:
        return sorted(self.folder.glob("eggs/sitemapaudit/*.egg"))

    def schedule(self, settings: dict[str, Any] | None = None, **arguments: str) -> str:
        """Schedule an audit at full speed, and return the id of its job."""
        chosen = {"AUDIT_DIR": self.audits, "AUDIT_SPEED": "full"} | (settings or {})
        pairs = [("setting", f"{name}={value}") for name, value in chosen.items()]
        reply = self.post("schedule.json", [("spider", "sitemap"), *pairs, *arguments.items()])
        return str(reply["jobid"])

    def cancel(self, job: str) -> None:
        self.post("cancel.json", [("job", job)])

    def post(self, service: str, pairs: list[tuple[str, str]]) -> dict[str, Any]:
        body = urlencode([("project", "sitemapaudit"), *pairs]).encode()
        return self._json(f"/{service}", body)

    def jobs(self, *states: str) -> list[str]:
        reply = self._json("/listjobs.json?project=sitemapaudit")
        return [job["id"] for state in states for job in reply[state]]

    def wait(self, *jobs: str) -> None:
        """Wait until these jobs have ended."""
        self.until(lambda: set(jobs) <= set(self.jobs("finished")))

    def until(self, happened: Callable[[], object]) -> None:
        """Wait until a condition is true."""
        last = time.monotonic() + PATIENCE
        while not happened():
            assert time.monotonic() < last, self.output
            assert self._process.poll() is None, self.output
            time.sleep(0.1)

    @property
    def runs(self) -> list[Path]:
        return find_runs(self.audits)

    def run_of(self, job: str) -> Path:
        """Return the run folder of a job."""
        found = [run for run in self.runs if Manifest.read(run).job == job]
        assert found, self.log_of(job)
        return found[0]

    def log_of(self, job: str) -> str:
        """Return the log of a job, as the web console of Scrapyd shows it."""
        with self._open(f"{self.url}/logs/sitemapaudit/sitemap/{job}.log", timeout=30) as response:
            return str(response.read().decode())

    def exit_status_of(self, job: str) -> int:
        """Return the exit status of a job, which only the log of Scrapyd contains."""
        for line in self.output.splitlines():
            if f"job='{job}'" in line and "Process finished" in line:
                return 0
            if f"job='{job}'" in line and "exitstatus=" in line:
                return int(line.partition("exitstatus=")[2].partition(" ")[0])
        raise AssertionError(self.output)

    def _responds(self) -> bool:
        try:
            return bool(self._json("/daemonstatus.json"))
        except OSError:
            return False

    def _json(self, path: str, body: bytes | None = None) -> dict[str, Any]:
        with self._open(self.url + path, body, timeout=30) as response:
            reply: dict[str, Any] = json.load(response)
        assert reply["status"] == "ok", reply
        return reply


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])

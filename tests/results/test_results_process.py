"""Who builds the results of an audit: a process that waits for it, or the one that crawls.

Each audit here is a program of its own: a process that has imported what builds results, as that
from which the other tests fork theirs, starts no such process.
"""

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import psutil
import pytest

from sitemapaudit.demo.server import Reply, ServerRequest
from sitemapaudit.runs.manifest import Manifest, Status
from tests.plugins.interpreters.commands import own_environment
from tests.runs.killing import read_rows
from tests.runs.site import Site
from tests.support.commands import TIMEOUT
from tests.support.paths import PROJECT
from tests.support.settings import UNTIMED

pytestmark = [
    pytest.mark.xdist_group("results"),
    pytest.mark.skipif(sys.platform in {"darwin", "win32"}, reason="no process can be forked"),
]

URLS = 20

PATIENT = "tests.results.patient"
"""The program, but its second process waits as long as a busy machine takes."""

RULE = '''
from sitemapaudit.items import Severity, Subject
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE


class SiteUnclear(QueryRule):
    """Site is unclear

    When: always.

    Why: It is a test.

    Fix: Nothing.
    """

    subject = Subject.SITE
    severity = Severity.NOTICE
    message = "unclear"
    references = (PRACTICE,)
    query = "select * from nowhere"
'''


class HeldSite(Site):
    """Answers no request for its last page before it is ``open``; ``waits`` for that."""

    def __init__(self) -> None:
        super().__init__(URLS)
        self.open = Event()
        self.waits = Event()

    def close(self) -> None:
        """Hold the last page of the next audit."""
        self.open.clear()
        self.waits.clear()

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path.endswith(f"/{URLS - 1}"):
            self.waits.set()
            self.open.wait(TIMEOUT)
        return super()._reply(request)


@pytest.fixture(scope="module")
def site() -> Iterator[HeldSite]:
    """The same for all audits: its addresses are in the tables."""
    with HeldSite() as held:
        yield held


@dataclass
class Program:
    """An audit that runs, and the process that waits for it, if there is one."""

    site: HeldSite
    audits: Path
    process: subprocess.Popen[str]

    @property
    def run(self) -> Path:
        (manifest,) = self.audits.glob("*/*/run.json")
        return manifest.parent

    @property
    def log(self) -> str:
        return (self.run / "crawl.log").read_text()

    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children()

    def prepares_twice(self) -> bool:
        """Return whether a process has loaded what only the other one needs.

        The main process needs no database, and the one that builds results no network.
        """
        needless = {self.process.pid: "duckdb"}
        needless |= {child.pid: "cryptography" for child in self.children()}
        with suppress(OSError):  # It has just ended.
            return any(
                name in Path(f"/proc/{pid}/maps").read_text() for pid, name in needless.items()
            )
        return False

    def finish(self) -> str:
        """Let the audit end, and return what it prints."""
        self.site.open.set()
        output, _ = self.process.communicate(timeout=TIMEOUT)
        return output


@contextmanager
def audit(
    site: HeldSite, audits: Path, *words: str, cores: int = 2, module: str = PATIENT
) -> Iterator[Program]:
    """Start an audit that may use so many processors; wait until it has sent the last request."""

    def prepare() -> None:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Some shells let programs ignore Ctrl-C.

    site.close()
    settings = {"AUDIT_DIR": audits, "AUDIT_SPEED": "full", **UNTIMED}
    given = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    with subprocess.Popen(
        [sys.executable, "-m", module, "audit", site.origin, *given, *words],
        cwd=PROJECT,
        env=own_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=prepare,  # noqa: PLW1509 - it takes no lock
    ) as process:
        try:
            while not site.waits.wait(0.01):
                assert process.poll() is None, process.communicate()
            yield Program(site, audits, process)
        finally:
            process.kill()


@dataclass(frozen=True)
class Outcome:
    """What an audit leaves, without what differs between two of a site."""

    tables: dict[str, Counter[str]]
    files: set[str]
    summary: list[str]


def outcome(program: Program) -> Outcome:
    """Let an audit end, and return what it leaves."""
    output = program.finish()
    assert program.process.returncode == 0, output
    assert "Traceback" not in output
    assert Manifest.read(program.run).complete
    summary = [line for line in output.splitlines() if str(program.run) not in line]
    files = {file.name for file in program.run.iterdir()}
    return Outcome(read_rows(program.run), files, summary)


@pytest.fixture(scope="module")
def alone(site: HeldSite, tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """The outcome of an audit with one processor, and so in one process."""
    with audit(site, tmp_path_factory.mktemp("alone"), cores=1) as program:
        assert not program.children()
        return outcome(program)


def test_a_process_builds_the_same_results(alone: Outcome, site: HeldSite, tmp_path: Path) -> None:
    with audit(site, tmp_path) as program:
        (child,) = program.children()
        site.open.set()
        while program.process.poll() is None:
            assert not program.prepares_twice()
            time.sleep(0.01)
        assert outcome(program) == alone
        assert not child.is_running()
    assert len(alone.files) > 10
    assert any("listed URLs" in line for line in alone.summary)


def test_without_the_process_nothing_is_lost(
    alone: Outcome, site: HeldSite, tmp_path: Path
) -> None:
    with audit(site, tmp_path) as program:
        (child,) = program.children()
        child.kill()
        assert outcome(program) == alone


def test_a_process_that_was_stopped_costs_nothing(
    alone: Outcome, site: HeldSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SILENCE", "2")
    with audit(site, tmp_path) as program:
        (child,) = program.children()
        child.suspend()
        assert outcome(program) == alone
        assert not child.is_running()


def test_a_long_audit_ends_the_process(alone: Outcome, site: HeldSite, tmp_path: Path) -> None:
    with audit(site, tmp_path, module="sitemapaudit") as program:
        while program.children():
            time.sleep(0.01)
        assert outcome(program) == alone


def test_the_process_ends_with_the_audit(site: HeldSite, tmp_path: Path) -> None:
    with audit(site, tmp_path) as program:
        (child,) = program.children()
        program.process.kill()
        child.wait(TIMEOUT)


def test_ctrl_c_ends_the_audit_with_its_results(site: HeldSite, tmp_path: Path) -> None:
    with audit(site, tmp_path) as program:
        (child,) = program.children()
        os.killpg(program.process.pid, signal.SIGINT)
        while "Received SIGINT" not in program.log:
            time.sleep(0.01)
        time.sleep(0.2)  # A process that heeds the signal has ended by now.
        assert child.status() != psutil.STATUS_ZOMBIE
        output = program.finish()
        assert program.process.returncode == 3, output
        assert "The audit is incomplete: the run was stopped" in output
        assert "Traceback" not in output
        assert Manifest.read(program.run).status is Status.INTERRUPTED
        assert (program.run / "report.html").exists()
        child.wait(TIMEOUT)


def test_what_fails_in_the_process_is_logged_by_the_audit(site: HeldSite, tmp_path: Path) -> None:
    package = tmp_path / "own_rules"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "site_unclear.py").write_text(RULE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(tmp_path))
        with audit(site, tmp_path / "audits", "-s", "AUDIT_RULE_MODULES=own_rules") as program:
            assert program.children()
            output = program.finish()
    for text in (output, program.log):
        assert text.count("Rule site-unclear failed") == 1, text
        assert text.count("Catalog Error") >= 1
    assert Manifest.read(program.run).broken_rules == {"site-unclear": 1}

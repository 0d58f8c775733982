"""A command that fails never ends with status 1, which means that a finding must fail."""

import errno
import resource
from pathlib import Path

import duckdb
import pytest

from sitemapaudit.cli.refusals import refuse_failure
from sitemapaudit.datasets.memory_limit import run_with_memory_limit
from sitemapaudit.datasets.refusals import MemoryLimitError
from tests.plugins.interpreters.commands import COLD, Command
from tests.support.commands import TIMEOUT

FAULTS = {
    OSError(errno.EMFILE, "refused"): "this machine failed: Too many open files; raise the limit",
    OSError(errno.EIO, "refused", "urls.csv"): "this machine failed: urls.csv: Input/output error",
    MemoryError(): "this machine failed: Cannot allocate memory; free memory",
    duckdb.OutOfMemoryException("x"): "this machine failed: Cannot allocate memory",
    duckdb.IOException("No space left on device"): "this machine failed: No space left on device",
    MemoryLimitError("Comparing needs more"): "Comparing needs more.",
    KeyboardInterrupt(): "Stopped.",
}


@pytest.mark.parametrize("fault", FAULTS, ids=repr)
def test_a_fault_of_this_machine_is_one_sentence(
    fault: BaseException, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refuse_failure(fault) == 3
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith(FAULTS[fault])
    assert printed.err.count("\n") == 1


def test_our_fault_has_a_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert refuse_failure(RuntimeError("ours")) == 3
    assert capsys.readouterr().err.rstrip().endswith("RuntimeError: ours")


def test_work_that_needs_more_memory_than_allowed_says_so(tmp_path: Path) -> None:
    def sort(connection: duckdb.DuckDBPyConnection) -> None:
        connection.execute("select list(range) from range(10_000_000)").fetchall()

    with pytest.raises(MemoryLimitError) as failed:
        run_with_memory_limit(1, tmp_path, sort, "Sorting")
    assert str(failed.value) == "Sorting needs more than 8 MB of memory; raise AUDIT_MEMORY"


@pytest.mark.parametrize(
    ("limit", "value", "sentence"),
    [
        (resource.RLIMIT_NOFILE, 12, "the limit of open files (ulimit -n) is 12; raise it to"),
        (
            resource.RLIMIT_AS,
            2_499 * 10**6,
            "the limit of the address space (ulimit -v) is 2,499 MB",
        ),
    ],
)
def test_a_low_limit_of_the_process_is_named(
    monkeypatch: pytest.MonkeyPatch, limit: int, value: int, sentence: str
) -> None:
    monkeypatch.setenv(COLD, "1")  # A prepared interpreter has more addresses than that.
    for module, *words in (("sitemapaudit", "rules"), ("scrapy", "crawl", "sitemap")):
        command = Command(words, {limit: value}, module=module)
        assert command.wait(TIMEOUT) == 3
        assert (command.log + command.output).startswith(sentence)
        assert (command.log + command.output).count("\n") == 1

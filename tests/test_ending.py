"""A process that ends at once loses nothing that it would have done at its end."""

import subprocess
import sys

PYTHON = (sys.executable, "-E", "-c")
"""Output waits in a buffer, whatever the environment says."""

END = "from sitemapaudit.ending import end_process; end_process(3)"


def end_after(statement: str, **streams: object) -> "subprocess.CompletedProcess[str]":
    """End a new interpreter with status 3 after a statement."""
    program = f"import atexit, sys; {statement}; {END}"
    given = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | streams
    return subprocess.run([*PYTHON, program], text=True, check=False, **given)  # type: ignore[call-overload,no-any-return]


def test_what_was_printed_is_written() -> None:
    done = end_after("print('text')")
    assert (done.returncode, done.stdout, done.stderr) == (3, "text\n", "")


def test_what_is_registered_for_the_end_is_called() -> None:
    done = end_after("atexit.register(print, 'first'); atexit.register(print, 'last')")
    assert (done.returncode, done.stdout) == (3, "last\nfirst\n")


def test_nobody_has_to_read_the_output() -> None:
    program = f"print('text'); {END}"
    with subprocess.Popen(
        [*PYTHON, program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait() == 3


def test_there_may_be_no_output() -> None:
    done = end_after("sys.stdout = None")
    assert (done.returncode, done.stderr) == (3, "")

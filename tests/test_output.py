"""Output for people: nothing controls their terminal, and what is lost is said."""

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Group
from rich.table import Table
from rich.text import Text

from sitemapaudit.output import printable
from sitemapaudit.redaction import RedactedLogRecord
from sitemapaudit.report.terminal import Terminal

HOSTILE = "a\x1b]0;title\x07b\x9b31mc\u202ed\rend\nnext\tline"
HARMLESS = "a�]0;title�b�31mc�d�end\nnext\tline"


def test_no_text_controls_a_terminal() -> None:
    assert printable(HOSTILE) == HARMLESS
    record = RedactedLogRecord("name", 20, "file", 1, "%s", (HOSTILE,), None)
    assert record.getMessage() == HARMLESS


def test_summaries_keep_their_own_colors_only() -> None:
    stream = StringIO()
    terminal = Terminal(file=stream, force_terminal=True, width=100, _environ={"TERM": "xterm"})
    terminal.print(Text(HOSTILE, "red"), highlight=False)
    assert "\x1b[31m" in stream.getvalue()
    assert not {"\x07", "\x9b", "\u202e", "\r"} & set(stream.getvalue())
    assert "\x1b]" not in stream.getvalue()


@pytest.mark.parametrize("text", ["[red]a[/red]", "[/b]", ":bomb:", "[link=https://x.example]a"])
def test_a_text_is_shown_as_it_is(text: str) -> None:
    stream = StringIO()
    table = Table(text)
    table.add_row(text)
    Terminal(file=stream, width=100).print(table, text)
    assert stream.getvalue().count(text) == 3


@pytest.mark.parametrize("is_terminal", [True, False])
def test_a_sentence_or_row_is_one_line_except_in_a_terminal(is_terminal: bool) -> None:
    stream = StringIO()
    sentence = "The audit is incomplete: www.example.com refuses the connection. " * 3
    environment = {"COLUMNS": "80", "TERM": "xterm"}
    terminal = Terminal(file=stream, force_terminal=is_terminal, _environ=environment)
    table = Table.grid()
    table.add_row(sentence)
    terminal.print(Group(Text(sentence), table))
    assert (stream.getvalue().count(sentence) == 2) is not is_terminal


@pytest.mark.parametrize("words", [["rules"], ["rules", "page-slow"], ["--help"], ["--version"]])
def test_output_that_is_lost_is_said(words: list[str]) -> None:
    command = [sys.executable, "-m", "sitemapaudit", *words]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    reason = "The output could not be written: No space left on device.\n"
    assert (done.returncode, done.stderr) == (3, reason)


def test_closed_streams_are_no_fault() -> None:
    def close() -> None:
        os.close(1)
        os.close(2)

    command = [sys.executable, "-m", "sitemapaudit", "rules", "page-slow"]
    assert subprocess.run(command, preexec_fn=close, check=False).returncode == 0


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_any_text_can_be_printed_in_any_encoding(encoding: str) -> None:
    script = "from sitemapaudit.output import say; say('a\\x1b\\udcff\\u2192b')"
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=True,
    )
    assert done.stdout.startswith(b"a")
    assert done.stdout.endswith(b"b\n")

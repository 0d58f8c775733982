"""Annotations, outputs and the job summary for GitHub Actions."""

import secrets
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby, islice
from pathlib import Path
from typing import Final

from sitemapaudit.gating.decision import Decision
from sitemapaudit.gating.gate_finding import GateFinding
from sitemapaudit.gating.places import BuildFolder
from sitemapaudit.items import Severity
from sitemapaudit.output import say

MAX_ANNOTATIONS: Final = 10
"""GitHub's limit for annotations of one kind per step."""

MAX_SUMMARY: Final = 2**20 - 1024
"""Bytes of a step's summary; GitHub shows nothing larger than a mebibyte."""


def workflow_commands(decision: Decision, folder: BuildFolder | None) -> Iterator[str]:
    """Yield the likely causes, and the findings that fail a gate, as workflow commands."""
    causes = [f"::error title=likely cause::{_message(str(each))}" for each in decision.causes]
    yield from causes
    for severity, group in groupby(decision.examples(), key=lambda finding: finding.severity):
        room = MAX_ANNOTATIONS - (len(causes) if severity is Severity.ERROR else 0)
        for finding in islice(group, max(0, room)):
            properties = {"title": finding.rule, **_place(finding, folder)}
            named = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
            yield f"::{severity} {named}::{_message(f'{finding.where}: {finding.message}')}"


@contextmanager
def stopped_commands(environment: Mapping[str, str]) -> Iterator[None]:
    """Keep GitHub Actions from executing commands in what is printed in this context.

    A line of the log can contain text of a hostile site. The word that ends this is not guessable.
    """
    if not is_github(environment):
        yield
        return
    word = secrets.token_hex(16)
    say(f"::stop-commands::{word}")
    try:
        yield
    finally:
        say(f"::{word}::")


def is_github(environment: Mapping[str, str]) -> bool:
    """Return whether GitHub Actions runs the program."""
    return environment.get("GITHUB_ACTIONS") == "true"


def append_outputs(values: Mapping[str, str], file: Path) -> None:
    """Append outputs of a step to the file that GITHUB_OUTPUT names. Raises OSError."""
    with file.open("a", encoding="utf-8") as outputs:
        outputs.writelines(f"{name}={_one_line(value)}\n" for name, value in values.items())


def append_summary(lines: Iterable[str], report: str, file: Path) -> None:
    """Append the decision and the report to the file in GITHUB_STEP_SUMMARY. Raises OSError.

    Other gates of the step may have written to it before.
    """
    text = "\n".join(("## Sitemap audit", "", "```", *lines, "```", "", report)).encode()
    with file.open("ab") as summary:
        room = max(0, MAX_SUMMARY - summary.tell())
        if len(text) > room:
            text = text[:room].rpartition(b"\n")[0] + b"\n\nThe rest is in the report.\n"
        summary.write(text + b"\n")


def _place(finding: GateFinding, folder: BuildFolder | None) -> dict[str, str]:
    if folder is None:
        return {}
    path, line = folder.locate(finding)
    return {"file": path, "line": str(line)}


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")


def _one_line(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ")

"""Annotations, outputs and the job summary for GitHub Actions."""

import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Final

from sitemapaudit.gating.decision import Decision
from sitemapaudit.gating.gate_finding import GateFinding
from sitemapaudit.gating.places import BuildFolder
from sitemapaudit.output import say

MAX_ANNOTATIONS: Final = 10
"""GitHub's limit for annotations of one kind per step."""

MAX_SUMMARY: Final = 2**20 - 1024
"""Bytes of a step's summary; GitHub shows nothing larger than a mebibyte."""


def workflow_commands(decision: Decision, folder: BuildFolder | None) -> Iterator[str]:
    """Yield the findings that fail a gate as workflow commands, the most severe first."""
    for severity, group in groupby(decision.failing, key=lambda finding: finding.severity):
        for finding in islice(_each_rule_first(group), MAX_ANNOTATIONS):
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


def _each_rule_first(findings: Iterable[GateFinding]) -> list[GateFinding]:
    """Return findings in another order: one of each rule, then the second of each, and so on."""
    seen: Counter[str] = Counter()
    numbered = []
    for finding in findings:
        seen[finding.rule] += 1
        numbered.append((seen[finding.rule], finding))
    return [finding for _, finding in sorted(numbered, key=itemgetter(0))]


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

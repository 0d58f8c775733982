"""Decides whether a run passes a gate, and reports the decision to CI systems."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sitemapaudit.alerts.sending import alert
from sitemapaudit.cli.command import FOUND, INCOMPLETE, SUCCESS, refuse
from sitemapaudit.cli.refusals import refuse_error
from sitemapaudit.datasets.run import open_run
from sitemapaudit.gating.decision import Conditions, Decision, decide
from sitemapaudit.gating.findings import read_findings
from sitemapaudit.gating.known import compare_with_passed
from sitemapaudit.gating.outputs import Outputs
from sitemapaudit.gating.passed import PASSED
from sitemapaudit.gating.wording import acceptance_lines, decision_lines
from sitemapaudit.output import say
from sitemapaudit.rules.catalog import Catalog
from sitemapaudit.runs.folders import locked
from sitemapaudit.runs.manifest import Manifest

_FAILED: Final = "failed"


def decide_run(
    path: Path,
    conditions: Conditions,
    rules: Catalog,
    refused: int,
    *,
    against: bool,
    notify: Sequence[str] = (),
) -> int:
    """Decide about a run, and return the exit status: ``refused`` if it cannot be read.

    With ``against``, the findings of the last run that passed are known. ``notify`` are addresses
    for alerts.
    """
    try:
        run = open_run(path)
    except (OSError, ValueError) as error:
        return refuse(error, refused)
    try:
        with locked(run.path):
            if against:
                conditions = compare_with_passed(conditions, run, rules)
            decision = decide(run.manifest, read_findings(run.path), conditions)
            lines = list(decision_lines(decision))
            if not against:
                lines += acceptance_lines(decision, path)
            _record(run.path, run.manifest, rules, decision, lines)
    except OSError as error:
        return refuse_error(error, run.path)
    except ValueError as error:
        return refuse(error, refused)
    if not decision.has_baseline:
        lack = "No earlier run has passed" if against else "There is no baseline"
        say(f"{lack}: every finding counts.")
    say("\n".join(lines))
    alert(run.path, run.manifest, notify, "" if decision.passed else lines[0])
    return SUCCESS if decision.passed else FOUND if decision.complete else INCOMPLETE


def _record(
    run: Path, manifest: Manifest, rules: Catalog, decision: Decision, lines: Sequence[str]
) -> None:
    """Write the decision, and report it to CI systems. Raises OSError."""
    manifest.gate = PASSED if decision.passed else _FAILED
    manifest.write(run)
    outputs = Outputs(run, manifest, rules, os.environ)
    outputs.write(decision, lines)
    for line in outputs.annotations(decision):
        say(line)

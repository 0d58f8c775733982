"""``gate``: an audit and a decision, for systems that deploy."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from sitemapaudit.cli.audit import AuditCommand
from sitemapaudit.cli.command import (
    FOUND,
    INCOMPLETE,
    SUCCESS,
    USAGE_ERROR,
    refuse,
    refuse_error,
)
from sitemapaudit.cli.gate_options import PASSED, add_gate_options, check_gate_options, read_rules
from sitemapaudit.runs.folders import find_run, locked

if TYPE_CHECKING:
    from sitemapaudit.config.audit_settings import AuditSettings
    from sitemapaudit.config.layers import Layers
    from sitemapaudit.gating.decision import Conditions, Decision
    from sitemapaudit.rules.catalog import Catalog
    from sitemapaudit.runs.manifest import Manifest

FAILED: Final = "failed"


class GateCommand(AuditCommand):
    """Audits a site as ``audit`` does, and decides whether it passes."""

    name = "gate"
    summary = "Audit a site, and fail if it has faults, or new ones"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments of an audit, and the conditions."""
        super().add_arguments(parser)
        add_gate_options(parser)

    def run(self, options: Namespace, settings: Layers) -> int:
        """Check the options, audit, and decide: a mistake costs no audit."""
        try:
            check_gate_options(options)
            rules = _settings(options, settings).catalog
            gate = _Gate(_conditions(options, rules), rules, bool(options.against))
        except (OSError, ValueError) as error:
            return refuse(str(error))
        if options.existing:
            return gate.decide_run(options.existing, USAGE_ERROR)
        status, run = self._audit(options, settings)
        if run is None:
            # Without a decision nothing passes.
            return status or INCOMPLETE
        return gate.decide_run(str(run), INCOMPLETE)

    def _audit(self, options: Namespace, settings: Layers) -> tuple[int, Path | None]:
        """Audit; return the exit status, and the run folder if there is a run to decide about."""
        self.get_ready()
        from pydispatch import dispatcher  # noqa: PLC0415

        from sitemapaudit.engine.signals import audit_finished  # noqa: PLC0415
        from sitemapaudit.gating.github import stopped_commands  # noqa: PLC0415

        noted: list[Path] = []

        def note(run: Path) -> None:
            noted.append(run)

        dispatcher.connect(note, signal=audit_finished)
        try:
            with stopped_commands(os.environ):
                status = super().run(options, settings)
        finally:
            dispatcher.disconnect(note, signal=audit_finished)
        if not noted and options.resume and status in (SUCCESS, FOUND):
            noted.append(find_run(options.resume))  # It was finished already.
        return status, noted[-1] if noted else None


def _settings(options: Namespace, settings: Layers) -> AuditSettings:
    """Return the settings of the run that exists, or of the audit to come."""
    from sitemapaudit.config.recorded import read_settings, settings_of_run  # noqa: PLC0415
    from sitemapaudit.runs.manifest import Manifest  # noqa: PLC0415

    earlier = options.existing or options.resume
    if not earlier:
        return read_settings(settings)
    run = find_run(earlier)
    return settings_of_run(Manifest.read(run), run, settings)


def _conditions(options: Namespace, rules: Catalog) -> Conditions:
    """Return the conditions of the options. Raises OSError, or ValueError with a sentence."""
    from sitemapaudit.gating.decision import Conditions  # noqa: PLC0415
    from sitemapaudit.gating.known import read_baseline  # noqa: PLC0415
    from sitemapaudit.runs.manifest import Manifest  # noqa: PLC0415

    names = set(rules)
    if earlier := options.existing or options.resume:
        names.update(Manifest.read(find_run(earlier)).checked_rules)
    return Conditions(
        options.fail_on,
        read_rules(options.fail_on_rules, names),
        options.min_share,
        None if options.against else read_baseline(options.baseline),
        options.require_baseline,
    )


class _Gate(Struct, frozen=True):
    """Decides about runs; ``against_passed`` if the last run that passed is the baseline."""

    conditions: Conditions
    rules: Catalog
    against_passed: bool

    def decide_run(self, name: str, refused: int) -> int:
        """Decide about a run, and return the exit status: ``refused`` if it cannot be read."""
        from sitemapaudit.datasets.run import open_run  # noqa: PLC0415
        from sitemapaudit.gating.wording import decision_lines  # noqa: PLC0415

        try:
            run = open_run(name)
        except (OSError, ValueError) as error:
            return refuse(str(error), refused)
        try:
            with locked(run.path):
                decision = self._decide(run.path, run.manifest)
                lines = list(decision_lines(decision))
                self._record(run.path, run.manifest, decision, lines)
        except OSError as error:
            return refuse_error(error, run.path)
        if not decision.has_baseline:
            print("There is no baseline: every finding counts.")
        print("\n".join(lines))
        return SUCCESS if decision.passed else FOUND if decision.complete else INCOMPLETE

    def _decide(self, run: Path, manifest: Manifest) -> Decision:
        from sitemapaudit.gating.decision import decide  # noqa: PLC0415
        from sitemapaudit.gating.findings import read_findings  # noqa: PLC0415
        from sitemapaudit.gating.known import last_passed_findings  # noqa: PLC0415

        conditions = self.conditions
        if self.against_passed:
            known = last_passed_findings(run)
            conditions = replace(conditions, baseline=known, finds_stale=False)
        return decide(manifest, read_findings(run), conditions)

    def _record(self, run: Path, manifest: Manifest, decision: Decision, lines: list[str]) -> None:
        """Write the decision, and tell the systems that listen. Raises OSError."""
        from sitemapaudit.gating.outputs import Outputs  # noqa: PLC0415

        manifest.gate = PASSED if decision.passed else FAILED
        manifest.write(run)
        outputs = Outputs(run, manifest, self.rules, os.environ)
        outputs.write(decision, lines)
        for line in outputs.annotations(decision):
            print(line)

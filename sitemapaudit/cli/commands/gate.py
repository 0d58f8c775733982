"""Audit a site, and fail if it has faults, or new ones."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from sitemapaudit.alerts.sending import check_addresses
from sitemapaudit.cli.command import FOUND, INCOMPLETE, SUCCESS, USAGE_ERROR, refuse
from sitemapaudit.cli.commands import audit
from sitemapaudit.cli.gate_options import add_gate_options, check_gate_options, read_rules
from sitemapaudit.cli.options import read_pairs
from sitemapaudit.config.audit_settings import NOTIFY, OFF, AuditSettings
from sitemapaudit.config.layers import Layer, Layers
from sitemapaudit.config.options import ConfigError
from sitemapaudit.config.recorded import read_settings, settings_of_run
from sitemapaudit.gating.baseline import read_baseline
from sitemapaudit.gating.decision import Conditions
from sitemapaudit.gating.github import stopped_commands
from sitemapaudit.items import Severity
from sitemapaudit.numbers import count_noun
from sitemapaudit.output import say
from sitemapaudit.rules.catalog import Catalog
from sitemapaudit.runs.folders import find_run
from sitemapaudit.runs.manifest import Manifest, Status

_FAIL_ON: Final = AuditSettings.public_name("fail_on")
_RULES: Final = AuditSettings.public_name("rules")


class Command(audit.Command):
    """Audits a site as ``audit`` does, and decides whether it passes."""

    defaults = {_FAIL_ON: Severity.ERROR.value}  # noqa: RUF012 - declared as a class variable

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments of an audit, and the conditions."""
        super().add_arguments(parser)
        add_gate_options(parser)

    def run(self, options: Namespace, settings: Layers) -> int:
        """Check the options, then audit and decide: a mistake is reported before the audit."""
        try:
            check_gate_options(options, settings.command_line)
            resumed = read_pairs(options.arguments, "-a").get("resume")
            earlier = options.existing or resumed
            run = find_run(earlier) if earlier else None
            if run and _RULES in settings.command_line and _is_finished(run):
                raise ConfigError(f"gate: {_RULES} has no effect on {run}, which is finished")
            rules = _settings(run, settings).catalog
            notify = _settings(run, settings).notify
            check_addresses(notify)
            conditions = _conditions(options, self._fail_on(settings), run, rules)
        except (OSError, ValueError) as error:
            return refuse(error)
        status, runs = SUCCESS, [run] if run else []
        if not options.existing:
            # Its alert says what the gate decided.
            status, runs = self._audit(options, settings.with_typed(_without_alerts(settings)), run)
        if not runs:
            # Without a decision, nothing passes.
            return status or INCOMPLETE
        # The audit starts before the modules that decide about it are imported.
        from sitemapaudit.cli.deciding import decide_run  # noqa: PLC0415

        refused = USAGE_ERROR if options.existing else INCOMPLETE
        against = bool(options.against)

        def decide(run: Path) -> int:
            return decide_run(run, conditions, rules, refused, against=against, notify=notify)

        if not options.sites:
            return decide(runs[-1])
        # The audit of another site can have ended without a run.
        return max(_decide_each(runs, decide), SUCCESS if status == FOUND else status)

    def _fail_on(self, settings: Layers) -> str:
        layers = Layers((Layer(self.name, self.defaults), *settings.layers))
        return read_settings(layers).fail_on

    def _audit(
        self, options: Namespace, settings: Layers, resumed: Path | None
    ) -> tuple[int, list[Path]]:
        """Audit; return the exit status, and the run folders to decide about."""
        with audit.finished_runs() as noted, stopped_commands(os.environ):
            status = super().run(options, settings)
        if not noted and resumed and status in (SUCCESS, FOUND):
            return status, [resumed]  # The run was already finished.
        return status, noted


def _decide_each(runs: Sequence[Path], decide: Callable[[Path], int]) -> int:
    """Decide about the runs of a list, and return the worst exit status."""
    decided = []
    for run in runs:
        say(f"\n{run}")
        decided.append(decide(run))
    passed = decided.count(SUCCESS)
    say(f"\n{count_noun(passed, 'run')} passed, {len(decided) - passed:,} failed.")
    return max(decided)


def _settings(run: Path | None, settings: Layers) -> AuditSettings:
    """Return the settings of the existing run, or of the coming audit."""
    if run is None:
        return read_settings(settings)
    return settings_of_run(Manifest.read(run), run, settings)


def _is_finished(run: Path) -> bool:
    return Manifest.read(run).status is Status.FINISHED


def _without_alerts(settings: Layers) -> dict[str, Any]:
    return {**settings.command_line, NOTIFY: OFF}


def _conditions(options: Namespace, fail_on: str, run: Path | None, rules: Catalog) -> Conditions:
    """Return the conditions of the options. Raises OSError, or ValueError with a sentence."""
    names = {*rules, *(Manifest.read(run).checked_rules if run else ())}
    return Conditions(
        fail_on,
        read_rules(options.fail_on_rules, names),
        options.min_share,
        None if options.against else read_baseline(options.baseline),
        options.require_baseline,
    )

"""``gate``: an audit and a decision, for systems that deploy."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sitemapaudit.cli.audit import AuditCommand
from sitemapaudit.cli.command import FOUND, INCOMPLETE, SUCCESS, Settings, refuse, word_of
from sitemapaudit.items import Severity

if TYPE_CHECKING:
    from sitemapaudit.gating.baseline import Baseline
    from sitemapaudit.gating.decision import Decision
    from sitemapaudit.gating.findings import GateFinding
    from sitemapaudit.runs.manifest import Manifest

PASSED, FAILED = "passed", "failed"
_FAIL_ON: Final = ("never", *(severity.value for severity in Severity))


class GateCommand(AuditCommand):
    """Audits a site as ``audit`` does, and decides whether it passes."""

    name = "gate"
    summary = "Audit a site, and fail if it has faults, or new ones"

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the arguments of an audit, and the conditions."""
        super().add_arguments(parser)
        gate = parser.add_argument_group("gate")
        gate.add_argument(
            "--fail-on",
            type=word_of(*_FAIL_ON),
            default=Severity.ERROR.value,
            metavar=f"{{{','.join(_FAIL_ON)}}}",
            help="fail if there is a finding of this severity or a higher one (default: error)",
        )
        gate.add_argument(
            "--fail-on-rules",
            default="",
            metavar="RULES",
            help="fail if one of these rules has a finding, comma-separated; * stands for any"
            " characters",
        )
        gate.add_argument(
            "--min-share",
            type=_share,
            metavar="SHARE",
            help="fail if a smaller share of the judged URLs is indexable, such as 0.95",
        )
        gate.add_argument(
            "--baseline",
            type=Path,
            metavar="FILE",
            help="findings that are known and do not fail; written by `sitemapaudit baseline RUN`"
            " (default: .sitemapaudit-baseline.json, if there is one)",
        )
        gate.add_argument(
            "--against",
            choices=(PASSED,),
            help="know the findings of the last run of the site that passed this gate",
        )
        gate.add_argument(
            "--require-baseline",
            action="store_true",
            help="fail without a baseline; otherwise every finding counts as new then",
        )
        gate.add_argument(
            "--run", metavar="RUN", dest="existing", help="decide about this run; audit nothing"
        )

    def run(self, options: Namespace, settings: Settings) -> int:
        """Audit, decide, and tell the systems that listen."""
        from sitemapaudit.config.audit_settings import AuditSettings  # noqa: PLC0415

        if options.existing:
            if options.site:
                return refuse("gate: give a site to audit, or --run, and not both")
            try:
                AuditSettings.from_scrapy(settings.values)
            except ValueError as error:
                return refuse(str(error))
            return _Gate(options).decide_run(options.existing)
        noted: list[Path] = []
        status = self._audit(options, settings, noted)
        if not noted:
            return status
        return _Gate(options).decide_run(str(noted[-1]))

    def _audit(self, options: Namespace, settings: Settings, noted: list[Path]) -> int:
        from pydispatch import dispatcher  # noqa: PLC0415

        from sitemapaudit.crawling.signals import audit_finished  # noqa: PLC0415

        def note(run: Path) -> None:
            noted.append(run)

        dispatcher.connect(note, signal=audit_finished)
        try:
            return super().run(options, settings)
        finally:
            dispatcher.disconnect(note, signal=audit_finished)


@dataclass(slots=True)
class _Gate:
    """The options of a gate."""

    options: Namespace

    def decide_run(self, name: str) -> int:
        """Decide about a run, and return the exit status."""
        from sitemapaudit.gating.decision import Conditions, decide  # noqa: PLC0415
        from sitemapaudit.gating.findings import find_run_folder, read_findings  # noqa: PLC0415
        from sitemapaudit.runs.manifest import Manifest  # noqa: PLC0415

        try:
            run = find_run_folder(name)
            manifest, findings = Manifest.read(run), read_findings(run)
            baseline = self._baseline(run)
        except (OSError, ValueError) as error:
            return refuse(str(error))
        rules = [word.strip() for word in self.options.fail_on_rules.split(",") if word.strip()]
        needs = self.options.require_baseline
        conditions = Conditions(
            self.options.fail_on, rules, self.options.min_share, baseline, needs
        )
        decision = decide(manifest, findings, conditions)
        manifest.gate = PASSED if decision.passed else FAILED
        try:
            manifest.write(run)
            _tell(run, manifest, decision, findings)
        except OSError as error:
            return refuse(f"{run} cannot be written: {error.strerror}")
        if baseline is None:
            print("There is no baseline: every finding counts.")
        print("\n".join(decision.lines()))
        return SUCCESS if decision.passed else FOUND if decision.complete else INCOMPLETE

    def _baseline(self, run: Path) -> Baseline | None:
        """Return what is known. Raises OSError, or ValueError with a sentence."""
        from sitemapaudit.gating.baseline import NAME, Baseline  # noqa: PLC0415
        from sitemapaudit.gating.findings import read_findings  # noqa: PLC0415
        from sitemapaudit.gating.passed import last_passed  # noqa: PLC0415

        if self.options.against:
            passed = last_passed(run)
            return None if passed is None else Baseline.of(read_findings(passed), most=2**62)
        if self.options.baseline:
            return Baseline.read(self.options.baseline)
        return Baseline.read(Path(NAME)) if Path(NAME).exists() else None


def _tell(run: Path, manifest: Manifest, decision: Decision, findings: list[GateFinding]) -> None:
    """Write the files of the gate, and what GitHub Actions wants. Raises OSError."""
    from sitemapaudit.gating import codequality, github, junit, sarif  # noqa: PLC0415
    from sitemapaudit.gating.places import BuildFolder  # noqa: PLC0415
    from sitemapaudit.rules.catalog import catalog  # noqa: PLC0415

    folder = BuildFolder.of(manifest, Path.cwd())
    junit.write_junit(decision, manifest.checked_rules, run / junit.NAME)
    codequality.write_codequality(decision.failing, folder, run / codequality.NAME)
    if folder is not None:
        sarif.write_sarif(findings, folder, catalog(), run / sarif.NAME)
    environment: Any = os.environ
    if environment.get("GITHUB_ACTIONS") == "true":
        print("\n".join(github.workflow_commands(decision, folder)))
    if summary := environment.get("GITHUB_STEP_SUMMARY"):
        report = run / "report.md"
        text = report.read_text(encoding="utf-8") if report.exists() else ""
        github.append_summary(decision.lines(), text, Path(summary))
    if outputs := environment.get("GITHUB_OUTPUT"):
        errors = sum(each.number for each in findings if each.severity is Severity.ERROR)
        values = {
            "share": "" if decision.share is None else f"{decision.share:.4f}",
            "errors": str(errors),
            "report": str(run / "report.html"),
            "run": str(run),
        }
        github.append_outputs(values, Path(outputs))


def _share(given: str) -> float:
    try:
        share = float(given)
    except ValueError:
        share = -1
    if not 0 <= share <= 1:
        raise ArgumentTypeError(f"{given!r} is not a share from 0 to 1, such as 0.95")
    return share

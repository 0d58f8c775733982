"""Output for CI systems: files in the run folder, and output that GitHub Actions reads."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from msgspec import Struct

from sitemapaudit.gating import codequality, github, junit, sarif
from sitemapaudit.gating.decision import Decision
from sitemapaudit.gating.findings import read_findings
from sitemapaudit.gating.gate_record import NAME as GATE
from sitemapaudit.gating.gate_record import GateRecord
from sitemapaudit.gating.places import BuildFolder, find_root
from sitemapaudit.items import Severity
from sitemapaudit.report.markdown_report import MARKDOWN
from sitemapaudit.report.report_page import NAME as REPORT
from sitemapaudit.rules.catalog import Catalog
from sitemapaudit.runs.manifest import Manifest


class Outputs(Struct, frozen=True):
    """The outputs of a gate for a run; ``environment`` names the files for GitHub."""

    run: Path
    manifest: Manifest
    rules: Catalog
    environment: Mapping[str, str]

    def write(self, decision: Decision, lines: Sequence[str]) -> None:
        """Write all files; ``lines`` describe the decision. Raises OSError."""
        folder = self._folder
        junit.write_decision(decision, self.manifest.checked_rules, self.run / junit.NAME)
        GateRecord.of(decision).write(self.run / GATE)
        codequality.write_codequality(decision.failing, folder, self.run / codequality.NAME)
        if folder is not None:
            findings = list(islice(read_findings(self.run), sarif.MAX_RESULTS))
            causes = self.manifest.likely_causes
            sarif.write_sarif(findings, folder, self.rules, causes, self.run / sarif.NAME)
        if file := self.environment.get("GITHUB_STEP_SUMMARY"):
            report = self.run / MARKDOWN
            text = report.read_text(encoding="utf-8") if report.exists() else ""
            github.append_summary(lines, text, Path(file))
        if file := self.environment.get("GITHUB_OUTPUT"):
            github.append_outputs(self._values(), Path(file))

    def annotations(self, decision: Decision) -> Iterator[str]:
        """Yield the lines that GitHub Actions reads as annotations."""
        if github.is_github(self.environment):
            yield from github.workflow_commands(decision, self._folder)

    @property
    def _folder(self) -> BuildFolder | None:
        return BuildFolder.of(self.manifest, find_root(self.environment))

    def _values(self) -> dict[str, str]:
        share = self.manifest.share.known_value
        return {
            "share": "" if share is None else f"{share:.4f}",
            "errors": str(self.manifest.severities.get(Severity.ERROR, 0)),
            "report": str(self.run / REPORT),
            "run": str(self.run),
        }

"""The findings as a GitLab Code Quality report."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from sitemapaudit import urls
from sitemapaudit.gating.findings import fingerprints
from sitemapaudit.gating.gate_finding import GateFinding
from sitemapaudit.gating.places import BuildFolder
from sitemapaudit.items import Severity

NAME: Final = "codequality.json"
MAX_ISSUES: Final = 5_000

_SEVERITIES: Final = {
    Severity.ERROR: "critical",
    Severity.WARNING: "minor",
    Severity.NOTICE: "info",
}


def write_codequality(
    findings: Sequence[GateFinding], folder: BuildFolder | None, file: Path
) -> None:
    """Write the findings, the most severe first. Raises OSError."""
    shown = fingerprints(findings[:MAX_ISSUES])
    issues = [_issue(finding, fingerprint, folder) for finding, fingerprint in shown]
    file.write_text(json.dumps(issues, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _issue(finding: GateFinding, fingerprint: str, folder: BuildFolder | None) -> dict[str, Any]:
    path, line = folder.locate(finding) if folder else _address(finding)
    return {
        "description": f"{finding.where}: {finding.message}",
        "check_name": finding.rule,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {"path": path, "lines": {"begin": line}},
    }


def _address(finding: GateFinding) -> tuple[str, int]:
    """Return the path on the server, for a finding without a file."""
    where = finding.url or finding.sitemap
    if where and not urls.is_address(where):
        return where, finding.line or 1
    path = urls.path(where).strip("/") if where else ""
    return path or "robots.txt", finding.line or 1

"""The findings of a build folder as SARIF 2.1.0, which GitHub shows next to the code."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sitemapaudit import __version__
from sitemapaudit.gating.findings import fingerprints
from sitemapaudit.gating.gate_finding import GateFinding
from sitemapaudit.gating.places import BuildFolder
from sitemapaudit.items import Severity
from sitemapaudit.rules.catalog import Catalog
from sitemapaudit.runs.likely_cause import LikelyCause

NAME: Final = "sarif.json"

MAX_RESULTS: Final = 5_000
"""GitHub's limit for results."""

_SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTICE: "note"}


def write_sarif(
    findings: Sequence[GateFinding],
    folder: BuildFolder,
    rules: Catalog,
    causes: Sequence[LikelyCause],
    file: Path,
) -> None:
    """Write the findings, the most severe first; the help of rules has likely causes.

    Raises OSError.
    """
    shown = findings[:MAX_RESULTS]
    used = sorted({finding.rule for finding in shown})
    driver = {
        "name": "sitemapaudit",
        "version": __version__,
        "rules": [_rule(rule, rules, causes) for rule in used],
    }
    results = [
        _result(finding, fingerprint, folder, used.index(finding.rule))
        for finding, fingerprint in fingerprints(shown)
    ]
    content = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }
    file.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _rule(name: str, rules: Catalog, causes: Sequence[LikelyCause]) -> dict[str, Any]:
    title = rules[name].title() if name in rules else name
    texts = [f"Likely cause: {cause}" for cause in causes if cause.explains({name})]
    help_text = {"help": {"text": "\n".join(texts)}} if texts else {}
    return {"id": name, "shortDescription": {"text": title}, **help_text}


def _result(
    finding: GateFinding, fingerprint: str, folder: BuildFolder, index: int
) -> dict[str, Any]:
    path, line = folder.locate(finding)
    place = {"artifactLocation": {"uri": quote(path)}, "region": {"startLine": line}}
    return {
        "ruleId": finding.rule,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{finding.where}: {finding.message}"},
        "locations": [{"physicalLocation": place}],
        # GitHub recognizes an alert by this value; otherwise by lines of files, which must exist.
        "partialFingerprints": {"primaryLocationLineHash": fingerprint},
    }

"""The decision of a gate as data, for programs: gate.json."""

from pathlib import Path
from typing import Final, Self

import msgspec
from msgspec import Struct

from sitemapaudit.gating.decision import Decision
from sitemapaudit.gating.gate_finding import GateFinding
from sitemapaudit.items import Severity
from sitemapaudit.runs.likely_cause import LikelyCause
from sitemapaudit.runs.share import ShareSummary
from sitemapaudit.schema_version import SCHEMA_VERSION

NAME: Final = "gate.json"


class RuleCount(Struct, frozen=True):
    """The number of findings of a rule that fail a gate."""

    rule: str
    severity: Severity
    findings: int


class GateRecord(Struct, frozen=True, kw_only=True):
    """The decision of a gate.

    ``reasons`` say why the run fails, apart from its findings. ``rules`` count the findings that
    fail it, and ``findings`` has the first 1,000 of each rule, the most severe first. ``known``
    counts findings of the baseline, ``stale`` its places without a finding now, per rule,
    ``unchecked`` the findings of rules that did not check the run of the baseline. ``remedy``
    completes an incomplete audit.
    """

    schema_version: int = SCHEMA_VERSION
    passed: bool
    complete: bool
    share: ShareSummary
    reasons: list[str]
    rules: list[RuleCount]
    findings: list[GateFinding]
    known: int
    stale: dict[str, int]
    unchecked: dict[str, int]
    likely_causes: list[LikelyCause]
    remedy: str | None = None

    @classmethod
    def of(cls, decision: Decision) -> Self:
        """Return the record of a decision."""
        return cls(
            passed=decision.passed,
            complete=decision.complete,
            share=decision.share.summary(),
            reasons=decision.reasons,
            rules=[
                RuleCount(rule, severity, number)
                for (severity, rule), number in decision.counts.items()
            ],
            findings=decision.one_of_each_rule_first(),
            known=decision.known,
            stale=decision.stale,
            unchecked=dict(decision.unchecked),
            likely_causes=decision.causes,
            remedy=decision.remedy,
        )

    def write(self, file: Path) -> None:
        """Write the file. Raises OSError."""
        file.write_bytes(msgspec.json.format(msgspec.json.encode(self, enc_hook=str)) + b"\n")

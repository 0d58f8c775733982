"""Whether a run passes a gate, and why not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

from sitemapaudit.gating.baseline import Baseline
from sitemapaudit.gating.findings import GateFinding
from sitemapaudit.items import Severity
from sitemapaudit.report.wording import count_noun, percent
from sitemapaudit.runs.manifest import Manifest

SHOWN: Final = 5
"""Findings that are named where a gate fails."""

TIMES: Final = "\N{MULTIPLICATION SIGN}"
NEVER: Final = "never"


@dataclass(slots=True, frozen=True)
class Conditions:
    """What a run needs to pass.

    It has no finding of severity ``fail_on`` or of rules that match ``rules``, except for those
    that ``baseline`` knows, and at least ``min_share`` of the judged URLs are indexable.
    """

    fail_on: str = Severity.ERROR
    rules: Sequence[str] = ()
    min_share: float | None = None
    baseline: Baseline | None = None
    needs_baseline: bool = False


@dataclass(slots=True, frozen=True)
class Decision:
    """The decision about a run; ``reasons`` are empty if it passes.

    ``failing`` are the findings that fail it, ``known`` counts those of the baseline, and ``stale``
    has what the baseline knows and nobody finds any more.
    """

    complete: bool
    reasons: list[str]
    failing: list[GateFinding]
    known: int
    stale: list[tuple[str, str]]
    share: float | None

    @property
    def passed(self) -> bool:
        """Whether the run passes; one that is incomplete never does."""
        return self.complete and not self.reasons

    def lines(self) -> Iterator[str]:
        """Yield the last lines of the command."""
        if self.stale:
            known = count_noun(len(self.stale), "place")
            yield f"The baseline knows {known} where nothing is found any more; write it again."
        if self.passed:
            known = f", {count_noun(self.known, 'known finding')}" if self.known else ""
            share = percent(self.share) if self.share is not None else "an unknown part"
            yield f"PASSED: {share} of the judged URLs are indexable{known}"
            return
        yield f"FAILED: {'; '.join(self.reasons)}"
        for finding in self.failing[:SHOWN]:
            yield f"  {finding.severity}  {finding.rule}  {finding.where}  {finding.message}"
        if len(self.failing) > SHOWN:
            yield f"  and {len(self.failing) - SHOWN:,} more"


def decide(manifest: Manifest, findings: Sequence[GateFinding], conditions: Conditions) -> Decision:
    """Decide about a run with these findings."""
    baseline = conditions.baseline
    new = findings if baseline is None else baseline.new(findings)
    failing = [finding for finding in new if _fails(finding, conditions)]
    share = manifest.share.value
    reasons = []
    if not manifest.complete:
        reasons.append(f"the audit is incomplete: {manifest.reason}")
    if baseline is None and conditions.needs_baseline:
        reasons.append("there is no baseline")
    if failing:
        reasons.append(_describe(failing, "new " if baseline is not None else ""))
    if conditions.min_share is not None and (share is None or share < conditions.min_share):
        seen = "unknown" if share is None else percent(share)
        reasons.append(f"the indexable share is {seen}, and not {percent(conditions.min_share)}")
    known = sum(each.number for each in findings) - sum(each.number for each in new)
    stale = [] if baseline is None else baseline.stale(findings)
    return Decision(manifest.complete, reasons, failing, known, stale, share)


def _fails(finding: GateFinding, conditions: Conditions) -> bool:
    if any(fnmatchcase(finding.rule, pattern) for pattern in conditions.rules):
        return True
    on = conditions.fail_on
    return on != NEVER and finding.severity.rank >= Severity(on).rank


def _describe(failing: Sequence[GateFinding], new: str) -> str:
    """Count the findings per severity and rule."""
    parts = []
    for severity in Severity:
        counts: Counter[str] = Counter()
        for finding in failing:
            if finding.severity is severity:
                counts[finding.rule] += finding.number
        if counts:
            rules = ", ".join(f"{rule} {TIMES}{number:,}" for rule, number in counts.most_common())
            parts.append((severity.rank, f"{count_noun(counts.total(), new + severity)}: {rules}"))
    return "; ".join(text for _, text in sorted(parts, reverse=True))

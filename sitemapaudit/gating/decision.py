"""The decision whether a run passes a gate, with the reasons."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from fnmatch import filter as filter_names
from fnmatch import fnmatchcase
from operator import itemgetter
from typing import Final

from msgspec import Struct, field

from sitemapaudit.gating.baseline import Baseline, BaselineMatcher
from sitemapaudit.gating.gate_finding import GateFinding
from sitemapaudit.items import Severity, SkipReason
from sitemapaudit.numbers import percent
from sitemapaudit.report.wording import describe_known
from sitemapaudit.runs.likely_cause import LikelyCause
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.runs.share import Share

MAX_KEPT: Final = 1_000
"""Limit for findings per rule in a decision; the counts include all."""

NEVER: Final = "never"
_ALL: Final = "all"
_FILTERS: Final = (SkipReason.INCLUDE, SkipReason.EXCLUDE)


class Conditions(Struct, frozen=True):
    """The conditions that a run must meet to pass.

    A finding fails it if its severity is ``fail_on`` or above, or if its rule matches ``rules``,
    unless ``baseline`` contains it, or its rule is one of ``not_before``, which did not check the
    run of the baseline. At least ``min_share`` of the URLs must be known to be indexable.
    ``finds_stale`` says whether the baseline is a file that can be updated.
    """

    fail_on: str = Severity.ERROR
    rules: Sequence[str] = ()
    min_share: float | None = None
    baseline: Baseline | None = None
    needs_baseline: bool = False
    finds_stale: bool = True
    not_before: Collection[str] = ()

    def fail(self, finding: GateFinding) -> bool:
        """Return whether a finding fails the run, unless it is known."""
        if any(fnmatchcase(finding.rule, pattern) for pattern in self.rules):
            return True
        return self.fail_on != NEVER and finding.severity.rank >= Severity(self.fail_on).rank


class Decision(Struct):
    """The decision about a run.

    ``counts`` counts the findings that fail it, per severity and rule; ``failing`` has the first
    of each rule. ``reasons`` are other causes of failure. ``known`` counts findings in the
    baseline, ``stale`` its places that no longer have a finding, per rule. ``causes`` are the
    likely causes of what fails it, and ``remedy`` completes the audit. ``unchecked`` counts the
    findings that would fail it, per rule that did not check the run of the baseline.
    """

    complete: bool
    share: Share
    has_baseline: bool
    reasons: list[str]
    counts: Counter[tuple[Severity, str]] = field(default_factory=Counter)
    failing: list[GateFinding] = field(default_factory=list)
    known: int = 0
    stale: dict[str, int] = field(default_factory=dict)
    causes: list[LikelyCause] = field(default_factory=list)
    remedy: str | None = None
    unchecked: Counter[str] = field(default_factory=Counter)

    @property
    def passed(self) -> bool:
        """Return whether the run passes; an incomplete run never does."""
        return self.complete and not self.reasons and not self.counts

    def one_of_each_rule_first(self) -> list[GateFinding]:
        """Return what fails the run: the most severe first, then one of each rule, and so on."""
        seen: Counter[str] = Counter()
        numbered = []
        for finding in self.failing:
            seen[finding.rule] += 1
            numbered.append((-finding.severity.rank, seen[finding.rule], finding))
        return [finding for *_, finding in sorted(numbered, key=itemgetter(0, 1))]

    def examples(self) -> Iterator[GateFinding]:
        """Yield findings to show, in this order; one of each rule that a likely cause explains."""
        seen = set[str]()
        for finding in self.one_of_each_rule_first():
            is_explained = any(cause.explains({finding.rule}) for cause in self.causes)
            if not is_explained or finding.rule not in seen:
                seen.add(finding.rule)
                yield finding

    def add(self, finding: GateFinding) -> None:
        """Add a finding that fails the run."""
        key = finding.severity, finding.rule
        self.counts[key] += 1
        if self.counts[key] <= MAX_KEPT:
            self.failing.append(finding)


def decide(manifest: Manifest, findings: Iterable[GateFinding], conditions: Conditions) -> Decision:
    """Decide whether a run with these findings passes."""
    baseline = conditions.baseline
    matcher = BaselineMatcher(baseline or Baseline())
    not_before = {*conditions.not_before, *(baseline.not_checked(manifest) if baseline else ())}
    decision = Decision(
        manifest.complete and not manifest.failed_formats,
        manifest.share,
        baseline is not None,
        list(_reasons(manifest, conditions)),
    )
    for finding in findings:
        if matcher.knows(finding):
            decision.known += 1
        elif conditions.fail(finding):
            if finding.rule in not_before:
                decision.unchecked[finding.rule] += 1
            else:
                decision.add(finding)
    decision.remedy = None if manifest.complete else manifest.remedy
    failed = {rule for _, rule in decision.counts}
    decision.causes = [cause for cause in manifest.likely_causes if cause.explains(failed)]
    # A part of the site says nothing about the rest.
    is_whole = decision.complete and manifest.arguments.get("pages", _ALL) == _ALL
    if is_whole and conditions.finds_stale:
        decision.stale = matcher.stale(manifest.checked_rules)
    return decision


def _reasons(manifest: Manifest, conditions: Conditions) -> Iterator[str]:
    """Yield the reasons why a run fails, apart from its findings."""
    if not manifest.complete:
        yield f"the audit is incomplete: {manifest.reason}"
    if manifest.failed_formats:
        yield f"results that could not be written: {', '.join(manifest.failed_formats)}"
    if manifest.broken_rules:
        # Their findings are unknown.
        yield f"rules failed with an exception: {', '.join(sorted(manifest.broken_rules))}"
    if manifest.checked_rules:
        idle = [each for each in conditions.rules if not filter_names(manifest.checked_rules, each)]
        if idle:
            yield f"rules that must find nothing, but did not check the run: {', '.join(idle)}"
    if _are_all_filtered(manifest):
        yield "include and exclude skip every listed URL"
    if conditions.baseline is None and conditions.needs_baseline:
        yield "there is no baseline"
    if conditions.min_share is not None:
        yield from _check_share(manifest.share, conditions.min_share)


def _are_all_filtered(manifest: Manifest) -> bool:
    """Return whether the filters leave nothing of what is listed: one of them is misspelled."""
    listed = sum(manifest.verdicts.values())
    filtered = sum(manifest.skipped.get(reason, 0) for reason in _FILTERS)
    return 0 < listed == filtered


def _check_share(share: Share, minimum: float) -> Iterator[str]:
    if share.known_value is None:
        yield "no URL was judged, so the indexable share is unknown"
    elif share.known_value < minimum:
        yield (
            f"{describe_known(share)} ({percent(share.known_value)}), less than {percent(minimum)}"
        )

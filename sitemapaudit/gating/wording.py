"""A decision in sentences, for the last lines of the command."""

import shlex
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from sitemapaudit.gating.baseline import NAME as BASELINE
from sitemapaudit.gating.decision import Decision
from sitemapaudit.gating.gate_finding import GateFinding
from sitemapaudit.items import Severity
from sitemapaudit.numbers import count_noun
from sitemapaudit.report.embedding import shorten
from sitemapaudit.report.markdown import one_line
from sitemapaudit.report.wording import describe_share, name_rules

SHOWN: Final = 5
"""The number of findings that are printed if a gate fails."""

_MAX_TEXT: Final = 400
"""The limit for a text from the site, in characters."""


def decision_lines(decision: Decision) -> Iterator[str]:
    """Yield the last lines of the command.

    A line contains no line break or control character of the site: GitHub Actions executes
    commands at the beginning of a line, and terminals anywhere in it.
    """
    if decision.stale:
        places = count_noun(sum(decision.stale.values()), "place")
        named = f"{name_rules(decision.stale)}. Update it."
        yield f"The baseline contains {places} without a current finding: {named}"
    if decision.unchecked:
        number = count_noun(decision.unchecked.total(), "finding")
        named = name_rules(decision.unchecked)
        yield f"{number} of rules that did not check the earlier run in the same way: {named}."
    if decision.passed:
        known = f" {count_noun(decision.known, 'known finding')}." if decision.known else ""
        yield f"PASSED: {describe_share(decision.share)}{known}"
        return
    reasons = [*decision.reasons, *describe_findings(decision)]
    yield f"FAILED: {one_line('; '.join(reasons))}"
    if decision.remedy:
        yield f"  To fix this: {one_line(decision.remedy)}."
    for cause in decision.causes:
        yield f"  Likely cause: {one_line(cause.describe(decision.remedy))}"
    shown = list(islice(decision.examples(), SHOWN))
    yield from map(_line, shown)
    more = decision.counts.total() - len(shown)
    if more:
        yield f"  and {more:,} more"


def acceptance_lines(decision: Decision, run: Path) -> Iterator[str]:
    """Yield the line that says how to accept the findings of a run, if only they fail it."""
    if decision.complete and decision.counts and not decision.has_baseline:
        words = "sitemapaudit", "baseline", str(run)
        yield "To accept what is known, and to fail on new findings only:"
        yield f"  {shlex.join(words)} > {BASELINE}"


def describe_findings(decision: Decision) -> Iterator[str]:
    """Yield a text per severity: the number of findings that fail the run, and their rules."""
    new = "new " if decision.has_baseline else ""
    for severity in reversed(Severity):
        counts = Counter(
            {rule: number for (each, rule), number in decision.counts.items() if each is severity}
        )
        if counts:
            yield f"{count_noun(counts.total(), new + severity)}: {name_rules(counts)}"


def _line(finding: GateFinding) -> str:
    where = f"{finding.where} ({finding.file})" if finding.file else finding.where
    words = finding.severity, finding.rule, where, finding.message
    return "".join(f"  {shorten(one_line(word), _MAX_TEXT)}" for word in words)

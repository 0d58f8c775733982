from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from sitemapaudit.items import Finding, Permission, Robots, Severity
from sitemapaudit.robots import Policy
from sitemapaudit.robots_lines import USAGE_FIELDS, RobotsGroup, read_groups
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import CONTENT_SIGNALS, CONTENT_USAGE
from sitemapaudit.usage_lines import UsageLine, read_usage

_MAX_CHECKED: Final = 100


class RobotsContentSignal(RowRule[Robots]):
    """Content-Signal or Content-Usage has no effect

    When: a Content-Signal or Content-Usage line of robots.txt is malformed: a preference is not
    like `search=yes` (Content-Signal) or `train-ai=n` (Content-Usage), has another value or two
    different ones, or belongs to the other field. Or a line allows a use of what the rules of its
    group disallow completely, such as `search=yes` after `Disallow: /`. All such lines of a file
    are one finding. Unknown categories are not reported.

    Why: Crawlers ignore what they cannot read, and must not fetch what is disallowed: nobody gets
    the content that the line is about.

    Fix: Correct the line, or allow the path in the same group.
    """

    severity = Severity.NOTICE
    message = "line {line} has no effect: {problem}{others}"
    references = (
        CONTENT_SIGNALS,
        CONTENT_USAGE,
    )

    def check(self, row: Robots) -> Iterator[Finding]:
        if not row.audited or row.is_html or not _mentions_usage(row.text):
            return
        problems = list(_problems(row))
        if problems:
            number, problem = problems[0]
            others = f", and {len(problems) - 1:,} more" if len(problems) > 1 else ""
            lines = [each for each, _ in problems[:20]]
            yield self.finding(row, line=number, problem=problem, others=others, lines=lines)


def _mentions_usage(text: str | None) -> bool:
    return text is not None and any(field in text.lower() for field in USAGE_FIELDS)


def _problems(row: Robots) -> Iterator[tuple[int, str]]:
    text = row.text or ""
    groups = read_groups(text)
    policy = Policy(Permission.RULES, text)
    usage_lines = (
        (group, line) for group in groups for line in group.lines if line.field in USAGE_FIELDS
    )
    for group, line in islice(usage_lines, _MAX_CHECKED):
        usage = read_usage(line.field, line.value)
        agent = group.agents[0] if group.agents else None
        problem = usage.error
        if agent is not None and _is_disallowed(row.site, usage, agent, groups, policy):
            problem = f"it allows {usage.allowed[0]} of {usage.path}, which {agent} must not fetch"
        if problem is not None:
            yield line.number, problem


def _is_disallowed(
    site: str, usage: UsageLine, agent: str, groups: list[RobotsGroup], policy: Policy
) -> bool:
    """Return whether a line allows the use of a path of which an agent may fetch nothing."""
    if not usage.allowed or "*" in usage.path or "$" in usage.path:
        return False
    allowed_paths = (
        line.value
        for group in groups
        if agent in group.agents
        for line in group.lines
        if line.field == "allow" and line.value
    )
    if any("*" in path or path.startswith(usage.path) for path in allowed_paths):
        return False
    # No rule names this path: it stands for all others.
    return policy.allows(f"{site}{usage.path}-robots-content-signal", agent) is False

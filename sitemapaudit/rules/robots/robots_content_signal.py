from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from sitemapaudit.items import Finding, Permission, Robots, Severity
from sitemapaudit.robots import Policy
from sitemapaudit.robots.content_usage import UsageLine, read_usage
from sitemapaudit.robots.groups import USAGE_FIELDS, RobotsGroup, RobotsLine, read_groups
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import CONTENT_SIGNALS, CONTENT_USAGE

_MAX_CHECKED: Final = 100
_ANY: Final = "*"


class RobotsContentSignal(RowRule[Robots]):
    """Content-Signal or Content-Usage has no effect

    When: a Content-Signal or Content-Usage line of robots.txt is malformed: a preference is not
    like `search=yes` (Content-Signal) or `train-ai=n` (Content-Usage), has another value or two
    different ones, or belongs to the other field. Or a line allows a use of content that the rules
    of its group disallow completely, such as `search=yes` after `Disallow: /`. Or a line of the
    group `*` does not apply to a crawler that may fetch something by its own group, which has no
    such line. All such lines of a file are one finding. Unknown categories are not reported, and
    Content-Signals is read as Content-Signal.

    Why: Crawlers ignore what they cannot read, and must not fetch what is disallowed: no
    crawler gets the content that the line is about. A crawler with its own group obeys nothing of
    the group `*`.

    Fix: Correct the line, allow the path in the same group, or repeat the line in each group.
    """

    severity = Severity.NOTICE
    message = "line {line} {problem}{others}"
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
    groups = read_groups(row.text or "")
    policies: dict[str, Policy] = {}
    without_line = _find_agent_without_line(groups)
    usage_lines = (
        (group, line) for group in groups for line in group.lines if line.field in USAGE_FIELDS
    )
    for group, line in islice(usage_lines, _MAX_CHECKED):
        usage = read_usage(line.field, line.value)
        agent = group.agents[0] if group.agents else None
        problem = usage.error and f"has no effect: {usage.error}"
        if agent is not None and usage.allowed:
            if agent not in policies:
                policies[agent] = _policy_for(agent, groups)
            if _is_disallowed(row.site, usage, _allowed_paths(agent, groups), policies[agent]):
                what = f"{usage.allowed[0]} of {usage.path}"
                problem = f"has no effect: it allows {what}, which {agent} must not fetch"
        if problem is None and agent == _ANY and without_line:
            problem = f"does not apply to {without_line}, whose own group has no such line"
        if problem is not None:
            yield line.number, problem


def _find_agent_without_line(groups: list[RobotsGroup]) -> str | None:
    """Return the first agent that may fetch something by its own groups without a usage line."""
    fields: dict[str, set[str]] = {}
    for group in groups:
        stated = {_kind_of(line) for line in group.lines}
        for agent in group.agents:
            fields.setdefault(agent, set()).update(stated)
    fields.pop(_ANY, None)
    silent = (agent for agent, stated in fields.items() if USAGE_FIELDS.isdisjoint(stated))
    return next((agent for agent in silent if fields[agent] != {"disallow /"}), None)


def _kind_of(line: RobotsLine) -> str:
    """Return the field of a line; ``disallow /`` disallows everything."""
    return "disallow /" if (line.field, line.value) == ("disallow", "/") else line.field


def _lines_for(agent: str, groups: list[RobotsGroup]) -> Iterator[RobotsLine]:
    return (line for group in groups if agent in group.agents for line in group.lines)


def _policy_for(agent: str, groups: list[RobotsGroup]) -> Policy:
    """Return the policy for one agent alone."""
    lines = (f"{line.field}: {line.value}" for line in _lines_for(agent, groups))
    return Policy(Permission.RULES, "\n".join([f"User-agent: {_ANY}", *lines]))


def _allowed_paths(agent: str, groups: list[RobotsGroup]) -> Iterator[str]:
    lines = _lines_for(agent, groups)
    return (line.value for line in lines if line.field == "allow" and line.value)


def _is_disallowed(site: str, usage: UsageLine, allowed: Iterable[str], policy: Policy) -> bool:
    """Return whether the agent of a line may fetch nothing below its path."""
    if "*" in usage.path or "$" in usage.path:
        return False
    if any("*" in path or path.startswith(usage.path) for path in allowed):
        return False
    # No rule names this path: it stands for all others.
    return policy.allows(f"{site}{usage.path}-robots-content-signal", _ANY) is False

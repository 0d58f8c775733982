"""``report.md``: the answer as text, to paste into an issue, a mail or an assistant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from sitemapaudit.report.actions import Action
from sitemapaudit.report.finding_groups import Group
from sitemapaudit.report.markdown import code, escape
from sitemapaudit.report.markup import write_page
from sitemapaudit.report.overview import list_verdicts, site_of
from sitemapaudit.report.wording import (
    count_noun,
    describe_counts,
    describe_coverage,
    describe_links,
    describe_listing,
    describe_share,
)
from sitemapaudit.runs.link_counts import LinkCounts
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.runs.remarks import remarks

MARKDOWN: Final = "report.md"
MAX_BYTES: Final = 25_000
"""Bytes of the file: an issue of GitHub takes 65,536 characters, a mail and an assistant less."""

EXAMPLES: Final = 3
"""Examples of a rule."""

_LINE: Final = -1
"""The level of a rule that is only named; others are the number of its examples."""

_ABSENT: Final = -2
"""The level of a rule that is not even named."""

_RESERVE: Final = 1_500
"""Bytes for what follows the findings."""

_LONG: Final = 900
"""Bytes of a sentence."""


def write_markdown(
    run: Path, manifest: Manifest, groups: Sequence[Group], actions: Sequence[Action]
) -> Path:
    """Write ``report.md`` into a run folder."""
    file = run / MARKDOWN
    write_page(file, render_markdown(manifest, groups, actions))
    return file


def render_markdown(manifest: Manifest, groups: Sequence[Group], actions: Sequence[Action]) -> str:
    """Return the report as Markdown of at most 25,000 bytes.

    Where it would be longer, the examples of the least severe rules are left out first.
    """
    head = "\n".join([*_head(manifest), *_actions(actions)])
    sections = [{level: _section(group, level) for level in _levels()} for group in groups]
    levels = _fit(sections, MAX_BYTES - _RESERVE - _size(head))
    lines = [head]
    if groups:
        lines.append("\n## Findings")
    shown = [(texts, level) for texts, level in zip(sections, levels, strict=True)]
    lines += [texts[level] for texts, level in shown if level > _LINE]
    named = [texts[level] for texts, level in shown if level == _LINE]
    lines += ["\n### Also\n", *named] if named else []
    return "\n".join([*lines, *_foot(groups, levels)]) + "\n"


def _levels() -> range:
    return range(EXAMPLES, _LINE - 1, -1)


def _fit(sections: Sequence[Mapping[int, str]], room: int) -> list[int]:
    """Return the level of each section, so that all fit; the last ones give way first."""
    named = _count_named(sections, room // 2)
    levels = [EXAMPLES if number < named else _ABSENT for number in range(len(sections))]
    used = sum(_size(texts[EXAMPLES]) for texts in sections[:named])
    for number in reversed(range(named)):
        while used > room and levels[number] > _LINE:
            used -= _size(sections[number][levels[number]])
            levels[number] -= 1
            used += _size(sections[number][levels[number]])
    return levels


def _count_named(sections: Sequence[Mapping[int, str]], room: int) -> int:
    """Return how many sections have room for a line: users can have any number of rules."""
    for number, texts in enumerate(sections):
        room -= _size(texts[_LINE])
        if room < 0:
            return number
    return len(sections)


def _size(text: str) -> int:
    return len(text.encode(errors="replace")) + 1


def _head(manifest: Manifest) -> Iterator[str]:
    yield f"# Sitemap audit of {code(site_of(manifest))}"
    yield ""
    listed = count_noun(manifest.rows.get("urls", 0), "listed URL")
    sitemaps = count_noun(manifest.rows.get("sitemaps", 0), "sitemap")
    share = escape(describe_share(manifest.share))
    yield f"**{share}** {listed} in {sitemaps}, {manifest.started}."
    if not manifest.complete:
        reason = code(str(manifest.reason), _LONG)
        remedy = f" To fix this: {escape(manifest.remedy)}." if manifest.remedy else ""
        yield f"\n> **The audit is incomplete:** {reason}.{remedy}"
    for sentence in remarks(manifest):
        yield f"\n{escape(sentence, _LONG)}"
    verdicts = list(list_verdicts(manifest))
    if verdicts:
        yield "\n| verdict | URLs | share | |"
        yield "| --- | ---: | ---: | --- |"
    for row in verdicts:
        meaning = escape(row.meaning)
        yield f"| {row.verdict} | {row.count:,} | {escape(row.share_text)} | {meaning} |"
    if manifest.links:
        yield from _links(manifest.links)
    if manifest.agents:
        yield "\nVerdicts by crawler:\n"
        for agent, counts in manifest.agents.items():
            yield f"- {escape(agent)}: {describe_counts(counts)}"
    if manifest.compared_with:
        since, counts = code(manifest.compared_with), manifest.changes
        findings = f"{count_noun(counts['new'], 'new finding')}, {counts['fixed']:,} fixed"
        yield f"\nSince {since}: {findings}; {describe_listing(counts)}."


def _links(links: LinkCounts) -> Iterator[str]:
    yield f"\nLinks: {escape(describe_links(links))}."
    if links.gaps:
        reasons = ", ".join(f"{reason} ({number:,})" for reason, number in links.gaps.items())
        seen = escape(describe_coverage(links))
        yield f"\n> Links may be unknown: {seen}. Not read: {escape(reasons, _LONG)}."


def _actions(actions: Sequence[Action]) -> Iterator[str]:
    if not actions:
        return
    yield "\n## What to do first\n"
    for number, action in enumerate(actions, start=1):
        rules = ", ".join(code(rule) for rule in action.rules[:EXAMPLES])
        example = f" Example: {code(action.example)}." if action.example else ""
        repairs = " `sitemapaudit repair` does it." if action.repairs else ""
        how = escape(action.how, _LONG)
        yield f"{number}. **{escape(action.title)}** ({rules}). {how}{repairs}{example}"


def _section(group: Group, level: int) -> str:
    title = f"{escape(group.title)} ({code(group.rule)}, {group.count:,})"
    if level == _LINE:
        return f"- {group.severity}: {title}"
    lines = [f"\n### {group.severity}: {title}"]
    fix = dict(group.sections).get("Fix")
    if fix:
        lines.append(f"\n{escape(fix, _LONG)}")
    if level:
        lines.append("")
    lines += [_example(each) for each in group.examples[:level]]
    return "\n".join(lines)


def _example(finding: Mapping[str, Any]) -> str:
    place = finding.get("url") or finding.get("sitemap") or "the audit"
    return f"- {code(place)}: {code(finding['message'])}"


def _foot(groups: Sequence[Group], levels: Sequence[int]) -> Iterator[str]:
    lacking = sum(
        min(EXAMPLES, len(group.examples)) > max(level, 0)
        for group, level in zip(groups, levels, strict=True)
    )
    absent = sum(level == _ABSENT for level in levels)
    if absent:
        yield f"- and {count_noun(absent, 'more rule')}"
    yield "\n---\n"
    if lacking:
        yield (
            f"To keep this text under {MAX_BYTES // 1000} kB, examples of"
            f" {count_noun(lacking, 'rule')} are left out, those of the least severe first.\n"
        )
    yield (
        "`findings.csv` has every finding, `report.html` the whole report;"
        " `sitemapaudit rules RULE` explains a rule."
    )

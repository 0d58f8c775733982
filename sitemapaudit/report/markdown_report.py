"""``report.md``: the report as text, to paste into an issue, a mail or an assistant."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment

from sitemapaudit.report.actions import Action
from sitemapaudit.report.finding_groups import Group
from sitemapaudit.report.markdown import Markdown, code, escape, fenced
from sitemapaudit.report.markup import environment, write_page
from sitemapaudit.report.overview import list_verdicts, site_of
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.runs.remarks import remarks

MARKDOWN: Final = "report.md"
MAX_BYTES: Final = 25_000
"""Limit for the file in bytes: a GitHub issue accepts 65,536 characters, a mail or an assistant
fewer.
"""

EXAMPLES: Final = 3
"""Limit for examples of a rule."""

_LINE: Final = -1
"""The level of a rule that is only named; levels from 0 are the number of examples."""

_EVIDENCE: Final = EXAMPLES + 1
"""The level of a rule with all examples, and the response that shows the first finding."""

_LEVELS: Final = range(_EVIDENCE, _LINE - 1, -1)

SHOWN: Final = 3
"""Rules with evidence; others have it if there is room."""

_RESERVE: Final = 1_370
"""Bytes for headings, and for the sentences that say what is omitted."""


def write_markdown(
    run: Path, manifest: Manifest, groups: Sequence[Group], actions: Sequence[Action]
) -> Path:
    """Write ``report.md`` into a run folder."""
    file = run / MARKDOWN
    write_page(file, render_markdown(manifest, groups, actions))
    return file


def render_markdown(manifest: Manifest, groups: Sequence[Group], actions: Sequence[Action]) -> str:
    """Return the report as Markdown of at most 25,000 bytes.

    Where it would be longer, the examples of the least severe rules are omitted first.
    """
    values: dict[str, Any] = {
        "manifest": manifest,
        "site": site_of(manifest),
        "remarks": remarks(manifest),
        "verdicts": list(list_verdicts(manifest)),
        "links": manifest.links,
        "actions": actions,
        "groups": groups,
        "most": EXAMPLES,
    }
    sections = [{level: _section(group, level) for level in _LEVELS} for group in groups]
    rest = _render("report.md", values | {"described": [], "named": [], "absent": 0, "lacking": 0})
    levels = _fit(sections, MAX_BYTES - _RESERVE - _size(rest))
    shown = list(zip(sections, levels, strict=False))  # The last values can be missing.
    values["described"] = [texts[level] for texts, level in shown if level > _LINE]
    values["named"] = [texts[level] for texts, level in shown if level == _LINE]
    values["absent"] = len(groups) - len(levels)
    values["lacking"] = sum(
        min(EXAMPLES, len(group.examples)) > max(level, 0)
        for group, level in zip(groups, [*levels, *[_LINE] * values["absent"]], strict=True)
    )
    return _render("report.md", values) + "\n"


def _section(group: Group, level: int) -> Markdown:
    values = {
        "group": group,
        "named": level == _LINE,
        "examples": group.examples[: min(max(level, 0), EXAMPLES)],
        "evidence": group.first_evidence if level == _EVIDENCE else "",
    }
    return _render("finding.md", values)


@cache
def _environment() -> Environment:
    """Return the template environment, which escapes every value but our own texts for Markdown."""
    made = environment().overlay(autoescape=False, finalize=escape)
    made.filters = {**made.filters, "code": code, "fenced": fenced, "own": Markdown, "text": escape}
    return made


def _render(template: str, values: dict[str, Any]) -> Markdown:
    return Markdown(_environment().get_template(template).render(values))


def _fit(sections: Sequence[dict[int, Markdown]], room: int) -> list[int]:
    """Return the level of each section that fits; the last ones are reduced first."""
    number = _count_named(sections, room // 2)
    levels = [_EVIDENCE if place < SHOWN else EXAMPLES for place in range(number)]
    used = sum(_size(texts[level]) for texts, level in zip(sections, levels, strict=False))
    for number in reversed(range(len(levels))):
        while used > room and levels[number] > _LINE:
            used -= _size(sections[number][levels[number]])
            levels[number] -= 1
            used += _size(sections[number][levels[number]])
    for place, level in enumerate(levels):
        more = _size(sections[place][_EVIDENCE]) - _size(sections[place][level])
        if level == EXAMPLES and used + more <= room:
            levels[place], used = _EVIDENCE, used + more
    return levels


def _count_named(sections: Sequence[dict[int, Markdown]], room: int) -> int:
    """Return how many sections have room for a line; users can have any number of rules."""
    for number, texts in enumerate(sections):
        room -= _size(texts[_LINE])
        if room < 0:
            return number
    return len(sections)


def _size(text: str) -> int:
    return len(text.encode(errors="replace"))

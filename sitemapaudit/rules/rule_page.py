"""The page of a rule, as text."""

import textwrap
from typing import Final

from sitemapaudit.generators.recognition import settings_for
from sitemapaudit.rules.examples import examples
from sitemapaudit.rules.profiles import profiles_of
from sitemapaudit.rules.rule import SECTIONS, Rule

WIDTH: Final = 88
_INDENT: Final = 12


def rule_page(rule: type[Rule]) -> str:
    """Return everything about a rule, as text for a terminal."""
    lines = [f"{rule.id} ({rule.severity})", f"{rule.title()}.", ""]
    for name in SECTIONS:
        lines += _paragraph(name, rule.section(name))
    for generator, setting in settings_for(rule.id):
        lines += _paragraph(generator, f"{setting.how.replace('`', '')} ({setting.source})")
    profiles = ", ".join(profiles_of(rule))
    if profiles:
        lines += _paragraph("Profiles", profiles)
    example = examples().get(rule.id)
    if example:
        lines += _paragraph("Example", f"{example.place} {example.message}")
    for number, reference in enumerate(rule.references):
        lines.append(f"{'' if number else 'References':<{_INDENT}}{reference}")
    return "\n".join(lines) + "\n"


def _paragraph(name: str, text: str) -> list[str]:
    first, rest = f"{name:<{_INDENT}}", " " * _INDENT
    lines = textwrap.wrap(
        *(text, WIDTH), initial_indent=first, subsequent_indent=rest, break_long_words=False
    )
    return [*lines, ""]

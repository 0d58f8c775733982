"""The list of rules, and a page for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from docs.generated.markdown import as_markdown, bullets, code, contents, table
from sitemapaudit.generators.recognition import settings_for
from sitemapaudit.items import Severity, Subject
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.rules.examples import examples
from sitemapaudit.rules.rule import SECTIONS, ComparisonRule, Rule
from sitemapaudit.rules.sources import Reference

SUBJECTS: Final = {
    Subject.ROBOTS: "robots.txt",
    Subject.SITEMAP: "Sitemap files",
    Subject.ENTRY: "Entries of sitemaps",
    Subject.PAGE: "Listed pages",
    Subject.SITE: "The site as a whole",
}


def rules() -> str:
    """Return a section with the rules about each subject."""
    counts = f"There are {len(catalog())} rules about"
    return "\n\n".join([f"{counts}: {contents(SUBJECTS.values())}", *map(_section, SUBJECTS)])


def _section(subject: Subject) -> str:
    rows = [
        (f"[{rule.id}]({rule.id}.md)", str(rule.severity), rule.title())
        for rule in catalog().values()
        if rule.subject is subject
    ]
    return f"## {SUBJECTS[subject]}\n\n{table(('rule', 'severity', 'what it finds'), rows)}"


def rule_page(rule: type[Rule]) -> str:
    """Return the page of a rule."""
    return "\n\n".join(_parts(rule)) + "\n"


def _parts(rule: type[Rule]) -> Iterator[str]:
    source = f"{rule.__module__.replace('.', '/')}.py"
    yield f"<!-- `make pages` writes this page from {source}. -->"
    yield f"# {rule.id}: {rule.title()}"
    yield f"Severity: {rule.severity}. Subject: {SUBJECTS[rule.subject].lower()}."
    if issubclass(rule, ComparisonRule):
        yield "This rule needs two runs: [compare](../how-to/compare.md) checks it."
    for name in SECTIONS:
        text = as_markdown(rule.section(name))
        yield f"## {name}"
        yield f"{text[0].upper()}{text[1:]}"
    if settings := settings_for(rule.id):
        yield "## Settings of generators"
        rows = ((name, each.how, f"[manual]({each.source})") for name, each in settings)
        yield table(("generator", "what to set", "source"), rows)
    if example := examples().get(rule.id):
        yield "## Example"
        yield f"```text\n{example.place}\n{example.message}\n```"
    yield "## Sources"
    yield bullets(map(_link, rule.references))
    yield from _change(rule)


def _link(source: Reference) -> str:
    return f"[{source.name}]({source.url})" if source.url else source.name


def _change(rule: type[Rule]) -> Iterator[str]:
    yield "## Change or switch off"
    yield f"```sh\nsitemapaudit audit www.example.com --rules {rule.id}=off\n```"
    yield f"Instead of `off`, give {code(Severity, ' or ')}."

"""The parts of the documentation that are made from the code.

``_generated/`` has the tables that pages include, ``rules/`` a page per rule. Both are written
anew by each build.
"""

from __future__ import annotations

import inspect
import re
import shutil
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from sitemapaudit.builds.build import Build
from sitemapaudit.builds.hosting import load_hosting
from sitemapaudit.builds.hostings import hosting_names
from sitemapaudit.cli.commands import command_names, load_command
from sitemapaudit.cli.program import make_parser
from sitemapaudit.comparison.changed_urls import ChangedUrl
from sitemapaudit.comparison.comparing import TABLE
from sitemapaudit.comparison.differences import Difference
from sitemapaudit.config import Arguments, AuditSettings
from sitemapaudit.datasets.run import Run
from sitemapaudit.items import Severity, Subject
from sitemapaudit.items.schema import OPTIONAL_DATASETS, TABLES, Column, columns, table_columns
from sitemapaudit.repair.changes import CHANGES
from sitemapaudit.report.fleet.reading import FleetSite
from sitemapaudit.report.fleet.tables import TABLE as FLEET
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.rules.examples import examples
from sitemapaudit.rules.rule import SECTIONS, ComparisonRule, Rule

_SUBJECTS: Final = {
    Subject.ROBOTS: "robots.txt",
    Subject.SITEMAP: "Sitemap files",
    Subject.ENTRY: "Entries of sitemaps",
    Subject.PAGE: "Listed pages",
    Subject.SITE: "The site as a whole",
}

_INTRODUCTION: Final = """
sitemapaudit has {} rules. Each has a page with its exact condition, the reason, the remedy, an
example and its sources. `sitemapaudit rules ID` prints the same page in a terminal.
""".strip()


_URL_FORMS: Final = ("page", "page/", "page.html", "folder", "folder/", "folder/index.html")


def write(docs: Path) -> None:
    """Write the generated parts into the folder of the documentation."""
    for name in ("_generated", "rules"):
        shutil.rmtree(docs / name, ignore_errors=True)
        (docs / name).mkdir()
    for name, make in PARTS.items():
        _write(docs / "_generated" / f"{name}.md", make())
    _write(docs / "rules" / "index.md", rules_index())
    for rule in catalog().values():
        _write(docs / "rules" / f"{rule.id}.md", rule_page(rule))


def _write(file: Path, text: str) -> None:
    file.write_text(text.rstrip() + "\n", encoding="utf-8")


def options_table(options: type[Arguments | AuditSettings]) -> str:
    """Return arguments or settings as a table."""
    rows = [
        (
            f"`{option.usage}`",
            f"`{option.name}`",
            option.meaning,
            f"`{option.default}`" if option.default else "",
        )
        for option in options.describe()
    ]
    return _table(("option", "name", "meaning", "default"), rows)


def columns_tables() -> str:
    """Return a section with the columns of each dataset."""
    named = {**TABLES, **OPTIONAL_DATASETS}
    tables = [_columns_of(name, item, table_columns(name)) for name, item in named.items()]
    others = {TABLE: Difference, FLEET: FleetSite}
    tables += [_columns_of(name, item, columns(item)) for name, item in others.items()]
    return "\n\n".join(tables)


def _columns_of(name: str, item: type, shown: Iterable[Column]) -> str:
    rows = [(f"`{column.name}`", _short(column.type), column.meaning) for column in shown]
    purpose = inspect.cleandoc(item.__doc__ or "").partition("\n\n")[0]
    return f"## {name}\n\n{' '.join(purpose.split())}\n\n" + _table(
        ("column", "type", "meaning"), rows
    )


def _short(sql_type: str) -> str:
    """Return a type of DuckDB without the fields of its structures."""
    return re.sub(r"STRUCT\(.*\)", "struct", sql_type).lower()


def changes_table() -> str:
    """Return the columns of the list of changes of a repair."""
    return _table(("column", "meaning"), [(f"`{name}`", text) for name, text in CHANGES.items()])


def changed_table() -> str:
    """Return the columns of the list of changed URLs."""
    rows = [(f"`{column.name}`", column.meaning) for column in columns(ChangedUrl)]
    return _table(("column", "meaning"), rows)


def run_table() -> str:
    """Return what an opened run offers."""
    rows = [
        (f"`run.{name}{_call(member)}`", " ".join(inspect.cleandoc(member.__doc__ or "").split()))
        for name, member in vars(Run).items()
        if not name.startswith("_")
    ]
    return _table(("name", "what it is"), rows).replace("``", "`")


def _call(member: object) -> str:
    if not callable(member):
        return ""
    _, *names = inspect.signature(member).parameters
    return f"({', '.join(names)})"


def commands() -> str:
    """Return a section with the help of each command."""
    sections = []
    for name in command_names():
        text = make_parser(load_command(name)).format_help().rstrip()
        sections.append(f"## sitemapaudit {name}\n\n```text\n{text}\n```")
    return "\n\n".join(sections)


def hostings_table() -> str:
    """Return the kinds of hosting with the first line of their documentation."""
    rows = [(f"`{name}`", document.partition("\n")[0]) for name, document in _hostings().items()]
    return _table(("hosting", "rules"), rows)


def hostings() -> str:
    """Return which URLs each kind of hosting serves, and a section with its documentation."""
    targets = [f"/{form}" for form in _URL_FORMS]
    with TemporaryDirectory() as folder:
        for name in ("page.html", "folder/index.html"):
            file = Path(folder) / name
            file.parent.mkdir(exist_ok=True)
            file.touch()
        rows = [
            (f"`{name}`", *(_describe_reply(Build(Path(folder), name), each) for each in targets))
            for name in hosting_names()
        ]
    table = _table(("hosting", *(f"`{each}`" for each in targets)), rows)
    return "\n\n".join([table, *(f"## {name}\n\n{text}" for name, text in _hostings().items())])


def _hostings() -> dict[str, str]:
    return {name: inspect.getdoc(load_hosting(name)) or "" for name in hosting_names()}


def _describe_reply(build: Build, target: str) -> str:
    reply = build.reply("www.example.com", target)
    return " ".join([str(reply.status), *(f"`{v}`" for k, v in reply.headers if k == "Location")])


def rules_index() -> str:
    """Return the page that lists every rule."""
    parts = [
        # The contents of the page are its sections. Other pages need not know their rules.
        "---\ntocdepth: 2\n---",
        "# Rules",
        _INTRODUCTION.format(len(catalog())),
    ]
    for subject, title in _SUBJECTS.items():
        rules = [rule for rule in catalog().values() if rule.subject is subject]
        rows = [(f"[{rule.id}]({rule.id}.md)", str(rule.severity), rule.title()) for rule in rules]
        pages = "\n".join(rule.id for rule in rules)
        parts += [
            f"## {title}",
            _table(("rule", "severity", "what it finds"), rows),
            f"```{{toctree}}\n:hidden:\n\n{pages}\n```",
        ]
    return "\n\n".join(parts)


def rule_page(rule: type[Rule]) -> str:
    """Return the page of a rule."""
    facts = f"Severity: {rule.severity}. Subject: {_SUBJECTS[rule.subject].lower()}."
    if issubclass(rule, ComparisonRule):
        facts += " `sitemapaudit compare` checks this rule: it needs two runs."
    parts = [f"# {rule.id}", f"**{rule.title()}.** {facts}"]
    for name in SECTIONS:
        text = rule.section(name)
        parts += [f"## {name}", f"{text[0].upper()}{text[1:]}"]
    example = examples().get(rule.id)
    if example:
        parts += ["## Example", f"```text\n{example.place}\n{example.message}\n```"]
    links = [f"[{each.name}]({each.url})" if each.url else each.name for each in rule.references]
    off = f'-s \'AUDIT_RULES={{"{rule.id}": "off"}}\''
    parts += ["## Sources", "\n".join(f"- {link}" for link in links)]
    parts += [
        "## Change or switch off",
        f"```sh\nsitemapaudit audit www.example.com {off}\n```",
        f"Instead of `off`, give {_or([f'`{each}`' for each in Severity])}.",
    ]
    return "\n\n".join(parts)


def _or(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


PARTS: Final[Mapping[str, Callable[[], str]]] = {
    "arguments": lambda: options_table(Arguments),
    "settings": lambda: options_table(AuditSettings),
    "columns": columns_tables,
    "changes": changes_table,
    "changed": changed_table,
    "run": run_table,
    "commands": commands,
    "hostings": hostings,
    "hostings-table": hostings_table,
}
"""The parts that pages include, by file name."""

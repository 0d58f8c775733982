"""Pages with generated parts.

A page is written by hand, except for what is between ``<!-- generated: NAME -->`` and
``<!-- end -->``. The page of a rule is generated completely.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from docs.generated import (
    commands,
    crawlers,
    datasets,
    generators,
    hostings,
    options,
    rooms,
    rules,
    scrapy_settings,
    search_console,
    types,
)
from sitemapaudit.rules.catalog import catalog

DOCS: Final = Path(__file__).parents[1]
RULES: Final = DOCS / "rules"
INDEX: Final = RULES / "index.md"

PARTS: Final[Mapping[str, Callable[[], str]]] = {
    "arguments": options.arguments,
    "settings": options.settings,
    "columns": datasets.columns,
    "changes": datasets.changes,
    "changed-urls": datasets.changed_urls,
    "run": datasets.run,
    "commands": commands.commands,
    "crawlers": crawlers.crawlers,
    "generators": generators.generators,
    "hostings": hostings.hostings,
    "hostings-table": hostings.hostings_table,
    "rooms": rooms.rooms,
    "rules": rules.rules,
    "search-console": search_console.messages,
    "types": types.types,
    "scrapy-differing": scrapy_settings.differing,
    "scrapy-ignored": scrapy_settings.ignored,
}
"""The parts, by the name that pages give."""

_PART: Final = re.compile(
    r"(?<=^<!-- generated: )(?P<name>[\w-]+)(?P<arrow> -->\n).*?(?=^<!-- end -->$)",
    re.DOTALL | re.MULTILINE,
)


def pages() -> dict[Path, str]:
    """Return the text of each page that is generated, or that has a generated part."""
    rule_pages = {_page_of(rule.id): rules.rule_page(rule) for rule in catalog().values()}
    by_hand = {file: file.read_text(encoding="utf-8") for file in written_by_hand()}
    return rule_pages | {
        file: _PART.sub(_generate, text) for file, text in by_hand.items() if _PART.search(text)
    }


def written_by_hand() -> list[Path]:
    """Return the pages that people write, at the top of the project and in its documentation."""
    folders = (DOCS.parent, DOCS, *(DOCS / name for name in ("how-to", "reference", "explanation")))
    return sorted([INDEX, *(file for folder in folders for file in folder.glob("*.md"))])


def strays() -> list[Path]:
    """Return the pages of rules that do not exist."""
    return [file for file in RULES.glob("*.md") if file != INDEX and file.stem not in catalog()]


def write() -> None:
    """Write the generated pages and parts."""
    for file in strays():
        file.unlink()
    for file, text in pages().items():
        file.write_text(text, encoding="utf-8")


def _page_of(rule: str) -> Path:
    return RULES / f"{rule}.md"


def _generate(part: re.Match[str]) -> str:
    return f"{part['name']}{part['arrow']}\n{PARTS[part['name']]()}\n\n"

"""The generators of sites, their signs, and their settings."""

from __future__ import annotations

from docs.generated.markdown import code, contents, table
from sitemapaudit.generators.generator import Generator
from sitemapaudit.generators.recognition import GENERATORS
from sitemapaudit.rules.catalog import catalog


def generators() -> str:
    """Return a section with the settings of each generator."""
    sections = [
        "\n\n".join(filter(None, (f"## {name}", _signs(each), _settings(each))))
        for name, each in GENERATORS.items()
    ]
    return "\n\n".join([contents(GENERATORS), *sections])


def _signs(generator: Generator) -> str:
    rows = [
        (each.where.value, f"`{each.text}`", f"[source]({each.source})") for each in generator.signs
    ]
    return table(("recognized by", "sign", "source"), rows) if rows else ""


def _settings(generator: Generator) -> str:
    rows = [
        (code(filter(each.corrects, catalog())), each.how, f"[manual]({each.source})")
        for each in generator.settings
    ]
    return table(("rules", "what to set", "source"), rows)

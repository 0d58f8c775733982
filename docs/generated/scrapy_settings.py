"""The settings of Scrapy that differ in an audit, or have no effect."""

from docs.generated.markdown import code, table
from sitemapaudit.engine.settings_table import Effect, rows_of


def differing() -> str:
    """Return the table of the settings that work in another way."""
    return _table(Effect.DIFFERS, "how")


def ignored() -> str:
    """Return the table of the settings without effect."""
    return _table(Effect.NONE, "why")


def _table(effect: Effect, reason: str) -> str:
    return table(("settings", reason), [(code(row.names), row.why) for row in rows_of(effect)])

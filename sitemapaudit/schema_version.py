"""The version of what other programs read: run.json, the rows of tables, what a gate writes."""

from typing import Final

SCHEMA_VERSION: Final = 1
"""It changes if something is renamed, removed, or gets another meaning; additions keep it."""

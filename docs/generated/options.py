"""Arguments and settings."""

from __future__ import annotations

from typing import Final

from docs.generated.markdown import table
from sitemapaudit.cli.commands.audit import SITE
from sitemapaudit.config.arguments import Arguments
from sitemapaudit.config.audit_settings import AuditSettings

_HEAD: Final = ("option and name", "meaning", "default")


def arguments() -> str:
    """Return the arguments of an audit."""
    return _table(Arguments)


def settings() -> str:
    """Return the settings of this project."""
    return _table(AuditSettings)


def _table(options: type[Arguments | AuditSettings]) -> str:
    rows = [
        (
            f"`{option.metavar if option.name == SITE else option.usage}`, `{option.name}`",
            option.meaning,
            f"`{option.default}`" if option.default else "",
        )
        for option in options.describe()
    ]
    return table(_HEAD, rows)

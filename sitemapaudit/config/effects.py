"""Options that have no effect without another one: on the command line, they are mistakes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from sitemapaudit.config.arguments import Links
from sitemapaudit.config.layers import COMMAND_LINE
from sitemapaudit.config.options import ConfigError

if TYPE_CHECKING:
    from sitemapaudit.config.audit_config import Config

_Need = tuple[str, Callable[["Config"], bool]]

_FOLDER: Final[_Need] = "folder", lambda config: config.arguments.folder is not None
_STAGING: Final[_Need] = "staging", lambda config: bool(config.arguments.staging)
_RESUME: Final[_Need] = "resume", lambda config: config.arguments.resume is not None
_REUSE: Final[_Need] = "reuse", lambda config: config.arguments.reuse is not None
_RENDER: Final[_Need] = "render", lambda config: config.renders
_CRAWL: Final[_Need] = "links=crawl", lambda config: config.arguments.links is Links.CRAWL
_SAMPLE: Final[_Need] = "a sample of pages or render", lambda config: config.samples

NEEDS: Final[dict[str, _Need]] = {
    "hosting": _FOLDER,
    "ignore_staging_block": _STAGING,
    "staging_names_itself": _STAGING,
    "found": _RESUME,
    "AUDIT_STAGING_HOST": _STAGING,
    "AUDIT_STAGING_HEADERS": _STAGING,
    "AUDIT_MAX_LINKED": _CRAWL,
    "AUDIT_MAX_SIMILAR": _CRAWL,
    "AUDIT_CONTROL_SHARE": _REUSE,
    "AUDIT_SEED": _SAMPLE,
    "AUDIT_GUARDED_BROWSER": _RENDER,
    "AUDIT_RENDER_CONCURRENCY": _RENDER,
    "AUDIT_RENDER_IDLE": _RENDER,
}
"""The prerequisite of each option, and a check whether a configuration meets it."""


def check_effects(config: Config) -> None:
    """Raise ConfigError for an option of the command line that has no effect.

    Scrapyd jobs are exempt: they often have the same settings for every site.
    """
    for name, (needed, has) in NEEDS.items():
        is_setting = name.isupper()
        if config.set_by.get(name) != COMMAND_LINE or (is_setting and config.job is not None):
            continue
        if not has(config):
            raise ConfigError(f"{name}: it has no effect without {needed}.")

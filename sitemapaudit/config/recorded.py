"""Arguments and settings of an earlier run, for resuming it or merging its shards."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from sitemapaudit.config.arguments import Arguments
from sitemapaudit.config.audit_settings import AuditSettings
from sitemapaudit.config.options import ConfigError, Options
from sitemapaudit.runs.folders import find_run
from sitemapaudit.runs.manifest import Manifest

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

_COMMAND_LINE: Final = 40
"""The priority of Scrapy's settings that the command line sets."""


_OF_THIS_MACHINE: Final = ("AUDIT_DIR", "AUDIT_STAGING_HEADERS")
"""Settings that are not taken over: a folder, and values that are not recorded."""


def read_recorded(resume: Any) -> Manifest:
    """Return the manifest of a run to resume; raises ConfigError."""
    try:
        return Manifest.read(find_run(resume))
    except (OSError, ValueError) as error:
        raise ConfigError(f"resume: {str(error).rstrip('.')}.") from error


def apply_recorded_settings(recorded: Mapping[str, Any], settings: BaseSettings) -> None:
    """Apply the settings that a run was made with.

    Settings of the command line take precedence, and some stay those of this machine.
    """
    for name, value in known_settings(recorded).items():
        if name not in _OF_THIS_MACHINE and (settings.getpriority(name) or 0) < _COMMAND_LINE:
            settings.set(name, value, priority="cmdline")


def known_settings(recorded: Mapping[str, Any]) -> dict[str, Any]:
    """Return the recorded settings that this version has; the log names the others."""
    return _known(recorded, AuditSettings, "setting")


def known_arguments(recorded: Mapping[str, Any]) -> dict[str, Any]:
    """Return the recorded arguments that this version has; the log names the others."""
    return _known(recorded, Arguments, "argument")


def _known(recorded: Mapping[str, Any], options: type[Options], what: str) -> dict[str, Any]:
    names = {option.name for option in options.describe()}
    for name in recorded.keys() - names:
        _warn(f"The run has the {what} {name}, which this version does not have; it is ignored")
    return {name: value for name, value in recorded.items() if name in names}


_WITH_RESUME: Final = ("resume", "workers", "found")
"""The arguments that a resumed run can have: another machine has other processors."""


@cache
def _warn(text: str) -> None:
    """Log a warning, once however often the record is read."""
    logger.warning(text)


def add_recorded_arguments(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the arguments of the run that ``resume`` names, if it names one."""
    if not given.get("resume"):
        return given
    others = ", ".join(name for name in given if name not in _WITH_RESUME)
    if others:
        raise ConfigError(f"resume: the run keeps its own arguments; remove {others}.")
    return {**known_arguments(read_recorded(given["resume"]).given), **given}

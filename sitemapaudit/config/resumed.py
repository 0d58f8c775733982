"""What a run was asked to do, taken over where it is resumed or its shards are merged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from sitemapaudit.datasets.folders import find_run
from sitemapaudit.datasets.manifest import Manifest
from sitemapaudit.options import ConfigError


def recorded(resume: Any) -> Manifest:
    """Return the manifest of a run that is to be resumed; raises ConfigError."""
    try:
        return Manifest.read(find_run(resume))
    except (OSError, ValueError) as error:
        raise ConfigError(f"resume: {str(error).rstrip('.')}.") from error


def take_over(recorded: Mapping[str, Any], settings: BaseSettings) -> None:
    """Take over the settings that a run was made with.

    Those given on the command line now stand above them, and so does the folder of this machine.
    """
    given = SETTINGS_PRIORITIES["cmdline"]
    for name, value in recorded.items():
        if name != "AUDIT_DIR" and (settings.getpriority(name) or 0) < given:
            settings.set(name, value, priority="cmdline")


def with_those_of_the_run(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the arguments of the run that is to be resumed beside ``resume``, if one is."""
    if not given.get("resume"):
        return given
    others = ", ".join(name for name in given if name != "resume")
    if others:
        raise ConfigError(f"resume: the run goes on with its own arguments; leave out {others}.")
    return {**recorded(given["resume"]).given, **given}

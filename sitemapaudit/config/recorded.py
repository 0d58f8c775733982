"""The recorded arguments and settings of a run, with which its results are rebuilt."""

import logging
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from sitemapaudit.config.arguments import Arguments
from sitemapaudit.config.audit_settings import AuditSettings
from sitemapaudit.config.layers import COMMAND_LINE, Layer, Layers
from sitemapaudit.config.options import ConfigError, Options
from sitemapaudit.config.readers import read_path
from sitemapaudit.runs.folders import find_run, has_tables
from sitemapaudit.runs.manifest import NAME, Manifest, Status
from sitemapaudit.runs.merging.stores import is_remote, open_stored_run
from sitemapaudit.urls.shard import WHOLE

logger = logging.getLogger(__name__)

_OF_THIS_MACHINE: Final = ("AUDIT_DIR", "AUDIT_UPLOAD", "AUDIT_STAGING_HEADERS", "AUDIT_NOTIFY")
"""Settings that are not reused: those of this machine, and values that are not recorded."""

_OF_AUDITS: Final = ("AUDIT_RESULTS", "AUDIT_EXIT_ZERO")
"""Settings that only an audit reuses, when it is resumed."""

WITH_RESUME: Final = ("resume", "workers", "found")
"""The arguments that a resumed run can have; another machine has other processors."""


def settings_of_run(manifest: Manifest, run: str | Path, layers: Layers) -> AuditSettings:
    """Return the settings of a run; raises ConfigError.

    Those of the command line take precedence. ``run`` is the name of the run for the user.
    """
    recorded = recorded_settings(manifest, run)
    values = {name: value for name, value in recorded.values.items() if name not in _OF_AUDITS}
    return read_settings(layers.below_command_line(replace(recorded, values=values)))


def read_settings(layers: Layers) -> AuditSettings:
    """Return the settings that apply; raises ConfigError."""
    try:
        return AuditSettings.from_scrapy(layers.values)
    except ConfigError as error:
        raise layers.explain(error) from None


def recorded_settings(manifest: Manifest, run: str | Path) -> Layer:
    """Return the settings of a run that this version knows; the log names the others."""
    known = _known(manifest.settings, AuditSettings, "setting")
    taken = {name: value for name, value in known.items() if name not in _OF_THIS_MACHINE}
    return Layer("run", taken, f"{run}/{NAME}")


def record_settings(
    manifest: Manifest,
    settings: AuditSettings,
    set_by: Mapping[str, str],
    *,
    of_audit: bool = False,
) -> None:
    """Record the settings with which a run is resumed or its results are built.

    ``set_by`` names the place that each value comes from. Those that only an audit uses are
    recorded if it is resumed: ``of_audit``.
    """
    recorded = settings.recorded()
    kept = {*_OF_THIS_MACHINE} if of_audit else {*_OF_THIS_MACHINE, *_OF_AUDITS}
    manifest.settings |= {name: recorded[name] for name in recorded.keys() - kept}
    manifest.set_by |= {
        name: place
        for name, place in set_by.items()
        if place == COMMAND_LINE and name in manifest.settings
    }


def recorded_arguments(manifest: Manifest) -> dict[str, Any]:
    """Return the arguments of a run that this version knows; the log names the others."""
    return _known(manifest.given, Arguments, "argument")


def _known(recorded: Mapping[str, Any], options: type[Options], what: str) -> dict[str, Any]:
    names = {option.name for option in options.describe()}
    for name in recorded.keys() - names:
        _warn(f"The run has the {what} {name}, which this version does not have; it is ignored")
    return {name: value for name, value in recorded.items() if name in names}


@cache
def _warn(text: str) -> None:
    """Log a warning only once."""
    logger.warning(text)


def resumed_settings(resume: Any) -> Layer:
    """Return the settings of the run that ``resume`` names; raises ConfigError."""
    return recorded_settings(*_read_resumed(resume))


def _read_resumed(resume: Any) -> tuple[Manifest, Path]:
    try:
        run = find_run(resume)
        return Manifest.read(run), run
    except (OSError, ValueError) as error:
        raise ConfigError(f"resume: {str(error).rstrip('.')}.") from error


OF_LISTED: Final = (
    "site", "sitemap", "urls", "staging", "ignore_staging_block", "staging_names_itself", "agent",
    "agents",
)  # fmt: skip
"""The arguments on which the entries of a run depend."""


def add_listed_arguments(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the arguments of the run that ``entries_from`` names, if it names one."""
    place = given.get("entries_from")
    if not place:
        return given
    manifest = read_listed(place)
    known = recorded_arguments(manifest)
    listed: dict[str, Any] = {name: known[name] for name in OF_LISTED if name in known}
    for name in OF_LISTED:
        if name in given and str(given[name]) != str(listed.get(name, "")):
            was = listed.get(name) or "not given"
            raise ConfigError(f"entries_from: {name} was {was} in {place}; remove {name}.")
    return {**listed, **given}


def read_listed(place: Any) -> Manifest:
    """Return the manifest of a run with entries for shards; raises ConfigError."""
    try:
        if is_remote(str(place)):
            manifest = Manifest.parse(open_stored_run(str(place)).read_manifest())
        else:
            run = find_run(read_path(place))
            manifest = Manifest.read(run)
            if not has_tables(run):
                raise ConfigError(f"entries_from: {run} has no tables: sitemapaudit report {run}.")
    except (OSError, ValueError) as error:
        raise ConfigError(f"entries_from: {str(error).rstrip('.')}.") from error
    arguments = manifest.arguments
    if manifest.status is not Status.FINISHED:
        raise ConfigError(f"entries_from: {place} is not finished; resume it.")
    if (arguments.get("shard") or str(WHOLE)) != str(WHOLE) and not manifest.shards:
        raise ConfigError(f"entries_from: {place} is a shard; name a whole run.")
    for name in ("folder", "entries_from"):
        if arguments.get(name):
            raise ConfigError(f"entries_from: {place} has {name}; name a run of the site itself.")
    return manifest


def add_recorded_arguments(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the arguments of the run that ``resume`` names, if it names one."""
    if not given.get("resume"):
        return given
    others = ", ".join(name for name in given if name not in WITH_RESUME)
    if others:
        raise ConfigError(f"resume: the run keeps its own arguments; remove {others}.")
    manifest, _ = _read_resumed(given["resume"])
    return {**recorded_arguments(manifest), **given}

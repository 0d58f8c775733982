"""Scrapy's settings: their layers, and checks of their names and types."""

from __future__ import annotations

import difflib
import logging
import math
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sitemapaudit.config.audit_settings import PREFIX
from sitemapaudit.config.layers import COMMAND_LINE, Layer, Layers
from sitemapaudit.config.options import ConfigError, sentence

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

SETTINGS_VARIABLE: Final = "SCRAPY_SETTINGS_MODULE"
"""The environment variable with the settings module of a Scrapy project."""

_SIMILAR: Final = 0.87
"""The similarity to a known name that makes a name a typo; names of add-ons have less."""

_FRACTIONS: Final = ("TIMEOUT", "DELAY", "INTERVAL")
"""Words in names of settings in seconds, which accept fractions even if the default is whole."""


def scrapy_layers(settings: BaseSettings, file: Layer) -> Layers:
    """Return the layers of the project, of a configuration file, and of the command line."""
    from scrapy.settings import SETTINGS_PRIORITIES  # noqa: PLC0415 - as below

    project, typed = {}, {}
    for name in settings:
        priority = settings.getpriority(name) or 0
        if priority >= SETTINGS_PRIORITIES["cmdline"]:
            typed[name] = settings[name]
        elif name.startswith(PREFIX):
            project[name] = settings[name]
    module = os.environ.get(SETTINGS_VARIABLE, "project")
    return Layers((Layer(module, project), file, Layer(COMMAND_LINE, typed)))


_PRIORITY: Final = "PRIORITY"
"""A word in names of settings whose values can be negative."""

_CODES: Final = "a list of status codes"


def set_settings(settings: BaseSettings, given: Mapping[str, Any], priority: int) -> None:
    """Set settings of Scrapy. Raises ConfigError for a text in place of a table."""
    for name, value in given.items():
        try:
            settings.set(name, value, priority)
        except (TypeError, ValueError):
            raise ConfigError(f"{name}: {value!r} is not a table.") from None


def check_names(given: Iterable[str], settings: BaseSettings) -> None:
    """Raise ConfigError for a name that is probably a misspelled setting of Scrapy.

    Any other unknown name belongs to an add-on.
    """
    from scrapy.settings import default_settings  # noqa: PLC0415 - as below

    typed = set(given)
    known = {name for name in vars(default_settings) if name.isupper()}
    known |= {name for name in settings if name not in typed}
    for name in sorted(typed - known):
        similar = difflib.get_close_matches(name, known, n=1, cutoff=_SIMILAR)
        if similar and not name.startswith(PREFIX):
            raise ConfigError(f"{name} is unknown; did you mean {similar[0]}?")


def check_types(settings: BaseSettings) -> None:
    """Raise ConfigError if a setting does not have the type of its default."""
    from scrapy.settings import default_settings  # noqa: PLC0415 - other commands need no Scrapy

    for name, default in vars(default_settings).items():
        expected = _expected(name, default, settings) if name.isupper() else None
        if expected:
            raise ConfigError(sentence(f"{name}: {settings[name]!r} is not {expected}"))
    for feed, options in settings.getdict("FEEDS").items():
        _check_feed(str(feed), options)


def _check_feed(feed: str, options: Any) -> None:
    """Raise ConfigError for a feed that cannot be written."""
    if isinstance(options, Mapping) and options.get("format") == "marshal":
        raise ConfigError(f"FEEDS: {feed}: marshal cannot contain dates; choose another format.")
    name, varies, _ = feed.removeprefix("file://").partition("%(")
    if ("://" in feed and not feed.startswith("file://")) or feed == "stdout:":
        return
    if not varies and Path(name).is_dir():
        raise ConfigError(f"FEEDS: {feed} is a folder.")
    folder = Path(os.path.dirname(name)).absolute()  # noqa: PTH120 - a/ is the folder a
    place = next(each for each in (folder, *folder.parents) if each.exists())
    is_usable = place.is_dir()
    if not varies and Path(name).exists():  # A file, or a device such as /dev/stdout.
        place, is_usable = Path(name), True
    if not (is_usable and os.access(place, os.W_OK)):
        raise ConfigError(f"FEEDS: {feed} cannot be written.")


def _expected(name: str, default: Any, settings: BaseSettings) -> str | None:
    """Return the expected kind of value; None if the value is valid."""
    given = settings[name]
    if name == "LOG_LEVEL":
        known = isinstance(given, int) or given in logging.getLevelNamesMapping()
        return None if known else "a level such as INFO"
    if name == "LOG_FILE":
        return expected_log_file(given)
    if name == "RETRY_HTTP_CODES":
        try:
            return None if all(map(int, settings.getlist(name))) else _CODES
        except (TypeError, ValueError):
            return _CODES
    if isinstance(default, dict | list):
        return _expected_table(name, default, settings)
    if isinstance(default, bool) or name.endswith("_ENABLED"):
        return _expected_boolean(name, settings)
    if isinstance(default, int | float):
        whole = isinstance(default, int) and not any(word in name for word in _FRACTIONS)
        return _expected_number(given, whole=whole, negative=default < 0 or _PRIORITY in name)
    return None


def expected_log_file(given: Any) -> str | None:
    """Return the expected kind of value of LOG_FILE; None if it is empty or can be written.

    A pipe without a reader would never open.
    """
    if not given:
        return None
    try:
        os.close(
            os.open(given, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0))
        )
    except (OSError, ValueError, TypeError) as error:
        return f"a file that can be written: {getattr(error, 'strerror', None) or error}"
    return None


def _expected_boolean(name: str, settings: BaseSettings) -> str | None:
    try:
        settings.getbool(name)
    except (TypeError, ValueError):
        return "true or false"
    return None


def _expected_table(name: str, default: Any, settings: BaseSettings) -> str | None:
    is_list = isinstance(default, list)
    try:
        settings.getlist(name) if is_list else settings.getdict(name)
    except (TypeError, ValueError):
        return "a list" if is_list else "a table"
    return None


def _expected_number(given: Any, *, whole: bool, negative: bool) -> str | None:
    try:
        number = int(given) if whole else float(given)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    kind = "a whole number" if whole else "a number"
    if not math.isfinite(number):
        return kind
    return None if negative or number >= 0 else f"{kind} of at least 0"

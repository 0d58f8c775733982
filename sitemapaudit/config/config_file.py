"""The configuration file: ``sitemapaudit.toml``, or ``[tool.sitemapaudit]`` of ``pyproject.toml``.

The nearest file applies, in the working directory or above it. It can contain arguments and
settings by the names of their options, and settings of Scrapy in the table ``scrapy``.
"""

import json
import os
import tomllib
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field

from sitemapaudit.config.arguments import Arguments
from sitemapaudit.config.audit_settings import AuditSettings
from sitemapaudit.config.layers import Layer
from sitemapaudit.config.options import (
    ConfigError,
    OptionDescription,
    reject_unknown,
    sentence,
)
from sitemapaudit.evidence.url_list import STANDARD_INPUT
from sitemapaudit.given_files import read_text
from sitemapaudit.runs.reused_run import LATEST

VARIABLE: Final = "SITEMAPAUDIT_CONFIG"
"""The environment variable that names another file; with an empty value, none is read."""

FILE: Final = "sitemapaudit.toml"
_MAX_BYTES: Final = 2**20
_PROJECT_FILE: Final = "pyproject.toml"
_SECTION: Final = "sitemapaudit"
_SCRAPY: Final = "scrapy"
OF_ONE_RUN: Final = ("resume", "found", "entries_from")
"""Arguments that a file cannot contain."""

_AUDITED: Final = ("site", "sitemap", "urls")


class ConfigFile(Struct, frozen=True):
    """The options in a configuration file, by public name; ``name`` is its path from here."""

    name: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def layer(self) -> Layer:
        """Its settings, including those of Scrapy."""
        return Layer(self.name, self.settings, self.name)

    def arguments_below(self, typed: Mapping[str, Any]) -> Mapping[str, str]:
        """Return the arguments that apply with a command line.

        A site, a sitemap or a list on the command line replaces all of these, but for the site of
        a list. A resumed run has its own arguments.
        """
        if typed.get("resume"):
            return {}
        skipped = {*_AUDITED} if any(map(typed.get, _AUDITED)) else set()
        if typed.get("urls"):
            skipped.discard("site")
        return {
            name: value
            for name, value in self.arguments.items()
            if name not in typed and name not in skipped
        }


def read_config_file() -> ConfigFile:
    """Read the nearest configuration file, if there is one. Raises ConfigError."""
    chosen = os.environ.get(VARIABLE)
    if chosen == "":
        return ConfigFile()
    if chosen is not None:
        path = Path(chosen)
        table = _read(path, must_exist=True)
        section = table.get("tool", {}).get(_SECTION, {}) if path.name == _PROJECT_FILE else table
        return _config_file(path, section)
    here = Path.cwd()
    for folder in (here, *here.parents):
        own = folder / FILE
        if own.is_file():
            return _config_file(own, _read(own))
        section = _read(folder / _PROJECT_FILE).get("tool", {}).get(_SECTION)
        if section is not None:
            return _config_file(folder / _PROJECT_FILE, section)
    return ConfigFile()


def _read(path: Path, *, must_exist: bool = False) -> dict[str, Any]:
    """Return the tables of a file; empty if the file is not ours and cannot be read."""
    is_ours = must_exist or path.name == FILE
    try:
        return tomllib.loads(read_text(path, _MAX_BYTES))
    except FileNotFoundError:
        if not must_exist:
            return {}
        raise ConfigError(f"{path} does not exist.") from None
    except (OSError, ValueError, RecursionError) as error:
        if not is_ours:
            return {}
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigError(sentence(f"{_shown(path)} cannot be read: {reason}")) from None


def _config_file(path: Path, section: Any) -> ConfigFile:
    name = _shown(path)
    if not isinstance(section, dict):
        raise ConfigError(f"{name}: [tool.{_SECTION}] is not a table.")
    scrapy = section.get(_SCRAPY, {})
    if not isinstance(scrapy, dict):
        raise ConfigError(f"{name}: {_SCRAPY} is not a table with settings of Scrapy.")
    given = {key.replace("_", "-"): value for key, value in section.items() if key != _SCRAPY}
    arguments = {each.key: each for each in Arguments.describe() if each.name not in OF_ONE_RUN}
    settings = {each.key: each for each in AuditSettings.describe()}
    synonyms = {key.replace("_", "-"): value for key, value in Arguments.synonyms.items()}
    try:
        reject_unknown(given, [*arguments, *settings, _SCRAPY], synonyms)
        values = {
            known.name: _checked(known, given[key], path.parent)
            for key, known in {**arguments, **settings}.items()
            if key in given
        }
    except ConfigError as error:
        raise ConfigError(f"{name}: {error}") from None
    of_audit = {each.name for each in arguments.values()}
    return ConfigFile(
        name,
        {each: value for each, value in values.items() if each in of_audit},
        {**scrapy, **{each: value for each, value in values.items() if each not in of_audit}},
    )


def _checked(option: OptionDescription, value: Any, folder: Path) -> str:
    """Return a value as text that the reader of its option accepts; raises ConfigError."""
    text = _as_text(option, value)
    if option.is_path and text not in ("", LATEST, STANDARD_INPUT):
        text = str(folder / text)
    try:
        option.read(text)
    except ValueError as error:
        raise ConfigError(sentence(f"{option.key}: {error}")) from None
    return text


def _as_text(option: OptionDescription, value: Any) -> str:
    """Return a TOML value in the form of the command line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict) and option.is_mapping:
        return json.dumps(value)
    if isinstance(value, list) and (option.is_list or option.is_mapping):
        return ",".join(str(each) for each in value)
    if isinstance(value, dict | list):
        raise ConfigError(f"{option.key}: {option.metavar} is expected, not several values.")
    return value.isoformat() if isinstance(value, date) else str(value)


def _shown(path: Path) -> str:
    try:
        return os.path.relpath(path)
    except ValueError:  # Another drive on Windows.
        return str(path)

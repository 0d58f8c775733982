"""The configuration of a Worker: the part about its static assets."""

import json
import re
import tomllib
from collections.abc import Iterable
from typing import Any, Final, Literal

from msgspec import Struct, ValidationError, convert

from sitemapaudit.builds.edge import EVERYTHING, EdgePaths
from sitemapaudit.builds.folder import Folder
from sitemapaudit.builds.rule_file import RuleFile
from sitemapaudit.regexes import Regex, compile_linear

NAMES: Final = ("wrangler.json", "wrangler.jsonc", "wrangler.toml")
"""The names of the file. An earlier name counts, even if its file is farther from the build."""

SCRIPT: Final = "is served by the script of the Worker"

_TEXT: Final = r'"(?:\\.|[^"\\])*"'
_COMMENT: Final = re.compile(rf"({_TEXT})|//[^\n]*|/\*.*?\*/", re.DOTALL)
_LAST_COMMA: Final = re.compile(rf"({_TEXT})|,(?=\s*[}}\]])", re.DOTALL)


class Assets(Struct, frozen=True):
    """The settings of static assets, with the defaults of the hosting."""

    html_handling: Literal[
        "auto-trailing-slash", "force-trailing-slash", "drop-trailing-slash", "none"
    ] = "auto-trailing-slash"
    not_found_handling: Literal["none", "404-page", "single-page-application"] = "none"
    run_worker_first: bool | tuple[str, ...] = False
    """Paths that the script answers; those that begin with ``!`` are never left to it."""


class WorkerConfig(Struct, frozen=True):
    """The configuration; ``main`` is the script."""

    main: str | None = None
    assets: Assets = Assets()

    @property
    def before_files(self) -> EdgePaths:
        """The paths that the script answers even if there is a file."""
        first = self.assets.run_worker_first
        if isinstance(first, bool):
            return EdgePaths((EVERYTHING,) if first else (), SCRIPT)
        included = _compile(path for path in first if not path.startswith("!"))
        return EdgePaths(included, SCRIPT, self._excluded)

    @property
    def after_files(self) -> EdgePaths:
        """The paths that the script answers if there is no file."""
        return EdgePaths((EVERYTHING,) if self.main else (), SCRIPT, self._excluded)

    @property
    def _excluded(self) -> tuple[Regex, ...]:
        first = self.assets.run_worker_first
        paths = () if isinstance(first, bool) else first
        return _compile(path[1:] for path in paths if path.startswith("!"))


def _compile(paths: Iterable[str]) -> tuple[Regex, ...]:
    return tuple(compile_linear(".*".join(map(re.escape, path.split("*")))) for path in paths)


def find_config(folder: Folder) -> RuleFile:
    """Return the file in the build or above it; if there is none, the last name, without text."""
    files = [RuleFile(folder, name, in_project=True, is_strict=True) for name in NAMES]
    return next((file for file in files if file.exists or file.problems), files[-1])


def read_config(file: RuleFile) -> WorkerConfig:
    """Read the file; if it is not valid, that is a problem and the defaults count."""
    try:
        is_toml = file.name.endswith(".toml")
        document = tomllib.loads(file.text) if is_toml else _parse(file.text)
        return convert(document, WorkerConfig)
    except (ValueError, RecursionError, ValidationError) as error:
        file.ignore(f"cannot be read: {error}")
        return WorkerConfig()


def _parse(text: str) -> Any:
    """Parse JSON with comments, and with commas after last values."""
    for ignored in (_COMMENT, _LAST_COMMA):
        text = ignored.sub(lambda match: match[1] or "", text)
    return json.loads(text)


def read_hidden(file: RuleFile) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names in ``.assetsignore``: those in the root, and those in all folders."""
    root, anywhere = {"_redirects", "_headers", ".assetsignore"}, set[str]()
    for number, line in file.lines():
        name = line.strip("/")
        if re.search(r"[][*?!\\/]", name):
            file.ignore("is a pattern, and only names are read", number)
        else:
            (root if line.startswith("/") else anywhere).add(name)
    return frozenset(root), frozenset(anywhere)

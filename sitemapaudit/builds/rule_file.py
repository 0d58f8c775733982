"""Files with rules of the site, such as ``_redirects``, and the rules that the hosting ignores."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import Struct, ValidationError, convert

from sitemapaudit.builds.folder import Folder
from sitemapaudit.given_files import read_bytes

T = TypeVar("T")

MAX_BYTES: Final = 2**22
MAX_RULES: Final = 50_000
"""Bytes of a file and rules of a list, more than any hosting applies."""

_LONGEST: Final = 2**16
"""Characters of a line, if the hosting has no such limit."""


def _projects(build: Path) -> Sequence[Path]:
    """Return the folders above a build, up to the root of its repository; without one, the first.

    The configuration of a site is in the root of the repository, or of a package in it.
    """
    for number, folder in enumerate(build.parents, start=1):
        if (folder / ".git").exists():
            return build.parents[:number]
    return build.parents[:1]


class Problem(Struct, frozen=True):
    """A line that the hosting ignores; ``line`` is None if the reason concerns the whole file.

    ``fails_deployment``: instead of ignoring it, the hosting refuses to publish the build.
    """

    file: Path
    line: int | None
    reason: str
    fails_deployment: bool = False


class IgnoredError(ValueError):
    """The hosting ignores a rule; the message is the reason of the problem."""


class RuleFile:
    """A file with rules. A missing file has no text, and so no rules."""

    def __init__(
        self,
        folder: Folder,
        name: str,
        *,
        in_project: bool = False,
        is_strict: bool = False,
        max_line: int = _LONGEST,
    ) -> None:
        """Read a file of the build; ``in_project``: or of the project that contains the build.

        ``is_strict``: each of its problems fails a deployment. ``max_line``: the hosting ignores
        lines with more characters.
        """
        path = folder.file(f"{folder.mount}/{name}")
        if path is None and in_project:
            places = (project / name for project in _projects(folder.root))
            path = next((place for place in places if place.is_file()), None)
        self._root = folder.root
        self.name = name
        self.exists = path is not None
        self.problems: list[Problem] = []
        self._path = path or folder.root / name
        self._is_strict = is_strict
        self._max_line = max_line
        self.text = self._read() if path else ""

    @property
    def project(self) -> Path:
        """The folder that contains the file; without one, that which contains the build."""
        return self._path.parent if self.exists else self._root.parent

    def _read(self) -> str:
        try:
            return read_bytes(self._path, MAX_BYTES).decode("utf-8", errors="replace")
        except OSError as error:
            self.ignore(f"cannot be read: {error.strerror}")
            self.exists = False
            return ""

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield the lines with text, and their numbers; a line with ``#`` is a comment."""
        for number, line in enumerate(self.text.removeprefix("\ufeff").split("\n"), start=1):
            stripped = line.strip()
            if len(stripped) > self._max_line:
                self.ignore(f"is longer than {self._max_line:,} characters", number)
            elif stripped and not stripped.startswith("#"):
                yield number, stripped

    def read_rules(
        self, document: dict[str, Any], key: str, kind: type[T], most: int = MAX_RULES
    ) -> dict[str, T]:
        """Read a list of at most ``most`` rules of a JSON document; return them by their place."""
        values = document.get(key) if document.get(key) is not None else []
        if not isinstance(values, list) or len(values) > most:
            self.ignore(f"{key} is not a list of at most {most:,} rules")
            return {}
        rules = {}
        for number, value in enumerate(values, start=1):
            with self.ignoring(rule=f"{key} {number}: "):
                rules[f"{self.name}: {key} {number}"] = convert(value, kind)
        return rules

    @contextmanager
    def ignoring(self, line: int | None = None, rule: str = "") -> Iterator[None]:
        """Record an invalid rule as a problem; its reason begins with the name of the rule.

        Errors are ``IgnoredError`` and the ``ValidationError`` of msgspec.
        """
        try:
            yield
        except (IgnoredError, ValidationError) as error:
            self.ignore(f"{rule}{error}", line)

    def ignore(self, reason: str, line: int | None = None) -> None:
        """Record a problem."""
        self.problems.append(Problem(self._path, line, reason, self._is_strict))

    def refuse(self, reason: str, line: int | None = None) -> None:
        """Record a problem that fails a deployment."""
        self.problems.append(Problem(self._path, line, reason, fails_deployment=True))

"""Serves a folder as a website, with what its site.toml says of it."""

import gzip
import mimetypes
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from sitemapaudit.demo.server import Asked, Reply, Server

FOLDER = Path(__file__).parent
NAMES = sorted(file.parent.name for file in FOLDER.glob("*/site.toml"))


class Website:
    """One of the tiny websites; a context manager that serves it."""

    def __init__(self, name: str) -> None:
        self.folder = FOLDER / name
        self._server = Server(self._answer)

    @cached_property
    def told(self) -> dict[str, Any]:
        """What site.toml says."""
        return tomllib.loads((self.folder / "site.toml").read_text(encoding="utf-8"))

    @property
    def origin(self) -> str:
        return self._server.origin

    def filled(self, value: Any) -> Any:
        """Return a value of site.toml with the origin in place."""
        if isinstance(value, str):
            return value.replace("{origin}", self.origin)
        if isinstance(value, list):
            return [self.filled(each) for each in value]
        return {self.filled(name): self.filled(each) for name, each in value.items()}

    def asked(self) -> dict[str, int]:
        """Return how often each path was asked for."""
        host = self.origin.removeprefix("http://")
        return {place.removeprefix(host): times for place, times in self._server.asked.items()}

    def findings(self) -> list[tuple[str, str]]:
        """Return rule and place of each finding that an audit must give."""
        found = self.told.get("findings", {})
        return sorted(
            (rule, self._place(place)) for rule, places in found.items() for place in places
        )

    def verdicts(self) -> dict[str, str]:
        """Return the verdict on each listed URL that an audit must give."""
        verdicts = self.told.get("verdicts", {})
        return {self._place(place): verdict for place, verdict in verdicts.items()}

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()

    def _place(self, place: str) -> str:
        return self.origin + place if place.startswith("/") else self.filled(place)

    def _answer(self, asked: Asked) -> Reply:
        replies = self.told.get("replies", {})
        told = replies.get(asked.path, {} if self._file(asked.path) else replies.get("*", {}))
        status, delay = told.get("status", 200), told.get("delay", 0.0)
        headers = [
            (name, self.filled(value))
            for name, values in told.get("headers", {}).items()
            for value in ([values] if isinstance(values, str) else values)
        ]
        file = self._file(told.get("file", asked.path))
        if file is None:
            if not told:
                return Reply("not found", 404, [("Content-Type", "text/html")])
            return Reply(self.filled(told.get("body", "")), status, headers, delay)
        body = self.filled(file.read_bytes().decode("latin-1")).encode("latin-1")
        for _ in range(told.get("gzip", 0)):
            body = gzip.compress(body)
        if not any(name == "Content-Type" for name, _ in headers):
            headers.append(("Content-Type", _media_type(file)))
        return Reply(body, status, headers, delay)

    def _file(self, path: str) -> Path | None:
        name = path.partition("?")[0].strip("/") or "index.html"
        for candidate in (self.folder / name, self.folder / f"{name}.html"):
            if candidate.is_file() and candidate.name != "site.toml":
                return candidate
        return None


def _media_type(file: Path) -> str:
    guessed = mimetypes.guess_type(file.name)[0] or "text/html"
    return f"{guessed}; charset=utf-8" if guessed.startswith("text/") else guessed

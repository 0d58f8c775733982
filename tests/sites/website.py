"""Serves a folder as a website, with the replies that its site.toml defines."""

import gzip
import mimetypes
import tomllib
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from sitemapaudit.demo.server import Reply, Server, ServerRequest

FOLDER = Path(__file__).parent
NAMES = sorted(file.parent.name for file in FOLDER.glob("*/site.toml"))


class Website:
    """One of the tiny websites; a context manager that serves it."""

    def __init__(self, name: str) -> None:
        self.folder = FOLDER / name
        self._server = Server(self._reply)

    @cached_property
    def definition(self) -> dict[str, Any]:
        """The content of site.toml."""
        return tomllib.loads((self.folder / "site.toml").read_text(encoding="utf-8"))

    @property
    def origin(self) -> str:
        return self._server.origin

    def fill_in(self, value: Any) -> Any:
        """Return a value of site.toml with ``{origin}`` replaced."""
        if isinstance(value, str):
            return value.replace("{origin}", self.origin)
        if isinstance(value, list):
            return [self.fill_in(each) for each in value]
        return {self.fill_in(name): self.fill_in(each) for name, each in value.items()}

    def requests(self) -> dict[str, int]:
        """Return the number of requests for each path."""
        host = self.origin.removeprefix("http://")
        return {place.removeprefix(host): times for place, times in self._server.requests.items()}

    def findings(self) -> list[tuple[str, str]]:
        """Return the rule and the place of each expected finding."""
        expected = self.definition.get("findings", {})
        return sorted(
            (rule, self._place(place)) for rule, places in expected.items() for place in places
        )

    def verdicts(self) -> dict[str, str]:
        """Return the expected verdict on each listed URL."""
        expected = self.definition.get("verdicts", {})
        return {self._place(place): verdict for place, verdict in expected.items()}

    def __enter__(self) -> Self:
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop()

    def _place(self, place: str) -> str:
        return self.origin + place if place.startswith("/") else self.fill_in(place)

    def _reply(self, request: ServerRequest) -> Reply:
        replies = self.definition.get("replies", {})
        default = {} if self._file(request.path) else replies.get("*", {})
        defined = replies.get(request.path, default)
        status, delay = defined.get("status", 200), defined.get("delay", 0.0)
        headers = [
            (name, self.fill_in(value))
            for name, values in defined.get("headers", {}).items()
            for value in ([values] if isinstance(values, str) else values)
        ]
        file = self._file(defined.get("file", request.path))
        if file is None:
            if not defined:
                return Reply("not found", 404, [("Content-Type", "text/html")])
            return Reply(self.fill_in(defined.get("body", "")), status, headers, delay)
        body = self.fill_in(file.read_bytes().decode("latin-1")).encode("latin-1")
        for _ in range(defined.get("gzip", 0)):
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

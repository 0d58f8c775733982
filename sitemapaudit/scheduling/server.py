"""A Scrapyd server, through its API."""

import base64
import json
import re
from collections.abc import Mapping
from configparser import ConfigParser
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

from msgspec import Struct

from sitemapaudit.config.options import ConfigError, suggest_name
from sitemapaudit.fetching.address_policy import AddressPolicy
from sitemapaudit.fetching.single_request import NoAnswerError, ask
from sitemapaudit.redaction import hide_passwords

PROJECT: Final = "sitemapaudit"
SPIDER: Final = "sitemap"

_STATES: Final = ("pending", "running", "finished")
_TAIL: Final = 100
"""Bytes read at the end of a log: its last line, but no more than the shortest log has."""

_STATUS: Final = re.compile(r"Exit status (\d)\b")


class ServerError(OSError):
    """The server does not respond, or refused a request."""


class Jobs(Struct, frozen=True):
    """The ids of the jobs of the project."""

    busy: frozenset[str]
    finished: frozenset[str]


class Server:
    """A Scrapyd server; every failure raises ServerError."""

    def __init__(self, url: str, project: str, user: str = "", password: str = "") -> None:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        self.url = f"{parts.scheme}://{host}{parts.path.rstrip('/')}"
        self._policy = AddressPolicy([self.url])
        self._project = project
        pair = f"{parts.username or user}:{parts.password or password}"
        self._secret = base64.b64encode(pair.encode()).decode() if pair != ":" else None

    def schedule(self, arguments: Mapping[str, str], settings: Mapping[str, str]) -> str:
        """Schedule an audit, and return the id of its job."""
        pairs = [("project", self._project), ("spider", SPIDER), *arguments.items()]
        pairs += [("setting", f"{name}={value}") for name, value in settings.items()]
        return str(self._call("schedule.json", urlencode(pairs).encode())["jobid"])

    def jobs(self) -> Jobs:
        """Return the jobs of the project that are pending or running, and those that ended."""
        response = self._call(f"listjobs.json?project={quote(self._project)}")
        ids = {
            state: {job["id"] for job in response[state]} for state in response if state in _STATES
        }
        return Jobs(frozenset(ids["pending"] | ids["running"]), frozenset(ids["finished"]))

    def exit_status(self, job: str) -> int | None:
        """Return the exit status at the end of a job's log; None if there is none."""
        path = f"logs/{quote(self._project)}/{SPIDER}/{quote(job)}.log"
        try:
            tail = self._fetch(path, headers={"Range": f"bytes=-{_TAIL}"})
        except ServerError:
            return None
        found = _STATUS.findall(tail.decode(errors="replace"))
        return int(found[-1]) if found else None

    def _call(self, path: str, body: bytes | None = None) -> dict[str, Any]:
        try:
            response = json.loads(self._fetch(path, body))
        except (ValueError, RecursionError):
            response = None
        if not isinstance(response, dict):
            raise ServerError(f"{self.url} is not a Scrapyd server: {path} is not a JSON object")
        if response.get("status") != "ok":
            reason = response.get("message", response)
            raise ServerError(f"{self.url} refused the request: {reason}")
        return response

    def _fetch(
        self, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> bytes:
        sent = dict(headers or {})
        if self._secret:
            sent["Authorization"] = f"Basic {self._secret}"
        if body is not None:
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            answer = ask(f"{self.url}/{path}", self._policy, body, sent)
        except NoAnswerError as error:
            raise ServerError(hide_passwords(f"{self.url} does not respond: {error}")) from None
        if answer.status not in (200, 206):
            raise ServerError(f"{self.url} returns {answer.status} {answer.reason}".strip())
        return answer.body


def find_server(target: str) -> Server:
    """Return the server at a URL or of a deploy target in scrapy.cfg; raises ConfigError."""
    from scrapy.utils.conf import get_config  # noqa: PLC0415

    config = get_config()
    targets = {name.partition(":")[2] or "default": name for name in _deploy_sections(config)}
    values = dict(config["deploy"]) if "deploy" in config else {}
    if "://" in target:
        values = {"url": target, "project": values.get("project", PROJECT)}
    elif target in targets:
        values |= config[targets[target]]
    else:
        offer = suggest_name(target, targets) or f"known targets: {', '.join(targets) or 'none'}"
        raise ConfigError(f"--at: {target!r} is neither a URL nor a deploy target; {offer}")
    url = values.get("url", "")
    if not url.startswith(("http://", "https://")):
        raise ConfigError(f"--at: {url!r} is not a URL such as http://localhost:6800.")
    names = ("username", "password")
    return Server(url, values.get("project", PROJECT), *(values.get(name, "") for name in names))


def _deploy_sections(config: ConfigParser) -> list[str]:
    return [name for name in config.sections() if name.partition(":")[0] == "deploy"]

"""A list of sites → jobs of a Scrapyd, no more of them at once than asked."""

from __future__ import annotations

import base64
import json
import re
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import Request, urlopen

from sitemapaudit.options import ConfigError
from sitemapaudit.passwords import hide

SPIDER: Final = "sitemap"

INTERVAL: Final = 2.0
"""Seconds between two looks at the node."""

SILENCE: Final = 30
"""Looks in a row at which the node may fail to answer before nobody waits any longer."""

_TIMEOUT: Final = 30
_STATES: Final = ("pending", "running", "finished")
_TAIL: Final = 100
"""Bytes of the end of a log: the last line, and no more than the shortest log has."""

_REMARK: Final = re.compile(r"(?:^|\s)#.*")
_STATUS: Final = re.compile(r"Exit status (\d)\b")


class NodeError(OSError):
    """The node does not answer, or refuses."""


@dataclass(slots=True, frozen=True)
class Site:
    """A line of the list: what is audited, and all arguments of its audit."""

    name: str
    arguments: Mapping[str, str]


@dataclass(slots=True, frozen=True)
class Ended:
    """A job that is over; ``status`` is its exit status, None where its log does not tell."""

    site: Site
    job: str
    status: int | None


@dataclass(slots=True, frozen=True)
class Jobs:
    """The ids of the jobs of the project."""

    busy: frozenset[str]
    finished: frozenset[str]


def read_list(lines: Iterable[str], common: Mapping[str, str]) -> list[Site]:
    """Read a list: a site a line, or ``sitemap=…``, and arguments for it alone (``pages=500``).

    What begins with ``#`` is a remark. ``common`` are the arguments of every site. Raises
    ConfigError.
    """
    sites = []
    for number, line in enumerate(lines, start=1):
        name, *pairs = _REMARK.sub("", line).split() or [""]
        wrong = [pair for pair in pairs if "=" not in pair]
        if wrong:
            raise ConfigError(f"line {number}: {wrong[0]!r} is no argument such as pages=500.")
        if name:
            own = dict(pair.split("=", 1) for pair in pairs)
            kind, address = ("sitemap", name[8:]) if name.startswith("sitemap=") else ("site", name)
            sites.append(Site(address, {**common, kind: address, **own}))
    if not sites:
        raise ConfigError("the list names no site.")
    return sites


class Node:
    """A Scrapyd, asked through its API; raises NodeError where that fails."""

    def __init__(self, url: str, project: str, user: str = "", password: str = "") -> None:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        self.url = f"{parts.scheme}://{host}{parts.path.rstrip('/')}"
        self._project = project
        pair = f"{parts.username or user}:{parts.password or password}"
        self._secret = base64.b64encode(pair.encode()).decode() if pair != ":" else None

    def schedule(self, arguments: Mapping[str, str], settings: Mapping[str, str]) -> str:
        """Schedule an audit, and return the id of its job."""
        pairs = [("project", self._project), ("spider", SPIDER), *arguments.items()]
        pairs += [("setting", f"{name}={value}") for name, value in settings.items()]
        return str(self._ask("schedule.json", urlencode(pairs).encode())["jobid"])

    def jobs(self) -> Jobs:
        """Return the jobs of the project: those that wait or run, and those that ended lately."""
        told = self._ask(f"listjobs.json?project={quote(self._project)}")
        ids = {state: {job["id"] for job in told[state]} for state in told if state in _STATES}
        return Jobs(frozenset(ids["pending"] | ids["running"]), frozenset(ids["finished"]))

    def exit_status(self, job: str) -> int | None:
        """Return what the log of a job says at its end; None if it does not say."""
        path = f"logs/{quote(self._project)}/{SPIDER}/{quote(job)}.log"
        try:
            tail = self._fetch(path, headers={"Range": f"bytes=-{_TAIL}"})
        except NodeError:
            return None
        found = _STATUS.findall(tail.decode(errors="replace"))
        return int(found[-1]) if found else None

    def _ask(self, path: str, body: bytes | None = None) -> dict[str, Any]:
        try:
            told: dict[str, Any] = json.loads(self._fetch(path, body))
        except ValueError:
            raise NodeError(f"{self.url} is no Scrapyd: {path} is no JSON") from None
        if told.get("status") != "ok":
            raise NodeError(f"{self.url} refuses: {told.get('message', told)}")
        return told

    def _fetch(
        self, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
    ) -> bytes:
        request = Request(f"{self.url}/{path}", body, dict(headers or {}))  # noqa: S310 - as given
        if self._secret:
            request.add_header("Authorization", f"Basic {self._secret}")
        try:
            with urlopen(request, timeout=_TIMEOUT) as answer:  # noqa: S310 - as given
                return bytes(answer.read())
        except HTTPError as error:
            raise NodeError(f"{self.url} answers {error.code} {error.reason}") from None
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", error)
            raise NodeError(hide(f"{self.url} does not answer: {reason}")) from None


def run_jobs(
    node: Node,
    sites: Iterable[Site],
    settings: Mapping[str, str],
    at_once: int,
    interval: float = INTERVAL,
) -> Iterator[tuple[Site, str] | Ended]:
    """Audit every site, and yield each job when it is scheduled, and when it has ended.

    Jobs of the project that others have scheduled count among those at once. A job that the node
    no longer knows, since it was started anew, counts as ended.
    """
    waiting, own = deque(sites), dict[str, Site]()
    missing, silence = set[str](), 0
    while waiting or own:
        try:
            jobs = node.jobs()
        except NodeError:
            silence += 1
            if not own or silence == SILENCE:
                raise
            time.sleep(interval)
            continue
        silence = 0
        lost = own.keys() - jobs.busy - jobs.finished
        for job in sorted(own.keys() & jobs.finished | lost & missing):
            yield Ended(own.pop(job), job, node.exit_status(job))
        missing = lost
        for _ in range(min(at_once - len(jobs.busy), len(waiting))):
            site = waiting.popleft()
            job = node.schedule(site.arguments, settings)
            own[job] = site
            yield site, job
        if own or waiting:
            time.sleep(interval)

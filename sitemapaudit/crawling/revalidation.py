"""Revalidation: pages of an earlier run are requested only if they changed since.

A share of the unchanged ones, the controls, is also fetched in full, and at least ``MIN_CONTROLS``
of each host. A control that differs shows that the server's 304 is untrue. If its verdict differs,
if several differ, or if most of several get no page, all pages of the host are fetched in full.
"""

import hashlib
from bisect import insort
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final

from msgspec import Struct

from sitemapaudit.crawling.fetch_task import FetchTask, FirstResult
from sitemapaudit.hosts.host import Host, HostTable
from sitemapaudit.http.response import Response
from sitemapaudit.items import Page, Revalidation, Role, Verdict
from sitemapaudit.pages.revalidating import (
    NOT_MODIFIED,
    carry,
    differences,
    is_usable,
)

MIN_CONTROLS: Final = 4
"""Number of controls of a host, if that many of its pages are carried."""

MAX_UNTRUE: Final = 3
"""Number of differing controls that a host may have; none of them may have another verdict."""

MAX_FAILED: Final = 3
"""Number of controls without a page that a host may have, even if these are most of them."""

_UNKNOWN: Final = frozenset(
    {Verdict.UNCHECKED, Verdict.UNREACHABLE, Verdict.SERVER_ERROR, Verdict.DENIED}
)
"""Verdicts that say nothing about whether the page changed."""

_FOLLOWING: Final = 99
"""Number of waiting pages that are looked up together with the page that is fetched."""

_PARTS: Final = 2**32
_VERDICT: Final = "verdict"


class Reuse(Struct, frozen=True):
    """The data that processes need to revalidate: the ``file`` with the pages, and their ``run``.

    ``file`` is None if a resumed run has lost them: it still checks what it had carried.
    ``control_share`` is in percent; ``seed`` decides which pages are controls.
    """

    file: Path | None
    run: str
    control_share: float
    seed: str

    def remove(self) -> None:
        """Remove the file; where that fails, it only takes up space."""
        if self.file is not None:
            with suppress(OSError):
                self.file.unlink(missing_ok=True)

    def place(self, url: str) -> float:
        """Return the place of a page in the order in which pages become controls, below 100."""
        digest = hashlib.blake2b(f"{self.seed} {url}".encode(), digest_size=4).digest()
        return int.from_bytes(digest) * 100 / _PARTS


class Revalidator:
    """Decides which pages to revalidate, and what the responses mean."""

    def __init__(self, reuse: Reuse, agent: str, hosts: HostTable) -> None:
        self._reuse = reuse
        self._agent = agent
        self._hosts = hosts
        # DuckDB and SQLite take 13 MB in each worker, and few runs reuse pages.
        from sitemapaudit.datasets.earlier_pages import EarlierPages  # noqa: PLC0415

        self._pages = EarlierPages(reuse.file) if reuse.file else None

    def close(self) -> None:
        """Close the file with the pages."""
        if self._pages is not None:
            self._pages.close()

    def note(self, page: Page) -> None:
        """Count a control, and remember a carried page that could become one."""
        host = self._hosts.of(page.url)
        match page.revalidation:
            case Revalidation.NOT_MODIFIED if self._needs_controls(host):
                insort(host.carried, (self._reuse.place(page.url), page.url, page))
                del host.carried[MIN_CONTROLS:]
            case Revalidation.CONFIRMED | Revalidation.UNTRUE:
                host.controls += 1
                host.carried = [each for each in host.carried if each[1] != page.url]
                host.untrue += page.revalidation is Revalidation.UNTRUE
                if host.untrue > MAX_UNTRUE or _VERDICT in page.hidden_changes:
                    host.is_trusted = False
            case Revalidation.FAILED:
                host.failed += 1
                host.carried = [each for each in host.carried if each[1] != page.url]
                if host.failed > max(MAX_FAILED, host.controls):
                    host.is_trusted = False

    def _needs_controls(self, host: Host) -> bool:
        return host.controls < MIN_CONTROLS and self._reuse.control_share > 0

    def find(self, task: FetchTask) -> Page | None:
        """Return the earlier page of a task; None if the task is fetched in full."""
        if self._pages is None or task.first is not None or task.role is Role.PROBE:
            return None
        host = self._hosts.of(task.url)
        if not host.is_trusted:
            return None
        if task.url not in host.earlier:
            following = islice(host.waiting, _FOLLOWING)
            host.earlier = self._pages.find([task.url, *(each.url for each in following)])
        return host.earlier.pop(task.url)

    def carry(self, earlier: Page, response: Response, task: FetchTask) -> Page | None:
        """Return the page that a 304 confirms; None if it confirms nothing."""
        if not is_usable(response, earlier):
            return None
        return carry(earlier, response, task.new_page(allowed=True), self._agent, self._reuse.run)

    def is_control(self, url: str) -> bool:
        """Return whether a page is fetched in full even if the server says it did not change."""
        return self._reuse.place(url) < self._reuse.control_share


def missing_controls(hosts: HostTable) -> Iterator[FetchTask]:
    """Yield tasks for carried pages of hosts that have fewer than ``MIN_CONTROLS`` controls."""
    for host in hosts:
        if host.is_trusted:
            for _, _, page in host.carried[: max(0, MIN_CONTROLS - host.controls)]:
                yield task_for(page, control=page)


def task_for(page: Page, control: Page | None = None) -> FetchTask:
    """Return the task that fetches a carried page in full; see ``FirstResult``."""
    first = FirstResult(
        page.verdict, page.status, page.error, page.retries, was_carried=True, control=control
    )
    return FetchTask(page.url, page.role, page.via, first=first)


def compare(earlier: Page, page: Page, *, is_control: bool) -> None:
    """Record the result of a revalidation in a page that was fetched in full.

    ``is_control`` says that the server had answered 304, which confirmed ``earlier``.
    """
    if page.verdict in _UNKNOWN:
        page.revalidation = Revalidation.FAILED if is_control else None
        return
    changed = differences(earlier, page)
    if is_control:
        changed = [_VERDICT] * (page.verdict is not earlier.verdict) + changed
        page.revalidation = Revalidation.UNTRUE if changed else Revalidation.CONFIRMED
        page.hidden_changes = changed
    else:
        page.revalidation = Revalidation.CHANGED if changed else Revalidation.SAME


def is_not_modified(response: Response) -> bool:
    """Return whether the server says that a page did not change."""
    return response.error is None and response.status == NOT_MODIFIED

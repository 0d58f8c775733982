"""Revalidation: pages of an earlier run are requested only if they changed since.

A share of the unchanged ones, the controls, is also fetched in full. A control that differs shows
that the server's 304 is untrue; after a few of them, all pages of the host are fetched in full.
"""

import hashlib
from pathlib import Path
from typing import Final

from msgspec import Struct

from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.hosts.host import Host, HostTable
from sitemapaudit.http.response import Response
from sitemapaudit.items import Page, Revalidation, Role, Verdict
from sitemapaudit.pages.revalidating import (
    NOT_MODIFIED,
    carry,
    differences,
    is_usable,
)

MAX_UNTRUE: Final = 3
"""Number of differing controls at which a host is no longer trusted."""

_UNKNOWN: Final = frozenset({Verdict.UNCHECKED, Verdict.UNREACHABLE, Verdict.SERVER_ERROR})
"""Verdicts that say nothing about whether the page changed."""

_PARTS: Final = 2**32


class Reuse(Struct, frozen=True):
    """The data that processes need to revalidate: the ``file`` with the pages, and their ``run``.

    ``control_share`` is in percent; ``seed`` decides which pages are controls.
    """

    file: Path
    run: str
    control_share: float
    seed: str


def is_distrusted(host: Host) -> bool:
    """Return whether the 304 responses of a host are not trusted."""
    return host.untrue > MAX_UNTRUE


class Revalidator:
    """Decides which pages to revalidate, and what the responses mean."""

    def __init__(self, reuse: Reuse, agent: str, hosts: HostTable) -> None:
        self._reuse = reuse
        self._agent = agent
        self._hosts = hosts
        # DuckDB and SQLite take 13 MB in each worker, and few runs reuse pages.
        from sitemapaudit.datasets.earlier_pages import EarlierPages  # noqa: PLC0415

        self._pages = EarlierPages(reuse.file)

    def close(self) -> None:
        """Close the file with the pages."""
        self._pages.close()

    def note(self, page: Page) -> None:
        """Count a control that differed."""
        if page.revalidation is Revalidation.UNTRUE:
            self._hosts.of(page.url).untrue += 1

    def find(self, task: FetchTask) -> Page | None:
        """Return the earlier page of a task; None if the task is fetched in full."""
        if task.first is not None or task.role is Role.PROBE:
            return None
        if is_distrusted(self._hosts.of(task.url)):
            return None
        return self._pages.find(task.url)

    def carry(self, earlier: Page, response: Response, task: FetchTask) -> Page | None:
        """Return the page that a 304 confirms; None if it confirms nothing."""
        if not is_usable(response, earlier):
            return None
        return carry(earlier, response, task.new_page(allowed=True), self._agent, self._reuse.run)

    def is_control(self, url: str) -> bool:
        """Return whether a page is fetched in full even if the server says it did not change."""
        text = f"{self._reuse.seed} {url}".encode()
        part = int.from_bytes(hashlib.blake2b(text, digest_size=4).digest())
        return part * 100 < self._reuse.control_share * _PARTS

    def compare(self, earlier: Page, page: Page, *, is_control: bool) -> None:
        """Record the result of a revalidation in a page that was fetched in full.

        ``is_control`` says that the server had answered 304.
        """
        if page.verdict in _UNKNOWN:
            return
        changed = differences(earlier, page)
        if is_control:
            page.revalidation = Revalidation.UNTRUE if changed else Revalidation.CONFIRMED
            page.hidden_changes = changed
            self.note(page)
        else:
            page.revalidation = Revalidation.CHANGED if changed else Revalidation.SAME


def is_not_modified(response: Response) -> bool:
    """Return whether the server says that a page did not change."""
    return response.error is None and response.status == NOT_MODIFIED

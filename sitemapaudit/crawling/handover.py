"""Handover of hosts: this process or the workers fetch their pages, never both at once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.fetches import Fetches
from sitemapaudit.crawling.hooks import PageWorkers
from sitemapaudit.hosts.host import Host
from sitemapaudit.hosts.pace import Pace


class Handover:
    """Hands the tasks of a host to workers once this process has no requests to it in flight.

    Otherwise, together they could exceed the limit of requests in flight. Hosts that ask for a rate
    are not handed over. ``fetch`` fetches a page in this process.
    """

    def __init__(
        self,
        workers: PageWorkers,
        pace: Pace,
        fetches: Fetches,
        fetch: Callable[[FetchTask], None],
    ) -> None:
        self._workers = workers
        self._pace = pace
        self._fetches = fetches
        self._fetch = fetch

    def room(self, host: Host | None = None) -> int:
        """Return how many pages should wait in workers, of a host or of all."""
        return 0 if host is not None and self._pace.slows(host) else self._workers.queued

    def hand_over(self, task: FetchTask, host: Host, waiting: int) -> bool:
        """Hand a task to a worker, now or soon; return False if it must be fetched here.

        ``waiting`` counts the tasks behind it.
        """
        if (
            task.first is not None
            or task.for_others
            or self._pace.slows(host)
            or not self._workers.are_ready(waiting)
        ):
            return False
        if host.fetching:
            host.held.append(task)
        else:
            self._fetches.begin()
            self._workers.take(task)
        return True

    @contextmanager
    def fetching(self, host: Host) -> Iterator[None]:
        """Count a page that this process fetches."""
        host.fetching += 1
        try:
            yield
        finally:
            host.fetching -= 1
            if not host.fetching:
                held, host.held = host.held, []
                for task in held:
                    if not self.hand_over(task, host, 0):
                        self._fetch(task)

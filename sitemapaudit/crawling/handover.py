"""Which process fetches the pages of a host: this one or the workers, and never both at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sitemapaudit import urls
from sitemapaudit.crawling.fetch_task import FetchTask
from sitemapaudit.crawling.worker_hook import PageWorkers
from sitemapaudit.fetching.pace import Pace


class Handover:
    """Hands the tasks of a host to workers once none of its requests here is in flight.

    Otherwise this process and the workers would send more requests at once than one of them may.
    A host that asks for a rate is not handed over. ``fetch`` fetches a page in this process.
    """

    def __init__(
        self, workers: PageWorkers, pace: Pace, fetch: Callable[[FetchTask], None]
    ) -> None:
        self._workers = workers
        self._pace = pace
        self._fetch = fetch
        self._in_flight: Counter[str] = Counter()
        self._held: dict[str, list[FetchTask]] = {}

    def room(self, host: str | None = None) -> int:
        """Return how many pages should wait in workers: of a host, or of all."""
        return 0 if host is not None and self._pace.slows(host) else self._workers.queued

    def hand_over(self, task: FetchTask, waiting: int) -> bool:
        """Hand a task to a worker, soon or now; return False if it must be fetched here.

        ``waiting`` counts those that wait behind it.
        """
        host = urls.host(task.url)
        if (
            task.first is not None
            or task.for_others
            or self._pace.slows(host)
            or not self._workers.are_ready(waiting)
        ):
            return False
        if self._in_flight[host]:
            self._held.setdefault(host, []).append(task)
        else:
            self._workers.take(task)
        return True

    @contextmanager
    def fetching(self, task: FetchTask) -> Iterator[None]:
        """Count a task as fetched by this process."""
        host = urls.host(task.url)
        self._in_flight[host] += 1
        try:
            yield
        finally:
            self._in_flight[host] -= 1
            if not self._in_flight[host]:
                del self._in_flight[host]
                for held in self._held.pop(host, ()):
                    if not self.hand_over(held, 0):
                        self._fetch(held)

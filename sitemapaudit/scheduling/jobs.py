"""A list of sites → jobs of a Scrapyd server, a limited number at once."""

import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from sitemapaudit.scheduling.server import Server, ServerError
from sitemapaudit.scheduling.site_list import ListedSite

INTERVAL: Final = 2.0
"""Seconds between two requests for the list of jobs."""

MAX_FAILURES: Final = 30
"""Scheduling gives up after this many failed requests in a row."""


class FinishedJob(Struct, frozen=True):
    """A job that ended; ``status`` is its exit status, None if its log has none."""

    site: ListedSite
    job: str
    status: int | None


def run_jobs(
    server: Server,
    sites: Iterable[ListedSite],
    settings: Mapping[str, str],
    at_once: int,
    interval: float = INTERVAL,
) -> Iterator[tuple[ListedSite, str] | FinishedJob]:
    """Audit every site; yield each job when it is scheduled, and again when it has ended.

    ``at_once`` includes jobs that others scheduled in the project. A job that the server no longer
    knows, because it was restarted, counts as ended.
    """
    waiting, own = deque(sites), dict[str, ListedSite]()
    missing, failures = set[str](), 0
    while waiting or own:
        try:
            jobs = server.jobs()
        except ServerError:
            failures += 1
            if not own or failures == MAX_FAILURES:
                raise
            time.sleep(interval)
            continue
        failures = 0
        lost = own.keys() - jobs.busy - jobs.finished
        for job in sorted(own.keys() & jobs.finished | lost & missing):
            yield FinishedJob(own.pop(job), job, server.exit_status(job))
        missing = lost
        for _ in range(min(at_once - len(jobs.busy), len(waiting))):
            site = waiting.popleft()
            job = server.schedule(site.arguments, settings)
            own[job] = site
            yield site, job
        if own or waiting:
            time.sleep(interval)

"""Rechecks of failed pages at the end of the run: one failure is not proof."""

import logging
from bisect import insort
from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

from sitemapaudit import urls
from sitemapaudit.crawling.fetch_task import FetchTask, FirstResult
from sitemapaudit.fetching.failures import TRANSIENT
from sitemapaudit.items import Page, RecheckedPage, RecheckResult, Role, Verdict

logger = logging.getLogger(__name__)

SAMPLE: Final = 10
"""The sample of pages with the same failure; if all fail again, the others are not rechecked."""

MAX_PER_FAILURE: Final = 1_000
MAX_PAGES: Final = 10_000
"""Limit of rechecks, per host and failure and in total, except for the first of each failure."""

_ANSWERED: Final = frozenset(
    {
        Verdict.REDIRECTED,
        Verdict.UNSUPPORTED_TYPE,
        Verdict.NOINDEX,
        Verdict.CANONICALIZED,
        Verdict.INDEXABLE,
    }
)
_UNKNOWN: Final = frozenset({Verdict.UNCHECKED, Verdict.BLOCKED})


class _Failure(Struct):
    """The pages of one host that failed in the same way; those to recheck in order."""

    waiting: list[FetchTask] = field(default_factory=list)
    failed: int = 0
    confirmed: int = 0
    differed: int = 0


class Rechecks:
    """Remembers failed pages, and the results of their rechecks.

    Which pages are rechecked does not depend on which failed first: of each failure, they are those
    whose URLs have the lowest digests.
    """

    def __init__(self, *, enabled: bool) -> None:
        self._enabled = enabled
        self._failures: dict[tuple[str, str], _Failure] = {}
        self._max_per_failure = MAX_PER_FAILURE
        self._kept = 0

    def add(self, page: Page, steps: int) -> None:
        """Add a page; if it failed, it is rechecked later."""
        if not self._enabled or not may_be_transient(page):
            return
        first = FirstResult(page.verdict, page.status, page.error, page.retries)
        failure = self._failure(page.url, first)
        failure.failed += 1
        task = FetchTask(page.url, page.role, page.via, steps, first)
        insort(failure.waiting, task, key=_order)
        self._kept += 1
        self._drop_last(failure)
        while self._kept > MAX_PAGES and self._max_per_failure > 1:
            self._max_per_failure -= 1
            for each in self._failures.values():
                self._drop_last(each)

    def record_result(self, page: Page, first: FirstResult) -> bool:
        """Record the result of a recheck; return False if the failure is ours.

        A control is not a recheck: nothing failed before.
        """
        if page.verdict in _UNKNOWN:
            return False
        if first.control is not None:
            return True
        page.recheck = RecheckResult.REFETCHED if first.was_carried else _compare(page, first)
        page.first_verdict, page.first_status, page.first_error = (
            first.verdict, first.status, first.error
        )  # fmt: skip
        page.retries += first.retries + 1
        self._count(page, first)
        return True

    def restore(self, page: RecheckedPage) -> None:
        """Take over a recheck from before the run was resumed, after its page was added."""
        if page.recheck in (None, RecheckResult.REFETCHED):
            return
        first = FirstResult(
            page.first_verdict or page.verdict, page.first_status, page.first_error, 0
        )
        failure = self._failure(page.url, first)
        failure.waiting = [task for task in failure.waiting if task.url != page.url]
        self._count(page, first)

    def next_tasks(self) -> Iterator[FetchTask]:
        """Yield pages to recheck now: a sample of each failure, and then the others.

        If the whole sample fails again, the others are not rechecked: a host that is down does not
        cost the audit time twice.
        """
        for failure in self._failures.values():
            tasks, failure.waiting = failure.waiting, []
            more = SAMPLE - failure.confirmed
            if failure.differed:
                yield from tasks
            elif more > 0:
                failure.waiting = tasks[more:]
                yield from tasks[:more]

    def log_results(self) -> None:
        """Log how many pages were rechecked, per host and failure."""
        for (host, kind), failure in self._failures.items():
            logger.info(
                "%s: %d pages failed (%s); %d were fetched once more, and %d failed again",
                host, failure.failed, kind, failure.confirmed + failure.differed, failure.confirmed,
            )  # fmt: skip

    def _drop_last(self, failure: _Failure) -> None:
        """Drop the pages of a failure that exceed the limit."""
        self._kept -= len(failure.waiting[self._max_per_failure :])
        del failure.waiting[self._max_per_failure :]

    def _failure(self, url: str, first: FirstResult) -> _Failure:
        return self._failures.setdefault((urls.host(url), first.error or first.verdict), _Failure())

    def _count(self, page: Page, first: FirstResult) -> None:
        if first.was_carried:
            return
        failure = self._failure(page.url, first)
        if page.recheck is RecheckResult.CONFIRMED:
            failure.confirmed += 1
        else:
            failure.differed += 1


def _order(task: FetchTask) -> int:
    return urls.digest(task.url)


def may_be_transient(page: Page) -> bool:
    """Return whether a page may succeed at the next request.

    A rendered page has been fetched twice; a probe is compared with other pages.
    """
    if page.role is Role.PROBE or page.render_reason is not None:
        return False
    if page.verdict is Verdict.UNREACHABLE:
        return page.error in TRANSIENT
    return page.verdict in (Verdict.SERVER_ERROR, Verdict.SOFT_404)


def _compare(page: Page, first: FirstResult) -> RecheckResult:
    if (page.verdict, page.error) == (first.verdict, first.error):
        return RecheckResult.CONFIRMED
    return RecheckResult.RECOVERED if page.verdict in _ANSWERED else RecheckResult.INTERMITTENT

"""Tasks on a cluster of Dask: submitted under names, so that a second order joins the first."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, Protocol

from msgspec import Struct, field

from sitemapaudit.config.options import ConfigError
from sitemapaudit.distribution.shard_task import TOPIC, Outcome, run_audit
from sitemapaudit.runs.progress_report import ProgressReport

if TYPE_CHECKING:
    from distributed import Client, Future

LOCAL: Final = "local"
"""The place of a cluster that is started for one command on this machine."""

RETRIES: Final = 3
"""The number of times that a task is repeated whose audit ended too early."""

_TIMEOUT: Final = "10s"
_PATIENCE: Final = 300.0
"""Seconds that a scheduler may be gone, for example while it restarts."""

_ALL_EVENTS: Final = "all"
"""The topic with the events of a scheduler."""


class ClusterError(Exception):
    """The cluster is gone, or gave up a task; the message says which."""


class Task(Struct, frozen=True):
    """A task: its name, what people call it, and the arguments of ``run_audit``."""

    name: str
    label: str
    folder: str
    words: Sequence[str]
    again: Sequence[str] = ()


class Watcher(Protocol):
    """Whoever waits for tasks. Only ``end`` is called by the thread that waits."""

    def end(self, task: Task, outcome: Outcome) -> None:
        """Take the outcome of a task that is finished."""

    def report(self, task: Task, report: ProgressReport) -> None:
        """Take the progress of a task."""

    def note(self, text: str) -> None:
        """Take a sentence about the cluster."""


class Cluster(Struct):
    """A cluster; ``resources`` are those that each task needs, such as an egress address."""

    address: str
    resources: Mapping[str, float]
    client: Client | None = None
    _missing: dict[str, Task] = field(default_factory=dict)
    _said: set[str] = field(default_factory=set)

    def run(self, tasks: Sequence[Task], watcher: Watcher) -> None:
        """Run tasks to their end. Raises ClusterError.

        Tasks that a scheduler forgot when it was restarted are submitted again.
        """
        self._missing = {task.name: task for task in tasks}
        gone_since: float | None = None
        while self._missing:
            try:
                for task, outcome in self._results([*self._missing.values()], watcher):
                    gone_since = None
                    del self._missing[task.name]
                    watcher.end(task, outcome)
            except _lost_errors() as error:
                if gone_since is None:
                    gone_since = time.monotonic()
                    minutes = f"{_PATIENCE / 60:.0f} minutes"
                    watcher.note(f"The scheduler {self.address} is gone. Trying for {minutes}")
                if time.monotonic() - gone_since > _PATIENCE or self.address == LOCAL:
                    raise ClusterError(f"the scheduler {self.address} is gone: {error}") from None
                if self._reconnect():
                    gone_since = None
                    watcher.note(f"The scheduler {self.address} is back. Tasks are resumed")

    def _results(self, tasks: Sequence[Task], watcher: Watcher) -> Iterator[tuple[Task, Outcome]]:
        from distributed import as_completed  # noqa: PLC0415

        client = self.client
        if client is None or client.status != "running":
            raise ConnectionError("no connection")
        futures: dict[Future[Outcome], Task] = {
            client.submit(
                run_audit,
                *(task.folder, task.words, task.again),
                key=task.name,
                pure=False,
                retries=RETRIES,
                resources=dict(self.resources),
            ): task
            for task in tasks
        }
        client.subscribe_topic(TOPIC, lambda event: self._take_report(event[1], watcher))
        client.subscribe_topic(_ALL_EVENTS, lambda event: self._take_event(event[1], watcher))
        if not self._is_served(client):
            needs = ", ".join(f"{name}={number:g}" for name, number in self.resources.items())
            watcher.note(f"Waiting for a worker{needs and ' with '}{needs}")
        for future in as_completed(futures, loop=client.loop):
            if future.status == "cancelled":
                raise ConnectionError("it forgot a task")
            if future.status == "error":
                raise ClusterError(f"{futures[future].label} was given up: {future.exception()}")
            yield futures[future], future.result()

    def _is_served(self, client: Client) -> bool:
        """Return whether a worker has the resources of a task."""
        workers = client.scheduler_info(n_workers=-1)["workers"].values()
        return any(
            all(worker["resources"].get(name, 0) >= need for name, need in self.resources.items())
            for worker in workers
        )

    def _take_report(self, event: tuple[str, str], watcher: Watcher) -> None:
        name, line = event
        report = ProgressReport.read(line.encode())
        if name in self._missing and report is not None:
            watcher.report(self._missing[name], report)

    def _take_event(self, event: Mapping[str, Any], watcher: Watcher) -> None:
        """Say which tasks a worker leaves that is lost; once for each worker."""
        if event.get("action") != "remove-worker":
            return
        left = [self._missing[name] for name in event["processing-tasks"] if name in self._missing]
        worker = event["worker"]
        if left and worker not in self._said:
            self._said.add(worker)
            labels = ", ".join(sorted(task.label for task in left))
            watcher.note(f"Worker {worker} is gone. Resumed elsewhere: {labels}")

    def _reconnect(self) -> bool:
        self.close(timeout=1)
        time.sleep(1)
        self.client = None
        with suppress(OSError, TimeoutError):
            self.client = _connect(self.address)
        return self.client is not None

    def close(self, timeout: float = 5) -> None:
        """Leave the cluster; ``timeout`` is in seconds."""
        with suppress(Exception):
            if self.client is not None:
                for topic in (TOPIC, _ALL_EVENTS):  # Else the scheduler complains.
                    self.client.unsubscribe_topic(topic)
        with suppress(Exception):
            if self.client is not None:
                self.client.close(timeout=timeout)


@contextmanager
def open_cluster(address: str, shards: int, resources: Mapping[str, float]) -> Iterator[Cluster]:
    """Connect to a scheduler, or start a cluster on this machine. Raises ConfigError."""
    try:
        import distributed  # noqa: PLC0415 - few commands need it
    except ImportError:
        raise ConfigError("distribute: install sitemapaudit[dask].") from None
    # What happens to a scheduler is said by whoever waits for its tasks.
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as ending:
        if address == LOCAL:
            # Each task starts a separate process anyway.
            local = distributed.LocalCluster(
                processes=False,
                n_workers=shards,
                threads_per_worker=1,
                resources=dict(resources),
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
            )
            place = ending.enter_context(local).scheduler_address
        else:
            place = address
        try:
            cluster = Cluster(address, resources, _connect(place))
        except (OSError, TimeoutError, ValueError) as error:
            raise ConfigError(f"--on: {address} is not reached: {error}.") from None
        ending.callback(cluster.close)
        yield cluster


def _connect(address: str) -> Client:
    from distributed import Client  # noqa: PLC0415

    return Client(address, timeout=_TIMEOUT, set_as_default=False)


def _lost_errors() -> tuple[type[BaseException], ...]:
    from distributed import CancelledError  # noqa: PLC0415
    from distributed.client import FutureCancelledError  # noqa: PLC0415
    from distributed.comm.core import CommClosedError  # noqa: PLC0415

    return (OSError, CommClosedError, CancelledError, FutureCancelledError)

"""Tasks on a cluster of Dask: submitted under names, so that a second order joins the first."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from sitemapaudit.config.options import ConfigError
from sitemapaudit.distribution.shard_task import Outcome, run_audit

if TYPE_CHECKING:
    from distributed import Client, Future

LOCAL: Final = "local"
"""The place of a cluster that is started for one command on this machine."""

RETRIES: Final = 3
"""The number of times that a task is repeated whose audit ended too early."""

_TIMEOUT: Final = "10s"
_PATIENCE: Final = 300.0
"""Seconds that a scheduler may be gone, for example while it restarts."""


class ClusterError(Exception):
    """The cluster is gone, or gave up a task; the message says which."""


class Task(Struct, frozen=True):
    """A task: its name, and the arguments of ``run_audit``."""

    name: str
    folder: str
    words: Sequence[str]
    again: Sequence[str] = ()


class Cluster(Struct):
    """A cluster; ``resources`` are those that each task needs, such as an egress address."""

    address: str
    resources: Mapping[str, float]
    client: Client | None = None

    def run(self, tasks: Sequence[Task], done: Callable[[Outcome], None]) -> None:
        """Run tasks to their end, and report each. Raises ClusterError.

        Tasks that a scheduler forgot when it was restarted are submitted again.
        """
        missing = {task.name: task for task in tasks}
        gone_since: float | None = None
        while missing:
            try:
                for name, outcome in self._results([*missing.values()]):
                    gone_since = None
                    missing.pop(name)
                    done(outcome)
            except _lost_errors() as error:
                gone_since = gone_since or time.monotonic()
                if time.monotonic() - gone_since > _PATIENCE or self.address == LOCAL:
                    raise ClusterError(f"the scheduler {self.address} is gone: {error}") from None
                self._reconnect()

    def _results(self, tasks: Sequence[Task]) -> Iterator[tuple[str, Outcome]]:
        from distributed import as_completed  # noqa: PLC0415

        if self.client is None or self.client.status != "running":
            raise ConnectionError("no connection")
        futures: dict[Future[Outcome], str] = {
            self.client.submit(
                run_audit,
                *(task.folder, task.words, task.again),
                key=task.name,
                pure=False,
                retries=RETRIES,
                resources=dict(self.resources),
            ): task.name
            for task in tasks
        }
        for future in as_completed(futures, loop=self.client.loop):
            if future.status == "cancelled":
                raise ConnectionError("it forgot a task")
            if future.status == "error":
                raise ClusterError(f"{futures[future]} was given up: {future.exception()}")
            yield futures[future], future.result()

    def _reconnect(self) -> None:
        if self.client is not None:
            with suppress(Exception):
                self.client.close(timeout=1)
        time.sleep(1)
        self.client = None
        with suppress(OSError, TimeoutError):
            self.client = _connect(self.address)


@contextmanager
def open_cluster(address: str, shards: int, resources: Mapping[str, float]) -> Iterator[Cluster]:
    """Connect to a scheduler, or start a cluster on this machine. Raises ConfigError."""
    try:
        import distributed  # noqa: PLC0415 - few commands need it
    except ImportError:
        raise ConfigError("distribute: install sitemapaudit[dask].") from None
    if address != LOCAL:
        try:
            cluster = Cluster(address, resources, _connect(address))
        except (OSError, TimeoutError, ValueError) as error:
            raise ConfigError(f"--on: {address} is not reached: {error}.") from None
        try:
            yield cluster
        finally:
            if cluster.client is not None:
                cluster.client.close(timeout=5)
        return
    # Each task starts a separate process anyway.
    workers = {"processes": False, "n_workers": shards, "threads_per_worker": 1}
    with (
        distributed.LocalCluster(
            resources=dict(resources),
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
            **workers,
        ) as local,
        distributed.Client(local) as client,
    ):
        yield Cluster(address, resources, client)


def _connect(address: str) -> Client:
    from distributed import Client  # noqa: PLC0415

    return Client(address, timeout=_TIMEOUT, set_as_default=False)


def _lost_errors() -> tuple[type[BaseException], ...]:
    from distributed import CancelledError  # noqa: PLC0415
    from distributed.client import FutureCancelledError  # noqa: PLC0415
    from distributed.comm.core import CommClosedError  # noqa: PLC0415

    return (OSError, CommClosedError, CancelledError, FutureCancelledError)

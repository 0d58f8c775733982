"""Audit a site in shards on a Dask cluster."""

import signal
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Final

from sitemapaudit.cli.command import INCOMPLETE, BaseCommand, refuse
from sitemapaudit.cli.options import add_option, as_type, read_pairs
from sitemapaudit.cli.task_progress import RefusedError, TaskProgress
from sitemapaudit.config.arguments import Arguments
from sitemapaudit.config.audit_config import Config
from sitemapaudit.config.audit_settings import AuditSettings
from sitemapaudit.config.config_file import OF_ONE_RUN, read_config_file
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.options import ConfigError
from sitemapaudit.config.readers import read_mapping, whole_number
from sitemapaudit.distribution.cluster import LOCAL, Cluster, ClusterError, Task, open_cluster
from sitemapaudit.distribution.distributed_audit import DistributedAudit, Order
from sitemapaudit.numbers import count_noun
from sitemapaudit.output import say
from sitemapaudit.runs.folders import find_run
from sitemapaudit.runs.manifest import Manifest

_ARGUMENTS: Final = "arguments"
_OTHERS: Final = (*OF_ONE_RUN, "shard", "folder", "hosting", "workers")
"""Arguments that the command sets itself, or that shards do not have."""

_OWN_SETTINGS: Final = tuple(map(AuditSettings.public_name, ("results", "exit_zero", "dir")))


class Command(BaseCommand):
    """Reads the sitemaps once, audits every shard on the cluster, and merges them into one run."""

    setting_names = None

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the cluster, and the arguments of the audit."""
        parser.add_argument(
            "--shards",
            type=as_type(whole_number(1)),
            default=4,
            metavar="N",
            help="parts of the audit, each a task (default: 4)",
        )
        parser.add_argument(
            "--on",
            default=LOCAL,
            metavar="ADDRESS",
            help=f"address of a scheduler, or `{LOCAL}`: processes of this machine"
            f" (default: {LOCAL})",
        )
        parser.add_argument(
            "--resources",
            type=as_type(_read_resources),
            default={},
            metavar="NAME=NUMBER,…",
            help="what each task needs of its worker, such as egress=1: one shard per address",
        )
        audit = parser.add_argument_group("the audit")
        for option in Arguments.describe():
            if option.name == "site":
                audit.add_argument("site", metavar="SITE", nargs="*", help=option.meaning)
            elif option.name not in _OTHERS:
                add_option(audit, option, _ARGUMENTS)

    def run(self, options: Namespace, settings: Layers) -> int:
        """Run the tasks, merge the shards, and return the exit status of the audit."""
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            audits, name, order = _read_order(options, settings)
            with open_cluster(options.on, order.shards, options.resources) as cluster:
                audit = DistributedAudit.open(audits, name, order)
                return _Distribution(audit, cluster).run(audits)
        except ConfigError as error:
            return refuse(error)
        except OSError as error:
            return refuse(f"AUDIT_DIR: {error.filename} cannot be written: {error.strerror}")


class _Distribution:
    """An audit on a cluster, and what is said about it."""

    def __init__(self, audit: DistributedAudit, cluster: Cluster) -> None:
        self._audit = audit
        self._cluster = cluster
        self._listed = 0

    def run(self, audits: Path) -> int:
        """Run the audit to its end, and return its exit status."""
        audit = self._audit
        say(f"Audit folder  {audit.folder}", error=True)
        try:
            self._read()
            self._run_shards("", ())
            return self._merge(audits)
        except KeyboardInterrupt:
            audit.stop()
            return refuse("Stopped: the same command continues this audit", INCOMPLETE)
        except ClusterError as error:
            return refuse(f"{error}. The same command continues this audit", INCOMPLETE)
        except RefusedError as error:
            audit.stop()
            return refuse(f"The audit was refused: {error}")

    def _read(self) -> None:
        audit = self._audit
        words = audit.read_words()
        read = Task(f"{audit.name}-read", "reading the sitemaps", audit.read_folder, words)
        with TaskProgress(1) as progress:
            self._cluster.run([read], progress)
        self._listed = Manifest.read(find_run(audit.read_folder)).rows.get("urls", 0)
        shards = count_noun(audit.order.shards, "shard")
        say(
            f"{count_noun(self._listed, 'listed URL')} in {shards}, which share the speed of one"
            " audit",
            error=True,
        )

    def _run_shards(self, suffix: str, again: Sequence[str]) -> None:
        audit = self._audit
        tasks = [
            Task(
                f"{audit.name}-{number}{suffix}",
                f"shard {number}",
                audit.shard_folder(number),
                audit.shard_words(number),
                again,
            )
            for number in audit.shards()
        ]
        with TaskProgress(len(tasks), self._listed) as progress:
            self._cluster.run(tasks, progress)

    def _merge(self, audits: Path) -> int:
        """Merge the shards; with links to crawl, repeat until no shard finds more."""
        waiting = 0
        for number in count(1):
            status, into = _report_merged(self._audit, audits)
            if into is None:
                return status
            before, waiting = waiting, Manifest.read(into).waiting_links
            if waiting in (0, before):  # A limit can leave the same ones in every pass.
                self._audit.note_merged(into)
                return status
            self._run_shards(f"-pass-{number}", ("--found", str(into)))
        raise AssertionError("count() is endless")


def _report_merged(audit: DistributedAudit, audits: Path) -> tuple[int, Path | None]:
    """Merge the shards in another process; return its exit status and the merged run."""
    runs = [find_run(audit.shard_folder(number)) for number in audit.shards()]
    started = min(Manifest.read(run).started for run in runs).replace(":", "-")
    into = audits / runs[0].parent.name / f"{started}-merged"
    words = [*map(str, runs), "--into", str(into)]
    command = [sys.executable, "-m", "sitemapaudit", "report", *words]
    status = subprocess.run(command, check=False).returncode  # noqa: S603 - our own command
    return status, into if (into / "run.json").exists() else None


def _read_order(options: Namespace, settings: Layers) -> tuple[Path, str, Order]:
    """Return the folder of audits, the name of the site, and the order; raises ConfigError."""
    given = read_pairs(vars(options)[_ARGUMENTS], "--")
    if options.site:
        given["site"] = ",".join(options.site)
    file = read_config_file()
    arguments = {**file.arguments_below(given), **given}
    config = Config.read(
        {**arguments, "shard": f"1/{options.shards}"}, {"DOWNLOAD_TIMEOUT": 0, **settings.values}
    )
    if config.samples:
        raise ConfigError("distribute: a sample needs no shards; remove pages or render.")
    chosen = {**file.settings, **settings.command_line}
    sent = {name: str(value) for name, value in chosen.items() if name not in _OWN_SETTINGS}
    texts = {name: str(value) for name, value in arguments.items()}
    return config.settings.dir, config.site_name(), Order(texts, sent, options.shards)


def _read_resources(given: str) -> dict[str, float]:
    return {name: float(number) for name, number in read_mapping(given).items()}

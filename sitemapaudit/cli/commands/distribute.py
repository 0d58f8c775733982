"""Audit a site in shards on a Dask cluster."""

import signal
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Final

from sitemapaudit.alerts.sending import alert, check_addresses
from sitemapaudit.cli.command import INCOMPLETE, USAGE_ERROR, BaseCommand, refuse
from sitemapaudit.cli.options import add_option, as_type, read_pairs
from sitemapaudit.cli.task_progress import RefusedError, TaskProgress
from sitemapaudit.config.arguments import Arguments
from sitemapaudit.config.audit_config import Config
from sitemapaudit.config.audit_settings import NOTIFY, OFF, AuditSettings
from sitemapaudit.config.config_file import OF_ONE_RUN, read_config_file
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.options import ConfigError
from sitemapaudit.config.readers import read_mapping, whole_number
from sitemapaudit.distribution.cluster import LOCAL, Cluster, ClusterError, Task, open_cluster
from sitemapaudit.distribution.distributed_audit import DistributedAudit, Order
from sitemapaudit.distribution.link_passes import LinkPasses
from sitemapaudit.distribution.places import FoundRun, find_run_at
from sitemapaudit.evidence.url_list import STANDARD_INPUT
from sitemapaudit.numbers import count_noun
from sitemapaudit.output import say
from sitemapaudit.runs.manifest import Manifest, Status
from sitemapaudit.runs.uploads.copies import upload_run

_ARGUMENTS: Final = "arguments"
_OTHERS: Final = (*OF_ONE_RUN, "shard", "folder", "hosting", "workers")
"""Arguments that the command sets itself, or that shards do not have."""

_OWN_SETTINGS: Final = tuple(
    map(AuditSettings.public_name, ("results", "exit_zero", "dir", "upload", "notify"))
)


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
            config, order = _read_order(options, settings)
            chosen, name = config.settings, config.site_name()
            with open_cluster(options.on, order.shards, options.resources) as cluster:
                audit = DistributedAudit.open(chosen.upload or str(chosen.dir), name, order)
                return _Distribution(audit, cluster, chosen).run()
        except ConfigError as error:
            return refuse(error)
        except OSError as error:
            return refuse(_describe(error), INCOMPLETE if error.filename is None else USAGE_ERROR)


class _Distribution:
    """An audit on a cluster, and what is said about it."""

    def __init__(self, audit: DistributedAudit, cluster: Cluster, settings: AuditSettings) -> None:
        self._audit = audit
        self._cluster = cluster
        self._settings = settings
        self._listed = 0

    def run(self) -> int:
        """Run the audit to its end, and return its exit status."""
        audit = self._audit
        say(f"Audit folder  {audit.folder}", error=True)
        try:
            self._read()
            self._run_shards("", ())
            return self._merge()
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
        found = find_run_at(audit.read_folder)
        if found is None or found.manifest.status is not Status.FINISHED:
            with TaskProgress(1) as progress:
                self._cluster.run([read], progress)
        self._listed = _run_at(audit.read_folder).manifest.rows.get("urls", 0)
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

    def _merge(self) -> int:
        """Merge the shards; with links to crawl, repeat until no shard finds more."""
        passes = LinkPasses()
        for number in count(1):
            status, into = _report_merged(self._audit, self._settings.dir)
            if into is None:
                return status
            place = str(into)
            if self._settings.upload:
                place = f"{self._settings.upload}/{into.parent.name}/{into.name}"
                if fault := upload_run(into, place):
                    again = "The same command continues this audit"
                    return refuse(f"{place} is not uploaded: {fault}. {again}", INCOMPLETE)
                say(f"Uploaded    {place}")
            manifest = Manifest.read(into)
            if not passes.has_more(manifest):
                self._audit.note_merged(place)
                alert(into, manifest, self._settings.notify)
                return status
            self._run_shards(f"-pass-{number}", ("--found", place))
        raise AssertionError("count() is endless")


def _report_merged(audit: DistributedAudit, audits: Path) -> tuple[int, Path | None]:
    """Merge the shards in another process; return its exit status and the merged run."""
    runs = [_run_at(audit.shard_folder(number)) for number in audit.shards()]
    started = min(run.manifest.started for run in runs).replace(":", "-")
    into = audits / runs[0].address.replace("\\", "/").split("/")[-2] / f"{started}-merged"
    words = [*(run.address for run in runs), "--into", str(into)]
    command = [sys.executable, "-m", "sitemapaudit", "report", *words]
    status = subprocess.run(command, check=False).returncode  # noqa: S603 - our own command
    return status, into if (into / "run.json").exists() else None


def _run_at(address: str) -> FoundRun:
    run = find_run_at(address)
    assert run is not None
    return run


def _describe(error: OSError) -> str:
    if error.filename is None:
        return f"AUDIT_UPLOAD: {error}"
    return f"AUDIT_DIR: {error.filename} cannot be written: {error.strerror}"


def _read_order(options: Namespace, settings: Layers) -> tuple[Config, Order]:
    """Return the audit without shards, and the order; raises ConfigError."""
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
    if arguments.get("urls") == STANDARD_INPUT:
        raise ConfigError("distribute: other machines lack the standard input; name a file.")
    chosen = {**file.settings, **settings.command_line}
    sent = {name: str(value) for name, value in chosen.items() if name not in _OWN_SETTINGS}
    check_addresses(config.settings.notify)
    if config.settings.notify:
        sent[NOTIFY] = OFF  # The alert is about the merged run.
    texts = {name: str(value) for name, value in arguments.items()}
    if config.arguments.urls:
        texts["urls"] = str(Path(config.arguments.urls).resolve())
    return config, Order(texts, sent, options.shards)


def _read_resources(given: str) -> dict[str, float]:
    return {name: float(number) for name, number in read_mapping(given).items()}

"""``scrapy schedule``: audits a list of sites on a Scrapyd, no more at once than asked."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping
from configparser import ConfigParser
from pathlib import Path
from typing import Final

from scrapy.commands import ScrapyCommand
from scrapy.exceptions import UsageError
from scrapy.utils.conf import arglist_to_dict, get_config

from sitemapaudit.config import Config
from sitemapaudit.options import ConfigError, nearest
from sitemapaudit.passwords import hide
from sitemapaudit.report.wording import counted
from sitemapaudit.scheduling import Ended, Node, NodeError, Site, read_list, run_jobs

PROJECT: Final = "sitemapaudit"
FOUND, USAGE_ERROR, FAILED = 1, 2, 3

_ENDINGS: Final[Mapping[int | None, str]] = {
    0: "complete",
    FOUND: "complete, with findings as grave as AUDIT_FAIL_ON",
    USAGE_ERROR: "refused, see its log",
    FAILED: "not complete",
    None: "ended without a word, see its log",
}


class Command(ScrapyCommand):
    """Schedule every site of a list through Scrapyd's API, and wait until all are audited."""

    requires_project = True
    requires_crawler_process = False

    def syntax(self) -> str:
        """Return what follows the name of the command."""
        return "[--at NODE] [--jobs N] [-a NAME=VALUE] [-s NAME=VALUE] LIST"

    def short_desc(self) -> str:
        """Return the line that ``scrapy`` shows."""
        return "Audit a list of sites on a Scrapyd, no more at once than asked"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Add the options of this command."""
        super().add_options(parser)
        parser.add_argument(
            "--at",
            default="default",
            metavar="NODE",
            help="address of the Scrapyd, or the name of a deploy target of scrapy.cfg",
        )
        parser.add_argument(
            "--jobs",
            type=int,
            default=4,
            metavar="N",
            help="jobs of the project that may wait or run on the node at once (default: 4)",
        )
        parser.add_argument(
            "-a",
            dest="arguments",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="argument of every audit, as of scrapy crawl sitemap",
        )

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        """Schedule, tell how each job ended, and set the exit status."""
        if len(args) != 1:
            raise UsageError
        try:
            sites = self._read(Path(args[0]), opts)
            node = _node(opts.at)
        except ConfigError as error:
            self._refuse(str(error), USAGE_ERROR)
            return
        endings = Counter[int | None]()
        try:
            for event in run_jobs(node, sites, arglist_to_dict(opts.set), opts.jobs):
                _tell(event)
                if isinstance(event, Ended):
                    endings[event.status if event.status in _ENDINGS else None] += 1
        except NodeError as error:
            self._refuse(f"{error}; {counted(endings.total(), 'site')} of {len(sites):,} ended")
            return
        except KeyboardInterrupt:
            self._refuse("Stopped; what was scheduled goes on")
            return
        told = ", ".join(
            f"{endings[status]:,} {ending}"
            for status, ending in _ENDINGS.items()
            if endings[status]
        )
        print(f"{counted(len(sites), 'site')}: {told}.")
        self.exitcode = max(status if status in (0, FOUND) else FAILED for status in endings)

    def _read(self, file: Path, opts: argparse.Namespace) -> list[Site]:
        """Read the list, and check every audit of it before the first is scheduled."""
        if opts.jobs < 1:
            raise ConfigError("--jobs: at least 1 job must be allowed.")
        try:
            common = arglist_to_dict(opts.arguments)
        except ValueError:
            raise ConfigError("-a: give NAME=VALUE.") from None
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeError) as error:
            reason = getattr(error, "strerror", None) or "it is no text"
            raise ConfigError(f"{file} cannot be read: {reason}.") from None
        sites = read_list(lines, common)
        for site in sites:
            try:
                Config.read(site.arguments, self.settings or {})
            except ConfigError as error:
                raise ConfigError(f"{hide(site.name)}: {error}") from None
        return sites

    def _refuse(self, sentence: str, status: int = FAILED) -> None:
        print(hide(sentence).rstrip(".") + ".", file=sys.stderr)
        self.exitcode = status


def _node(target: str) -> Node:
    """Return the node at an address, or that of a deploy target; raises ConfigError."""
    config = get_config()
    targets = {name.partition(":")[2] or "default": name for name in _deploy_sections(config)}
    told = dict(config["deploy"]) if "deploy" in config else {}
    if "://" in target:
        told = {"url": target, "project": told.get("project", PROJECT)}
    elif target in targets:
        told |= config[targets[target]]
    else:
        offer = nearest(target, targets) or f"targets are {', '.join(targets)}"
        raise ConfigError(f"--at: {target!r} is no address, and no deploy target: {offer}.")
    url = told.get("url", "")
    if not url.startswith(("http://", "https://")):
        raise ConfigError(f"--at: {url!r} is no address such as http://localhost:6800.")
    names = ("username", "password")
    return Node(url, told.get("project", PROJECT), *(told.get(name, "") for name in names))


def _deploy_sections(config: ConfigParser) -> list[str]:
    return [name for name in config.sections() if name.partition(":")[0] == "deploy"]


def _tell(event: tuple[Site, str] | Ended) -> None:
    if isinstance(event, Ended):
        line = f"ended      {event.site.name}  {_ENDINGS.get(event.status, _ENDINGS[None])}"
    else:
        site, job = event
        line = f"scheduled  {site.name}  as {job}"
    print(hide(line), flush=True)

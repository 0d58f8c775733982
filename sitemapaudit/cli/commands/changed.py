"""List the URLs that really changed between two runs."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import duckdb

from sitemapaudit import urls
from sitemapaudit.cli.changed_options import add_changed_options, check_live, read_key
from sitemapaudit.cli.command import INCOMPLETE, SUCCESS, BaseCommand, refuse
from sitemapaudit.cli.refusals import refuse_error
from sitemapaudit.cli.run_pair import open_pair
from sitemapaudit.comparison.changed import Changed, count_changed, find_changed, write_changed
from sitemapaudit.comparison.changed_urls import MEANINGS, MIN_CHANGE
from sitemapaudit.comparison.redirect_map import (
    Redirects,
    read_redirects,
    write_redirects,
)
from sitemapaudit.config.arguments import Arguments
from sitemapaudit.config.layers import Layers
from sitemapaudit.config.recorded import recorded_arguments, settings_of_run
from sitemapaudit.config.scope import Scope
from sitemapaudit.fetching.address_policy import AddressPolicy
from sitemapaudit.indexnow.batches import Batches, write_batches
from sitemapaudit.indexnow.keys import Key
from sitemapaudit.indexnow.sending import ENDPOINT, send_batches
from sitemapaudit.numbers import count_noun
from sitemapaudit.output import say
from sitemapaudit.runs.folders import locked
from sitemapaudit.runs.manifest import Manifest

SHOWN: Final = 10
"""The number of URLs per change that are printed."""


class Result(NamedTuple):
    """The changes, and what was written."""

    changed: Changed
    batches: Batches | None
    redirects: Redirects | None


class Command(BaseCommand):
    """Lists new, moved, gone and changed URLs; only ``--send`` needs the network."""

    setting_names = ("memory", "private_hosts")

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the runs and the destinations of the changes."""
        add_changed_options(parser)

    def run(self, options: Namespace, settings: Layers) -> int:
        """Find the changes, write and print them, and return the exit status."""
        try:
            key = read_key(options)
            old, run = open_pair(options.run, options.since)
            if key:
                check_live(run.manifest)
            new = run.path
            chosen = settings_of_run(run.manifest, new, settings)
            policy = _address_policy(run.manifest, key, options, chosen.private_hosts)
        except (OSError, ValueError) as error:
            return refuse(error)
        if old is None:
            say(f"There is no run before {new}: nothing is known to have changed.")
            return SUCCESS
        try:
            with locked(new):
                changed, batches, redirects = _find(old, new, chosen.memory, options, key)
                files = [*_file_lines(options, redirects)]
        except (OSError, duckdb.IOException) as error:
            return refuse_error(error, options.indexnow or options.csv or new)
        except ValueError as error:
            return refuse(error)
        say(f"\n{new}\nsince {old}\n")
        for line in (*_lines(changed), *files):
            say(line)
        if batches is None or key is None:
            return SUCCESS
        for line in _batch_lines(batches, options.indexnow):
            say(line)
        return _send(batches, key, options.endpoint, policy) if policy else SUCCESS


def _find(old: Path, new: Path, memory: int, options: Namespace, key: Key | None) -> Result:
    """Find the changes, and write the files."""

    def use(connection: duckdb.DuckDBPyConnection) -> Result:
        if options.csv:
            write_changed(connection, options.csv)
        batches = write_batches(connection, key, options.indexnow) if key else None
        redirects = read_redirects(connection) if options.redirects else None
        return Result(count_changed(connection, SHOWN), batches, redirects)

    min_change = MIN_CHANGE if options.min_change is None else options.min_change
    return find_changed(old, new, memory, min_change, use)


def _lines(changed: Changed) -> Iterator[str]:
    if not changed.counts:
        yield "No URL is known to have changed."
    for change, number in changed.counts.items():
        yield f"{number:,} {change}: {MEANINGS[change]}"
        for url, other in changed.examples[change]:
            yield f"  {url}{_other(change, other)}"
        if more := number - len(changed.examples[change]):
            yield f"  and {more:,} more"
    if changed.unknown:
        yield (
            f"\n{count_noun(changed.unknown, 'URL')} unknown: one of the runs did not fetch them,"
            " or not every sitemap that may list them"
        )


def _other(change: str, other: str | None) -> str:
    if other is None:
        return ""
    return f" (was {other})" if change == "moved" else f" → {other}"


def _file_lines(options: Namespace, redirects: Redirects | None) -> Iterator[str]:
    """Write the redirects, and yield what to say about files. Raises OSError."""
    if options.csv:
        yield f"\nAll changes  {options.csv}"
    if redirects is None:
        return
    for kind, file in options.redirects:
        left = write_redirects(redirects, kind, file)
        written = count_noun(len(redirects.targets) - len(left), "redirect")
        yield f"\nRedirects    {written}, {count_noun(len(redirects.gone), 'gone URL')}: {file}"
        if left:
            urls_left = count_noun(len(left), "URL")
            yield f"{urls_left} not included, such as {left[0]}: {kind} has no form for it"


def _batch_lines(batches: Batches, into: Path) -> Iterator[str]:
    urls = sum(batch.urls for batch in batches.written)
    files = count_noun(len(batches.written), "file")
    yield f"\nIndexNow     {count_noun(urls, 'URL')} in {files} below {into}"
    if batches.uncovered:
        left = count_noun(batches.uncovered, "URL")
        yield f"{left} not included: outside of the folder of --key-location"


def _address_policy(
    manifest: Manifest, key: Key | None, options: Namespace, private_hosts: Iterable[str]
) -> AddressPolicy | None:
    """Return the policy of the run, which also allows the addresses of options; None: no request.

    Raises ConfigError.
    """
    if key is None or not options.send:
        return None
    given = recorded_arguments(manifest)
    audited = Arguments.read({name: given[name] for name in ("site", "sitemap") if name in given})
    named = [urls.origin(url) for url in (options.endpoint, key.location) if url]
    scope = Scope(audited.site, audited.sitemap)
    return AddressPolicy([*scope.origins, *named], private_hosts)


def _send(batches: Batches, key: Key, endpoint: str | None, policy: AddressPolicy) -> int:
    """Send the batches, print each response, and return the exit status."""
    accepted = True
    for delivery in send_batches(batches.written, key.value, endpoint or ENDPOINT, policy):
        status = f"status {delivery.status}: " if delivery.status else ""
        say(f"  {delivery.batch.file.name}: {status}{delivery.meaning}")
        accepted = accepted and delivery.accepted
    return SUCCESS if accepted else INCOMPLETE

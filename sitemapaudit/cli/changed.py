"""``changed``: what really changed on a site, as text, CSV and IndexNow batches."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sitemapaudit.cli.changed_options import add_changed_options, check_live, read_key
from sitemapaudit.cli.command import (
    INCOMPLETE,
    SUCCESS,
    Command,
    Settings,
    refuse,
    refuse_error,
)
from sitemapaudit.runs.folders import locked

if TYPE_CHECKING:
    import duckdb

    from sitemapaudit.comparison.changed import Changed
    from sitemapaudit.indexnow.batches import Batches
    from sitemapaudit.indexnow.keys import Key

SHOWN: Final = 10
"""URLs of each change that are printed."""

Result = tuple["Changed", "Batches | None"]


class ChangedCommand(Command):
    """Lists new, moved, gone and changed URLs; only ``--send`` needs the network."""

    name = "changed"
    summary = "List the URLs that really changed between two runs"
    setting_names = ("memory",)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the runs, and where the changes go."""
        add_changed_options(parser)

    def run(self, options: Namespace, settings: Settings) -> int:
        """Find the changes, write and print them, and return the exit status."""
        import duckdb  # noqa: PLC0415

        from sitemapaudit.config.audit_settings import AuditSettings  # noqa: PLC0415

        try:
            memory = AuditSettings.from_scrapy(settings.values).memory
            key = read_key(options)
            old, new = _runs(options, key)
        except (OSError, ValueError) as error:
            return refuse(str(error))
        if old is None:
            print(f"There is no run before {new}: nothing is known to have changed.")
            return SUCCESS
        try:
            with locked(new):
                changed, batches = _find(old, new, memory, options, key)
        except (OSError, duckdb.IOException) as error:
            return refuse_error(error, options.indexnow or options.csv or new)
        except ValueError as error:
            return refuse(str(error))
        print(f"\n{new}\nsince {old}\n")
        for line in _lines(changed):
            print(line)
        if options.csv:
            print(f"\nAll changes  {options.csv}")
        if batches is None or key is None:
            return SUCCESS
        for line in _batch_lines(batches, options.indexnow):
            print(line)
        return _send(batches, key, options.endpoint) if options.send else SUCCESS


def _runs(options: Namespace, key: Key | None) -> tuple[Path | None, Path]:
    """Return the earlier run, if there is one, and the later one."""
    from sitemapaudit.datasets.run import open_run  # noqa: PLC0415
    from sitemapaudit.runs.folders import previous_run  # noqa: PLC0415

    later = open_run(options.run)
    if key:
        check_live(later.manifest)
    old = open_run(options.since).path if options.since else previous_run(later.path)
    if old is not None and old.resolve() == later.path.resolve():
        raise FileNotFoundError(f"{later.path} cannot be compared with itself")
    return old, later.path


def _find(old: Path, new: Path, memory: int, options: Namespace, key: Key | None) -> Result:
    """Find the changes, and write the files."""
    from sitemapaudit.comparison.changed import (  # noqa: PLC0415
        count_changed,
        find_changed,
        write_changed,
    )
    from sitemapaudit.comparison.changed_urls import MIN_CHANGE  # noqa: PLC0415
    from sitemapaudit.indexnow.batches import write_batches  # noqa: PLC0415

    def use(connection: duckdb.DuckDBPyConnection) -> Result:
        if options.csv:
            write_changed(connection, options.csv)
        batches = write_batches(connection, key, options.indexnow) if key else None
        return count_changed(connection, SHOWN), batches

    min_change = MIN_CHANGE if options.min_change is None else options.min_change
    return find_changed(old, new, memory, min_change, use)


def _lines(changed: Changed) -> Iterator[str]:
    from sitemapaudit.comparison.changed_urls import MEANINGS  # noqa: PLC0415
    from sitemapaudit.numbers import count_noun  # noqa: PLC0415

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


def _batch_lines(batches: Batches, into: Path) -> Iterator[str]:
    from sitemapaudit.numbers import count_noun  # noqa: PLC0415

    urls = sum(batch.urls for batch in batches.written)
    files = count_noun(len(batches.written), "file")
    yield f"\nIndexNow     {count_noun(urls, 'URL')} in {files} below {into}"
    if batches.uncovered:
        left = count_noun(batches.uncovered, "URL")
        yield f"{left} not included: outside of the folder of --key-location"


def _send(batches: Batches, key: Key, endpoint: str | None) -> int:
    """Send the batches, print each answer, and return the exit status."""
    from sitemapaudit.indexnow.sending import ENDPOINT, send_batches  # noqa: PLC0415

    accepted = True
    for delivery in send_batches(batches.written, key.value, endpoint or ENDPOINT):
        status = f"status {delivery.status}: " if delivery.status else ""
        print(f"  {delivery.batch.file.name}: {status}{delivery.meaning}")
        accepted = accepted and delivery.accepted
    return SUCCESS if accepted else INCOMPLETE

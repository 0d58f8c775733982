"""The end of a run in one screen: verdicts, the worst rules, and what to do next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sitemapaudit.datasets.database import connect, literal, table_file, view_tables
from sitemapaudit.datasets.manifest import Manifest, Status
from sitemapaudit.datasets.stores import is_remote
from sitemapaudit.items import Severity, Verdict
from sitemapaudit.report.wording import counted

WORST: Final = 8
"""Rules that are shown."""

_STYLES: Final = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTICE: "cyan"}


def summary(run: Path, manifest: Manifest) -> RenderableType:
    """Return the summary of a run folder, for the terminal."""
    parts: list[RenderableType] = [Text(), _headline(manifest), Text()]
    if manifest.verdicts:
        parts += [_verdicts(manifest), Text()]
    if manifest.rules:
        parts += [_findings(run, manifest), Text()]
    return Group(*parts, *_ending(run, manifest))


def _headline(manifest: Manifest) -> Text:
    listed = manifest.rows.get("urls", 0)
    left_out = ", ".join(f"{number:,} by {name}" for name, number in manifest.left_out.items())
    return Text.assemble(
        (counted(listed, "listed URL"), "bold"),
        f" in {counted(manifest.rows.get('sitemaps', 0), 'sitemap')}",
        f" (left out: {left_out})" if left_out else "",
        f", {manifest.rendered:,} rendered" if manifest.rendered else "",
        f" ({manifest.unrendered:,} of them could not be)" if manifest.unrendered else "",
    )


def _verdicts(manifest: Manifest) -> Table:
    """Return the verdicts on what was to be looked at: what was left out by choice has none."""
    verdicts = Counter(manifest.verdicts)
    verdicts[Verdict.UNCHECKED] = manifest.unchecked
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(justify="right")
    table.add_column(justify="right", style="dim")
    table.add_column(style="dim")
    for verdict in reversed(Verdict):
        number = verdicts[verdict]
        if number:
            known = verdict.indexable is not None
            table.add_row(
                f"  {verdict}",
                f"{number:,}",
                f"{number / verdicts.total():.1%}",
                "" if known else "could not be known",
                style="green" if verdict is Verdict.INDEXABLE else None,
            )
    return table


def _findings(run: Path, manifest: Manifest) -> Table:
    counts = ", ".join(
        counted(manifest.severities[severity], severity)
        for severity in reversed(Severity)
        if severity in manifest.severities
    )
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="ellipsis", no_wrap=True, style="dim")
    for severity, rule, number, example in _worst(run):
        style = _STYLES[Severity(severity)]
        table.add_row(Text(f"  {severity}", style), rule, f"{number:,}", Text(example or ""))
    more = len(manifest.rules) - table.row_count
    outer = Table.grid()
    outer.add_row(Text(counts, "bold"))
    outer.add_row(table)
    if more > 0:
        outer.add_row(Text(f"  and {counted(more, 'more rule')}", "dim"))
    return outer


def _worst(run: Path) -> list[tuple[str, str, int, str | None]]:
    ranks = ", ".join(literal(severity) for severity in reversed(Severity))
    with connect() as connection:
        view_tables(connection, run, ["findings"])
        return connection.execute(
            "select severity, rule, count(*), min(coalesce(url, sitemap)) from findings"
            " group by severity, rule"
            f" order by list_position([{ranks}], severity), count(*) desc, rule limit {WORST}"
        ).fetchall()


def _ending(run: Path, manifest: Manifest) -> Iterator[Text]:
    if manifest.complete:
        yield Text("The audit is complete.", "green")
    else:
        yield Text(f"The audit is not complete: {manifest.reason}.", "bold yellow")
        yield from _remedies(run, manifest)
    if manifest.compared_with:
        yield _unwrapped(f"Since {manifest.compared_with}: {_changes(manifest)}.")
    if manifest.broken_rules:
        names = ", ".join(manifest.broken_rules)
        yield Text(
            f"Rules that failed, and say nothing (the log has the tracebacks): {names}.", "red"
        )
    yield _unwrapped(f"Run folder  {run}")
    if table_file(run, "findings").exists() and manifest.rules:
        worst = next(iter(manifest.rules))
        page = run / "report.html"
        yield _unwrapped(f"Next        open {page if page.exists() else run / 'findings.csv'}")
        yield _unwrapped(f"            scrapy rules {worst}   (what it means, how to mend it)")


def _remedies(run: Path, manifest: Manifest) -> Iterator[Text]:
    """Say how a run is made complete that was cut short, or of which shards were or are missing."""
    unended = [shard.run for shard in manifest.shards if shard.status is not Status.FINISHED]
    if manifest.shards:
        for each in unended:
            place = each if is_remote(each) else run.parent / each
            yield _unwrapped(f"Go on with  scrapy crawl sitemap -a resume={place}")
        if unended or any(manifest.missing()):
            yield Text("            and merge all shards again")
    elif manifest.status in (Status.INTERRUPTED, Status.FAILED):
        yield _unwrapped(f"Go on with  scrapy crawl sitemap -a resume={run}")


def _changes(manifest: Manifest) -> str:
    """Say what is not as it was in the run before."""
    number = manifest.changes
    told = [
        f"{counted(number['new'], 'finding')} new, {number['mended']:,} mended",
        f"{counted(number['came'], 'URL')} came, {number['went']:,} went",
        f"{counted(number['verdict'], 'verdict')} changed",
    ]
    return "; ".join(told)


def _unwrapped(line: str) -> Text:
    """Return a line that is not broken, so that a path in it can be taken up with the mouse."""
    return Text(line, no_wrap=True, overflow="ignore")

"""Summarizes a fleet for the terminal: the worst sites, and those with incomplete audits."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sitemapaudit.numbers import count_noun, percent
from sitemapaudit.report.fleet.page import NAME
from sitemapaudit.report.fleet.reading import Fleet, FleetSite
from sitemapaudit.report.fleet.tables import TABLE
from sitemapaudit.report.terminal import Fitted, Shortened, unwrapped
from sitemapaudit.report.wording import describe_share

SHOWN: Final = 15
"""Limit for sites in the table, and for named incomplete sites."""


def fleet_summary(fleet: Fleet) -> RenderableType:
    """Return the summary of a fleet, for the terminal."""
    return Group(*_parts(fleet))


def _parts(fleet: Fleet) -> Iterator[RenderableType]:
    yield Text()
    yield Text(
        f"{count_noun(len(fleet.sites), 'site')}, {fleet.worse:,} worse, {fleet.better:,} better",
        "bold",
    )
    yield Text(describe_share(fleet.counts), "bold")
    yield Text()
    yield Fitted(partial(_table, fleet))
    if len(fleet.sites) > SHOWN:
        yield Text(f"  and {count_noun(len(fleet.sites) - SHOWN, 'more site')}", "dim")
    yield Text()
    yield from _incomplete(fleet.incomplete)
    yield unwrapped(f"All sites  {fleet.folder / TABLE}.csv")
    yield unwrapped(f"Page       {fleet.folder / NAME}")


def _table(fleet: Fleet, expands: bool) -> Table:  # noqa: FBT001
    table = Table(box=None, padding=(0, 1), header_style="dim")
    table.add_column("  site", ratio=1 if expands else None, min_width=16)
    for name in ("indexable", "change", "URLs", "errors", "warnings"):
        table.add_column(name, justify="right", no_wrap=True)
    for site in fleet.sites[:SHOWN]:
        table.add_row(
            Shortened(f"  {site.site}"),
            "unknown" if site.share is None else percent(site.share),
            _change(site),
            f"{site.listed:,}",
            f"{site.errors:,}",
            f"{site.warnings:,}",
        )
    return table


def _change(site: FleetSite) -> Text:
    if not site.share_change:
        return Text("")
    return Text(f"{100 * site.share_change:+.1f}", "red" if site.share_change < 0 else "green")


def _incomplete(sites: list[FleetSite]) -> Iterator[Text]:
    if not sites:
        yield Text("Every audit is complete.", "green")
        return
    yield Text(f"{count_noun(len(sites), 'incomplete audit')}:", "bold yellow")
    for site in sites[:SHOWN]:
        yield unwrapped(f"  {site.site}: {site.reason}")
    if len(sites) > SHOWN:
        yield Text(f"  and {len(sites) - SHOWN:,} more", "dim")

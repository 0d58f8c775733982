"""Summarizes a run for the terminal: verdicts, the most severe findings, and what to do next."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sitemapaudit.datasets.built_files import files_at
from sitemapaudit.datasets.database import connect, create_table_views
from sitemapaudit.datasets.merged_findings import NUMBER_FOUND
from sitemapaudit.generators.recognition import advise
from sitemapaudit.items import Severity, Verdict
from sitemapaudit.numbers import count_noun
from sitemapaudit.report.overview import list_verdicts, site_of
from sitemapaudit.report.terminal import Fitted, Shortened, unwrapped
from sitemapaudit.report.wording import (
    describe_counts,
    describe_coverage,
    describe_gaps,
    describe_links,
    describe_listing,
    describe_new,
    describe_repairs,
    describe_reuse,
    describe_script_pages,
    describe_share,
    describe_sources,
    describe_waits,
)
from sitemapaudit.runs.folders import table_file
from sitemapaudit.runs.link_counts import LinkCounts
from sitemapaudit.runs.manifest import Manifest, Status
from sitemapaudit.runs.merging.stores import is_remote
from sitemapaudit.runs.remarks import remarks

SHOWN: Final = 8
"""Limit for rules in the table."""

RuleCount = tuple[str, str, int, str | None]
"""Severity, rule, number of findings, and the first URL or sitemap."""

_STYLES: Final = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTICE: "cyan"}


def summary(run: Path, manifest: Manifest) -> RenderableType:
    """Return the summary of a run folder, for the terminal."""
    parts: list[RenderableType] = [Text(), unwrapped(site_of(manifest))]
    parts += [*_problem(manifest), _headline(manifest)]
    if manifest.verdicts:
        parts += [Text(describe_share(manifest.share), "bold"), _verdicts(manifest), Text()]
    found = (
        _most_severe(run, of_build=bool(manifest.build_hosts))
        if manifest.rules and table_file(run, "findings").exists()
        else []
    )
    if found:
        parts += [Text(_count_severities(manifest), "bold"), _findings(found, manifest)]
        more = len(manifest.rules) - len(found)
        parts += [Text(f"  and {count_noun(more, 'more rule')}", "dim")] if more > 0 else []
        parts.append(Text())
    parts += _ending(run, manifest)
    return Group(*parts, *_next_steps(run, manifest, found))


def _problem(manifest: Manifest) -> Iterator[Text]:
    """Describe why the audit is incomplete, before everything else."""
    if not manifest.complete:
        yield Text(f"The audit is incomplete: {manifest.reason}.", "bold yellow")
        if manifest.damage and manifest.status is not Status.FINISHED:
            yield Text(f"Also, {manifest.describe_damage()}.", "bold yellow")
        if manifest.remedy:
            yield Text(f"To fix this: {manifest.remedy}.", "yellow")
        if manifest.is_demo:
            yield Text("The demo website has them on purpose; otherwise the status would be 3.")
    causes = (each.describe(manifest.remedy) for each in manifest.likely_causes)
    for sentence in (*causes, *remarks(manifest)):
        yield Text(sentence, "yellow")


def _headline(manifest: Manifest) -> Text:
    listed = manifest.rows.get("urls", 0)
    skipped = ", ".join(f"{count:,} by {name}" for name, count in manifest.skipped.items())
    failed = manifest.failed_renderings
    return Text.assemble(
        (count_noun(listed, "listed URL"), "bold"),
        f" in {describe_sources(manifest)}",
        f" (skipped: {skipped})" if skipped else "",
        f", {manifest.rendered_pages:,} rendered" if manifest.rendered_pages else "",
        f" ({failed:,} of them failed)" if failed else "",
    )


def _verdicts(manifest: Manifest) -> Table:
    """Return the verdicts of the URLs that were not skipped by choice."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(justify="right", style="dim", no_wrap=True)
    table.add_column(style="dim", overflow="ellipsis", no_wrap=True)
    for row in list_verdicts(manifest):
        table.add_row(
            f"  {row.verdict}",
            f"{row.count:,}",
            row.share_text,
            "could not be determined" if row.share is None else "",
            style="green" if row.verdict is Verdict.INDEXABLE else None,
        )
    return table


def _count_severities(manifest: Manifest) -> str:
    return ", ".join(
        count_noun(manifest.severities[severity], severity)
        for severity in reversed(Severity)
        if severity in manifest.severities
    )


def _findings(found: Sequence[RuleCount], manifest: Manifest) -> Fitted:
    site = site_of(manifest).rpartition("://")[2].strip("/")

    def build(expands: bool) -> Table:  # noqa: FBT001
        # Only the example is shortened: the rest is pasted into commands.
        table = Table.grid(padding=(0, 2), expand=expands)
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
        table.add_column(ratio=1 if expands else None)
        for severity, rule, count, example in found:
            style = _STYLES[Severity(severity)]
            where = Shortened(_without_site(example or "", site), "dim")
            table.add_row(Text(f"  {severity}", style), rule, f"{count:,}", where)
        return table

    return Fitted(build)


def _without_site(url: str, site: str) -> str:
    """Return a URL without the host that the first line has."""
    _, _, rest = url.partition("://")
    return rest.removeprefix(site) if rest.startswith(f"{site}/") else url


def _most_severe(run: Path, *, of_build: bool) -> list[RuleCount]:
    """Return the most severe rules; equally severe ones by their number of findings.

    The example of a build has the file of its page.
    """
    with connect() as connection:
        create_table_views(connection, run, ["findings", *(["pages"] if of_build else [])])
        found = connection.execute(
            f"select severity, rule, {NUMBER_FOUND} as number,"
            " min(coalesce(url, sitemap)) from findings group by severity, rule"
            f" order by severity_order(severity), number desc, rule limit {SHOWN}"
        ).fetchall()
        files = files_at(connection, [place for *_, place in found if place]) if of_build else {}
        return [
            (*counted, f"{place} ({files[place]})" if place in files else place)
            for *counted, place in found
        ]


def _ending(run: Path, manifest: Manifest) -> Iterator[Text]:
    if manifest.complete:
        yield Text("The audit is complete.", "green")
    else:
        yield from _remedies(run, manifest)
    if manifest.status is Status.FINISHED and manifest.failed_formats:
        failed = manifest.failed_formats.items()
        reasons = "; ".join(f"{name}: {reason}" for name, reason in failed)
        yield Text(f"Not everything could be written: {reasons}.", "bold yellow")
        yield unwrapped(f"Repeat      sitemapaudit report {run}")
    if manifest.links:
        yield from _links(manifest.links)
    for agent, counts in manifest.agents.items():
        yield Text(f"{agent}: {describe_counts(counts)}.")
    scripts = describe_script_pages(manifest.script_pages, manifest.read_pages)
    if scripts:
        yield Text(f"{scripts}.", "yellow")
    if manifest.refused:
        yield Text(f"Waited: {describe_waits(manifest.refused, manifest.rested)}.")
    if manifest.reused:
        yield Text(describe_reuse(manifest.reused))
    if manifest.compared_with:
        yield unwrapped(f"Since {manifest.compared_with}: {_changes(manifest)}.")
    if manifest.broken_rules:
        names = ", ".join(manifest.broken_rules)
        yield Text(f"Rules that failed (tracebacks are in the log): {names}.", "red")
    yield unwrapped(f"Run folder  {run}")


def _links(links: LinkCounts) -> Iterator[Text]:
    yield Text(f"Links: {describe_links(links)}.")
    if links.gaps:
        unknown = f"{describe_coverage(links)}. Unknown: {describe_gaps(links.gaps)}"
        yield Text(f"Links may be unknown: {unknown}.", "yellow")


def _next_steps(run: Path, manifest: Manifest, found: Sequence[RuleCount]) -> Iterator[Text]:
    if found:
        _, rule, _, _ = found[0]
        page = run / "report.html"
        yield unwrapped(f"Next        open {page if page.exists() else run / 'findings.csv'}")
        yield unwrapped(f"            sitemapaudit rules {rule}   (explains this rule)")
        yield from _settings(manifest, [rule for _, rule, _, _ in found])
    repair = describe_repairs(manifest.repairs)
    if repair and not manifest.arguments.get("folder"):
        yield Text(f"{'' if found else 'Next':<12}{repair}:")
        yield unwrapped(f"            sitemapaudit repair {run}")


def _settings(manifest: Manifest, rules: Sequence[str]) -> Iterator[Text]:
    """Yield what to set in the generators of the site, unless the likely causes say it."""
    explained = {fix.source for cause in manifest.likely_causes for fix in cause.fixes}
    for each in advise(manifest.generators, rules, any_indexable=manifest.any_indexable):
        if each.source not in explained and each.source not in (manifest.remedy or ""):
            yield unwrapped(f"{each.generator:<12}{each.rule}: {each.how.replace('`', '')}")
            yield unwrapped(f"            {each.source}")


def _remedies(run: Path, manifest: Manifest) -> Iterator[Text]:
    """Describe how to complete a run that was interrupted, or lacks shards."""
    unfinished = [shard.run for shard in manifest.shards if shard.status is not Status.FINISHED]
    if manifest.shards:
        for each in unfinished:
            place = each if is_remote(each) else run.parent / each
            yield unwrapped(f"Continue    sitemapaudit audit --resume {place}")
        if unfinished or any(manifest.missing_shards()):
            yield Text("            and merge all shards again")
    elif manifest.damage or manifest.status in (Status.INTERRUPTED, Status.FAILED):
        yield unwrapped(f"Continue    sitemapaudit audit --resume {run}")


def _changes(manifest: Manifest) -> str:
    """Return the differences from the previous run."""
    counts = manifest.changes
    parts = [
        describe_new(counts),
        describe_listing(counts),
        f"{count_noun(counts['verdict-changed'], 'verdict')} changed",
    ]
    return "; ".join(parts)

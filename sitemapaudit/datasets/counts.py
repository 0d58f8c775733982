"""The counts of a manifest, from the tables of its run."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import duckdb

from sitemapaudit.datasets.damage import count_damage
from sitemapaudit.datasets.database import sql_string
from sitemapaudit.datasets.links.passes import count_waiting_links
from sitemapaudit.datasets.merged_findings import NUMBER_FOUND
from sitemapaudit.datasets.obstacles import UNANSWERED
from sitemapaudit.datasets.samples.sampling import SampleChoice, count_omitted
from sitemapaudit.datasets.site_sitemaps import SITE_SITEMAPS
from sitemapaudit.generators.recognition import known_name
from sitemapaudit.items import Error, Kind, RecheckResult, Role, SkipReason, Verdict
from sitemapaudit.items.schema import TABLES
from sitemapaudit.pages.main_text import LITTLE_TEXT_WORDS
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.verdicts import IS_UNREAD

_LIMITS: Final = {SkipReason.LIMIT: "AUDIT_MAX_URLS", SkipReason.HOSTS: "AUDIT_MAX_HOSTS"}
"""The settings that skip listed URLs."""

_LENGTH: Final = "the length of a sitemap"
_LIMITED: Final = f"(truncated or coalesce(error = '{Error.LIMIT}', false))"
"""SQL: true if a sitemap is unread because of a limit, and not of what its server did."""
_NO_SITEMAP: Final = ", ".join(sql_string(kind) for kind in (Kind.HTML, Kind.UNKNOWN))
_IS_READABLE: Final = f"""(
    kind not in ({_NO_SITEMAP})
    and sitemap not in (select sitemap from entries where kind = '{Kind.SITEMAPINDEX}')
)"""
"""SQL: true if a sitemap could be read; an index counts only if it lists no other."""

_SITEMAPS: Final = f"""
    select count(*) filter ({_IS_READABLE}),
        count(*) filter ({IS_UNREAD}),
        count(*) filter ({IS_UNREAD} and not {_LIMITED} and complete)
    from sitemaps
"""
"""The sitemaps that could be read, the unread sitemaps, and the unread sitemaps that failed."""

_WITHOUT_SITEMAP: Final = f"""
    {SITE_SITEMAPS}
    select site from robots where audited and site not in (
        select site from site_sitemaps join sitemaps using (sitemap) where {_IS_READABLE}
    )
    order by site
"""
"""The sites without a sitemap that could be read."""

_UNANSWERED: Final = f"""
    with tried as (
        select verdict, {UNANSWERED} as unanswered from urls where verdict <> '{Verdict.UNCHECKED}'
    )
    select verdict, count(*) from tried
    where not exists (from tried where not unanswered)
    group by verdict order by 2 desc, 1
"""
"""The verdicts of the listed pages if not one of them could be read."""

_GENERATORS: Final = f"""
    select generator, count(*)
    from pages where generator is not null
        and role in ('{Role.LISTED}', '{Role.BUILT}', '{Role.REDIRECT}')
    group by generator order by 2 desc, 1 limit 20
"""
_SITEMAP_GENERATORS: Final = """
    select generator, count(*) from sitemaps where generator is not null
    group by generator order by 2 desc, 1
"""

_PAGES: Final = f"""
    with listed_pages as (
        select words < {LITTLE_TEXT_WORDS} and scripts > 0 as little_text,
            is_html and noindex is not null as was_read,
            rendered_ended_at is not null as was_rendered, rendered_error
        from pages where role = {sql_string(Role.LISTED)}
    )
    select count(*) filter (was_read),
        count(*) filter (was_read and little_text and not was_rendered),
        count(*) filter (was_rendered),
        count(*) filter (was_rendered and rendered_error is not null)
    from listed_pages
"""
"""The listed pages that were read; those whose text is probably made by scripts, unless a browser
rendered them; those that were rendered, and of these those that failed."""

_REVALIDATED: Final = """
    select revalidation, count(*) from pages where revalidation is not null
    group by revalidation order by 1
"""
_REFETCHED: Final = f"select count(*) from pages where recheck = '{RecheckResult.REFETCHED}'"


def count_revalidated(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> None:
    """Count what the revalidation of pages showed, if an earlier run was to be reused."""
    reused = manifest.reused
    if reused is None:
        return
    results = dict(connection.execute(_REVALIDATED).fetchall())
    refetched = _number(connection, _REFETCHED)
    reason = reused.reason
    if not results and not refetched:
        reason = reason or "this audit revalidated none of its pages"
    manifest.reused = replace(reused, reason=reason, revalidated=results, refetched=refetched)


def count_unfinished(
    connection: duckdb.DuckDBPyConnection, manifest: Manifest, runs: Sequence[Path]
) -> None:
    """Count the work that was not done."""
    # The URLs of other shards were skipped by choice, unless this run is all shards together.
    unfinished = {*_LIMITS, SkipReason.SHARD} if manifest.shards else _LIMITS
    chosen = ", ".join(sql_string(reason) for reason in SkipReason if reason not in unfinished)
    (sitemaps,) = connection.execute(_SITEMAPS).fetchall()
    manifest.readable_sitemaps, manifest.unread_sitemaps, manifest.failed_sitemaps = sitemaps
    without = [site for (site,) in connection.execute(_WITHOUT_SITEMAP).fetchall()]
    has_several = "," in str(manifest.arguments.get("site"))
    manifest.sites_without_sitemap = without if has_several else []
    manifest.unchecked_urls = _number(
        connection,
        f"select count(*) from urls where verdict = {sql_string(Verdict.UNCHECKED)}"
        f" and coalesce(skip_reason, '') not in ({chosen})",
    )
    limits = Counter(_count_limits(connection))
    limits += Counter(manifest.unfollowed) + Counter(manifest.unchecked_media)
    if choice := SampleChoice.of(manifest):
        limits[_LIMITS[SkipReason.LIMIT]] += count_omitted(connection, choice)
    manifest.limits = dict(+limits)
    manifest.waiting_links = count_waiting_links(connection, manifest)
    manifest.unanswered = dict(connection.execute(_UNANSWERED).fetchall())
    (pages,) = connection.execute(_PAGES).fetchall()
    manifest.read_pages, manifest.script_pages = pages[:2]
    manifest.rendered_pages, manifest.failed_renderings = pages[2:]
    manifest.generators = _count_generators(connection, manifest)
    shards = sum((Counter(shard.damage) for shard in manifest.shards), Counter[str]())
    manifest.damage = count_damage(connection, manifest, runs)
    for table, number in shards.items():
        manifest.damage[table] = number + (manifest.damage.get(table) or 0)


def _count_generators(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> dict[str, int]:
    """Count what names each generator: pages, otherwise sitemaps, otherwise files of a build."""
    stated = dict(connection.execute(_GENERATORS).fetchall())
    if any(map(known_name, stated)):
        return stated
    shown = dict(connection.execute(_SITEMAP_GENERATORS).fetchall())
    if not shown and manifest.build_generator:
        shown = {manifest.build_generator: 1}
    return stated | shown


def count_results(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> None:
    """Count rows, verdicts and findings."""
    counts = ", ".join(f"(select count(*) from {table})" for table in TABLES)
    (numbers,) = connection.execute(f"select {counts}").fetchall()
    manifest.rows = dict(zip(TABLES, numbers, strict=True))
    manifest.verdicts = _tally(connection, "urls", "verdict")
    manifest.skipped = _tally(connection, "urls", "skip_reason")
    manifest.severities = _tally(connection, "findings", "severity", NUMBER_FOUND)
    manifest.rules = _tally(connection, "findings", "rule", NUMBER_FOUND)


def _count_limits(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Count the listed URLs and sitemaps that each limit skipped."""
    names = " ".join(
        f"when {sql_string(reason)} then {sql_string(name)}" for reason, name in _LIMITS.items()
    )
    query = f"""
        select reached, count(*) from (
            select case skip_reason {names} end as reached
            from urls
            union all
            select if(truncated, {sql_string(_LENGTH)}, split_part(error_detail, ' ', 1))
            from sitemaps where truncated or error = {sql_string(Error.LIMIT)}
        ) where reached is not null group by 1 order by 1
    """
    return dict(connection.execute(query).fetchall())


def _number(connection: duckdb.DuckDBPyConnection, query: str) -> int:
    ((number,),) = connection.execute(query).fetchall()
    return int(number)


def _tally(
    connection: duckdb.DuckDBPyConnection, table: str, column: str, count: str = "count(*)"
) -> dict[str, int]:
    query = (
        f"select {column}, {count} from {table} where {column} is not null"
        " group by 1 order by 2 desc, 1"
    )
    return dict(connection.execute(query).fetchall())

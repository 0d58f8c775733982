"""The URLs of a sample, drawn from those that the ledger of a run lists.

The seed decides the order in which URLs are drawn. A sample of a given size is a uniform draw and a
minimum of each stratum: the URLs of one template in one sitemap. A sample that grows until a share
is known well is a uniform draw only. All shards share one sample: each fetches the URLs of it that
it owns.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self

import duckdb
from msgspec import Struct

from sitemapaudit import verdicts
from sitemapaudit.bounds.allocation import Allocation, allocate
from sitemapaudit.bounds.margin import Margin
from sitemapaudit.bounds.tally import Tally
from sitemapaudit.bounds.watched import next_size, prior_size
from sitemapaudit.datasets.build import Build, Relation
from sitemapaudit.datasets.database import SCRATCH, connect, create_ledger_view
from sitemapaudit.items import Role, SkipReason, Verdict
from sitemapaudit.runs.manifest import Manifest

CANDIDATES: Final = f"""
    select url, min(sitemap) as sitemap, template_of(url) as template, md5($seed || url) as draw
    from entries
    where kind <> 'sitemapindex' and url is not null
        and coalesce(skip_reason, '{SkipReason.SHARD}') = '{SkipReason.SHARD}'
    group by url
"""
"""The URLs that can be drawn; one in several sitemaps belongs to the first by name."""

STRATA: Final = """
    select sitemap, template, count(*) as population from candidates group by all
"""

_RANKED: Final = """
    select url, sitemap, template, row_number() over (order by draw) as rank
    from candidates
"""

SAMPLE: Final = f"""
    select url, sitemap, template, rank <= $uniform as uniform, false as first
    from (
        select *, row_number() over (partition by sitemap, template order by rank) as turn,
            count(*) over (partition by sitemap, template) as stratum
        from ({_RANKED})
    )
    order by if(rank <= $uniform, rank, null) nulls last, turn > $minimum, stratum, turn, rank
    limit $size
"""
"""The uniform draw, then the minimum of each stratum, the smallest first, then more if there is
room."""

GROWN_SAMPLE: Final = f"""
    select url, sitemap, template, true as uniform, rank <= $first as first, rank
    from ({_RANKED})
    where rank > $start and rank <= $stop
    order by rank
"""

_LAST_DRAWN: Final = f"""
    select coalesce(max(rank), 0)
    from ({_RANKED}) semi join (from pages_log where role = '{Role.LISTED}') using (url)
"""
"""The URLs that a growing sample had drawn in the end."""

_TALLY: Final = f"""
    select count(*), count(*) filter (verdict = '{Verdict.INDEXABLE}'),
        count(*) filter (coalesce(verdict, '{Verdict.UNCHECKED}') in ({verdicts.UNKNOWN}))
    from ({_RANKED})
    left join (select url, any_value(verdict) as verdict from pages_log group by url) using (url)
    where rank <= $drawn
"""

BATCH: Final = 1_000
"""URLs that are held in memory at a time."""

_POPULATION: Final = "select count(*) from candidates"

_LISTED: Final = """
    select distinct url from entries
    where kind <> 'sitemapindex' and url is not null and skip_reason is null
"""


class SampleChoice(Struct, frozen=True):
    """The sample of a run: of a given size, or growing until a share is within a margin.

    ``limit`` is AUDIT_MAX_URLS; 0 means no limit. It applies to the draw: what it leaves of a
    sample is a smaller sample.
    """

    size: int | None
    margin: Margin | None = None
    seed: int = 0
    limit: int = 0

    @classmethod
    def of(cls, manifest: Manifest) -> Self | None:
        """Return the choice that a manifest records; None without a sample."""
        pages = manifest.arguments.get("pages")
        seed, limit = (
            int(manifest.settings.get(name) or 0) for name in ("AUDIT_SEED", "AUDIT_MAX_URLS")
        )
        given = (Margin.read(pages) or pages) if isinstance(pages, str) else pages
        return cls.read(given, seed, limit)

    @classmethod
    def read(cls, pages: str | int | Margin | None, seed: int, limit: int) -> Self | None:
        """Return the choice that ``pages`` makes; None without a sample."""
        if isinstance(pages, Margin):
            return cls(None, pages, seed, limit)
        return cls(pages, None, seed, limit) if isinstance(pages, int) else None

    def limited(self, size: int) -> int:
        """Return what the limit leaves of a size."""
        return min(size, self.limit) if self.limit else size


def takes_sample(manifest: Manifest) -> bool:
    """Return whether a run fetches a sample of the listed URLs only."""
    return SampleChoice.of(manifest) is not None


def draws_sample(manifest: Manifest) -> bool:
    """Return whether the sample of a run has a given size."""
    return takes_sample(manifest) and not grows_sample(manifest)


def grows_sample(manifest: Manifest) -> bool:
    """Return whether the sample of a run grows until a share is known well."""
    choice = SampleChoice.of(manifest)
    return choice is not None and choice.margin is not None


def store_candidates(build: Build, _: Relation) -> None:
    """Create the table ``candidates`` in the order that the seed of the run decides."""
    if choice := SampleChoice.of(build.manifest):
        _create_candidates(build.connection, choice.seed)


def store_sample(build: Build, relation: Relation) -> None:
    """Create the table ``sample`` of the run, from ``strata`` or from the ledger."""
    if choice := SampleChoice.of(build.manifest):
        build.connection.execute(relation.statement, _sizes(build.connection, choice))


def create_sample(connection: duckdb.DuckDBPyConnection, choice: SampleChoice) -> None:
    """Create the table ``sample`` from the entries and the pages in the ledger of a run."""
    _create_candidates(connection, choice.seed)
    connection.execute(f"create table strata as {STRATA}")
    query = SAMPLE if choice.margin is None else GROWN_SAMPLE
    connection.execute(f"create table sample as {query}", _sizes(connection, choice))


def read_allocation(connection: duckdb.DuckDBPyConnection, choice: SampleChoice) -> Allocation:
    """Return how many URLs of a sample are drawn in which way, from ``strata`` or the ledger."""
    if choice.margin:
        return Allocation(_number(connection, _LAST_DRAWN), 0)
    strata = connection.execute("select population from strata").fetchall()
    return allocate(choice.limited(choice.size or 0), [population for (population,) in strata])


def count_omitted(connection: duckdb.DuckDBPyConnection, choice: SampleChoice) -> int:
    """Return how many URLs AUDIT_MAX_URLS omits from a sample, from ``candidates``.

    Of a sample that grows, these are the ones of its next step.
    """
    if not choice.limit:
        return 0
    if choice.margin:
        drawn = _number(connection, _LAST_DRAWN)
        wanted = _next_size(connection, choice.margin, drawn) if drawn >= choice.limit else None
        return (wanted or drawn) - drawn
    wanted = min(choice.size or 0, _number(connection, _POPULATION))
    return wanted - choice.limited(wanted)


def draw_sample(run: Path, choice: SampleChoice, memory: int) -> list[str]:
    """Draw a sample of the URLs that the ledger of a run lists, those of other shards included.

    The uniform draw comes first. ``memory`` is in megabytes.
    """
    with open_ledger(run, memory, "sample") as connection:
        create_sample(connection, choice)
        return [row[0] for row in connection.execute("select url from sample").fetchall()]


def draw_more(run: Path, choice: SampleChoice, drawn: int, memory: int) -> list[str]:
    """Return the URLs by which a sample of ``drawn`` URLs grows.

    There is none if the share is known, or AUDIT_MAX_URLS is reached. The verdicts are those of the
    first responses. Soft 404s and what a browser changes are known when the tables are built: the
    interval is valid then as well.
    """
    assert choice.margin is not None
    with open_ledger(run, memory, "sample") as connection:
        _create_candidates(connection, choice.seed)
        size = choice.limited(_next_size(connection, choice.margin, drawn) or 0)
        if size <= drawn:
            return []
        sizes = {"first": 0, "start": drawn, "stop": size}
        urls = connection.execute(f"select url from ({GROWN_SAMPLE}) order by rank", sizes)
        return [row[0] for row in urls.fetchall()]


def _next_size(connection: duckdb.DuckDBPyConnection, margin: Margin, drawn: int) -> int | None:
    """Return the next size of a growing sample without a limit; None if the share is known."""
    population = _number(connection, _POPULATION)
    first = Tally(*_row(connection, _TALLY, drawn=min(drawn, prior_size(margin.part))))
    sample = Tally(*_row(connection, _TALLY, drawn=drawn))
    return next_size(population, first, sample, margin.part)


def listed_urls(run: Path, memory: int) -> Iterator[list[str]]:
    """Yield all URLs that the ledger of a run lists, in batches."""
    with open_ledger(run, memory, "sample") as connection:
        found = connection.execute(_LISTED)
        while rows := found.fetchmany(BATCH):
            yield [row[0] for row in rows]


@contextmanager
def open_ledger(run: Path, memory: int, purpose: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open the entries and the pages in the ledger of a run, while it may be written.

    ``memory`` is in megabytes. Each purpose has its own folder for data that exceeds it: a
    thread can still draw a sample of a run that was stopped, while its tables are built.
    """
    scratch = run / SCRATCH / purpose
    try:
        with connect(scratch, memory) as connection:
            for table in ("entries", "pages"):
                create_ledger_view(connection, [run], table, scratch)
            connection.execute("create view entries as from entries_log")
            yield connection
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _create_candidates(connection: duckdb.DuckDBPyConnection, seed: int) -> None:
    connection.execute(f"create table candidates as {CANDIDATES}", {"seed": str(seed)})


def _sizes(connection: duckdb.DuckDBPyConnection, choice: SampleChoice) -> dict[str, int]:
    """Return the parameters of the query for a sample."""
    allocation = read_allocation(connection, choice)
    if choice.margin:
        return {"first": prior_size(choice.margin.part), "start": 0, "stop": allocation.uniform}
    sizes = {"uniform": allocation.uniform, "minimum": allocation.minimum}
    return sizes | {"size": choice.limited(choice.size or 0)}


def _number(connection: duckdb.DuckDBPyConnection, query: str) -> int:
    return int(_row(connection, query)[0])


def _row(connection: duckdb.DuckDBPyConnection, query: str, **parameters: int) -> tuple[Any, ...]:
    return connection.execute(query, parameters).fetchall()[0]

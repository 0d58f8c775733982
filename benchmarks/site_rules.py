"""Time and memory of the rules that ask the tables, on a site of a million listed URLs.

``PYTHONPATH=. python benchmarks/site_rules.py 1000000 3``

The ledger of a crawl is made up once. In each of three rounds a process of its own builds
the tables from it, as every audit does, and clocks the rules; the best round of each counts.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, process_time

import duckdb
from measuring import measure

from sitemapaudit.audit import Audit
from sitemapaudit.config import AuditSettings
from sitemapaudit.datasets.ledger import Ledger, ledger_file
from sitemapaudit.datasets.manifest import Manifest, Status
from sitemapaudit.datasets.tables import Build, build_tables
from sitemapaudit.rules.rule import Query

SECONDS, MEGABYTES = 10, 1000
"""The goal for a million listed URLs: all rules together, and the process that runs them."""

SITE = "https://www.example.com"
INDEX = f"{SITE}/sitemap.xml"

# Of a thousand URLs each one is listed with http, with a final slash, and in capitals too.
MACROS = f"""
    create macro word(number) as ['garden', 'chair', 'blue', 'metal', 'outdoor', 'small', 'oak',
        'lamp', 'kitchen', 'folding', 'table', 'set'][1 + (hash(number) % 12)::int];
    create macro path(number) as '/' || word(number // 10000) || '/' || word(number // 100)
        || '-' || word(number) || '-' || word(-number) || '-' || number;
    create macro address(number) as case number % 1000
        when 1 then replace('{SITE}', 'https:', 'http:') || path(number - 1)
        when 3 then '{SITE}' || path(number - 1) || '/'
        when 5 then '{SITE}' || upper(path(number - 1))
        else '{SITE}' || path(number) end;
    create macro file_name(file) as '{SITE}/products-' || file || '.xml.gz';
    create macro moment(number) as strftime(
        timestamp '2026-11-21 12:00:00' - to_seconds((hash(number) % 60000000)::bigint),
        '%Y-%m-%dT%H:%M:%SZ'
    );
    -- Groups of three pages; in one of fifty the first forgets the last.
    create macro alternates(number, source) as list_transform(
        if(number % 1500 = 1, [1, 2], [1, 2, 3]),
        lambda place: {{
            'source': source, 'rel': 'alternate', 'hreflang': ['en', 'de', 'x-default'][place],
            'href': address(number - number % 30 + place),
            'url': address(number - number % 30 + place)
        }}
    );
"""

ROBOTS = f"""
    select '{SITE}' as site, '{SITE}/robots.txt' as url, 200 as status, 'rules' as permission,
        [{{'line': 1, 'value': '{INDEX}', 'url': '{INDEX}'}}] as sitemaps
"""

SITEMAPS = f"""
    select '{INDEX}' as sitemap, null as parent, 'robots' as source, 0 as depth, 200 as status,
        'sitemapindex' as kind, true as complete, moment(0) as fetched_at
    union all
    select file_name(file), '{INDEX}', 'index', 1, 200, 'urlset', true, moment(0)
    from range(($urls - 1) // 50000 + 2) as files(file)
"""

# One file gives all its URLs the same date; the last repeats URLs of the others, with other dates.
ENTRIES = f"""
    select '{INDEX}' as sitemap, file + 1 as position, 'sitemapindex' as kind,
        file_name(file) as loc, loc as url, null as lastmod, null as lastmod_at,
        null as priority, [] as alternates
    from range(($urls - 1) // 50000 + 2) as files(file)
    union all
    select file_name(file), number % 50000 + 1, 'urlset', address(shown), address(shown),
        if(file = 3, '2026-11-21', moment(shown + number // $urls)) as written,
        if(file = 3, '2026-11-21T00:00:00Z', written),
        '0.' || hash(number) % 9,
        if(shown % 30 in (1, 2, 3), alternates(shown, 'sitemap'), [])
    from (
        select number, number // 50000 as file,
            if(number < $urls, number, (hash(number) % $urls)::bigint) as shown
        from range($urls + $urls // 100) as numbers(number)
    )
"""

# Of a hundred pages two redirect, one is gone, one is noindex, and two name another canonical;
# five have the text of their neighbour, and five nearly so; one has alternates of its own.
PAGES = """
    select address(number) as url, 'listed' as role, true as allowed,
        case when fate < 2 then 'redirected' when fate = 2 then 'not-found'
            when fate = 3 then 'noindex' when fate < 6 then 'canonicalized'
            else 'indexable' end as verdict,
        case when fate < 2 then 301 when fate = 2 then 404 else 200 end as status,
        if(fate < 2, address(number + 7), null) as target,
        'text/html' as content_type, 40000 + hash(number) % 60000 as bytes, 0.1 as elapsed,
        moment(0) as fetched_at, moment(0) as date,
        if(number % 2 = 0, moment(number + (number % 20 = 0)::int), null) as last_modified,
        if(fate = 3, ['noindex'], []) as directives, fate = 3 as noindex,
        case when fate < 3 then null when fate = 4 then address(number + 11)
            when fate = 5 then address(number) || '?all' else address(number) end as canonical,
        if(fate < 3, null, 'tag') as canonical_source,
        if(fate < 3, [], [{'source': 'tag', 'href': canonical, 'url': canonical}]) as canonicals,
        if(fate < 3, null, 'All about ' || path(number)) as title,
        if(fate < 3, null, repeat('All about a ' || word(number) || '. ', 8)) as description,
        if(fate < 3, null, path(number)) as h1, 'en' as lang,
        if(fate < 3, null, 40 + hash(number) % 2000) as words,
        if(fate < 3, null, md5((number - (text < 5)::int)::varchar)) as content_hash,
        case when fate < 3 then null
            when text < 5 then sha256((number - 1)::varchar)
            when text < 10 then overlay(
                sha256((number - 1)::varchar) placing '7e' from 1 + (hash(number) % 60)::int
            )
            else sha256(number::varchar) end as fingerprint,
        if(number % 300 in (1, 2, 3), alternates(number, 'tag'), []) as alternates
    from (
        select number, hash(number, 'fate') % 100 as fate, hash(number, 'text') % 100 as text
        from range($urls) as numbers(number)
    )
"""

TABLES = {"robots": ROBOTS, "sitemaps": SITEMAPS, "entries": ENTRIES, "pages": PAGES}


def make_up(run: Path, urls: int) -> None:
    """Write the ledger of a crawl of so many listed URLs."""
    Ledger(run).close()
    with duckdb.connect() as connection:
        connection.execute(MACROS)
        for table, query in TABLES.items():
            rows = query.replace("$urls", str(urls))
            connection.execute(f"copy ({rows}) to '{ledger_file(run, table)}' (format json)")


class Clocked(list[type[Query]]):
    """Rules, and the seconds until the next is asked for: by the clock, and of the processors."""

    def __iter__(self) -> Iterator[type[Query]]:
        self.seconds: dict[str, tuple[float, float]] = {}
        for rule in super().__iter__():
            begun, worked = perf_counter(), process_time()
            yield rule
            self.seconds[rule.id] = perf_counter() - begun, process_time() - worked


def build(run: Path) -> None:
    """Build the tables of a run; print the seconds of each rule, and its findings."""
    audit = Audit()
    rules = audit.queries = Clocked(audit.queries)
    manifest = Manifest({"site": SITE, "pages": "all"}, {}, {}, "", Status.FINISHED)
    build_tables(Build([run], run, AuditSettings.of({}).memory), manifest, audit)
    assert not manifest.broken_rules, manifest.broken_rules
    print(json.dumps([rules.seconds, manifest.rules]))


def main(urls: int = 1_000_000, rounds: int = 3) -> None:
    """Print the time and the findings of each rule, and the sum and the peak beside the goal."""
    with tempfile.TemporaryDirectory() as folder:
        make_up(Path(folder), urls)
        runs = [measure([sys.executable, __file__, folder]) for _ in range(rounds)]
    results = [json.loads(run.output) for run in runs]
    findings = results[0][1]
    best = {
        rule: [min(times) for times in zip(*(seconds[rule] for seconds, _ in results), strict=True)]
        for rule in results[0][0]
    }
    print(f"{f'{urls:,} listed URLs':<40}{'wall s':>9}{'CPU s':>9}{'findings':>10}")
    for rule, (wall, worked) in sorted(best.items(), key=lambda pair: -pair[1][0]):
        print(f"{rule:<40}{wall:>9.2f}{worked:>9.2f}{findings.get(rule, 0):>10,}")
    wall, worked = (sum(times) for times in zip(*best.values(), strict=True))
    print(f"{'all rules':<40}{wall:>9.2f}{worked:>9.2f}   (goal: {SECONDS} s)")
    print(f"{'peak MB':<40}{max(run.megabytes for run in runs):>9.0f}   (goal: {MEGABYTES} MB)")
    print(f"{'all tables':<40}{min(run.seconds for run in runs):>9.1f}")


if __name__ == "__main__":
    words = sys.argv[1:]
    if words and not words[0].isdecimal():
        build(Path(words[0]))
    else:
        main(*map(int, words))

"""Measures time and memory of the rules that query the tables, with a million listed URLs.

``PYTHONPATH=. python benchmarks/site_rules.py 1000000 3``

The ledger of a crawl is generated once. In each of three rounds, a new process builds the tables
from it, as every audit does, and measures each rule. The best round of each rule counts.
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
from sitemapaudit.datasets.tables import TableBuild, build_tables
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.runs.ledger.ledger import Ledger, ledger_file
from sitemapaudit.runs.manifest import Manifest, Status

SECONDS, MEGABYTES = 10, 1000
"""The goals for a million listed URLs: time of all rules together, and peak memory."""

SITE = "https://www.example.com"
INDEX = f"{SITE}/sitemap.xml"

# In a thousand URLs, one is also listed with http, one with a final slash, and one in capitals.
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
    -- Groups of three pages; in every fiftieth, the first page omits the last.
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

# One file has the same date for all URLs; the last repeats URLs of others, with other dates.
ENTRIES = f"""
    select '{INDEX}' as sitemap, file + 1 as position, 'sitemapindex' as kind,
        file_name(file) as loc, loc as url, null as lastmod, null as lastmod_at,
        null as priority, [] as alternates
    from range(($urls - 1) // 50000 + 2) as files(file)
    union all
    select file_name(file), number % 50000 + 1, 'urlset', address(listed), address(listed),
        if(file = 3, '2026-11-21', moment(listed + number // $urls)) as written,
        if(file = 3, '2026-11-21T00:00:00Z', written),
        '0.' || hash(number) % 9,
        if(listed % 30 in (1, 2, 3), alternates(listed, 'sitemap'), [])
    from (
        select number, number // 50000 as file,
            if(number < $urls, number, (hash(number) % $urls)::bigint) as listed
        from range($urls + $urls // 100) as numbers(number)
    )
"""

# Of a hundred pages, two redirect, one is missing, one is noindex, and two have another canonical.
# Five have the same text as their neighbor, five a similar text, and one has alternates in HTML.
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


def generate_ledger(run: Path, urls: int) -> None:
    """Write the ledger of a crawl with this number of listed URLs."""
    Ledger(run).close()
    with duckdb.connect() as connection:
        connection.execute(MACROS)
        for table, query in TABLES.items():
            rows = query.replace("$urls", str(urls))
            if table == "entries":  # Its lines have shorter keys.
                rows = f"select * rename (sitemap as file, position as n) from ({rows})"
            connection.execute(f"copy ({rows}) to '{ledger_file(run, table)}' (format json)")


class TimedRules(list[type[QueryRule]]):
    """Rules that record the wall and CPU seconds until the next rule is requested."""

    def __iter__(self) -> Iterator[type[QueryRule]]:
        self.seconds: dict[str, tuple[float, float]] = {}
        for rule in super().__iter__():
            wall, cpu = perf_counter(), process_time()
            yield rule
            self.seconds[rule.id] = perf_counter() - wall, process_time() - cpu


def build(run: Path) -> None:
    """Build the tables of a run; print the seconds and findings of each rule."""
    audit = Audit()
    rules = audit.queries = TimedRules(audit.queries)
    manifest = Manifest({"site": SITE, "pages": "all"}, {}, {}, "", Status.FINISHED)
    build_tables(TableBuild([run], run, AuditSettings.from_scrapy({}).memory), manifest, audit)
    assert not manifest.broken_rules, manifest.broken_rules
    print(json.dumps([rules.seconds, manifest.rules]))


def main(urls: int = 1_000_000, rounds: int = 3) -> None:
    """Print the time and findings of each rule, and the totals next to the goals."""
    with tempfile.TemporaryDirectory() as folder:
        generate_ledger(Path(folder), urls)
        runs = [measure([sys.executable, __file__, folder]) for _ in range(rounds)]
    results = [json.loads(run.output) for run in runs]
    findings = results[0][1]
    best = {
        rule: [min(times) for times in zip(*(seconds[rule] for seconds, _ in results), strict=True)]
        for rule in results[0][0]
    }
    print(f"{f'{urls:,} listed URLs':<40}{'wall s':>9}{'CPU s':>9}{'findings':>10}")
    for rule, (wall, cpu) in sorted(best.items(), key=lambda pair: -pair[1][0]):
        print(f"{rule:<40}{wall:>9.2f}{cpu:>9.2f}{findings.get(rule, 0):>10,}")
    wall, cpu = (sum(times) for times in zip(*best.values(), strict=True))
    print(f"{'all rules':<40}{wall:>9.2f}{cpu:>9.2f}   (goal: {SECONDS} s)")
    print(f"{'peak MB':<40}{max(run.megabytes for run in runs):>9.0f}   (goal: {MEGABYTES} MB)")
    print(f"{'tables and rules':<40}{min(run.seconds for run in runs):>9.1f}")


if __name__ == "__main__":
    words = sys.argv[1:]
    if words and not words[0].isdecimal():
        build(Path(words[0]))
    else:
        main(*map(int, words))

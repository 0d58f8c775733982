"""What the rules that ask the tables take on a large site: seconds each, and peak memory.

``python benchmarks/site_rules.py [URLS [ROUNDS]]``

The ledger of a crawl is made up once. Each round builds the tables from it in a process of
its own, as every audit does, and clocks the rules; of each rule its best round counts.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import duckdb
from measuring import measure

from sitemapaudit.audit import Audit
from sitemapaudit.config import AuditSettings
from sitemapaudit.datasets.ledger import Ledger, ledger_file
from sitemapaudit.datasets.manifest import Manifest, Status
from sitemapaudit.datasets.tables import Build, build_tables
from sitemapaudit.rules.rule import Query

SECONDS, MEGABYTES = 10, 1_000
"""The goal, for a million listed URLs: all the rules together, and all that their process holds."""

SITE = "https://www.example.com"

WORDS = f"""
    create macro word(number) as ['garden', 'chair', 'blue', 'metal', 'outdoor', 'small', 'oak',
        'lamp', 'kitchen', 'folding', 'table', 'set'][1 + (hash(number) % 12)::int];
    create macro path(number) as '/' || word(number // 10000) || '/' || word(number // 100) || '-'
        || word(number) || '-' || word(-number) || '-' || number;
    create macro address(number) as case number % 1000
        when 1 then replace('{SITE}', 'https:', 'http:') || path(number - 1)
        when 3 then '{SITE}' || path(number - 1) || '/'
        when 5 then '{SITE}' || upper(path(number - 1))
        else '{SITE}' || path(number) end;
    create macro sitemap(file) as '{SITE}/sitemaps/products-' || file || '.xml.gz';
    create macro moment(number) as
        timestamptz '2026-11-21 12:00:00+00' - to_seconds((hash(number) % 60000000)::bigint);
    create macro stamp(instant) as strftime(instant, '%Y-%m-%dT%H:%M:%SZ');
    create macro alternates(number, source) as
        list_transform(
            -- Of one group in fifty, one forgets another.
            if(number % 1500 = 1, [1, 2], [1, 2, 3]),
            lambda place: {{
                'source': source, 'rel': 'alternate', 'hreflang': ['en', 'de', 'fr'][place],
                'href': address(number - number % 30 + place),
                'url': address(number - number % 30 + place)
            }}
        );
"""
"""One URL in a thousand each is listed under http, with a final slash, in other letter case."""

FILES = {
    "robots": f"""
        select '{SITE}' as site, '{SITE}/robots.txt' as url, 200 as status, 'rules' as permission,
            [{{'line': 1, 'value': '{SITE}/index.xml', 'url': '{SITE}/index.xml'}}] as sitemaps
    """,
    "sitemaps": f"""
        select if(file < 0, '{SITE}/index.xml', sitemap(file)) as sitemap,
            if(file < 0, null, '{SITE}/index.xml') as parent,
            if(file < 0, 'robots', 'index') as source, if(file < 0, 0, 1) as depth, 200 as status,
            if(file < 0, 'sitemapindex', 'urlset') as kind, 'xml' as form, true as complete,
            stamp(moment(0)) as fetched_at
        from range(-1, ($urls - 1) // 50000 + 2) as files(file)
    """,
    # One file has the date of its build throughout; the last repeats some URLs, with other dates.
    "entries": f"""
        select '{SITE}/index.xml' as sitemap, file + 1 as position, 'sitemapindex' as kind,
            sitemap(file) as loc, loc as url, null as lastmod, null as lastmod_at,
            null as changefreq, null as priority, [] as alternates, 3 * file as line
        from range(($urls - 1) // 50000 + 2) as files(file)
        union all
        select sitemap(file) as sitemap, number % 50000 + 1 as position,
            'urlset' as kind, address(shown) as loc, address(shown) as url,
            if(file = 3, '2026-11-21', stamp(moment(shown + number // $urls))) as lastmod,
            if(file = 3, '2026-11-21T00:00:00Z', lastmod) as lastmod_at,
            'weekly' as changefreq, '0.' || hash(number) % 9 as priority,
            if(shown % 30 in (1, 2, 3), alternates(shown, 'sitemap'), []) as alternates,
            3 * (number % 50000) as line
        from (
            select number, number // 50000 as file,
                if(number < $urls, number, (hash(number) % $urls)::bigint) as shown
            from range($urls + $urls // 100) as numbers(number)
        )
    """,
    # In a hundred: two redirect, one is gone, one noindex, two name another as canonical;
    # of the rest five have the text of their neighbour, and five nearly so.
    "pages": """
        select address(number) as url, 'listed' as role, true as allowed,
            case kind when 0 then 'redirected' when 1 then 'redirected' when 2 then 'not-found'
                when 3 then 'noindex' when 4 then 'canonicalized' when 5 then 'canonicalized'
                else 'indexable' end as verdict,
            case kind when 0 then 301 when 1 then 302 when 2 then 404 else 200 end as status,
            if(kind in (0, 1), address(number + 7), null) as target,
            'text/html' as content_type, 40000 + hash(number) % 60000 as bytes, 0.1 as elapsed,
            stamp(moment(0)) as fetched_at, stamp(moment(0)) as date,
            if(number % 2 = 0, stamp(moment(number + number // 40 % 2)), null) as last_modified,
            if(kind = 3, ['noindex'], []) as directives, kind = 3 as noindex,
            case when kind < 3 then null when kind = 4 then address(number + 11)
                when kind = 5 then address(number) || '?all'
                else address(number) end as canonical,
            if(kind < 3, null, 'tag') as canonical_source,
            if(kind < 3, [], [{'source': 'tag', 'href': canonical, 'url': canonical}])
                as canonicals,
            if(kind < 3, null, 'A page about a ' || path(number)) as title,
            if(kind < 3, null, repeat('All about a ' || word(number) || '. ', 8)) as description,
            if(kind < 3, null, path(number)) as h1, 'en' as lang,
            if(kind < 3, null, 40 + hash(number) % 2000) as words,
            if(kind < 3, null, md5((number - (text < 5)::int)::varchar)) as content_hash,
            case when kind < 3 then null
                when text < 5 then sha256((number - 1)::varchar)
                when text < 10 then overlay(
                    sha256((number - 1)::varchar) placing '7e' from 1 + (hash(number) % 60)::int
                )
                else sha256(number::varchar) end as fingerprint,
            if(number % 300 in (1, 2, 3), alternates(number, 'tag'), []) as alternates
        from (
            select number, hash(number, 'kind') % 100 as kind, hash(number, 'text') % 100 as text
            from range($urls) as numbers(number)
        )
    """,
}


def make_up(run: Path, urls: int) -> None:
    """Write the ledger of a crawl of so many listed URLs."""
    Ledger(run).close()
    with duckdb.connect() as connection:
        connection.execute(WORDS)
        for table, query in FILES.items():
            target = ledger_file(run, table)
            rows = query.replace("$urls", str(urls))
            connection.execute(f"copy ({rows}) to '{target}' (format json)")


class Clocked(list[type[Query]]):
    """Rules, and the seconds from when each is handed out until the next is asked for."""

    def __iter__(self) -> Iterator[type[Query]]:
        self.seconds: dict[str, float] = {}
        for rule in super().__iter__():
            begun = perf_counter()
            yield rule
            self.seconds[rule.id] = perf_counter() - begun


def clock(run: Path) -> None:
    """Build the tables of a run; print the seconds of each rule, its findings, the peak memory."""
    audit = Audit()
    rules = audit.queries = Clocked(audit.queries)
    manifest = Manifest({"site": SITE, "pages": "all"}, {}, {}, "", Status.FINISHED)
    build_tables(Build([run], run, AuditSettings.of({}).memory), manifest, audit)
    assert not manifest.broken_rules, manifest.broken_rules
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    print(json.dumps([rules.seconds, manifest.rules, peak]))


def main(urls: int, rounds: int) -> None:
    """Print the seconds of each rule and of all, and the peak memory, beside the goal."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder)
        make_up(run, urls)
        done = [measure([sys.executable, __file__, folder]).output for _ in range(rounds)]
    results = [json.loads(output) for output in done]
    findings = results[0][1]
    best = {rule: min(seconds[rule] for seconds, _, _ in results) for rule in results[0][0]}
    print(f"{urls:,} listed URLs, {rounds} rounds\n{'rule':<40}{'seconds':>9}{'findings':>10}")
    for rule, seconds in sorted(best.items(), key=lambda pair: -pair[1]):
        print(f"{rule:<40}{seconds:>9.2f}{findings.get(rule, 0):>10,}")
    peak = max(peak for _, _, peak in results)
    print(f"{'all':<40}{sum(best.values()):>9.2f} of {SECONDS} s")
    print(f"{'peak memory':<40}{peak:>9.0f} of {MEGABYTES} MB")


if __name__ == "__main__":
    words = sys.argv[1:]
    if words and not words[0].isdigit():
        clock(Path(words[0]))
    else:
        main(*(int(word) for word in [*words, "1000000", "3"][len(words) and 0 :][:2]))

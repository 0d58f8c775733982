"""The causes that many findings of a run share, each in a sentence, with the fix."""

import re
from collections.abc import Iterator
from typing import Final

import duckdb

from sitemapaudit.datasets.common_differences import MIN_URLS, Found, find_differences
from sitemapaudit.generators.recognition import advise
from sitemapaudit.numbers import count_noun
from sitemapaudit.runs.likely_cause import Fix, LikelyCause
from sitemapaudit.runs.manifest import Manifest

_OTHER_HOST: Final = "built-for-other-host"
_LEAKED: Final = "staging-origin-leaked"
_NOT_ABSOLUTE: Final = "loc-not-absolute"
_NOT_LISTED: Final = "built-not-listed"
_UNREAD: Final = ("built-sitemap-undeclared", "sitemap-http-error", "sitemap-not-found")
"""Rules about sitemaps that may list the pages of a build."""

_MAX_FOLDERS: Final = 3

_ORIGINS: Final = f"""
    select json_extract_string(evidence, '$.origin'), json_extract_string(evidence, '$.places')
    from findings where rule = '{_OTHER_HOST}' order by 1 limit {_MAX_FOLDERS}
"""
_LEAKS: Final = f"""
    select count(*), count(distinct what), min(origin_of(address))
    from (
        select json_extract_string(evidence, '$.what') as what,
            json_extract_string(evidence, '$.address') as address
        from findings where rule = '{_LEAKED}'
    )
"""
_PATHS: Final = f"""
    select count(*), min(json_extract_string(evidence, '$.loc')), (select count(*) from entries)
    from findings
    where rule = '{_NOT_ABSOLUTE}' and json_extract_string(evidence, '$.loc') like '/%'
"""
_FOLDERS: Final = f"""
    select regexp_extract(url, '^https?://[^/]*(' || $path || '/(?:[^/]+/)?)', 1) as folder,
        count(*)
    from findings where rule = '{_NOT_LISTED}' group by folder order by 2 desc, 1
"""


def find_likely_causes(
    connection: duckdb.DuckDBPyConnection, manifest: Manifest
) -> Iterator[LikelyCause]:
    """Yield the likely causes, from the tables of a run, its findings and its verdicts."""
    for found in (
        *_name_hosts(connection, manifest),
        *find_differences(connection, manifest),
        *_name_folders(connection, manifest),
    ):
        advice = advise(
            manifest.generators,
            found.rules if found.advised is None else found.advised,
            any_indexable=manifest.any_indexable,
            unlike=found.unlike,
        )
        fixes = [Fix(each.generator, each.how, each.source) for each in advice]
        yield LikelyCause(found.sentence, [*found.rules], found.urls, fixes)


def _name_hosts(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> Iterator[Found]:
    """Yield the hosts that the site must not name, and addresses without a host."""
    if number := manifest.rules.get(_OTHER_HOST):
        for origin, places in connection.execute(_ORIGINS).fetchall():
            site = " and ".join(manifest.build_hosts)
            sentence = f"The build was made for {origin}, not for {site}: it names it in {places}."
            yield Found(sentence, (_OTHER_HOST,), number)
    if manifest.rules.get(_LEAKED, 0) >= MIN_URLS:
        for number, kinds, origin in connection.execute(_LEAKS).fetchall():
            where = f"in {count_noun(number, 'place')} of {count_noun(kinds, 'kind')}"
            sentence = f"Staging names its own address, {origin}, {where}."
            fix = "Deploy the site with its own address, or audit with --staging-names-itself."
            yield Found(f"{sentence} {fix}", (_LEAKED,), number)
    if manifest.rules.get(_NOT_ABSOLUTE, 0) >= MIN_URLS:
        for number, loc, entries in connection.execute(_PATHS).fetchall():
            if number >= MIN_URLS:
                some = "All" if number == entries else f"{number:,} of"
                sentence = f"{some} {entries:,} locs are paths, such as {loc}"
                what = "the address of the site is probably not set"
                yield Found(f"{sentence}: {what}.", (_NOT_ABSOLUTE,), number)


def _name_folders(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> Iterator[Found]:
    """Yield the folders of a build whose pages no sitemap lists."""
    number = manifest.rules.get(_NOT_LISTED, 0)
    if number < MIN_URLS:
        return
    path = re.escape(manifest.build_path)
    rows = connection.execute(_FOLDERS, {"path": path}).fetchall()
    named = [f"{count:,} below {folder}" for folder, count in rows[:_MAX_FOLDERS] if count > 1]
    rest = number - sum(count for _, count in rows[: len(named)])
    if named:
        others = [f"{rest:,} elsewhere"] if rest else []
        unread = any(map(manifest.rules.get, _UNREAD))
        kind = "declared sitemap that could be read" if unread else "sitemap"
        sentence = f"{number:,} pages of the build are in no {kind}: {', '.join(named + others)}."
        # What the sitemaps list is not the reason then.
        yield Found(sentence, (_NOT_LISTED,), number, advised=() if unread else None)

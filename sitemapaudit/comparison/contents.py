"""The main texts of two runs, same or different, as SQL over both."""

from typing import Final

import duckdb

from sitemapaudit import verdicts
from sitemapaudit.items import Role, Verdict
from sitemapaudit.pages.fingerprint import BITS
from sitemapaudit.pages.main_text import LITTLE_TEXT_WORDS

_CONTENTS: Final = f"""
    create table {{run}}_contents as
    select url, content_hash as hash, fingerprint, words,
        if(rendered_error is null, rendered_content_hash, null) as rendered_hash,
        rendered_fingerprint, rendered_words,
        coalesce(scripts > 0 and words < {LITTLE_TEXT_WORDS}, false) as little_text
    from {{run}}.pages
    where status = 200 and content_hash is not null and error is null and challenge is null
        and not truncated and role <> '{Role.PROBE}'
"""
"""The pages with a known main text: they returned 200 and were read completely."""

_UNREAD: Final = f"""
    create table {{run}}_unread as
    with read as (
        select sitemap from {{run}}.sitemaps
        where {verdicts.IS_READ_WHOLE} or status in ({verdicts.GONE_STATUSES})
    )
    select sitemap from {{run}}.sitemaps anti join read using (sitemap)
    union all
    select sitemap from {{other}}.sitemaps anti join {{run}}.sitemaps using (sitemap)
    where (select stopped from {{run}}.run)
        or exists(select 1 from {{run}}.sitemaps anti join read using (sitemap))
"""
"""The sitemaps whose entries a run does not all know.

Where a run did not read everything, an unread file can list a sitemap that it lacks.
"""

_UNLISTED: Final = """
    create table {run}_unlisted as
    with absent as (
        select url, sitemaps from {other}.urls anti join {run}.urls using (url)
    )
    select url from absent
    where url not in (
        select url from (select url, unnest(sitemaps) as sitemap from absent)
            semi join {run}_unread using (sitemap)
    )
"""
"""The URLs of the other run that this one certainly does not list, because it read every sitemap
that could list them.
"""

_UNSURE: Final = """
    create table {run}_unsure as
    select url from {other}.urls
        anti join {run}.urls using (url) anti join {run}_unlisted using (url)
"""
"""The other URLs that this run lacks: it does not know whether a sitemap lists them."""

_MOVED: Final = f"""
    create table moved as
    with before as (select text, min(url) as url from old_texts group by text having count(*) = 1),
    after as (select text, min(url) as url from new_texts group by text having count(*) = 1),
    gone_urls as (
        select url, verdict from new.pages
        where verdict in ('{Verdict.REDIRECTED}', '{Verdict.NOT_FOUND}')
    )
    select after.url, before.url as previous_url
    from before join after using (text)
    where after.url in (from old_unlisted) and before.url in (select url from old.urls)
        and if(
            before.url in (select url from new.pages),
            before.url in (select url from gone_urls),
            before.url in (from new_unlisted)
        )
"""
"""The newly listed URLs with the main text of a URL of the earlier run that is gone."""

_TEXTS: Final = f"""
    create view {{run}}_texts as
    select url, if(words >= {LITTLE_TEXT_WORDS}, hash, 'rendered ' || rendered_hash) as text
    from {{run}}_contents
    where words >= {LITTLE_TEXT_WORDS}
        or (rendered_hash is not null and rendered_words >= {LITTLE_TEXT_WORDS})
"""
"""Texts that are too long to match by coincidence."""

_DIFFERING_CONTENTS: Final = f"""
    create table differing_contents as
    with texts as (
        select url, before.rendered_hash is not null and after.rendered_hash is not null as browser,
            if(browser, before.rendered_hash, before.hash) as old_hash,
            if(browser, after.rendered_hash, after.hash) as new_hash,
            if(browser, before.rendered_fingerprint, before.fingerprint) as old_bits,
            if(browser, after.rendered_fingerprint, after.fingerprint) as new_bits
        from old_contents as before join new_contents as after using (url)
        where browser or not (before.little_text or after.little_text)
    )
    select url, coalesce(greatest(
            1 - 2 * bit_count(xor(unhex(old_bits)::bit, unhex(new_bits)::bit)) / {BITS}, 0
        ), 0) as similarity
    from texts
    where old_hash <> new_hash
"""
"""The URLs with different main texts, and the share of three-word sequences in common.

A text too short for a fingerprint counts as having nothing in common with another.
"""


def create_moved(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the tables of both runs: contents, unread, unlisted, unsure; and ``moved``."""
    for run, other in (("old", "new"), ("new", "old")):
        connection.execute(_CONTENTS.format(run=run))
        connection.execute(_TEXTS.format(run=run))
        connection.execute(_UNREAD.format(run=run, other=other))
        connection.execute(_UNLISTED.format(run=run, other=other))
        connection.execute(_UNSURE.format(run=run, other=other))
    connection.execute(_MOVED)


def create_differing_contents(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the table ``differing_contents``, after ``create_moved``."""
    connection.execute(_DIFFERING_CONTENTS)

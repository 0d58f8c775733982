"""The ``urls`` table: one row, and exactly one verdict, for every listed URL."""

from __future__ import annotations

from typing import Final

from sitemapaudit.answer import REDIRECTS
from sitemapaudit.items import LeftOut, Role, Verdict
from sitemapaudit.pages.fingerprint import BITS

MAX_HOPS: Final = 20
"""Redirects that are followed from one URL."""

ALIKE: Final = 0.95
"""Similarity to the answer for a random address from which on a page is a soft 404."""

_REDIRECTS: Final = ", ".join(map(str, sorted(REDIRECTS)))
_UNKNOWN: Final = ", ".join(f"'{verdict}'" for verdict in Verdict if verdict.indexable is None)

LISTED: Final = """
    create table listed as
    select url, list(sitemap order by sitemap) as sitemaps, sum(entries)::bigint as entries,
        max(lastmod) as lastmod,
        if(sum(entries) = sum(left_out_entries), min(left_out), null) as left_out
    from (
        select url, sitemap, count(*) as entries, max(lastmod_at) as lastmod,
            count(left_out) as left_out_entries, min(left_out) as left_out
        from entries
        where kind <> 'sitemapindex' and url is not null
        group by url, sitemap
    )
    group by url
"""
"""Every listed URL; it is left out only if each of its entries is."""

MARK_SAMPLE: Final = f"""
    update listed set left_out = '{LeftOut.SAMPLE}'
    where coalesce(left_out, '{LeftOut.SHARD}') = '{LeftOut.SHARD}' and url not in (from sample)
"""

CHAINS: Final = f"""
    create table chains as
    with recursive hop as (
        select pages.url as start, 1 as hops, [pages.url] as chain, target as final_url
        from pages semi join listed using (url)
        where status in ({_REDIRECTS}) and target is not null
        union all
        select start, hops + 1, chain || [pages.url], pages.target
        from hop join pages on pages.url = hop.final_url
        where pages.status in ({_REDIRECTS}) and pages.target is not null
            and not list_contains(hop.chain, hop.final_url) and hops < {MAX_HOPS}
    )
    select start as url, max(hops) as hops, arg_max(chain, hops) as chain,
        arg_max(final_url, hops) as final_url,
        bool_or(list_contains(chain, final_url)) as loop
    from hop
    group by start
"""
"""The redirects from each listed URL to the last address known, or to where they meet."""

SOFT_404S: Final = f"""
    create table soft_404s as
    with texts as (
        select url, role, status, judged(verdict, rendered_verdict) as verdict,
            if(rendered_verdict is null, content_hash, rendered_content_hash) as content_hash,
            if(rendered_verdict is null, fingerprint, rendered_fingerprint) as fingerprint
        from pages
    ), probes as (
        select origin_of(url) as origin, url as probe, content_hash, fingerprint
        from texts
        where role = '{Role.PROBE}' and status = 200 and content_hash is not null
    ), compared as (
        select url, probe, if(
            texts.content_hash = probes.content_hash, 1,
            1 - 2 * bit_count(xor(unhex(texts.fingerprint)::bit, unhex(probes.fingerprint)::bit))
                / {BITS}
        ) as similarity
        from texts join probes on probes.origin = origin_of(texts.url)
        where verdict = '{Verdict.INDEXABLE}' and role <> '{Role.PROBE}'
            and texts.content_hash is not null and url <> probes.origin || '/'
    )
    from compared
    where similarity >= {ALIKE}
    qualify row_number() over (partition by url order by similarity desc, probe) = 1
"""
"""Pages that are what their host answers for an address that cannot exist."""

JUDGED: Final = f"""
    create view judged as
    select listed.url,
        if(
            soft_404s.url is null,
            coalesce(judged(page.verdict, page.rendered_verdict), '{Verdict.UNCHECKED}'),
            '{Verdict.SOFT_404}'
        ) as verdict,
        listed.left_out, page.status, page.error,
        coalesce(chains.hops, 0) as hops,
        coalesce(chains.chain, [listed.url]) as chain,
        coalesce(chains.loop, false) as loop,
        coalesce(chains.final_url, listed.url) as final_url,
        final.status as final_status, final.error as final_error,
        page.noindex, page.canonical, listed.sitemaps, listed.entries, listed.lastmod
    from listed
    left join pages as page on page.url = listed.url
    left join soft_404s on soft_404s.url = listed.url
    left join chains on chains.url = listed.url
    left join pages as final on final.url = coalesce(chains.final_url, listed.url)
"""

URLS: Final = f"""
    create table urls as
    select *, if(verdict in ({_UNKNOWN}), null, verdict = '{Verdict.INDEXABLE}') as indexable
    from judged
"""
"""One row for each, and whether it can be indexed, as far as the verdict says (three-valued)."""

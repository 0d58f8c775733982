"""The difference between many listed URLs and the pages that they lead to, in a sentence."""

from collections.abc import Iterator
from typing import Final

import duckdb

from sitemapaudit.items import Role, Verdict
from sitemapaudit.numbers import count_noun
from sitemapaudit.runs.manifest import Manifest

MIN_URLS: Final = 5
MIN_SHARE: Final = 0.8
"""A difference is common if this number of URLs has it, and this share of those with a verdict."""

_DIFFERENCES: Final = {
    "target = url || '/'": "lack the slash at the end",
    "url = target || '/'": "have a slash at the end, which the address of the page lacks",
    "url in (target || '.html', target || '.htm')": "have an extension, which the address of the"
    " page lacks",
    "target in (url || '.html', url || '.htm')": "lack the extension .html",
    "url = target || 'index.html'": "end with index.html, which the address of the page lacks",
    "replace(url, 'http://', 'https://') = target": "begin with http:// instead of https://",
    "replace(url, '://www.', '://') = target": "have www., which the address of the page lacks",
    "replace(url, '://', '://www.') = target": "lack www. in the host",
    "lower(url) = lower(target)": "differ from the address of the page in capital letters",
}
"""The differences between a listed URL and its target, as SQL, and what they are."""

_LEADS: Final = {
    Verdict.REDIRECTED: ("final_url", "listed URLs that redirect"),
    Verdict.CANONICALIZED: ("canonical", "listed URLs with another canonical"),
}
"""The verdicts whose URLs have a target: its column, and the URLs in words."""

_ALIKE: Final = f"""
    with moved as (
        select verdict, url, case verdict
            {" ".join(f"when '{verdict}' then {column}" for verdict, (column, _) in _LEADS.items())}
        end as target
        from urls where verdict in ({", ".join(f"'{verdict}'" for verdict in _LEADS)})
    ), compared as (
        select verdict, url, case
            {" ".join(f"when {sql} then {n}" for n, sql in enumerate(_DIFFERENCES))}
        end as difference
        from moved
    )
    select verdict, difference, count(*) as number, sum(count(*)) over (partition by verdict),
        min(url)
    from compared group by verdict, difference
    qualify difference is not null and number >= {MIN_URLS}
        and number >= {MIN_SHARE} * sum(number) over (partition by verdict)
    order by number desc, verdict
"""

_WITHOUT_EXTENSION: Final = f"""
    select count(*), count(*) filter (url || '.html' in (
        select url from pages where role = '{Role.BUILT}' and status = 200
    )), min(url)
    from urls where verdict = '{Verdict.NOT_FOUND}'
"""
"""The URLs that are not found, and those of them that are files of the build with .html."""


def describe_differences(
    connection: duckdb.DuckDBPyConnection, manifest: Manifest
) -> Iterator[str]:
    """Yield a sentence for each common difference, from the tables of a run and its verdicts."""
    phrases = list(_DIFFERENCES.values())
    if any(manifest.verdicts.get(verdict, 0) >= MIN_URLS for verdict in _LEADS):
        for verdict, at, number, total, url in connection.execute(_ALIKE).fetchall():
            some = f"{number:,} of" if number < total else "All"
            what = f"{some} {int(total):,} {_LEADS[verdict][1]} only {phrases[at]}, such as {url}"
            yield f"{what}: one setting of the site or its generator is the likely cause."
    found = manifest.verdicts.get(Verdict.NOT_FOUND, 0)
    if manifest.arguments.get("folder") and found >= MIN_URLS:
        for total, number, url in connection.execute(_WITHOUT_EXTENSION).fetchall():
            if number >= max(MIN_URLS, MIN_SHARE * total):
                hosting = manifest.arguments.get("hosting", "plain")
                urls = count_noun(number, "listed URL")
                what = f"{urls} not found, such as {url}, would be a file with .html at the end"
                yield f"{what}: is it right that the hosting {hosting} serves this build?"

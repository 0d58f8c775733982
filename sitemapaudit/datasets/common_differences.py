"""The differences between many listed URLs and the pages that they lead to, each in a sentence."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import duckdb

from sitemapaudit.datasets.database import sql_string
from sitemapaudit.items import Role, Verdict
from sitemapaudit.numbers import count_noun
from sitemapaudit.runs.manifest import Manifest

MIN_URLS: Final = 5
MIN_SHARE: Final = 0.8
"""A difference is common if this number of URLs has it, and this share of those with a verdict."""

_REST: Final = "substr({0}, len(origin_of({0})) + 1)"
"""SQL: a URL without its scheme and host."""

_DIFFERENCES: Final = {
    "target = url || '/'": "lack the slash at the end",
    "url = target || '/'": "have a slash at the end, which the address of the page lacks",
    "url in (target || '.html', target || '.htm', target || 'index.html')": "end with the name of a"
    " file (.html), which the address of the page lacks",
    "target in (url || '.html', url || '.htm')": "lack the extension .html",
    "replace(url, 'http://', 'https://') = target": "begin with http:// instead of https://",
    "replace(url, '://www.', '://') = target": "have www., which the address of the page lacks",
    "replace(url, '://', '://www.') = target": "lack www. in the host",
    "lower(url) = lower(target)": "differ from the address of the page in capital letters",
    f"{_REST.format('url')} = {_REST.format('target')}": "have another host than the address of the"
    " page",
}
"""The differences between a listed URL and its target, as SQL, and what they are."""

_LEADS: Final = {
    Verdict.REDIRECTED: ("final_url", "listed URLs that redirect"),
    Verdict.CANONICALIZED: ("canonical", "listed URLs with another canonical"),
}
"""The verdicts whose URLs have a target: its column, and the URLs in words."""

_MOVED_RULES: Final = (
    *("page-redirect-permanent", "page-redirect-temporary", "page-redirect-chain"),
    *("canonical-elsewhere", "canonical-to-redirect", "canonical-offsite"),
)
_CANONICAL_RULES: Final = ("canonical-elsewhere", "canonical-to-redirect", "canonical-offsite")
_OTHER_HOST: Final = "built-for-other-host"
_MISSING_RULES: Final = (
    *("page-not-found", "page-redirect-permanent", "page-access-denied"),
    *_CANONICAL_RULES,
)

_ALIKE: Final = f"""
    with moved as (
        select verdict, url, case verdict
            {" ".join(f"when '{verdict}' then {column}" for verdict, (column, _) in _LEADS.items())}
        end as target
        from urls where verdict in ({", ".join(f"'{verdict}'" for verdict in _LEADS)})
            and coalesce(final_status, 200) < 400
    ), compared as (
        select verdict, url, case
            {" ".join(f"when {sql} then {n}" for n, sql in enumerate(_DIFFERENCES))}
        end as difference
        from moved where target <> url
    )
    select verdict, difference, count(*) as number, sum(count(*)) over (partition by verdict),
        min(url)
    from compared group by verdict, difference
    qualify difference is not null and number >= {MIN_URLS}
        and number >= {MIN_SHARE} * sum(number) over (partition by verdict)
    order by number desc, verdict
"""

_WITHOUT_FILE: Final = f"""
    select url, file from (
        select url, role, file from pages where status = 200 and file is not null
        qualify row_number() over (partition by file order by len(url), url) > 1
    )
    where role = '{Role.LISTED}'
    qualify count(*) over (partition by file) >= {MIN_URLS}
"""
"""The listed URLs for which a build has no file, and the page that its hosting gives them all."""

_ONE_CANONICAL: Final = f"""
    select canonical, count(*) as number, sum(count(*)) over () as total
    from urls
    where verdict = '{Verdict.CANONICALIZED}' and url not in (select url from ({_WITHOUT_FILE}))
    group by canonical
    qualify number >= {MIN_URLS} and number >= {MIN_SHARE} * total order by number desc limit 1
"""

_MISSING: Final = f"""
    with missing as (
        select url, origin_of(url) as origin, substr(url, len(origin_of(url)) + 1) as path
        from urls where verdict in ('{Verdict.NOT_FOUND}', '{Verdict.UNCHECKED}')
            or coalesce(final_status, 200) >= 400 or url in (select url from ({_WITHOUT_FILE}))
    ), built as (
        select url, file from pages
        where (file is not null or role = '{Role.BUILT}') and status = 200
            and url not in (select url from missing)
    ), files as (
        select url from built union
        select origin_of(url) || $mount || '/' || file from built where file is not null
    ), found as (
        select url, case
            when url || '.html' in (from files) then '.html'
            when origin || $mount || path in (from files) then 'mount'
            when origin || regexp_extract(path, '^/[^/]+(/.*)', 1) in (from files)
            then regexp_extract(path, '^/[^/]+/')
            when origin || regexp_extract(path, '^/[^/]+/[^/]+(/.*)', 1) in (from files)
            then regexp_extract(path, '^/[^/]+/[^/]+/')
        end as difference
        from missing
    )
    select difference, count(*) as number, sum(count(*)) over () as total, min(url)
    from found group by difference
    qualify difference is not null and number >= {MIN_URLS} and number >= {MIN_SHARE} * total
"""
"""The URLs that no file of the build serves, and the one change with which a file would."""


class Found(NamedTuple):
    """A cause: a sentence, the rules that find its effects, and the number of URLs.

    The setting that helps is one for the rules ``advised``, by default for the same ones, and none
    for the rule ``unlike``.
    """

    sentence: str
    rules: tuple[str, ...]
    urls: int
    advised: tuple[str, ...] | None = None
    unlike: str | None = None


def find_differences(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> Iterator[Found]:
    """Yield each common difference, from the tables of a run and its verdicts."""
    numbers = {verdict: manifest.verdicts.get(verdict, 0) for verdict in _LEADS}
    if any(number >= MIN_URLS for number in numbers.values()):
        differences = list(_DIFFERENCES.items())
        for verdict, at, number, total, url in connection.execute(_ALIKE).fetchall():
            some = f"{number:,} of" if number < total else "All"
            difference, phrase = differences[at]
            what = f"{some} {int(total):,} {_LEADS[verdict][1]} only {phrase}, such as {url}"
            rules = _MOVED_RULES if verdict == Verdict.REDIRECTED else _CANONICAL_RULES
            sentence = f"{what}: one setting of the site or its generator is the likely cause."
            is_of_host = "://" in difference or _REST.format("url") in difference
            advised = ("canonical-offsite", _OTHER_HOST) if is_of_host else None
            yield Found(sentence, rules, number, advised)
    if numbers[Verdict.CANONICALIZED] >= MIN_URLS:
        for canonical, number, total in connection.execute(_ONE_CANONICAL).fetchall():
            some = f"{number:,} of" if number < total else "All"
            urls = f"{some} {int(total):,} {_LEADS[Verdict.CANONICALIZED][1]}"
            sentence = f"{urls} have the same one, {canonical}: a template probably sets it."
            yield Found(sentence, _CANONICAL_RULES, number)
    missing = manifest.verdicts.get(Verdict.NOT_FOUND, 0) + manifest.unchecked_urls
    if manifest.build_hosts and missing + sum(numbers.values()) >= MIN_URLS:
        found = [*_find_missing(connection, manifest)]
        yield from found or _find_fallback(connection, manifest)


def _find_missing(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> Iterator[Found]:
    """Yield the difference between listed URLs and those of the files of a build."""
    query = _MISSING.replace("$mount", sql_string(manifest.build_path))
    hosting = _hosting(manifest)
    for difference, number, total, url in connection.execute(query).fetchall():
        some = f"{number:,} of" if number < total else "All"
        urls = f"{some} {int(total):,} listed URLs without a page"
        if difference == ".html":
            what = f"{count_noun(number, 'listed URL')} not found, such as {url}, would be a file"
            question = f"is it right that the hosting {hosting} serves this build?"
            sentence = f"{what} with .html at the end: {question}"
        elif difference == "mount":
            place = f"{manifest.build_path}/, the path at which the build is published"
            sentence = f"{urls} lack {place}, such as {url}."
        else:
            what = f"{urls} begin with {difference}, such as {url}"
            sentence = f"{what}: without it, each is a page of the build."
        if difference == ".html":
            yield Found(sentence, _MISSING_RULES, number)
        elif difference == "mount":
            yield Found(sentence, (_OTHER_HOST,), number)
        else:
            # A setting that is also for redirects is about the form of addresses.
            advised = ("page-not-found", _OTHER_HOST)
            yield Found(sentence, _MISSING_RULES, number, advised, unlike=_MOVED_RULES[0])


def _find_fallback(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> Iterator[Found]:
    """Yield that a hosting gives one page for all listed URLs without a file."""
    query = f"select file, count(*), min(url) from ({_WITHOUT_FILE}) group by file"
    for file, number, url in connection.execute(f"{query} order by 2 desc limit 1").fetchall():
        urls = f"{number:,} listed URLs, such as {url}, have no file in the build"
        sentence = f"{urls}: the hosting {_hosting(manifest)} gives them {file}."
        yield Found(sentence, _CANONICAL_RULES, number)


def _hosting(manifest: Manifest) -> str:
    return str(manifest.arguments.get("hosting", "plain"))

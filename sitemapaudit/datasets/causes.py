"""The causes of an incomplete audit, the most important first."""

import shlex
from collections.abc import Iterable, Iterator
from typing import Final

import duckdb
from msgspec.structs import replace

from sitemapaudit.datasets.database import sql_string
from sitemapaudit.datasets.exclusions import MAX_NAMED, exclusion_of
from sitemapaudit.datasets.obstacles import (
    ADD_FILE,
    ADD_STAGING,
    ALLOW,
    ALLOW_ADDRESS,
    ALLOW_BUILD,
    ALLOW_STAGING,
    MAX_CAUSES,
    Explained,
    Seen,
    describe_obstacles,
)
from sitemapaudit.datasets.site_sitemaps import SITE_SITEMAPS
from sitemapaudit.generators.recognition import advise
from sitemapaudit.items import Error, Kind, Role, Verdict
from sitemapaudit.numbers import count_noun
from sitemapaudit.runs.cause import Cause, CauseKind
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.sitemaps.format_detection import FileFormat
from sitemapaudit.urls.staging import Staging
from sitemapaudit.verdicts import IS_UNREAD

_SITEMAPS: Final = f"""
    select min(sitemap), count(*), status, error, error_detail, null,
        if(hops > 0, min(final_url), null),
        if(detected_format = '{FileFormat.EMPTY}' and gzip_error is null, detected_format, kind)
            as found,
        error_body
    from sitemaps
    where error is distinct from 'limit' and (entries = 0 or error is not null)
    group by status, error, error_detail, hops > 0, found, error_body
"""
_FAILED_SITEMAPS: Final = _SITEMAPS.replace("where ", f"where {IS_UNREAD} and ")
_ROBOTS: Final = """
    select url, 1, status, error, error_detail, null,
        if(hops > 0, final_url, null), null
    from robots where audited and status is distinct from 404 and status is distinct from 410
"""
_WELL_KNOWN: Final = r"""
    select min(tried), count(*), try_cast(outcome as int),
        if(try_cast(outcome as int) is null, outcome, null), null, null, null, null
    from (
        select unnest(well_known_tried) as tried, unnest(well_known_outcomes) as outcome
        from robots where audited
    )
    where outcome not in ('404', '410') and not regexp_full_match(outcome, '[23]\d\d')
    group by outcome
"""
_DISALLOWED: Final = """
    select url from robots where audited and len(well_known_tried) = 0 order by url
"""
"""A robots.txt that declares no sitemap and disallows all places where one could be."""

_EMPTY: Final = "select url from robots where audited order by url"

_NO_CHILDREN: Final = f"""
    select sitemap, count(*), min(loc)
    from entries where kind = '{Kind.SITEMAPINDEX}'
    group by sitemap having count(url) = 0 order by 2 desc, 1
"""
"""An index without a loc that is a usable URL."""

_PAGES: Final = f"""
    select min(url), count(*), status, error, error_detail, challenge, min(target), null
    from pages where role = '{Role.LISTED}'
    group by status, error, error_detail, challenge
"""
_FOREIGN: Final = f"""
    with places as (
        select regexp_extract(origin_of(url), '//(.*)', 1) as host, count(*) as number
        from urls where origin_of(url) not in (
            select origin_of(coalesce(final_url, sitemap)) from sitemaps
        )
        group by host
    ), others as (
        select count(*) as hosts, sum(number)::bigint as number, min(host) as host from places
    )
    select number, hosts, others.host, min(host_of(coalesce(final_url, sitemap)))
    from others, sitemaps
    where number = (select count(*) from urls) and sitemaps.entries > 0
        and sitemaps.kind not in ('{Kind.SITEMAPINDEX}', '{Kind.LIST}')
    group by all
"""
"""All listed URLs, if their hosts are not those of the sitemaps."""

_DOMAIN: Final = "regexp_extract(host_of({}), '[^.]+[.][^.]+[.]?$|^[^.]+$')"
"""SQL: the last two labels of the host of a URL, or its only label."""

_OTHER_SITE: Final = f"""
    select true
    where not exists (
        from urls where {_DOMAIN.format("url")} in (
            select {_DOMAIN.format("coalesce(final_url, sitemap)")} from sitemaps
        ) or origin_of(url) in (
            select site from robots, unnest(robots.sitemaps) as lines(declared)
            where declared.url in (select sitemap from sitemaps)
        )
    )
"""
"""A row if all listed URLs are of other sites, which do not declare the sitemaps."""

_PRIVATE_LINES: Final = f"""
    select robots.url, declared.line, declared.url, host_of(declared.url),
        if(well_known_found > 0, well_known_tried[-1], null)
    from robots, unnest(robots.sitemaps) as lines(declared)
    where declared.url in (select sitemap from sitemaps where error = '{Error.PRIVATE_ADDRESS}')
    order by all
"""
"""A Sitemap line whose host has a private address, and the sitemap in a usual place."""

_ADDRESS_OF_SITE: Final = (
    "write the address of the site into the sitemap: generators have a setting for it, such as"
    " baseURL, url or site"
)
_NOT_OF_BUILD: Final = """
    with named as (
        select url from urls union all
        select url from entries where kind = 'sitemapindex' and url is not null
    )
    select count(*), min(url)
    from named
    having count(*) > 0 and count(*) filter (
        list_contains($hosts, split_part(origin_of(url), '//', 2))
        and starts_with(url || '/', origin_of(url) || $path || '/')
    ) = 0
"""
"""All URLs that sitemaps name, if none of them is where the build is published."""

_UNCHECKED_ERRORS: Final = {
    Error.INTERNAL: "look for its traceback in the log, and report it",
    Error.NOT_IN_BUILD: "audit the live site too, or exclude such URLs{option}",
    Error.NOT_ON_STAGING: ADD_STAGING,
    Error.ADDRESS_REFUSED: ALLOW_ADDRESS,
    Error.IGNORED: "change this component, or exclude such URLs{option}",
}
"""The errors of unchecked URLs that no limit skipped, and what to do."""

_MAX_REASONS: Final = 3
"""The number of reasons for which the response of URLs is not in a build that are distinguished."""

_UNCHECKED: Final = f"""
    with unchecked as (
        select url, urls.error, error_detail, count(*) over (partition by error_detail) as number
        from urls left join pages using (url)
        where urls.verdict = '{Verdict.UNCHECKED}' and skip_reason is null
            and urls.error in ({", ".join(map(sql_string, _UNCHECKED_ERRORS))})
    ), grouped as (
        select *, if(
            error = '{Error.NOT_IN_BUILD}',
            least(dense_rank() over (partition by error order by number desc, error_detail),
                {_MAX_REASONS + 1}),
            0
        ) as reason
        from unchecked
    )
    select error, arg_min(error_detail, url), list(url order by url)[:{MAX_NAMED}], max(url),
        count(*)
    from grouped group by error, reason order by 5 desc, 1, 3
"""
"""The URLs that were not checked, by error; those that are not in a build by their reasons."""

_NAME_ONE: Final = "give the URL of one with the argument sitemap"
"""The remedy if a site declares no sitemap."""

_MOST: Final = 1_000

_OTHER_HOST: Final = "built-for-other-host"
_NO_SITEMAP: Final = "sitemap-not-found"
"""Rules whose settings of generators help a build."""


def explain_incomplete(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> None:
    """Record the causes of an incomplete run in the manifest."""
    manifest.unchecked_because = {}
    causes = [*_Causes(connection, manifest).find()]
    manifest.decide_complete(causes)


class _Causes:
    """Finds the causes of an incomplete run: its manifest has the counts."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> None:
        self._connection = connection
        self._manifest = manifest
        self._agent = str(manifest.arguments.get("agent"))
        self._staging = Staging(manifest.staging)

    def find(self) -> Iterator[Cause]:
        """Yield the causes. Those of lost rows are not known."""
        manifest = self._manifest
        if manifest.damage:
            yield Cause(CauseKind.DAMAGE, manifest.describe_damage())
            return
        found = [*self._missing()]
        found = [*(found or self._not_read()), *self._waiting_links()]
        yield from found or self._no_sitemap()

    def _missing(self) -> Iterator[Cause]:
        if cause := self._build_of_other_place():
            yield cause
            yield from self._limits()
            return
        if fault := self._manifest.deployment_fault:
            reason = f"the hosting refuses to publish the build: {fault}"
            yield Cause(CauseKind.DEPLOYMENT, reason, "correct this rule")
        for each in self._manifest.missing_shards():
            yield Cause(CauseKind.SHARDS, each)
        if self._manifest.readable_sitemaps:
            yield from self._unread()
        yield from self._limits()
        yield from self._unchecked()

    def _unread(self) -> Iterator[Cause]:
        """Yield why pages or sitemaps are unknown, of a run with readable sitemaps."""
        hosts = [*self._hosts()]
        yield from hosts
        if self._manifest.unanswered:
            yield self._pages(explained=not hosts)
        if number := self._manifest.failed_sitemaps:
            found = f"{count_noun(number, 'sitemap')} could not be read"
            yield self._cause(
                CauseKind.FAILED_SITEMAPS, found, ": ", self._explain_sitemaps(_FAILED_SITEMAPS)
            )
        if sites := self._manifest.sites_without_sitemap:
            found = f"no sitemap of {', '.join(sites)} could be read"
            failed = [site for site in sites if self._read(_of_site(_FAILED_SITEMAPS, site))]
            explained = [self._explain_site(site) for site in sites if site not in failed]
            yield self._cause(CauseKind.SITES, found, ": ", _join(explained))

    def _not_read(self) -> Iterator[Cause]:
        """Yield what was not read for a reason that is not known."""
        manifest = self._manifest
        counts = {"sitemap": manifest.unread_sitemaps, "listed URL": manifest.unchecked_urls}
        parts = [count_noun(number, noun) for noun, number in counts.items() if number]
        if parts and manifest.shards:
            differ = "the shards did not read the same, or did not all finish"
            yield Cause(CauseKind.UNREAD, differ)
        elif parts and manifest.readable_sitemaps:
            yield Cause(CauseKind.UNREAD, f"{' and '.join(parts)} not read")

    def _no_sitemap(self) -> Iterator[Cause]:
        if not self._manifest.readable_sitemaps:
            sites: list[str | None] = [*self._manifest.sites_without_sitemap]
            explained = _join(self._explain_site(site) for site in sites or [None])
            if self._manifest.build_hosts and explained and explained[1] in (ADD_FILE, _NAME_ONE):
                explained = explained[0], self._setting_for(_NO_SITEMAP, explained[1])
            yield self._cause(CauseKind.SITEMAPS, "no sitemap could be read", ": ", explained)

    def _hosts(self) -> Iterator[Cause]:
        """Yield that all listed URLs are on other hosts, which is the first cause to correct.

        If pages of these hosts could be read, that is a cause if the hosts are of other sites, and
        the audit was to find the sitemaps of one.
        """
        rows = self._connection.execute(_FOREIGN).fetchall()
        if rows and not self._manifest.unanswered:
            is_cause = self._manifest.arguments.get("site")
            rows = self._connection.execute(_OTHER_SITE).fetchall() and rows if is_cause else []
        for number, hosts, host, sitemap_host in rows:
            more = f" and {count_noun(hosts - 1, 'other host')}" if hosts > 1 else ""
            listed = f"all {number:,} listed URLs are" if number > 1 else "the only listed URL is"
            reason = f"{listed} on {host}{more}, but the sitemap is on {sitemap_host}"
            yield Cause(CauseKind.HOSTS, reason, _ADDRESS_OF_SITE)

    def _build_of_other_place(self) -> Cause | None:
        """Return that a build names no URL of the place where it is published, if that is so."""
        hosts, path = self._manifest.build_hosts, self._manifest.build_path
        if not hosts or self._manifest.deployment_fault:
            return None
        values = {"hosts": hosts, "path": path}
        for number, url in self._connection.execute(_NOT_OF_BUILD, values).fetchall():
            place = " or ".join(f"{host}{path}/" if path else host for host in hosts)
            named = f"the sitemaps name {count_noun(number, 'URL')}, such as {url}"
            reason = f"{named}, and none of {place}"
            return Cause(CauseKind.HOSTS, reason, self._setting_for(_OTHER_HOST, _ADDRESS_OF_SITE))
        return None

    def _setting_for(self, rule: str, otherwise: str) -> str:
        """Return the settings of the generators that correct what a rule finds."""
        settings = [
            f"{each.generator}: {each.how.replace('`', '')} ({each.source})"
            for each in advise(self._manifest.generators, [rule])
        ]
        return "; ".join(settings) or otherwise

    def _pages(self, *, explained: bool) -> Cause:
        """Return why no listed page could be read, with what helps unless that is known."""
        counts = self._manifest.unanswered.items()
        verdicts = ", ".join(f"{number:,} {name}" for name, number in counts)
        found = f"no listed page could be read: {verdicts}"
        because = describe_obstacles(self._read(_PAGES), self._agent)
        if because and not explained:
            because = because[0], None
        return self._cause(CauseKind.PAGES, found, "; ", because)

    def _limits(self) -> Iterator[Cause]:
        for name, number in self._manifest.limits.items():
            remedy = f"raise {name}" if name.startswith("AUDIT_") else None
            yield Cause(CauseKind.LIMIT, f"{name} skipped {number:,}", remedy)

    def _unchecked(self) -> Iterator[Cause]:
        """Yield and count why listed URLs were not checked, with the first URL of each."""
        rows = self._connection.execute(_UNCHECKED).fetchall()
        for error, detail, first, last, number in rows:
            words = "an internal error, which the log has" if error == Error.INTERNAL else detail
            more = f" (and {number - 1:,} more)" if number > 1 else ""
            because = f"{first[0]}{more}: {words}"
            self._manifest.unchecked_because[because] = number
            reason = f"{count_noun(number, 'listed URL')} unchecked: {because}"
            pattern = exclusion_of(self._connection, first, last, number)
            option = f" with --exclude {shlex.quote(pattern)}" if pattern else ""
            remedy = _UNCHECKED_ERRORS[Error(error)].format(option=option)
            yield Cause(CauseKind.UNCHECKED, reason, remedy)

    def _waiting_links(self) -> Iterator[Cause]:
        if number := self._manifest.waiting_links:
            verb = "is" if number == 1 else "are"
            reason = f"{count_noun(number, 'linked URL')} that shards found {verb} not fetched"
            yield Cause(CauseKind.LINKS, reason, "resume each shard with found, and merge again")

    def _explain_site(self, site: str | None) -> Explained:
        """Return why no sitemap of a site, or of the audit, could be read, and what to do."""
        if found := self._explain_sitemaps(_of_site(_SITEMAPS, site)):
            return found
        for query in (_ROBOTS, _WELL_KNOWN):
            seen = self._read(_of_site(query, site))
            if explained := describe_obstacles(seen, self._agent):
                return explained
        for (robots,) in self._connection.execute(_of_site(_DISALLOWED, site)).fetchall():
            places = f"disallows the usual places for {self._agent}"
            return f"{robots} declares none, and {places}", ALLOW
        for index, number, loc in self._connection.execute(_of_site(_NO_CHILDREN, site)).fetchall():
            locs = "its only loc" if number == 1 else f"none of its {number:,} locs"
            none = f"{locs} is {'not ' if number == 1 else ''}a full URL, such as {loc}"
            remedy = "write addresses that begin with https:// or http://"
            return f"{index} is an index, and {none}", remedy
        robots = self._connection.execute(_of_site(_EMPTY, site)).fetchone() or ("robots.txt",)
        return f"{robots[0]} declares none, and there is none at the usual places", _NAME_ONE

    def _explain_sitemaps(self, query: str) -> Explained | None:
        """Return why sitemaps failed: a line of robots.txt with a private address is first."""
        seen, private = self._read(query), None
        if any(each.error == Error.PRIVATE_ADDRESS for each in seen):
            private = self._explain_private_line()
        if private:
            seen = [each for each in seen if each.error != Error.PRIVATE_ADDRESS]
        return _join((private, describe_obstacles(seen, self._agent)))

    def _explain_private_line(self) -> Explained | None:
        """Return which line of robots.txt declares a private address, and what to do."""
        for robots, line, sitemap, host, other in self._connection.execute(
            _PRIVATE_LINES
        ).fetchall():
            sentence = f"line {line} of {robots} declares {sitemap}, which has a private address"
            instead = f"; {other}, a usual place, was read instead" if other else ""
            allow = f"to audit this one, allow AUDIT_PRIVATE_HOSTS={host}"
            return sentence + instead, f"declare the public address; {allow}"
        return None

    def _read(self, query: str) -> list[Seen]:
        query = f"{query} order by 2 desc, 1 limit {_MOST}"
        seen = (Seen(*row) for row in self._connection.execute(query).fetchall())
        return [replace(each, requested=self._staging.request_url(each.place)) for each in seen]

    def _cause(
        self, kind: CauseKind, found: str, separator: str, explained: Explained | None
    ) -> Cause:
        """Return a cause with its explanation, if there is one."""
        sentence, remedy = explained or (None, None)
        if remedy and self._manifest.staging_origins:
            remedy = remedy.replace(ALLOW, ALLOW_STAGING)
        elif remedy and self._manifest.build_hosts:
            remedy = remedy.replace(ALLOW, ALLOW_BUILD)
        return Cause(kind, separator.join(filter(None, (found, sentence))), remedy)


def _of_site(query: str, site: str | None) -> str:
    """Return a query of sitemaps, entries or robots.txt for one site, or for all."""
    if site is None:
        return query
    name = sql_string(site)
    if "audited" in query:
        return query.replace("audited", f"audited and site = {name}")
    own = f"{SITE_SITEMAPS} select sitemap from site_sitemaps where site = {name}"
    return query.replace("where ", f"where sitemap in ({own}) and ")


def _join(parts: Iterable[Explained | None]) -> Explained | None:
    """Return the first explanations as one."""
    explained = [*dict.fromkeys(filter(None, parts))]
    sentences = [sentence for sentence, _ in explained[:MAX_CAUSES]]
    if len(explained) > MAX_CAUSES:
        sentences.append(f"and {count_noun(len(explained) - MAX_CAUSES, 'other')}")
    remedies = dict.fromkeys(remedy for _, remedy in explained[:MAX_CAUSES] if remedy)
    return (", ".join(sentences), "; ".join(remedies) or None) if explained else None

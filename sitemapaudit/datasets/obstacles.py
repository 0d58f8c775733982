"""Reasons why nothing could be read: a cause, a sentence, and what helps."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import duckdb
from msgspec import Struct

from sitemapaudit import urls
from sitemapaudit.datasets.database import sql_string
from sitemapaudit.http.login import LOGIN, is_login
from sitemapaudit.items import Error, Kind, Role, Verdict
from sitemapaudit.numbers import count_noun
from sitemapaudit.runs.manifest import Manifest, Status
from sitemapaudit.verdicts import IS_UNREAD

UNANSWERED: Final = (
    f"(verdict in ('{Verdict.UNREACHABLE}', '{Verdict.DENIED}')"
    f" or verdict = '{Verdict.REDIRECTED}' and"
    f" regexp_matches(lower(coalesce(final_url, '')), {sql_string(LOGIN)}))"
)
"""SQL: whether the response of a listed URL says nothing about the page."""

_LET_IN: Final = (
    "let this program in (the site sees its USER_AGENT and your address), or set USER_AGENT"
)


class Seen(Struct, frozen=True):
    """Responses that are alike: ``place`` is the first URL, ``count`` the number of URLs."""

    place: str
    count: int
    status: int | None = None
    error: str | None = None
    detail: str | None = None
    challenge: str | None = None
    target: str | None = None
    kind: str | None = None
    error_body: str | None = None

    @property
    def host(self) -> str:
        """The host of the first URL, with its port."""
        return urls.authority(self.place)

    @property
    def robots(self) -> str:
        """The robots.txt of the first URL."""
        return f"{urls.origin(self.place)}/robots.txt"

    @property
    def name(self) -> str:
        """The host of the first URL."""
        return urls.host(self.place)

    def has_detail(self, pattern: str) -> bool:
        """Return whether the description of the error contains a pattern."""
        return re.search(pattern, self.detail or "", re.IGNORECASE) is not None


class Obstacle(Struct, frozen=True):
    """A cause: when it applies, the sentence about it, and what to do."""

    holds: Callable[[Seen], bool]
    sentence: str
    remedy: str


def _status(*statuses: int) -> Callable[[Seen], bool]:
    return lambda seen: seen.status in statuses


def _error(error: Error) -> Callable[[Seen], bool]:
    return lambda seen: seen.error == error


def _tls(pattern: str) -> Callable[[Seen], bool]:
    return lambda seen: seen.error == Error.TLS and seen.has_detail(pattern)


_ALLOW: Final = (
    "allow it in robots.txt, or audit as another crawler with the argument agent; of a staging"
    " site, give the site that it will be, --staging with its address, and --ignore-staging-block"
)
_ALLOW_STAGING: Final = "if that is only so on staging, set it aside with --ignore-staging-block"

ALLOW_ADDRESS: Final = "check its DNS; if you trust the address, name it in AUDIT_PRIVATE_HOSTS"
ADD_STAGING: Final = (
    "give each such host its staging, or allow live requests with its own origin, as in"
    " cdn.example.com=https://cdn.example.com"
)

OBSTACLES: Final = (
    Obstacle(
        lambda seen: bool(seen.challenge),
        "{place} is answered with a bot challenge ({challenge})",
        _LET_IN,
    ),
    Obstacle(
        _status(401),
        "{place} returns 401: it needs a password",
        "set HTTPAUTH_USER and HTTPAUTH_PASS",
    ),
    Obstacle(_status(403), "{place} returns 403: access is denied", _LET_IN),
    Obstacle(
        _status(407),
        "{place} returns 407: the proxy needs a password",
        "put it into http_proxy and https_proxy, as in http://USER:PASSWORD@proxy.example:3128",
    ),
    Obstacle(
        _status(429),
        "{place} returns 429: too many requests",
        "try again later, and slower: DOWNLOAD_DELAY=2",
    ),
    Obstacle(
        lambda seen: seen.target is not None and is_login(seen.target),
        "{place} redirects to a login ({target})",
        "let this program in without a login, for example by your address",
    ),
    Obstacle(
        lambda seen: seen.error == Error.BLOCKED and seen.has_detail("could not be read"),
        "{robots} {detail}",
        "try again later, or let robots.txt return 200 or 404",
    ),
    Obstacle(
        _error(Error.BLOCKED),
        "robots.txt disallows {place} for {agent}",
        _ALLOW,
    ),
    Obstacle(
        _error(Error.IGNORED),
        "{place}: {detail}",
        "change this component, or switch it off for audits",
    ),
    Obstacle(_tls("has expired"), "the certificate of {host} has expired", "renew the certificate"),
    Obstacle(
        _tls("not yet valid"), "the certificate of {host} is not yet valid", "check both clocks"
    ),
    Obstacle(
        _tls("mismatch|another host|not valid for"),
        "the certificate of {host} is for another host",
        "audit the host that it is for, or add this one to the certificate",
    ),
    Obstacle(
        _tls("self.signed certificate(?! in)"),
        "the certificate of {host} is self-signed",
        "set the environment variable SSL_CERT_FILE to a file with this certificate",
    ),
    Obstacle(
        _tls("issuer|in (the )?certificate chain|unable to verify|verify failed"),
        "the certificate of {host} has an unknown issuer",
        "make the server send the whole chain, or set the environment variable SSL_CERT_FILE to"
        " a file with the certificate of the issuer",
    ),
    Obstacle(
        _error(Error.TLS),
        "the TLS handshake with {host} fails ({detail})",
        "check https on this port, or give the site with http://",
    ),
    Obstacle(
        _error(Error.DNS),
        "the host name {name} cannot be resolved",
        "check the spelling, and the DNS of this machine",
    ),
    Obstacle(
        _error(Error.REFUSED),
        "{host} refuses the connection",
        "check the port, and the firewall",
    ),
    Obstacle(
        _error(Error.RESET),
        "{host} closes the connection without a response",
        _LET_IN,
    ),
    Obstacle(
        _error(Error.TIMEOUT),
        "{host} does not respond in time ({detail})",
        "try again later, or raise DOWNLOAD_TIMEOUT",
    ),
    Obstacle(
        _error(Error.PRIVATE_ADDRESS),
        "{host} has an address in a private network",
        "allow it with AUDIT_PRIVATE_HOSTS={host}",
    ),
    Obstacle(_error(Error.ADDRESS_REFUSED), "{detail}", ALLOW_ADDRESS),
    Obstacle(
        _error(Error.NOT_IN_BUILD),
        "{place} is not in the build: {detail}",
        "declare the sitemap with the address of the site, or audit the live site",
    ),
    Obstacle(_error(Error.NOT_ON_STAGING), "{detail}", ADD_STAGING),
    Obstacle(
        lambda seen: 500 <= (seen.status or 0) < 600 and seen.error_body is None,
        "{place} returns {status}: a server error",
        "try again later",
    ),
    Obstacle(
        lambda seen: seen.error_body is not None,
        "{place} returns {status}, although its body is a sitemap: search engines do not read it",
        "make it return 200",
    ),
    Obstacle(
        _status(404, 410),
        "{place} returns {status}: there is no such file",
        "upload this file, or correct its address",
    ),
    Obstacle(lambda seen: (seen.status or 0) >= 400, "{place} returns {status}", _LET_IN),
    Obstacle(
        lambda seen: seen.error is not None,
        "{place} has no usable response ({error}: {detail})",
        "try again later, and look at its response in another program",
    ),
    Obstacle(
        lambda seen: seen.kind == Kind.HTML,
        "{place} is an HTML page and not a sitemap",
        "check the address of the sitemap",
    ),
    Obstacle(
        lambda seen: seen.kind == Kind.UNKNOWN,
        "{place} has no known format",
        "check the address of the sitemap",
    ),
)
"""Every cause; the first that applies is that of a response."""

_SITEMAPS: Final = """
    select min(sitemap), count(*), status, error, error_detail, null,
        if(hops > 0, min(final_url), null), kind, error_body
    from sitemaps
    where error is distinct from 'limit' and (entries = 0 or error is not null)
    group by status, error, error_detail, hops > 0, kind, error_body
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
        from robots where audited and well_known_outcomes is not null
    )
    where outcome not in ('404', '410') and not regexp_full_match(outcome, '[23]\d\d')
    group by outcome
"""
_DISALLOWED: Final = """
    select url from robots where audited and len(well_known_tried) = 0 order by url limit 1
"""
"""A robots.txt that declares no sitemap and disallows all places where one could be."""

_EMPTY: Final = "select url from robots where audited order by url limit 1"

_NO_CHILDREN: Final = f"""
    select sitemap, count(*), min(loc)
    from entries where kind = '{Kind.SITEMAPINDEX}'
    group by sitemap having count(url) = 0 order by 2 desc, 1 limit 1
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
        and sitemaps.kind <> '{Kind.SITEMAPINDEX}'
    group by all
"""
"""All listed URLs, if their hosts are not those of the sitemaps."""

_PRIVATE_LINES: Final = f"""
    select robots.url, declared.line, declared.url, host_of(declared.url),
        if(well_known_found > 0, well_known_tried[-1], null)
    from robots, unnest(robots.sitemaps) as lines(declared)
    where declared.url in (select sitemap from sitemaps where error = '{Error.PRIVATE_ADDRESS}')
    order by all limit 1
"""
"""A Sitemap line whose host has a private address, and the sitemap in a usual place."""

_ADDRESS_OF_SITE: Final = (
    "write the address of the site into the sitemap: generators have a setting for it, such as"
    " baseURL, url or site"
)
_MOST: Final = 1_000
_MAX_CAUSES: Final = 3


def explain_incomplete(connection: duckdb.DuckDBPyConnection, manifest: Manifest) -> None:
    """Record why sitemaps, or all pages, could not be read, and what to do.

    A run that was stopped has other reasons.
    """
    if manifest.status is not Status.FINISHED:
        manifest.decide_complete()
        return
    agent = str(manifest.arguments.get("agent"))
    found, without = None, manifest.sites_without_sitemap
    if not manifest.readable_sitemaps:
        found = _explain_private_line(connection) or _explain_sitemaps(connection, agent)
    elif manifest.unanswered:
        found = _describe(_read(connection, _PAGES), agent)
        found = _explain_foreign(connection, found) or found
    elif manifest.failed_sitemaps:
        found = _explain_private_line(connection)
        found = found or _describe(_read(connection, _FAILED_SITEMAPS), agent)
    elif without:
        found = _explain_sitemaps(connection, agent, without)
    manifest.obstacle, manifest.remedy = found or (None, manifest.remedy)
    if manifest.remedy == _ALLOW and manifest.staging_origins:
        manifest.remedy = _ALLOW_STAGING
    manifest.decide_complete()


def _explain_foreign(
    connection: duckdb.DuckDBPyConnection, cause: tuple[str, str] | None
) -> tuple[str, str] | None:
    """Return that all listed URLs are on other hosts than their sitemaps, and the cause."""
    for number, hosts, host, sitemap_host in connection.execute(_FOREIGN).fetchall():
        more = f" and {count_noun(hosts - 1, 'other host')}" if hosts > 1 else ""
        listed = f"all {number:,} listed URLs are" if number > 1 else "the only listed URL is"
        sentence = f"{listed} on {host}{more}, but the sitemap is on {sitemap_host}"
        return "; ".join([sentence, *(cause or ())[:1]]), _ADDRESS_OF_SITE
    return None


def _explain_private_line(connection: duckdb.DuckDBPyConnection) -> tuple[str, str] | None:
    """Return which line of robots.txt declares a sitemap at a private address, and what to do."""
    for robots, line, sitemap, host, found in connection.execute(_PRIVATE_LINES).fetchall():
        sentence = f"line {line} of {robots} declares {sitemap}, which has a private address"
        other = f"; {found}, a usual place, was read instead" if found else ""
        remedy = f"declare the public address; to audit this one, allow AUDIT_PRIVATE_HOSTS={host}"
        return sentence + other, remedy
    return None


def _explain_sitemaps(
    connection: duckdb.DuckDBPyConnection, agent: str, sites: Sequence[str] = ()
) -> tuple[str, str]:
    """Return why no sitemap of some sites, or of all, could be read, and what to do."""
    for query in (_SITEMAPS, _ROBOTS, _WELL_KNOWN):
        if found := _describe(_read(connection, _of_sites(query, sites)), agent):
            return found
    for disallowed in connection.execute(_of_sites(_DISALLOWED, sites)).fetchall():
        sentence = f"{disallowed[0]} declares none, and disallows the usual places for {agent}"
        return sentence, _ALLOW
    for sitemap, number, loc in [] if sites else connection.execute(_NO_CHILDREN).fetchall():
        locs = count_noun(number, "loc")
        sentence = f"{sitemap} is an index, and none of its {locs} is a full URL, such as {loc}"
        return sentence, "write addresses that begin with https:// or http://"
    robots = connection.execute(_of_sites(_EMPTY, sites)).fetchone() or ("robots.txt",)
    return (
        f"{robots[0]} declares none, and there is none at the usual places",
        "give the URL of one with the argument sitemap",
    )


def _of_sites(query: str, sites: Sequence[str]) -> str:
    """Return a query of sitemaps or robots.txt for some sites only; for all without any."""
    if not sites:
        return query
    names = ", ".join(map(sql_string, sites))
    if "from sitemaps" in query:
        declared = f"select unnest(sitemaps, recursive := true) from robots where site in ({names})"
        own = f"origin_of(sitemap) in ({names}) or sitemap in (select url from ({declared}))"
        return query.replace("where ", f"where ({own}) and ")
    return query.replace("audited", f"audited and site in ({names})")


def _read(connection: duckdb.DuckDBPyConnection, query: str) -> list[Seen]:
    rows = connection.execute(f"{query} order by 2 desc, 1 limit {_MOST}").fetchall()
    return [Seen(*row) for row in rows]


def _describe(seen: Iterable[Seen], agent: str) -> tuple[str, str] | None:
    """Return a sentence about the most frequent causes, and their remedies."""
    counts: Counter[Obstacle] = Counter()
    first: dict[Obstacle, Seen] = {}
    for each in seen:
        obstacle = next((one for one in OBSTACLES if one.holds(each)), None)
        if obstacle is not None:
            counts[obstacle] += each.count
            first.setdefault(obstacle, each)
    if not counts:
        return None
    causes = counts.most_common(_MAX_CAUSES)
    sentences = []
    for obstacle, number in causes:
        sentence = _fill(obstacle.sentence, first[obstacle], agent).replace(" ()", "")
        if number > 1 and "{place}" in obstacle.sentence:
            sentence += f" (and {number - 1:,} more)"
        elif number > 1 and len(counts) > 1:
            sentence = f"{sentence} ({number:,} times)".replace(") (", ", ")
        sentences.append(sentence)
    if rest := counts.total() - sum(number for _, number in causes):
        sentences.append(f"and {rest:,} for other reasons")
    remedies = [_fill(obstacle.remedy, first[obstacle], agent) for obstacle, _ in causes]
    return ", ".join(sentences), "; ".join(filter(None, dict.fromkeys(remedies)))


def _fill(text: str, example: Seen, agent: str) -> str:
    names = (*Seen.__struct_fields__, "host", "name", "robots")
    values = {name: getattr(example, name) for name in names}
    values |= {"agent": agent, "detail": re.sub(r"^robots\.txt:? ", "", example.detail or "")}
    return text.format(**values)

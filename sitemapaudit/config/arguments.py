"""The arguments of an audit, each defined once with its reader and its meaning."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from sitemapaudit import urls
from sitemapaudit.bounds.margin import Margin
from sitemapaudit.builds.hostings import hosting_names
from sitemapaudit.config.array_jobs import shard_of_job
from sitemapaudit.config.options import SWITCH, Options, option
from sitemapaudit.config.readers import (
    count_or,
    one_of,
    optional,
    read_mapping,
    read_path,
    read_switch,
    read_text,
    split_words,
)
from sitemapaudit.items import Role
from sitemapaudit.redaction import hide_passwords
from sitemapaudit.regexes import Regex, RegexError, compile_regex
from sitemapaudit.robots.agents import POLICY_TOKENS
from sitemapaudit.runs.folders import find_run
from sitemapaudit.runs.manifest import DEMO, DEMO_LATER
from sitemapaudit.runs.merging.stores import is_remote
from sitemapaudit.runs.reused_run import LATEST
from sitemapaudit.sitemaps.w3c_dates import w3c_datetime
from sitemapaudit.urls.shard import Shard

NONE, CHECK = "none", "check"
NEVER, AUTO, ALWAYS = "never", "auto", "always"
_SITEMAP_ENDINGS: Final = (".xml", ".gz", ".txt", ".rss", ".atom")
_SPECIAL: Final = re.compile(r"[\\^$*+?{}\[\]|()]")
"""Characters of regular expressions, except the dot, which every host name contains and which
matches itself.
"""

_AGENT: Final = re.compile(r"[A-Za-z0-9_-]+")


class Links(StrEnum):
    """The use of the internal links of pages."""

    NONE = "none"
    RECORD = "record"
    CRAWL = "crawl"


class Site(Struct, frozen=True):
    """An origin to audit; ``fallback`` is used if the first does not connect.

    ``path``: where a build folder is published on this origin, such as ``/repository``, as given.
    """

    origin: str
    fallback: str | None = None
    path: str = ""

    @property
    def origins(self) -> tuple[str, ...]:
        """The possible origins of the site."""
        return (self.origin, self.fallback) if self.fallback else (self.origin,)


_NO_CREDENTIALS: Final = (
    "cannot contain a user name or password; use the settings HTTPAUTH_USER and HTTPAUTH_PASS"
)


def _read_sites(given: Any) -> tuple[Site, ...]:
    # Before it is split: a password can contain a comma, and no part of it may be printed.
    if "@" in str(given):
        raise ValueError(f"an origin {_NO_CREDENTIALS}")
    names = split_words(given)
    demos = [name for name in names if name in (DEMO, DEMO_LATER)]
    if demos and len(names) > 1:
        raise ValueError(f"{demos[0]} cannot be audited together with another site")
    return tuple(Site(name) if name in demos else _read_site(name) for name in names)


def _read_site(name: str) -> Site:
    bare = "://" not in name
    url = urls.normalize(f"https://{name}" if bare else name)
    if url is None:
        raise ValueError(
            f"{name!r} is neither an origin such as https://www.example.com nor a host name"
        )
    origin = urls.origin(url)
    path = url.removeprefix(origin)
    return Site(
        origin,
        f"http://{origin.removeprefix('https://')}" if bare else None,
        path if path != "/" else "",
    )


def offer_part(url: str) -> str:
    """Suggest how to audit a part of a site: one sitemap, or URLs with one beginning."""
    if urls.path(url).endswith(_SITEMAP_ENDINGS):
        return f"to audit one sitemap, use sitemap={url} instead"
    beginning = _SPECIAL.sub(r"\\\g<0>", url)
    return (
        f"to audit a part of a site, use include=^{beginning} and site={urls.origin(url)} instead"
    )


def _read_sitemaps(given: Any) -> tuple[str, ...]:
    if any(hide_passwords(text) != text for text in (str(given), *split_words(given))):
        raise ValueError(f"a URL {_NO_CREDENTIALS}")
    return tuple(_read_sitemap(address) for address in split_words(given))


def _read_sitemap(address: str) -> str:
    url = urls.normalize(address)
    if url is None:
        raise ValueError(
            f"{address!r} is not an absolute URL such as https://www.example.com/sitemap.xml"
        )
    return url


def _read_staging(given: Any) -> dict[str, str]:
    """Return the staging origin of each host; an empty name means all hosts."""
    if "@" in str(given):
        raise ValueError(f"an origin {_NO_CREDENTIALS}")
    pairs = read_mapping(given, unnamed="")
    if "" in pairs and (len(pairs) > 1 or "," in pairs[""]):
        raise ValueError("of several origins, each needs its host: www.example.com=https://…")
    staging: dict[str, str] = {}
    for host, name in pairs.items():
        url = urls.normalize(name if "://" in name else f"https://{name}")
        if url is None or url != f"{urls.origin(url)}/":
            raise ValueError(f"{name!r} is not an origin such as https://staging.example.com")
        staging[_read_host(host) if host else ""] = urls.origin(url)
    return staging


def _read_host(name: str) -> str:
    url = urls.normalize(name if "://" in name else f"https://{name}")
    if url is None or url != f"{urls.origin(url)}/":
        raise ValueError(f"{name!r} is not a host of the site such as www.example.com")
    return urls.authority(url)


def _read_folder(given: Any) -> Path:
    folder = read_path(given)
    if not folder.is_dir():
        raise ValueError(f"{str(given)!r} is not a folder")
    return folder


def _read_pages(given: Any) -> str | int | Margin:
    margin = Margin.read(str(given).strip().lower())
    if margin:
        return margin
    try:
        return count_or("all", "none")(given)
    except ValueError:
        raise ValueError(
            f"{given!r} is not all, none, a whole number of at least 1, or a margin such as ±1%"
        ) from None


def _read_follow(given: Any) -> frozenset[Role]:
    allowed = {role.value: role for role in (Role.REDIRECT, Role.CANONICAL, Role.HREFLANG)}
    names = [name.lower() for name in split_words(given)]
    if names == ["none"]:
        return frozenset()
    for name in names:
        if name not in allowed:
            raise ValueError(f"{name!r} is not one of {', '.join(allowed)}, none")
    return frozenset(allowed[name] for name in names)


def _read_pattern(given: Any) -> Regex:
    try:
        return compile_regex(read_text(given))
    except RegexError as error:
        raise ValueError(f"{given!r} is not a regular expression ({error})") from None


def _read_since(given: Any) -> datetime:
    date = w3c_datetime(str(given))
    if date is None:
        raise ValueError(f"{given!r} is not a date such as 2026-11-21 or 2026-11-21T09:30:00+00:00")
    return date.at


def _read_agent(given: Any) -> str:
    if not _AGENT.fullmatch(str(given)):
        raise ValueError(
            f"{given!r} is not a product token such as Googlebot (RFC 9309 section 2.2.1)"
        )
    return str(given)


def _read_agents(given: Any) -> tuple[str, ...]:
    names = [_read_agent(name.strip()) for name in str(given).split(",")] if given else []
    for name in names:
        if meaning := POLICY_TOKENS.get(name.lower()):
            raise ValueError(f"{name} is not a crawler: it {meaning}; remove it")
        if [each.lower() for each in names].count(name.lower()) > 1:
            raise ValueError(f"{name} is named twice")
    return tuple(names)


def _read_workers(given: Any) -> int | None:
    count = count_or(AUTO)(given)
    return count if isinstance(count, int) else None


def _read_shard(given: Any) -> Shard:
    return shard_of_job() if str(given).strip().lower() == AUTO else Shard.read(str(given))


def _read_run(given: Any) -> Path:
    try:
        return find_run(read_path(given))
    except FileNotFoundError as error:
        raise ValueError(str(error)) from error


def _read_resume(given: Any) -> Path:
    # A run in a store is copied to this machine before the argument is used.
    return Path(given) if is_remote(str(given)) else _read_run(given)


def _read_entries_from(given: Any) -> Path | str:
    return str(given) if is_remote(str(given)) else _read_run(given).resolve()


def _read_reuse(given: Any) -> Path | str:
    if str(given).strip().lower() == LATEST:
        return LATEST
    try:
        return find_run(read_path(given)).resolve()
    except FileNotFoundError:
        return read_path(given)  # The audit fetches every page in full, and says why.


SYNONYMS: Final = {
    **dict.fromkeys(
        ("url", "domain", "domains", "host", "hosts", "hostname", "origin", "start_url"),
        "site",
    ),
    **dict.fromkeys(("start_urls", "allowed_domains", "website", "target"), "site"),
    **dict.fromkeys(("sitemap_url", "sitemap_urls", "xml", "feed"), "sitemap"),
    **dict.fromkeys(("limit", "max", "max_pages", "sample"), "pages"),
    **dict.fromkeys(("images", "videos", "assets"), "media"),
    **dict.fromkeys(("js", "javascript", "browser", "playwright"), "render"),
    **dict.fromkeys(("user_agent", "useragent", "bot", "robot", "crawler"), "agent"),
    **dict.fromkeys(("user_agents", "bots", "robots", "crawlers"), "agents"),
    **dict.fromkeys(("filter", "only", "match"), "include"),
    **dict.fromkeys(("ignore", "skip"), "exclude"),
    **dict.fromkeys(("threads", "processes", "jobs", "cores", "parallel"), "workers"),
    **dict.fromkeys(("revalidate", "cache", "incremental", "previous"), "reuse"),
    **dict.fromkeys(("url_list", "list", "url_file", "urls_file"), "urls"),
    "continue": "resume",
}
"""Names of the arguments in other programs."""


@dataclass(slots=True, frozen=True)
class Arguments(Options):
    """The arguments: options of ``sitemapaudit audit``, or ``-a`` of Scrapy."""

    synonyms = SYNONYMS

    site: tuple[Site, ...] = option(
        _read_sites,
        "SITE,…",
        "",
        "Origins or host names to audit, comma-separated. `demo` is a website with planted faults "
        "that the program serves on loopback during the run; `demo-later` is the same website one "
        "week later, for comparison.",
    )
    sitemap: tuple[str, ...] = option(
        _read_sitemaps,
        "URL,…",
        "",
        "URLs of sitemaps to audit, comma-separated. The robots.txt of their hosts is still read.",
    )
    urls: str = option(
        str,
        "FILE|-",
        "",
        "A list of URLs to audit without a sitemap: a text file with one URL per line, a CSV file "
        "or an .xlsx workbook with a column `url` (or `Address`, `Page` and the like), or `-` for "
        "standard input. Rules about sitemaps are off. Without `site`, the site is that of most "
        "URLs.",
    )
    staging: dict[str, str] = option(
        _read_staging,
        "ORIGIN|HOST=ORIGIN,…",
        "",
        "Origin that is requested in place of the site: `https://staging.example.com`. All URLs "
        "stay those of the site. For several hosts, a list: "
        "`www.example.com=https://staging.example.com,shop.example.com=…`. No other host is "
        "requested, unless the list names it with its own origin: "
        "`cdn.example.com=https://cdn.example.com`.",
    )
    ignore_staging_block: bool = option(
        read_switch,
        SWITCH,
        "false",
        "Ignore the means that keep crawlers off staging: a robots.txt that disallows everything, "
        "and `X-Robots-Tag` headers with `noindex` or `none`. The report says so.",
    )
    staging_names_itself: bool = option(
        read_switch,
        SWITCH,
        "false",
        "Read addresses of staging as those of the site, wherever staging sends them: for systems "
        "that always name the host that is requested, such as WordPress, Ghost and review apps. "
        "The report says so, and `staging-origin-leaked` finds nothing.",
    )
    folder: Path | None = option(
        optional(_read_folder),
        "DIR",
        "",
        "Build folder to audit instead of a server, as `hosting` would serve it. Nothing is "
        "requested from the network. `site` may have a path: that of the build.",
    )
    hosting: str = option(
        one_of(*hosting_names()),
        "|".join(hosting_names()),
        "plain",
        "Hosting of the build, which determines URLs without `.html`, trailing slashes, redirects "
        "and headers.",
    )
    pages: str | int | Margin = option(
        _read_pages,
        "N|all|none|±P%",
        "all",
        "Which listed pages to fetch: `all`, `none` (read the sitemaps only), a number (a seeded "
        "random sample of that size, with some pages of each template in each sitemap), or `±1%` "
        "(or `+-1%`): a random sample that grows until the share of indexable URLs is known "
        "within this margin.",
    )
    follow: frozenset[Role] = option(
        _read_follow,
        "TARGET,…|none",
        "redirect,canonical,hreflang",
        "Which targets of pages to fetch too: any of `redirect`, `canonical`, `hreflang` (after "
        "all listed pages, the alternates on hosts of the site that no sitemap lists; not with "
        "`since` or a sample), or `none`.",
    )
    links: Links = option(
        lambda given: Links(one_of(*Links)(given)),
        "|".join(Links),
        Links.NONE,
        "`record` records the internal links of all fetched HTML pages: the table `links`, and "
        "the number of links to each listed URL. `crawl` also fetches linked pages of the same "
        "site that no sitemap lists.",
    )
    media: str = option(
        one_of(NONE, CHECK),
        f"{NONE}|{CHECK}",
        NONE,
        "`check` requests each listed image and video once, without downloading it: the table "
        "`media`, and findings on files that search engines cannot fetch.",
    )
    render: str | int = option(
        count_or(NEVER, AUTO, ALWAYS),
        f"N|{NEVER}|{AUTO}|{ALWAYS}",
        NEVER,
        "Which pages to render in a browser: `never`, `auto` (pages where scripts can matter, and "
        "some of each URL pattern), `always`, or a number (a seeded random sample).",
    )
    reuse: Path | str | None = option(
        optional(_read_reuse),
        f"RUN|{LATEST}",
        "",
        "An earlier run, or `latest`: its pages are requested with If-None-Match and "
        "If-Modified-Since, and the content of those that were not modified is taken over. All "
        "verdicts are recomputed.",
    )
    include: Regex | None = option(
        optional(_read_pattern),
        "REGEX",
        "",
        "Fetch only URLs that match this regular expression anywhere (in normalized form).",
    )
    exclude: Regex | None = option(
        optional(_read_pattern),
        "REGEX",
        "",
        "Skip URLs that match this regular expression anywhere (in normalized form).",
    )
    since: datetime | None = option(
        optional(_read_since),
        "DATE",
        "",
        "Fetch only URLs whose lastmod is this date or later.",
    )
    agent: str = option(
        _read_agent,
        "NAME",
        "Googlebot",
        "The crawler whose robots.txt group and robots directives count.",
    )
    agents: tuple[str, ...] = option(
        _read_agents,
        "NAME,…",
        "",
        "Crawlers with verdicts in the table `verdicts`, comma-separated, such as "
        "`Googlebot,Bingbot,GPTBot`. The first one is the `agent`, unless that is given too. "
        "Pages that any of them may fetch are fetched once.",
    )
    workers: int | None = option(
        _read_workers,
        f"N|{AUTO}",
        AUTO,
        "Number of processes that fetch and read pages, or read sitemaps if no pages are fetched. "
        "`auto` means one; with `AUDIT_SPEED=full`, one per processor as soon as thousands of "
        "pages wait. Two take 41 MB each, four 30 MB each (macOS: 100 MB). Hosts that ask for a "
        "slow rate, and rendered runs, use one.",
    )
    shard: Shard = option(
        _read_shard,
        f"I/N|{AUTO}",
        "1/1",
        "`2/8` fetches only the second eighth of the URLs (by a stable hash), at one eighth of "
        "the speed. A sample and `AUDIT_MAX_URLS` apply to all eight shards together. `auto` "
        "reads the index of an array job from the environment: Kubernetes, SLURM, AWS Batch, "
        "Cloud Run or PBS.",
    )
    entries_from: Path | str | None = option(
        optional(_read_entries_from),
        "RUN",
        "",
        "A finished run of the same site, or its address in a store (s3://…): its robots.txt rows, "
        "sitemaps and entries are taken instead of reading them, and of the entries only those of "
        "this `shard`: many shards then read the sitemaps only once. The run keeps the site and "
        "the crawlers of the earlier one.",
    )
    found: Path | None = option(
        optional(_read_run),
        "RUN",
        "",
        "With links=crawl and a shard to resume, the run that all shards were merged into: URLs "
        "that other shards found are fetched too.",
    )
    resume: Path | None = option(
        optional(_read_resume),
        "RUN",
        "",
        "A run folder to continue, or a folder above it (the newest run in it), or its address in "
        "a store (s3://…), which is continued in AUDIT_DIR and uploaded there. The run keeps its "
        "arguments and settings.",
    )

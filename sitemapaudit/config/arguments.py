"""The arguments of an audit: each once, with how it is read and what it means."""

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
from sitemapaudit.config.options import SWITCH, Options, option
from sitemapaudit.config.readers import (
    count_or,
    one_of,
    optional,
    read_mapping,
    read_switch,
    split_words,
)
from sitemapaudit.items import Role
from sitemapaudit.redaction import hide_passwords
from sitemapaudit.robots.agents import POLICY_TOKENS
from sitemapaudit.runs.folders import find_run
from sitemapaudit.sitemaps.w3c_dates import w3c_datetime
from sitemapaudit.urls.shard import Shard

DEMO, DEMO_LATER = "demo", "demo-later"
NONE, CHECK = "none", "check"
NEVER, AUTO, ALWAYS = "never", "auto", "always"
LATEST = "latest"
_SITEMAP_ENDINGS: Final = (".xml", ".gz", ".txt", ".rss", ".atom")
_SPECIAL: Final = re.compile(r"[\\^$*+?{}\[\]|()]")
"""Characters of regular expressions; a dot stays: it is in every host name, and matches itself."""

_AGENT: Final = re.compile(r"[A-Za-z0-9_-]+")


class Links(StrEnum):
    """The use of the internal links of pages."""

    NONE = "none"
    RECORD = "record"
    CRAWL = "crawl"


class Site(Struct, frozen=True):
    """An origin to audit; ``fallback`` is used if the first does not connect."""

    origin: str
    fallback: str | None = None

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins that the site can have."""
        return (self.origin, self.fallback) if self.fallback else (self.origin,)


_NO_CREDENTIALS: Final = (
    "cannot contain a user name or password; use the settings HTTPAUTH_USER and HTTPAUTH_PASS"
)


def _read_sites(given: Any) -> tuple[Site, ...]:
    # Before it is split: a password can contain a comma, and no part of it may be repeated.
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
    if url != f"{urls.origin(url)}/":
        raise ValueError(f"{name!r} is more than an origin; {_offer_part(url)}")
    origin = urls.origin(url)
    return Site(origin, f"http://{origin.removeprefix('https://')}" if bare else None)


def _offer_part(url: str) -> str:
    """Say how to audit a part of a site: one sitemap, or the URLs that begin alike."""
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
    """Return the staging origin of each host; that of all hosts has an empty name."""
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
    folder = Path(given)
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


def _read_pattern(given: Any) -> re.Pattern[str]:
    try:
        return re.compile(given)
    except re.error as error:
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
    return Shard.read(str(given))


def _read_run(given: Any) -> Path:
    try:
        return find_run(given)
    except FileNotFoundError as error:
        raise ValueError(str(error)) from error


def _read_reuse(given: Any) -> Path | str:
    if str(given).strip().lower() == LATEST:
        return LATEST
    try:
        return find_run(given).resolve()
    except FileNotFoundError:
        return Path(given)  # A run that is resumed goes on without it.


SYNONYMS: Final = {
    **dict.fromkeys(
        ("url", "urls", "domain", "domains", "host", "hosts", "hostname", "origin", "start_url"),
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
    "continue": "resume",
}
"""Names that other programs have for the arguments."""


@dataclass(slots=True, frozen=True)
class Arguments(Options):
    """The arguments: given with ``-a`` to Scrapy, or as options to ``sitemapaudit audit``."""

    synonyms = SYNONYMS

    site: tuple[Site, ...] = option(
        _read_sites,
        "SITE,…",
        "",
        "Origins or host names to audit, comma-separated. `demo` is a website with planted faults "
        "that comes with the program and is served on loopback during the run; `demo-later` is the "
        "same website a week later, to compare with.",
    )
    sitemap: tuple[str, ...] = option(
        _read_sitemaps,
        "URL,…",
        "",
        "URLs of sitemaps to audit, comma-separated. The robots.txt of their hosts is still read.",
    )
    staging: dict[str, str] = option(
        _read_staging,
        "ORIGIN|HOST=ORIGIN,…",
        "",
        "Origin that is requested in place of the site: `https://staging.example.com`. All URLs "
        "stay those of the site. For several hosts, a list: "
        "`www.example.com=https://staging.example.com,shop.example.com=…`.",
    )
    ignore_staging_block: bool = option(
        read_switch,
        SWITCH,
        "false",
        "Set aside what keeps crawlers off staging: a robots.txt that disallows everything, and "
        "`X-Robots-Tag` headers with `noindex` or `none`. The report says so.",
    )
    folder: Path | None = option(
        optional(_read_folder),
        "DIR",
        "",
        "Folder of a build to audit instead of a server: its files answer for the site, as "
        "`hosting` serves them, and nothing is requested from the network.",
    )
    hosting: str = option(
        one_of(*hosting_names()),
        "|".join(hosting_names()),
        "plain",
        "Where the build is going to be hosted, which decides about addresses without `.html`, "
        "slashes at their end, redirects and headers.",
    )
    pages: str | int | Margin = option(
        _read_pages,
        "N|all|none|±P%",
        "all",
        "Which listed pages to fetch: `all`, `none` (read the sitemaps only), a number (a seeded "
        "random sample of that size, with some of each template in each sitemap), or `±1%` (or "
        "`+-1%`): a random sample that grows until the share of indexable URLs is known that well.",
    )
    follow: frozenset[Role] = option(
        _read_follow,
        "TARGET,…|none",
        "redirect,canonical",
        "Which targets of pages to fetch too, once each: any of `redirect`, `canonical`, "
        "`hreflang`, or `none`.",
    )
    links: Links = option(
        lambda given: Links(one_of(*Links)(given)),
        "|".join(Links),
        Links.NONE,
        "`record` records the internal links of all HTML pages that are fetched: the table "
        "`links`, and how many pages link to each listed URL. `crawl` also fetches "
        "what is linked, on the same site, and in no sitemap.",
    )
    media: str = option(
        one_of(NONE, CHECK),
        f"{NONE}|{CHECK}",
        NONE,
        "`check` requests each image and video that entries list once, without downloading it: "
        "the table `media`, and findings on what search engines cannot fetch.",
    )
    render: str | int = option(
        count_or(NEVER, AUTO, ALWAYS),
        f"N|{NEVER}|{AUTO}|{ALWAYS}",
        NEVER,
        "Which pages to render in a browser: `never`, `auto` (where scripts can matter, and some "
        "of each URL pattern), `always`, or a number: a seeded random sample.",
    )
    reuse: Path | str | None = option(
        optional(_read_reuse),
        f"RUN|{LATEST}",
        "",
        "An earlier run, or `latest`: its pages are requested with If-None-Match and "
        "If-Modified-Since, and the content of those that were not modified is taken over. All "
        "verdicts are recomputed.",
    )
    include: re.Pattern[str] | None = option(
        optional(_read_pattern),
        "REGEX",
        "",
        "Fetch only URLs that match this regular expression anywhere (in normalized form).",
    )
    exclude: re.Pattern[str] | None = option(
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
        "Crawlers to give verdicts for, comma-separated, such as `Googlebot,Bingbot,GPTBot`: the "
        "table `verdicts`. The first one is the `agent`, unless that is given too. What any of "
        "them may fetch is fetched, once.",
    )
    workers: int | None = option(
        _read_workers,
        f"N|{AUTO}",
        AUTO,
        "Processes that fetch and read pages, or read sitemaps if no page is fetched. `auto` is "
        "one; with `AUDIT_SPEED=full` it is one for each processor, as soon as thousands of pages "
        "wait. Hosts that ask for a slow rate, and rendered runs, have one.",
    )
    shard: Shard = option(
        _read_shard,
        "I/N",
        "1/1",
        "`2/8` fetches only the second eighth of the URLs (by a stable hash), at an eighth of the "
        "speed. A sample and `AUDIT_MAX_URLS` apply to all eight shards together.",
    )
    found: Path | None = option(
        optional(_read_run),
        "RUN",
        "",
        "With links=crawl and the shard to resume, the run that all shards were merged into: what "
        "the other shards found is fetched too.",
    )
    resume: Path | None = option(
        optional(_read_run),
        "RUN",
        "",
        "A run folder to continue, or a folder above it (the newest run in it). The run keeps its "
        "own arguments and settings.",
    )

"""Arguments and settings → one typed, checked object; after it nobody reads settings.

What is wrong with either is the caller's fault, and is said in one sentence
before the first request (:class:`~sitemapaudit.options.ConfigError`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Self

from scrapy.settings import SETTINGS_PRIORITIES, BaseSettings

from sitemapaudit import urls
from sitemapaudit.datasets.exports import FORMATS
from sitemapaudit.datasets.folders import find_run
from sitemapaudit.datasets.manifest import Manifest
from sitemapaudit.items import Role, Severity
from sitemapaudit.options import ConfigError, Options, nearest, one_of, option, whole_number, words
from sitemapaudit.rules.catalogue import catalogue
from sitemapaudit.rules.preferences import SESSION_NAMES, Preferences
from sitemapaudit.sharding import Shard
from sitemapaudit.sitemaps.dates import w3c_datetime

DEMO, DEMO_LATER = "demo", "demo-later"
PREFIX: Final = "AUDIT_"
NEVER, AUTO, ALWAYS = "never", "auto", "always"

_AGENT: Final = re.compile(r"[A-Za-z0-9_-]+")
_NAME: Final = re.compile(r"[\w.-]+\*?")
_MEMORY: Final = re.compile(r"([1-9]\d*)\s*([MG])i?B", re.IGNORECASE)


@dataclass(slots=True, frozen=True)
class Site:
    """An origin to audit; ``fallback`` is tried where the first does not connect."""

    origin: str
    fallback: str | None = None

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins that it may turn out to be."""
        return (self.origin, self.fallback) if self.fallback else (self.origin,)


def _read_sites(given: Any) -> tuple[Site, ...]:
    names = words(given)
    demos = [name for name in names if name in (DEMO, DEMO_LATER)]
    if demos and len(names) > 1:
        raise ValueError(f"{demos[0]} cannot be audited together with another site")
    return tuple(Site(name) if name in demos else _read_site(name) for name in names)


def _read_site(name: str) -> Site:
    bare = "://" not in name
    url = urls.normalise(f"https://{name}" if bare else name)
    if url is None:
        if "@" in name:
            raise ValueError(
                "an origin holds no user name or password; use the settings HTTPAUTH_USER and"
                " HTTPAUTH_PASS"
            )
        raise ValueError(f"{name!r} is no origin such as https://www.example.com, and no host name")
    if url != f"{urls.origin(url)}/":
        raise ValueError(
            f"{name!r} is more than an origin such as {urls.origin(url)}; give the address of a"
            " sitemap with -a sitemap=…"
        )
    origin = urls.origin(url)
    return Site(origin, f"http://{origin.removeprefix('https://')}" if bare else None)


def _read_sitemaps(given: Any) -> tuple[str, ...]:
    return tuple(_read_sitemap(address) for address in words(given))


def _read_sitemap(address: str) -> str:
    url = urls.normalise(address)
    if url is None:
        raise ValueError(
            f"{address!r} is no full address such as https://www.example.com/sitemap.xml"
        )
    return url


def _read_pages(given: Any) -> str | int:
    word = str(given).strip().lower()
    if word in ("all", "none"):
        return word
    try:
        return whole_number(1)(word)
    except ValueError:
        raise ValueError(
            f"{given!r} is none of all, none, and a whole number from 1 upwards"
        ) from None


def _read_render(given: Any) -> str | int:
    word = str(given).strip().lower()
    if word in (NEVER, AUTO, ALWAYS):
        return word
    try:
        return whole_number(1)(word)
    except ValueError:
        raise ValueError(
            f"{given!r} is none of never, auto, always, and a whole number from 1 upwards"
        ) from None


def _seconds(most: int) -> Callable[[Any], float]:
    """Return a reader that accepts a number of seconds."""

    def read(given: Any) -> float:
        try:
            seconds = float(str(given))
        except ValueError:
            seconds = -1
        if not 0 <= seconds <= most:
            raise ValueError(f"{given!r} is no number of seconds from 0 to {most:,}")
        return seconds

    return read


def _read_follow(given: Any) -> frozenset[Role]:
    allowed = {role.value: role for role in (Role.REDIRECT, Role.CANONICAL, Role.HREFLANG)}
    names = [name.lower() for name in words(given)]
    if names == ["none"]:
        return frozenset()
    for name in names:
        if name not in allowed:
            raise ValueError(f"{name!r} is none of {', '.join(allowed)} and none")
    return frozenset(allowed[name] for name in names)


def _read_pattern(given: Any) -> re.Pattern[str] | None:
    try:
        return re.compile(given) if given else None
    except re.error as error:
        raise ValueError(f"{given!r} is no regular expression ({error})") from None


def _read_since(given: Any) -> datetime | None:
    if not given:
        return None
    moment = w3c_datetime(str(given))
    if moment is None:
        raise ValueError(f"{given!r} is no date such as 2026-11-21 or 2026-11-21T09:30:00+00:00")
    return moment.at


def _read_agent(given: Any) -> str:
    if not _AGENT.fullmatch(str(given)):
        raise ValueError(
            f"{given!r} is no product token such as Googlebot (RFC 9309 section 2.2.1)"
        )
    return str(given)


def _read_shard(given: Any) -> Shard:
    return Shard.read(str(given))


def _read_resume(given: Any) -> Path | None:
    if not given:
        return None
    try:
        return find_run(given)
    except FileNotFoundError as error:
        raise ValueError(str(error)) from error


def recorded(resume: Any) -> Manifest:
    """Return the manifest of a run that is to be resumed; raises ConfigError."""
    try:
        return Manifest.read(find_run(resume))
    except (OSError, ValueError) as error:
        raise ConfigError(f"resume: {str(error).rstrip('.')}.") from error


def take_over(recorded: Mapping[str, Any], settings: BaseSettings) -> None:
    """Take over the settings that a run was made with.

    Those given on the command line now stand above them, and so does the folder of this machine.
    """
    given = SETTINGS_PRIORITIES["cmdline"]
    for name, value in recorded.items():
        if name != "AUDIT_DIR" and (settings.getpriority(name) or 0) < given:
            settings.set(name, value, priority="cmdline")


def _with_those_of_the_run(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the arguments of the run that is to be resumed beside ``resume``, if one is."""
    if not given.get("resume"):
        return given
    others = ", ".join(name for name in given if name != "resume")
    if others:
        raise ConfigError(f"resume: the run goes on with its own arguments; leave out {others}.")
    return {**recorded(given["resume"]).given, **given}


@dataclass(slots=True, frozen=True)
class Arguments(Options):
    """What is given with ``-a``."""

    site: tuple[Site, ...] = option(
        _read_sites,
        "",
        "Origins or host names to audit, comma separated. `demo` is the website with planted "
        "faults that ships with the project, served on loopback by the run itself; `demo-later` "
        "is the same website a week later, for `scrapy compare`.",
    )
    sitemap: tuple[str, ...] = option(
        _read_sitemaps,
        "",
        "Sitemap URLs, comma separated, audited as given; robots.txt of their hosts is still read.",
    )
    pages: str | int = option(
        _read_pages,
        "all",
        "`all`, `none` (read the sitemaps only), or a number: a seeded random sample of that "
        "size, spread over the sitemaps.",
    )
    follow: frozenset[Role] = option(
        _read_follow,
        "redirect,canonical",
        "Targets of pages that are asked for too, once each: any of `redirect`, `canonical`, "
        "`hreflang`, or `none`.",
    )
    render: str | int = option(
        _read_render,
        NEVER,
        "Which pages a browser opens too: `never`, `auto` (where scripts can matter, and some of "
        "each kind of address), `always`, or a number: a seeded sample spread over the sitemaps.",
    )
    include: re.Pattern[str] | None = option(
        _read_pattern, "", "Only URLs (normalised) in which this regular expression is found."
    )
    exclude: re.Pattern[str] | None = option(
        _read_pattern, "", "No URLs (normalised) in which this regular expression is found."
    )
    since: datetime | None = option(
        _read_since, "", "Only entries whose lastmod is that date or later."
    )
    agent: str = option(
        _read_agent,
        "Googlebot",
        "The crawler whose robots.txt group and robots directives count.",
    )
    shard: Shard = option(
        _read_shard,
        "1/1",
        "`2/8`: ask only for the second eighth of the URLs (by a stable hash), at an eighth of "
        "the speed; a sample and `AUDIT_MAX_URLS` are those of all eight together.",
    )
    resume: Path | None = option(
        _read_resume,
        "",
        "A run folder to go on with, or one above it; the run has its own arguments and settings.",
    )


def _read_rules(given: Any) -> dict[str, str]:
    try:
        rules = json.loads(given) if isinstance(given, str) else dict(given)
    except (ValueError, TypeError):
        rules = None
    if not isinstance(rules, dict):
        raise ValueError(  # noqa: TRY004 - the caller's fault, as any other
            f'{given!r} is no mapping such as {{"canonical-missing": "off"}}'
        )
    allowed = ("off", *Severity)
    for rule, severity in rules.items():
        if rule not in catalogue():
            raise ValueError(_no_rule(rule))
        if severity not in allowed:
            raise ValueError(f"{severity!r} (for {rule}) is none of {', '.join(allowed)}")
    return {rule: str(severity) for rule, severity in rules.items()}


def _read_hosts(given: Any) -> frozenset[str]:
    return frozenset(name.lower() for name in words(given))


def _read_names(given: Any) -> tuple[str, ...]:
    names = tuple(words(given))
    for name in names:
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name of a parameter such as sid or aspsessionid*")
    return names


def _read_formats(given: Any) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.lower() for name in words(given)))
    for name in names:
        if name not in FORMATS:
            raise ValueError(f"{name!r} is none of {', '.join(FORMATS)}")
    return names


def _read_limit(given: Any) -> int | None:
    return None if given in (None, "") else whole_number(0)(given)


def _read_share(given: Any) -> float | None:
    if given in (None, ""):
        return None
    try:
        share = float(str(given))
    except ValueError:
        share = -1
    if not 0 <= share <= 1:
        raise ValueError(f"{given!r} is no share from 0 to 1, such as 0.95")
    return share


def _read_rule_ids(given: Any) -> tuple[str, ...]:
    names = tuple(words(given))
    for name in names:
        if name not in catalogue():
            raise ValueError(_no_rule(name))
    return names


def _no_rule(name: str) -> str:
    return f"there is no rule {name!r}; {nearest(name, catalogue()) or 'scrapy rules lists them'}"


def _read_memory(given: Any) -> int:
    match = _MEMORY.fullmatch(str(given).strip())
    if not match:
        raise ValueError(f"{given!r} is no size such as 256MB or 2GB")
    return int(match.group(1)) * (1024 if match.group(2).upper() == "G" else 1)


@dataclass(slots=True, frozen=True)
class AuditSettings(Options):
    """What is set in settings.py, or with ``-s``."""

    prefix = PREFIX

    dir: Path = option(Path, "audits", "Folder that holds the run folders.")
    fail_on: str = option(
        one_of("never", *Severity),
        "never",
        "Exit status 1 if a finding is at or above this severity: `never`, `notice`, `warning` "
        "or `error`.",
    )
    rules: dict[str, str] = option(
        _read_rules,
        "{}",
        'Rules to switch off, or with another severity: `{"canonical-missing": "off", '
        '"page-timeout": "warning"}`.',
    )
    session_names: tuple[str, ...] = option(
        _read_names,
        ", ".join(SESSION_NAMES),
        "Names of parameters that loc-session-id takes for session IDs, comma separated, in any "
        "case; a `*` at the end stands for any letters, digits and `_`.",
    )
    long_loc: int = option(
        whole_number(0),
        "0",
        "Characters above which loc-too-long is a notice, though the protocol allows them: "
        "`1024` for Yandex; 0: none.",
    )
    speed: str = option(
        one_of("polite", "full"),
        "polite",
        "`polite` for sites of others; `full` for your own: as fast as the server answers.",
    )
    max_urls: int = option(
        whole_number(0), "0", "Listed URLs that are asked for at most; 0: no limit."
    )
    max_sitemaps: int = option(whole_number(1), "100000", "Sitemap files that are read at most.")
    max_depth: int = option(
        whole_number(0), "10", "Levels of indexes below the first that are read."
    )
    max_hosts: int = option(
        whole_number(0),
        "100",
        "Hosts beside the audited ones whose pages are asked for (redirects, canonicals, "
        "entries that name other hosts).",
    )
    sitemap_timeout: float = option(
        _seconds(3_600),
        "120",
        "Seconds that a sitemap may take, if `DOWNLOAD_TIMEOUT` is less: it can be a hundred times "
        "as large as a page.",
    )
    max_wait: float = option(
        _seconds(86_400),
        "60",
        "Seconds that a host may have the auditor wait at most between two requests, by the "
        "`Retry-After` of a 429 or 503 and by `Crawl-delay`; what asks for more gets this. 0, for "
        "a site of your own: neither is heeded.",
    )
    private_hosts: frozenset[str] = option(
        _read_hosts,
        "",
        "Hosts (`host` or `host:port`, comma separated) with a private or loopback address "
        "that may be asked although they are no audited site.",
    )
    seed: int = option(
        whole_number(0), "0", "Seed of the samples that `pages` and `render` ask for."
    )
    browser: str = option(
        str,
        "",
        "The program of the browser: Chromium, Chrome or Edge. Else that of `playwright install`, "
        "or one in the usual places.",
    )
    tabs: int = option(whole_number(1), "8", "Pages that the browser holds open at once.")
    settle: float = option(
        _seconds(60),
        "0.5",
        "Seconds without a request after which a rendered page counts as at rest; late redirects "
        "within them are seen. A page that is never quiet gets ten times as long.",
    )
    memory: int = option(
        _read_memory,
        "192MB",
        "Memory that DuckDB may use to build the tables, and to read them for exports and "
        "repairs; what exceeds it goes to disk. Doubled where that is not enough.",
    )
    formats: tuple[str, ...] = option(
        _read_formats,
        "",
        "Formats that the tables are written in too, comma separated: `xlsx` (a workbook), "
        "`jsonl` (JSON Lines). Those that a run has are made again with its tables.",
    )
    alert_errors: int | None = option(
        _read_limit, "", "Monitors alert if more findings than so many are errors."
    )
    alert_indexable: float | None = option(
        _read_share,
        "",
        "Monitors alert if less than this share of the listed URLs is known to be indexable: "
        "`0.95`. What was left out by choice does not count.",
    )
    alert_rules: tuple[str, ...] = option(
        _read_rule_ids, "", "Monitors alert if one of these rules is found, comma separated."
    )

    @property
    def preferences(self) -> Preferences:
        """What rules are told beside their severity."""
        return Preferences(self.session_names, self.long_loc)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> Self:
        """Read those among the settings of Scrapy that are ours; raises ConfigError."""
        return cls.read({name: settings[name] for name in settings if name.startswith(PREFIX)})


@dataclass(slots=True, frozen=True)
class Config:
    """Everything that a run was asked to do."""

    arguments: Arguments
    settings: AuditSettings
    timeout: float
    job: str | None = None
    given: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, arguments: Mapping[str, Any], settings: Mapping[str, Any]) -> Self:
        """Read what was given; raises ConfigError.

        ``settings`` are those of Scrapy. Arguments that begin with ``_`` come
        from Scrapyd, and are accepted.
        """
        given = _with_those_of_the_run(
            {name: value for name, value in arguments.items() if not name.startswith("_")}
        )
        config = cls(
            arguments=Arguments.read(given),
            settings=AuditSettings.of(settings),
            timeout=float(settings["DOWNLOAD_TIMEOUT"]),
            job=arguments.get("_job"),
            given=given,
        )
        if not config.arguments.site and not config.arguments.sitemap:
            raise ConfigError(
                "Nothing to audit: give -a site=https://www.example.com, -a sitemap=…"
                " or -a site=demo."
            )
        if config.renders and config.arguments.pages == "none":
            raise ConfigError("render: with pages=none there is nothing to render.")
        return config

    @property
    def renders(self) -> bool:
        """Whether a browser is needed."""
        return self.arguments.render != NEVER

    @property
    def draws(self) -> bool:
        """Whether a sample is to be drawn, for which every entry must be known first."""
        return isinstance(self.arguments.pages, int) or isinstance(self.arguments.render, int)

    @property
    def is_demo(self) -> bool:
        """Whether the run audits the website that ships with the project."""
        return self.arguments.site in ((Site(DEMO),), (Site(DEMO_LATER),))

    @property
    def is_later(self) -> bool:
        """Whether that is to be the website a week later."""
        return self.arguments.site == (Site(DEMO_LATER),)

    @property
    def first_origin(self) -> str:
        """The origin that a run is named after."""
        return self._origins[0]

    @property
    def _origins(self) -> list[str]:
        origins = [site.origin for site in self.arguments.site]
        return origins + [urls.origin(url) for url in self.arguments.sitemap]

    def name(self) -> str:
        """Return the name of the folder that holds the runs of this site."""
        if self.is_demo:
            return DEMO
        others = len(dict.fromkeys(self._origins)) - 1
        return urls.authority(self.first_origin) + (f"+{others}" if others else "")

    def record(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return arguments and settings as the manifest keeps them."""
        arguments: dict[str, Any] = {
            option.name: option.default for option in Arguments.described()
        }
        arguments |= {**self.given, "pages": self.arguments.pages, "render": self.arguments.render}
        names = [each.name for each in fields(AuditSettings)]
        settings = {AuditSettings.name_of(name): getattr(self.settings, name) for name in names}
        settings["AUDIT_MEMORY"] = f"{self.settings.memory}MB"
        settings["AUDIT_DIR"] = str(self.settings.dir)
        settings["AUDIT_PRIVATE_HOSTS"] = sorted(self.settings.private_hosts)
        return arguments, settings

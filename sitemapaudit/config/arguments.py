"""What is given with ``-a``: each argument once, with how it is read and what it means."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from sitemapaudit import urls
from sitemapaudit.datasets.folders import find_run
from sitemapaudit.items import Role
from sitemapaudit.options import Options, option, whole_number, words
from sitemapaudit.sharding import Shard
from sitemapaudit.sitemaps.dates import w3c_datetime

DEMO, DEMO_LATER = "demo", "demo-later"
NEVER, AUTO, ALWAYS = "never", "auto", "always"
_AGENT: Final = re.compile(r"[A-Za-z0-9_-]+")


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

"""The effects of the settings of Scrapy and scrapy-playwright in an audit.

Others are read by Scrapy itself, or by our handler as Scrapy's reads them.
"""

from __future__ import annotations

import re
from enum import StrEnum
from fnmatch import translate
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from scrapy.settings import SETTINGS_PRIORITIES, default_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings


class Effect(StrEnum):
    """The effect of a setting in an audit."""

    WORKS = "works"
    DIFFERS = "differs"
    NONE = "has no effect"


class Row(NamedTuple):
    """Settings, by names or patterns, and how or why they differ from Scrapy's documentation."""

    names: tuple[str, ...]
    effect: Effect
    why: str


TABLE: Final = (
    Row(
        ("CONCURRENT_REQUESTS",),
        Effect.DIFFERS,
        "the limit of all processes and shards of an audit together",
    ),
    Row(
        ("CONCURRENT_REQUESTS_PER_DOMAIN", "DOWNLOAD_DELAY", "AUTOTHROTTLE_*_DELAY"),
        Effect.DIFFERS,
        "shards share them; `Crawl-delay` and `Retry-After` can only slow down",
    ),
    Row(
        ("DOWNLOAD_MAXSIZE",),
        Effect.DIFFERS,
        "a longer body is read up to there and counts as truncated; a sitemap makes the audit"
        " incomplete",
    ),
    Row(("ITEM_PIPELINES", "FEEDS"), Effect.DIFFERS, "one process fetches all pages"),
    Row(
        ("DOWNLOAD_HANDLERS",),
        Effect.DIFFERS,
        "other handlers get the headers and limits of an audit; addresses are checked before the"
        " first request to a host, and not when a connection is opened",
    ),
    Row(
        ("DOWNLOADER",),
        Effect.DIFFERS,
        "requests pass through Scrapy's engine if it is another one, which takes longer",
    ),
    Row(("LOG_LEVEL",), Effect.DIFFERS, "the log of the run is at least as detailed as INFO"),
    Row(
        ("RETRY_TIMES",),
        Effect.DIFFERS,
        "the last attempt for a page is made at the end of the run",
    ),
    Row(
        ("REDIRECT_*", "METAREFRESH_*"),
        Effect.NONE,
        "a redirect is the response of its URL; `follow` chooses whether targets are fetched",
    ),
    Row(
        ("ROBOTSTXT_*",),
        Effect.NONE,
        "an audit obeys robots.txt in any case, for `agent`, and reports what it disallows",
    ),
    Row(("COMPRESSION_*",), Effect.NONE, "bodies are decoded within the limits of their readers"),
    Row(("DOWNLOAD_WARNSIZE",), Effect.NONE, "readers have limits"),
    Row(("DEPTH_*",), Effect.NONE, "pages are listed; `links` chooses which links are followed"),
    Row(
        ("DNSCACHE_*", "DNS_RESOLVER", "DNS_TIMEOUT", "TWISTED_DNS_RESOLVER"),
        Effect.NONE,
        "the system resolves names within DOWNLOAD_TIMEOUT, and they are kept for 5 minutes",
    ),
    Row(
        ("JOBDIR",),
        Effect.NONE,
        "the run folder keeps the state: resume an audit with `resume`",
    ),
    Row(
        ("SPIDER_MIDDLEWARES", "REFERER_ENABLED", "REFERRER_*", "URLLENGTH_LIMIT", "HTTPERROR_*"),
        Effect.NONE,
        "no page passes through spider middlewares",
    ),
    Row(
        ("SCHEDULER*", "DUPEFILTER_*", "REQUEST_FINGERPRINTER_CLASS"),
        Effect.NONE,
        "no page passes through the scheduler; each URL is fetched once",
    ),
    Row(
        ("CONCURRENT_ITEMS", "WARN_ON_GENERATOR_RETURN_VALUE", "CRAWLSPIDER_FOLLOW_LINKS"),
        Effect.NONE,
        "a page has no callback",
    ),
    Row(
        ("DOWNLOADER_CLIENTCONTEXTFACTORY", "DOWNLOAD_FAIL_ON_DATALOSS"),
        Effect.NONE,
        "Scrapy's download handlers read them; a body that ends early is an error of its URL",
    ),
    Row(("HTTP2_*", "HTTPX_*"), Effect.NONE, "they belong to other download handlers"),
    Row(
        ("PLAYWRIGHT_BROWSER_TYPE",),
        Effect.NONE,
        "the browser is Chromium: AUDIT_BROWSER chooses its program",
    ),
    Row(
        ("PLAYWRIGHT_ABORT_REQUEST", "PLAYWRIGHT_PROCESS_REQUEST_HEADERS"),
        Effect.NONE,
        "an audit decides itself which requests of a page are sent, and reports those that are not",
    ),
    Row(
        (
            "PLAYWRIGHT_MAX_PAGES_PER_CONTEXT",
            "PLAYWRIGHT_MAX_CONTEXTS",
            "PLAYWRIGHT_CONTEXTS",
            "PLAYWRIGHT_DOWNLOAD_TIMEOUT",
        ),
        Effect.NONE,
        "each page has a context; AUDIT_RENDER_CONCURRENCY limits their number",
    ),
)


def rows_of(effect: Effect) -> Iterator[Row]:
    """Yield the rows with an effect."""
    return (row for row in TABLE if row.effect is effect)


IGNORED_ATTRIBUTES: Final = {
    "user_agent": "set USER_AGENT in custom_settings",
    "http_user": "set HTTPAUTH_USER and HTTPAUTH_PASS",
    "http_pass": "set HTTPAUTH_USER and HTTPAUTH_PASS",
    "start_urls": "give the argument site, sitemap or urls",
    "sitemap_urls": "give the argument sitemap",
    "sitemap_rules": "give the arguments include and exclude",
    "sitemap_follow": "give the argument sitemap",
    "sitemap_alternate_links": "give the argument follow",
    "allowed_domains": "give the argument include",
    "handle_httpstatus_list": "every status is recorded",
    "download_timeout": "set DOWNLOAD_TIMEOUT in custom_settings",
    "download_maxsize": "set DOWNLOAD_MAXSIZE in custom_settings",
    "download_delay": "set DOWNLOAD_DELAY in custom_settings",
}
"""Attributes of spiders that parts of Scrapy read, and what to do instead."""


def ignored_settings(settings: BaseSettings) -> dict[str, str]:
    """Return the chosen settings without effect, each with the reason."""
    # Most settings have the value of Scrapy, and to match a name takes longer than to see that.
    chosen = sorted(name for name in settings if _is_chosen(name, settings))
    return {name: row.why for row in rows_of(Effect.NONE) for name in chosen if _matches(name, row)}


def _matches(name: str, row: Row) -> bool:
    return _pattern(row.names).fullmatch(name) is not None and not name.endswith("_BASE")


@cache
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, names)))


def _is_chosen(name: str, settings: BaseSettings) -> bool:
    """Return whether a project, a spider or a user chose another value than Scrapy."""
    priority = settings.getpriority(name)
    if priority is None or priority < SETTINGS_PRIORITIES["project"]:
        return False
    if name == "ROBOTSTXT_OBEY":
        return not settings.getbool(name)
    usual = getattr(default_settings, name, None)
    given = settings.getdict(name) if isinstance(usual, dict) else settings[name]
    return str(given) != str(usual)

"""What is set in settings.py or with ``-s``: each setting once, with how it is read."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

from sitemapaudit.datasets.exports import FORMATS
from sitemapaudit.items import Severity
from sitemapaudit.options import Options, nearest, one_of, option, whole_number, words
from sitemapaudit.rules.catalogue import catalogue
from sitemapaudit.rules.preferences import SESSION_NAMES, Preferences

PREFIX: Final = "AUDIT_"
_NAME: Final = re.compile(r"[\w.-]+\*?")
_MEMORY: Final = re.compile(r"([1-9]\d*)\s*([MG])i?B", re.IGNORECASE)


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

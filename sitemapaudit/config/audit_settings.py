"""The settings of an audit, each defined once with its reader and its meaning."""

import fnmatch
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from ipaddress import AddressValueError, IPv6Address
from pathlib import Path
from typing import Any, Final, Self

from sitemapaudit.config.color import read_color
from sitemapaudit.config.logo import read_logo
from sitemapaudit.config.options import (
    PAIR,
    SWITCH,
    ConfigError,
    Options,
    option,
    sentence,
    suggest_name,
)
from sitemapaudit.config.readers import (
    one_of,
    optional,
    read_list,
    read_mapping,
    read_path,
    read_percent,
    read_share,
    read_switch,
    read_words,
    seconds,
    whole_number,
)
from sitemapaudit.datasets.formats.optional import format_names, missing_extra
from sitemapaudit.items import Severity
from sitemapaudit.redaction import HIDDEN, hide_passwords, mask_address
from sitemapaudit.rules.catalog import Catalog, RuleModuleError, catalog
from sitemapaudit.rules.profiles import PROFILE, PROFILES, split_profiles
from sitemapaudit.rules.rule_options import SESSION_PARAMS, RuleOptions
from sitemapaudit.runs.merging.stores import STORES, can_reach_stores, is_remote

PREFIX: Final = "AUDIT_"
NOTIFY: Final = f"{PREFIX}NOTIFY"
"""The environment variable with the addresses for alerts, and the name of the setting."""

OFF: Final = "off"
_ADDRESS: Final = re.compile(r"[a-z][a-z0-9]*://.", re.IGNORECASE)
_PARAMETER: Final = re.compile(r"[\w.-]+\*?")
_HOST: Final = re.compile(
    r"(?:\[(?P<address>[0-9a-f:.]+)(?:%\w+)?\]|[^\s:/?#@*\[\]]+)(?::(?P<port>[0-9]{1,5}))?"
)
"""A name, an IPv4 address, or an IPv6 address in brackets, with or without a port."""

_LAST_PORT: Final = 65_535
_MEMORY: Final = re.compile(r"([1-9]\d*)\s*([MG])i?B", re.IGNORECASE)
_MODULE: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


class SecretAddress(str):
    """An address of a service for alerts; its representation has no secrets."""

    __slots__ = ()

    def __repr__(self) -> str:
        return repr(mask_address(self))


def _read_rules(given: Any) -> dict[str, str]:
    try:
        rules = read_mapping(given, unnamed=PROFILE)
    except ValueError:
        raise ValueError(
            f"{given!r} is neither a mapping such as canonical-missing=off nor a profile:"
            f" {', '.join(PROFILES)}"
        ) from None
    for name in split_profiles(str(rules.get(PROFILE, ""))):
        if name not in PROFILES:
            offer = suggest_name(name, PROFILES) or f"use one of {', '.join(PROFILES)}"
            raise ValueError(f"there is no profile {name!r}; {offer}")
    allowed = ("off", *Severity)
    for rule, severity in rules.items():
        if severity not in allowed and rule != PROFILE:
            raise ValueError(f"{severity!r} (of {rule}) is not one of {', '.join(allowed)}")
    return rules


def _read_rule_modules(given: Any) -> tuple[str, ...]:
    names = read_words(given)
    for name in names:
        if not _MODULE.fullmatch(name):
            raise ValueError(f"{name!r} is not the name of a Python package such as my_rules")
    return names


def _is_host(name: str) -> bool:
    found = _HOST.fullmatch(name)
    if not found or int(found["port"] or 0) > _LAST_PORT:
        return False
    try:
        IPv6Address(found["address"] or "::")
    except AddressValueError:
        return False
    return True


def _read_hosts(given: Any) -> frozenset[str]:
    names = [name.lower() for name in read_words(given)]
    for name in names:
        if not _is_host(name):
            raise ValueError(f"{name!r} is not a host such as intranet.example or 10.0.0.5:8080")
    return frozenset(names)


def _read_parameters(given: Any) -> tuple[str, ...]:
    names = read_words(given)
    for name in names:
        if not _PARAMETER.fullmatch(name):
            raise ValueError(
                f"{name!r} is not the name of a parameter such as sid or aspsessionid*"
            )
    return names


def _read_columns(given: Any) -> dict[str, str]:
    if not given:
        return {}
    # Few audits have own columns, and checks of them import DuckDB and parsers.
    from sitemapaudit.datasets.own_columns import check_names  # noqa: PLC0415
    from sitemapaudit.pages.own_columns import check_columns  # noqa: PLC0415

    is_pair = isinstance(given, str) and not given.lstrip().startswith("{")
    pairs = dict([_split_pair(given)]) if is_pair else read_mapping(given)
    check_columns(pairs)
    check_names(pairs)
    return pairs


def _split_pair(given: str) -> tuple[str, str]:
    """Return the name and the selector of one column: selectors contain commas."""
    name, _, selector = given.partition("=")
    return name.strip(), selector


def _read_notify(given: Any) -> tuple[str, ...]:
    words = [str(each) for each in read_list(given or os.environ.get(NOTIFY, ""))]
    if [word.lower() for word in words] == [OFF]:
        return ()
    for number, word in enumerate(words, start=1):
        if not _ADDRESS.match(word):
            # The value is a secret, also with a mistake in it.
            raise ValueError(f"address {number} is not a URL such as slack://… or mailtos://…")
    return tuple(map(SecretAddress, words))


def _read_formats(given: Any) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.lower() for name in read_words(given)))
    for name in names:
        if name not in format_names():
            raise ValueError(f"{name!r} is not one of {', '.join(format_names())}")
    return names


def _read_memory(given: Any) -> int:
    match = _MEMORY.fullmatch(str(given).strip())
    if not match:
        raise ValueError(f"{given!r} is not a size such as 256MB or 2GB")
    return int(match.group(1)) * (1024 if match.group(2).upper() == "G" else 1)


def _read_folder(given: Any) -> Path:
    if is_remote(str(given)):
        raise ValueError(f"{str(given)!r} is not a folder; to upload runs to a store, use upload")
    return read_path(given)


def _read_upload(given: Any) -> str:
    address = str(given).rstrip("/")
    scheme, separator, _ = address.partition("://")
    if hide_passwords(address) != address or "?" in address:
        raise ValueError(
            "an address has no keys and no options; set them in the environment, for example as"
            " AWS_SECRET_ACCESS_KEY and AWS_ENDPOINT_URL"
        )
    if address and not (separator and scheme in STORES):
        raise ValueError(f"{address!r} is not the address of a store such as s3://bucket/audits")
    return address


_RECORDED: Final[Mapping[str, Callable[[Any], Any]]] = {
    "dir": str,
    "memory": "{}MB".format,
    "private_hosts": sorted,
    "staging_headers": lambda headers: dict.fromkeys(headers, HIDDEN),
    "notify": lambda addresses: [mask_address(address) for address in addresses],
}
"""Settings that are not written into run.json as they are, with their conversions."""


NOW, LATER = "now", "later"
"""When results are built."""


@dataclass(slots=True, frozen=True)
class AuditSettings(Options):
    """The settings: from ``-s``, settings.py, or ``-d setting=`` of Scrapyd."""

    prefix = PREFIX

    dir: Path = option(_read_folder, "DIR", "audits", "Folder that contains the run folders.")
    upload: str = option(
        _read_upload,
        "ADDRESS",
        "",
        "Folder in an object store (`s3://bucket/audits`, `gs://…`) to which the run folder is "
        "uploaded while the audit runs. The same command again continues a run there that has not "
        "finished, on any machine. Keys come from the environment.",
    )
    fail_on: str = option(
        one_of("never", *Severity),
        "|".join(("never", *Severity)),
        "never",
        "Exit status 1 if a finding has this severity or a higher one: `never`, `notice`, "
        "`warning` or `error`.",
    )
    results: str = option(
        one_of(NOW, LATER),
        f"{NOW}|{LATER}",
        NOW,
        "When to build the tables and the report: at the end of the audit, or `later`, by "
        "`sitemapaudit report`. For shards, whose merged run is built anyway. Until then the run "
        "has only its ledger, and its exit status 0 says that it reached its end.",
    )
    exit_zero: bool = option(
        read_switch,
        SWITCH,
        "false",
        "Exit status 0 instead of 1 or 3 if the run reached its end and has results, complete or "
        "not: for engines that take any other status for a failure. A run that stopped before its "
        "end still has 3.",
    )
    rules: dict[str, str] = option(
        _read_rules,
        "RULE=SEVERITY,…|PROFILE,…",
        "",
        "Rules to switch off, or to give another severity: "
        "`canonical-missing=off,page-timeout=warning`. A `*` stands for any characters: "
        "`hreflang-*=off`. Or a profile, such as `google`: only the rules whose sources this "
        "engine publishes. `google`, `bing`, `yandex` and `protocol` (sitemaps.org) can be "
        "combined, also with other choices: `google,loc-duplicate=warning`.",
    )
    rule_modules: tuple[str, ...] = option(
        _read_rule_modules,
        "PACKAGE,…",
        "",
        "Python packages with your own rules, comma-separated.",
    )
    session_params: tuple[str, ...] = option(
        _read_parameters,
        "NAME,…",
        ", ".join(SESSION_PARAMS),
        "Names of parameters that loc-session-id treats as session IDs, comma-separated, in any "
        "case; a final `*` stands for any letters, digits and `_`.",
    )
    loc_notice_length: int = option(
        whole_number(0),
        "N",
        "0",
        "Length of a loc in characters above which loc-too-long reports a notice although the "
        "protocol allows it: `1024` for Yandex; 0 means never.",
    )
    slow_seconds: float = option(
        seconds(3_600),
        "SECONDS",
        "1.8",
        "Response time in seconds above which page-slow reports a page; 0 means never.",
    )
    deep_clicks: int = option(
        whole_number(0),
        "N",
        "5",
        "Clicks from the home page above which listed-deep reports a listed page; 0 means never.",
    )
    speed: str = option(
        one_of("polite", "full"),
        "polite|full",
        "polite",
        "`polite` for sites of others; `full` for your own sites: as fast as the server responds.",
    )
    staging_host: str = option(
        one_of("staging", "site"),
        "staging|site",
        "staging",
        "Host in requests to staging, in the `Host` header and in TLS: its own, or that of the "
        "`site` if the server knows only that name.",
    )
    staging_headers: dict[str, str] = option(
        read_mapping,
        "NAME=VALUE,…",
        "",
        "Headers that only requests to staging have: `Cookie=preview=1`, or a JSON object. Their "
        "values are not recorded: give them again to resume a run.",
    )
    max_urls: int = option(
        whole_number(0),
        "N",
        "0",
        "Maximum number of listed URLs to fetch, and of images and videos to check; 0 means no "
        "limit.",
    )
    max_sitemaps: int = option(
        whole_number(1), "N", "100000", "Maximum number of sitemaps to read."
    )
    max_depth: int = option(
        whole_number(0), "N", "10", "Maximum depth of nested sitemap indexes below the first."
    )
    max_linked: int = option(
        whole_number(0),
        "N",
        "100000",
        "With links=crawl, maximum number of URLs to fetch that are linked and not listed; 0 means "
        "no limit.",
    )
    max_similar: int = option(
        whole_number(0),
        "N",
        "1000",
        "With links=crawl, maximum number of linked URLs that differ only in their parameters, or "
        "in segments with digits, like endless calendars, filters and sessions. 0 means no limit.",
    )
    max_hosts: int = option(
        whole_number(0),
        "N",
        "100",
        "Maximum number of other hosts to fetch pages from (redirects, canonicals, entries that "
        "name other hosts).",
    )
    recheck: bool = option(
        read_switch,
        SWITCH,
        "true",
        "Fetch pages that failed (server errors, timeouts, connection errors, soft 404s) once "
        "more at the end of the run, as the last of the `RETRY_TIMES` repetitions.",
    )
    sitemap_timeout: float = option(
        seconds(3_600),
        "SECONDS",
        "120",
        "Timeout of a sitemap in seconds, if it is longer than `DOWNLOAD_TIMEOUT`: a sitemap can "
        "be a hundred times as large as a page. Its response must begin within `DOWNLOAD_TIMEOUT`.",
    )
    max_delay: float = option(
        seconds(86_400),
        "SECONDS",
        "60",
        "Longest delay in seconds that a host can impose, with `Crawl-delay` or with the "
        "`Retry-After` of a 429 or 503. Longer delays are shortened to this. 0 ignores both, for "
        "your own site.",
    )
    compare_agents: bool = option(
        read_switch,
        SWITCH,
        "true",
        "If a site denies access with 403 or a bot challenge, fetch one URL again with the "
        "User-Agent of a browser, to find out which of the two is refused. If a page has its "
        "canonical outside the head, fetch one with the User-Agents of Googlebot and Bingbot, to "
        "find out where they get it.",
    )
    control_share: float = option(
        read_percent,
        "PERCENT",
        "3",
        "With reuse, percentage of pages to fetch in full although the server says that they were "
        "not modified, at least four of each host; 0 for none. If the verdict of one differs, or "
        "several differ, every page of the host is fetched in full.",
    )
    private_hosts: frozenset[str] = option(
        _read_hosts,
        "HOST,…",
        "",
        "Hosts and addresses (`host` or `host:port`, comma-separated) that may be contacted "
        "although they are private or loopback, in addition to audited sites. A link-local address "
        "or that of a metadata service must be named itself.",
    )
    seed: int = option(whole_number(0), "N", "0", "Seed of the samples of `pages` and `render`.")
    guarded_browser: bool = option(
        read_switch,
        SWITCH,
        "false",
        "The browser of `PLAYWRIGHT_CDP_URL`, `PLAYWRIGHT_CONNECT_URL` or "
        "`PLAYWRIGHT_BROWSER_PROVIDER` cannot reach private networks: the proxy of an audit, which "
        "sees to that, has no effect there.",
    )
    browser: str = option(
        str,
        "PROGRAM",
        "",
        "Program of the browser: Chromium, Chrome or Edge. By default that of `playwright "
        "install`, or one in the usual places.",
    )
    render_concurrency: int = option(
        whole_number(1), "N", "8", "Number of pages that the browser renders concurrently."
    )
    render_idle: float = option(
        seconds(60),
        "SECONDS",
        "0.5",
        "Seconds without a request after which a rendered page counts as idle. A page that is "
        "never idle gets ten times as long.",
    )
    memory: int = option(
        _read_memory,
        "SIZE",
        "112MB",
        "Memory that DuckDB may use to build the tables, exports and repairs. Work that needs more "
        "goes to disk; if that is not possible, the limit is doubled.",
    )
    formats: tuple[str, ...] = option(
        _read_formats,
        "FORMAT,…",
        "",
        "Additional formats of the tables, comma-separated: `xlsx` (a workbook), `jsonl` (JSON "
        "Lines). The formats of a run are rebuilt with its tables.",
    )
    columns: dict[str, str] = option(
        _read_columns,
        PAIR,
        "",
        "Own columns of the tables `pages` and `urls`, each from a selector for pages, "
        "`css:.price::text` or `xpath://h2[1]`, or from a header, `header:x-cache`: the text of "
        "the first match, up to 1,000 characters. Rendered pages have a second column, "
        "`rendered_NAME`. At most 20; as a setting, a mapping.",
    )
    report_title: str = option(
        str,
        "TEXT",
        "",
        "Title of the report, instead of `Sitemap audit of …`: the name of your agency.",
    )
    report_logo: str = option(
        read_logo,
        "FILE",
        "",
        "File of a logo in the report: PNG, JPEG or SVG, at most 300 kB. It is embedded in the "
        "report, and in run.json as a data URI.",
    )
    notify: tuple[str, ...] = option(
        _read_notify,
        "URL|off",
        "",
        "Addresses of services for alerts, separated by spaces, as Apprise has them: "
        "`slack://…`, `msteams://…`, `mailtos://…`, `jsons://…`. After a run or a gate, they get "
        "what is new and what is fixed since the previous run. The environment variable "
        "`AUDIT_NOTIFY` is used if the setting is missing, and `off` ignores both.",
    )
    report_color: str = option(
        read_color,
        "COLOR",
        "",
        "Color of titles and links in the report, such as `#0b57c2`. It must be dark enough to be "
        "read on white; where the browser prefers a dark page, the report keeps its own colors.",
    )
    alert_errors: int | None = option(
        optional(whole_number(0)),
        "N",
        "",
        "Spidermon alerts if there are more errors than this.",
    )
    alert_indexable: float | None = option(
        optional(read_share),
        "SHARE",
        "",
        "Spidermon alerts if the share of listed URLs known to be indexable is lower: `0.95`. "
        "URLs that were skipped by choice do not count.",
    )
    alert_rules: tuple[str, ...] = option(
        read_words,
        "RULE,…",
        "",
        "Spidermon alerts if one of these rules has a finding, comma-separated.",
    )

    @property
    def rule_options(self) -> RuleOptions:
        """The options of single rules."""
        return RuleOptions(
            self.session_params, self.loc_notice_length, self.slow_seconds, self.deep_clicks
        )

    @property
    def catalog(self) -> Catalog:
        """All rules, including those of AUDIT_RULE_MODULES."""
        return catalog(self.rule_modules)

    def recorded(self) -> dict[str, Any]:
        """Return the settings by public name, as run.json records them: without secrets."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        for name, write in _RECORDED.items():
            values[name] = write(values[name])
        return {self.public_name(name): value for name, value in values.items()}

    def check_extras(self) -> None:
        """Raise ConfigError if a format or the upload needs an extra that is not installed."""
        for name in self.formats:
            if extra := missing_extra(name):
                setting = self.public_name("formats")
                raise ConfigError(f"{setting}: to write {name}, install {extra}.")
        if self.upload and not can_reach_stores():
            setting = self.public_name("upload")
            raise ConfigError(f"{setting}: to upload runs, install sitemapaudit[stores].")

    @classmethod
    def from_scrapy(cls, settings: Mapping[str, Any]) -> Self:
        """Read the AUDIT_ settings among the settings of Scrapy; raises ConfigError."""
        found = cls.read({name: settings[name] for name in settings if name.startswith(PREFIX)})
        try:
            rules = found.catalog
        except RuleModuleError as error:
            raise ConfigError(sentence(f"{cls.public_name('rule_modules')}: {error}")) from error
        chosen = (
            name for name in found.rules if name != PROFILE and not fnmatch.filter(rules, name)
        )
        _check_rules(cls.public_name("rules"), chosen, rules)
        _check_rules(cls.public_name("alert_rules"), found.alert_rules, rules)
        return found


def _check_rules(setting: str, names: Iterable[str], rules: Catalog) -> None:
    for name in names:
        if name not in rules:
            offer = suggest_name(name, rules) or "sitemapaudit rules lists them"
            raise ConfigError(sentence(f"{setting}: there is no rule {name!r}; {offer}"))

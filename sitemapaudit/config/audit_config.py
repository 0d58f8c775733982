"""The configuration of a run, in one object."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from msgspec import Struct, field

from sitemapaudit import urls
from sitemapaudit.bounds.margin import Margin
from sitemapaudit.config.arguments import NEVER, Arguments, Links, Site, offer_part
from sitemapaudit.config.audit_settings import AuditSettings
from sitemapaudit.config.effects import check_effects
from sitemapaudit.config.options import ConfigError, sentence
from sitemapaudit.config.recorded import add_listed_arguments, add_recorded_arguments
from sitemapaudit.config.scope import Scope
from sitemapaudit.evidence.url_list import STANDARD_INPUT, read_url_list
from sitemapaudit.items import Role
from sitemapaudit.runs.manifest import DEMO, DEMO_LATER
from sitemapaudit.urls.shard import WHOLE
from sitemapaudit.urls.staging import Staging


class Config(Struct, frozen=True):
    """The arguments and settings of a run; ``timeout`` is in seconds.

    ``retries`` is the number of times that a failed request is repeated.

    ``given`` has the arguments as the user wrote them, ``job`` the id of a Scrapyd job,
    ``set_by`` the place that set an argument or a setting, and ``first_addresses`` the addresses of
    hosts that were looked up before the run.
    """

    arguments: Arguments
    settings: AuditSettings
    timeout: float
    retries: int = 0
    job: str | None = None
    given: Mapping[str, Any] = field(default_factory=dict)
    set_by: Mapping[str, str] = field(default_factory=dict)
    first_addresses: Mapping[str, list[str]] = field(default_factory=dict)

    @classmethod
    def read(cls, arguments: Mapping[str, Any], settings: Mapping[str, Any]) -> Self:
        """Read arguments, and settings of Scrapy; raises ConfigError.

        An argument that is None has its default. Arguments that begin with ``_`` are not the
        user's: Scrapyd adds ``_job``, and ``scrapy crawl`` adds ``_set_by`` and
        ``_first_addresses``.
        """
        given = add_recorded_arguments(
            {
                name: _as_text(value)
                for name, value in arguments.items()
                if value is not None and not name.startswith("_")
            }
        )
        given = _with_site_of_list(_with_agent(add_listed_arguments(given)))
        config = cls(
            arguments=Arguments.read(given),
            settings=AuditSettings.from_scrapy(settings),
            timeout=float(settings["DOWNLOAD_TIMEOUT"]),
            retries=_retries(settings),
            job=arguments.get("_job"),
            given=given,
            set_by=arguments.get("_set_by", {}),
            first_addresses=arguments.get("_first_addresses", {}),
        )
        if not config.arguments.site and not config.arguments.sitemap:
            raise ConfigError(
                "Nothing to audit: give a site such as https://www.example.com, or the argument"
                " sitemap or urls."
            )
        if config.arguments.folder and config.arguments.staging:
            raise ConfigError("folder: it cannot be combined with staging.")
        config._check_list()
        config._check_paths()
        config._check_staging()
        if config.renders and config.arguments.pages == "none":
            raise ConfigError("render: with pages=none there is nothing to render.")
        if isinstance(config.arguments.pages, Margin) and config.arguments.shard != WHOLE:
            raise ConfigError("pages: a margin cannot be combined with shard; give a number.")
        config._check_links()
        config._check_reuse()
        config._check_entries_from()
        check_effects(config)
        return config

    def _check_list(self) -> None:
        """Raise ConfigError if a list of URLs contradicts other arguments."""
        if not self.arguments.urls:
            return
        if self.arguments.sitemap:
            raise ConfigError("urls: a list is audited without sitemaps; remove sitemap.")
        if self.arguments.since:
            raise ConfigError("urls: a list has no lastmod; remove since.")
        if self.is_demo:
            raise ConfigError("urls: the demo has its own URLs; remove one.")

    def _check_paths(self) -> None:
        """Raise ConfigError if a site has a path that is not that of a build."""
        sites = self.arguments.site
        for url in (site.origin + site.path for site in sites if site.path):
            if not self.arguments.folder or "?" in url:
                raise ConfigError(f"site: {url!r} is more than an origin; {offer_part(url)}.")
            if len(sites) > 1 or self.arguments.sitemap:
                raise ConfigError(f"site: a build below a path is one site; give only {url}/.")

    def _check_staging(self) -> None:
        """Raise ConfigError if a host of the site would be requested instead of its staging."""
        if not self.arguments.staging:
            return
        if self.is_demo:
            raise ConfigError("staging: the demo has none.")
        staging = self.staging
        if "" in self.arguments.staging and len(staging.origins) > 1:
            raise ConfigError(
                "staging: one origin cannot stand for several hosts; give a list such as"
                " www.example.com=https://staging.example.com."
            )
        for home in (f"{origin}/" for origin in self.origins):
            if staging.request_url(home) is None:
                raise ConfigError(
                    f"staging: it has no origin for {urls.authority(home)}, which is audited."
                )
        for origin in staging.origins.values():
            if self._is_of_site(origin, live=urls.authority(f"{origin}/") in staging.live):
                raise ConfigError(f"staging: {origin} is the site itself.")

    def _is_of_site(self, origin: str, *, live: bool) -> bool:
        """Return whether an origin is an audited one, or, if ``live``, has the same host."""
        host, port = _site_host(origin), urls.port(origin)
        return any(
            host == _site_host(each)
            and (live or port == urls.port(each) or {port, urls.port(each)} == {80, 443})
            for each in self.origins
        )

    def _check_links(self) -> None:
        """Raise ConfigError if the argument links contradicts others."""
        links, pages = self.arguments.links, self.arguments.pages
        if links is not Links.NONE and pages == "none":
            raise ConfigError("links: with pages=none there are no pages with links.")
        if links is Links.CRAWL and (pages != "all" or self.arguments.since):
            raise ConfigError(
                "links: crawl needs all listed pages; remove pages and since, or use links=record."
            )
        if self.arguments.found and (links is not Links.CRAWL or not self.arguments.resume):
            raise ConfigError("found: it needs resume, and a shard with links=crawl to resume.")

    def _check_reuse(self) -> None:
        """Raise ConfigError if nothing can be reused."""
        arguments = self.arguments
        if arguments.reuse is None:
            return
        if self.renders:
            raise ConfigError("reuse: a browser loads every page; remove reuse or render.")
        if arguments.links is not Links.NONE:
            raise ConfigError(
                "reuse: links are read from the pages themselves; remove reuse or links."
            )
        if self.settings.columns:
            raise ConfigError(
                "reuse: own columns are read from the pages themselves; remove reuse or columns."
            )
        if arguments.folder:
            raise ConfigError("reuse: the pages of a folder are not requested; remove reuse.")

    def _check_entries_from(self) -> None:
        """Raise ConfigError if the entries of an earlier run cannot be taken."""
        if self.arguments.entries_from is None:
            return
        if self.samples:
            raise ConfigError("entries_from: a sample is drawn from all entries; remove one.")
        if self.arguments.folder:
            raise ConfigError("entries_from: every run reads its folder itself; remove one.")
        if self.is_demo:
            raise ConfigError("entries_from: every run has its own demo; name another site.")

    @property
    def other_agents(self) -> tuple[str, ...]:
        """The crawlers with verdicts, except ``agent``."""
        first = self.arguments.agent.lower()
        return tuple(name for name in self.arguments.agents if name.lower() != first)

    @property
    def rechecks(self) -> bool:
        """True if failed pages are fetched once more, as the last retry."""
        return self.settings.recheck and self.retries > 0

    @property
    def renders(self) -> bool:
        """True if a browser is needed."""
        return self.arguments.render != NEVER

    @property
    def samples(self) -> bool:
        """True if a sample is drawn: then every entry must be known first."""
        return self.draws_pages or isinstance(self.arguments.render, int)

    @property
    def draws_pages(self) -> bool:
        """True if a sample of the listed URLs is fetched."""
        return isinstance(self.arguments.pages, int | Margin)

    @property
    def has_new_list(self) -> bool:
        """True if a list of URLs is read from where the user has it."""
        arguments = self.arguments
        return bool(arguments.urls) and not (arguments.resume or arguments.entries_from)

    @property
    def follows_alternates(self) -> bool:
        """True if alternates are fetched: then those that are listed are fetched anyway."""
        arguments = self.arguments
        whole = arguments.pages == "all" and not arguments.since
        return whole and Role.HREFLANG in arguments.follow

    @property
    def selects_pages(self) -> bool:
        """True if listed pages can be fetched: with pages=none, those without a file in a build."""
        return self.arguments.pages != "none" or self.arguments.folder is not None

    @property
    def is_offline(self) -> bool:
        """True if the host names of the site need not resolve."""
        return bool(self.arguments.staging or self.arguments.folder)

    @property
    def requested_origins(self) -> list[str]:
        """The origins that are requested for those of the arguments: none for a build."""
        if self.arguments.folder:
            return []
        requested = (self.staging.request_url(f"{origin}/") for origin in self.origins)
        return [urls.origin(url) for url in dict.fromkeys(filter(None, requested))]

    @property
    def is_demo(self) -> bool:
        """True if the run audits the demo website."""
        return self.arguments.site in ((Site(DEMO),), (Site(DEMO_LATER),))

    @property
    def is_demo_later(self) -> bool:
        """True if the run audits the demo website as it is a week later."""
        return self.arguments.site == (Site(DEMO_LATER),)

    @property
    def staging(self) -> Staging:
        """The origins that are requested in place of the site's."""
        return Staging.read(self.arguments.staging, self.origins)

    @property
    def scope(self) -> Scope:
        """The scope of the run, unless it audits the demo website."""
        arguments = self.arguments
        staging = tuple(self.staging.origins.values())
        return Scope(arguments.site, arguments.sitemap, self.settings.private_hosts, staging)

    @property
    def first_origin(self) -> str:
        """The origin that the run is named after."""
        return self.origins[0]

    @property
    def origins(self) -> list[str]:
        """The origins that the arguments name."""
        origins = [site.origin for site in self.arguments.site]
        return origins + [urls.origin(url) for url in self.arguments.sitemap]

    @property
    def path(self) -> str:
        """The path at which a build is published, without a slash at its end; "" is the root."""
        return self.arguments.site[0].path.rstrip("/") if self.arguments.site else ""

    @property
    def domains(self) -> list[str]:
        """The hosts of these origins, without ``www.``; none for the demo website."""
        hosts = {urls.host(f"{origin}/") for origin in self.origins if "://" in origin}
        return sorted({host.removeprefix("www.") for host in hosts})

    def site_name(self) -> str:
        """Return the name of the folder that contains the runs of this site."""
        if self.is_demo:
            return DEMO
        if self.arguments.staging:
            return f"{urls.authority(self.first_origin)}-staging"
        if self.arguments.folder:
            return f"{urls.authority(self.first_origin)}{self.path.replace('/', '-')}-build"
        others = len(dict.fromkeys(self.origins)) - 1
        return urls.authority(self.first_origin) + (f"+{others}" if others else "")

    def recorded_values(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return arguments and settings as the manifest records them."""
        arguments: dict[str, Any] = {option.name: option.default for option in Arguments.describe()}
        arguments |= {**self.given, "pages": self.arguments.pages, "render": self.arguments.render}
        if "shard" in self.given:  # A resumed run keeps its shard, wherever it is resumed.
            arguments["shard"] = str(self.arguments.shard)
        if isinstance(self.arguments.pages, Margin):
            arguments["pages"] = str(self.arguments.pages)
        staging = self.staging.origins.items()
        arguments["staging"] = ",".join(f"{site}={origin}" for site, origin in staging)
        if isinstance(self.arguments.reuse, Path):
            arguments["reuse"] = str(self.arguments.reuse)
        if self.arguments.entries_from:
            arguments["entries_from"] = str(self.arguments.entries_from)
        if self.arguments.urls not in ("", STANDARD_INPUT):
            arguments["urls"] = str(Path(self.arguments.urls).resolve())
        if self.arguments.folder:
            arguments["folder"] = str(self.arguments.folder.resolve())
        return arguments, self.settings.recorded()


def _site_host(origin: str) -> str:
    """Return the host of an origin, without ``www.`` and the dot of the root."""
    return urls.host(f"{origin}/").removeprefix("www.").removesuffix(".")


def _as_text(value: Any) -> Any:
    """Return a list as the command line gives it: run.json has texts."""
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else value


def _with_agent(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the argument ``agent``: the first one of ``agents``."""
    first = str(given.get("agents") or "").partition(",")[0].strip()
    return {**given, "agent": first} if first and not given.get("agent") else given


def _with_site_of_list(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the argument ``site``, if it is not given: that of most URLs of a new list.

    Raises ConfigError if the list cannot be read.
    """
    place = given.get("urls")
    if not place or any(map(given.get, ("resume", "entries_from"))):
        return given
    try:
        found = read_url_list(str(place))
    except ValueError as error:
        raise ConfigError(sentence(f"urls: {error}")) from None
    return given if given.get("site") else {**given, "site": found.origin}


def _retries(settings: Mapping[str, Any]) -> int:
    enabled = str(settings.get("RETRY_ENABLED", True)).lower() in ("true", "1")
    return int(settings.get("RETRY_TIMES", 0)) if enabled else 0

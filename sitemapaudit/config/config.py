"""Everything that a run was asked to do, in one object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Self

from sitemapaudit import urls
from sitemapaudit.config.arguments import DEMO, DEMO_LATER, NEVER, Arguments, Site
from sitemapaudit.config.resumed import with_those_of_the_run
from sitemapaudit.config.settings import AuditSettings
from sitemapaudit.options import ConfigError


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
        given = with_those_of_the_run(
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

"""Creates the run that a crawl writes, with its manifest."""

import platform
from functools import cache, partial
from importlib.metadata import version
from typing import Final

from scrapy.settings import BaseSettings

from sitemapaudit import __version__
from sitemapaudit.config import Config, Links, record_settings
from sitemapaudit.config.recorded import read_listed
from sitemapaudit.crawling.reuse import request_digest
from sitemapaudit.evidence.url_list import read_url_list
from sitemapaudit.runs.audit_run import AuditRun
from sitemapaudit.runs.manifest import Manifest

_PACKAGES: Final = (
    "scrapy",
    "scrapy-playwright",
    "duckdb",
    "lxml",
    "selectolax",
    "ada-url",
    "protego",
)

_version: Final = cache(version)


def new_run(config: Config, settings: BaseSettings) -> AuditRun:
    """Return the run of a configuration: a new run, or the run that it resumes."""
    arguments, chosen = config.recorded_values()
    manifest = Manifest(arguments, chosen, package_versions(), started="", job=config.job)
    known = arguments.keys() | chosen.keys()
    manifest.set_by = {name: place for name, place in config.set_by.items() if name in known}
    manifest.request_digest = request_digest(settings)
    if config.arguments.entries_from:  # What was compared where the sitemaps were denied.
        manifest.compared_agents = read_listed(config.arguments.entries_from).compared_agents
    if config.arguments.links is not Links.NONE:
        manifest.link_domains = config.domains
    run = AuditRun(config.settings.dir, config.site_name(), manifest)
    if config.has_new_list:
        run.url_list = read_url_list(config.arguments.urls).text
    if config.arguments.resume:
        update = partial(
            record_settings, settings=config.settings, set_by=config.set_by, of_audit=True
        )
        run.resume(config.arguments.resume, update)
    return run


def package_versions() -> dict[str, str]:
    """Return the versions of Python and of the packages on which an audit depends."""
    versions = {"sitemapaudit": __version__, "python": platform.python_version()}
    return versions | {package: _version(package) for package in _PACKAGES}

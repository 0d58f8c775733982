"""Arguments and settings → one typed, checked object; nothing else reads settings.

A mistake in either is the caller's: it is reported in one sentence before the first request
(:class:`~sitemapaudit.config.options.ConfigError`).
"""

from sitemapaudit.config.arguments import ALWAYS, AUTO, CHECK, NEVER, Arguments, Links, Site
from sitemapaudit.config.audit_config import Config
from sitemapaudit.config.audit_settings import AuditSettings
from sitemapaudit.config.options import ConfigError
from sitemapaudit.config.recorded import apply_recorded_settings, read_recorded
from sitemapaudit.config.scope import Scope
from sitemapaudit.config.scrapy_settings import check_types

__all__ = [
    "ALWAYS",
    "AUTO",
    "CHECK",
    "NEVER",
    "Arguments",
    "AuditSettings",
    "Config",
    "ConfigError",
    "Links",
    "Scope",
    "Site",
    "apply_recorded_settings",
    "check_types",
    "read_recorded",
]

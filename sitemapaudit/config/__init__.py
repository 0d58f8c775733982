"""Arguments and settings → one typed, checked object; nothing else reads settings.

A mistake in either is the caller's: it is reported in one sentence before the first request
(:class:`~sitemapaudit.config.options.ConfigError`).
"""

from sitemapaudit.config.arguments import ALWAYS, AUTO, CHECK, NEVER, Arguments, Links, Site
from sitemapaudit.config.audit_config import Config
from sitemapaudit.config.audit_settings import AuditSettings
from sitemapaudit.config.options import ConfigError
from sitemapaudit.config.recorded import record_settings, resumed_settings
from sitemapaudit.config.scope import Scope
from sitemapaudit.runs.reused_run import LATEST

__all__ = [
    "ALWAYS",
    "AUTO",
    "CHECK",
    "LATEST",
    "NEVER",
    "Arguments",
    "AuditSettings",
    "Config",
    "ConfigError",
    "Links",
    "Scope",
    "Site",
    "record_settings",
    "resumed_settings",
]

"""Arguments and settings → one typed, checked object; after it nobody reads settings.

What is wrong with either is the caller's fault, and is said in one sentence
before the first request (:class:`~sitemapaudit.options.ConfigError`).
"""

from sitemapaudit.config.arguments import ALWAYS, AUTO, NEVER, Arguments, Site
from sitemapaudit.config.config import Config
from sitemapaudit.config.resumed import recorded, take_over
from sitemapaudit.config.settings import AuditSettings

__all__ = [
    "ALWAYS",
    "AUTO",
    "NEVER",
    "Arguments",
    "AuditSettings",
    "Config",
    "Site",
    "recorded",
    "take_over",
]

"""The settings of a project that uses this one."""

from sitemapaudit.settings import *  # noqa: F403 - as users do

AUDIT_DEEP_CLICKS = 2
AUDIT_RULES = "*=off"

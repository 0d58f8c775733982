"""robots.txt: what it allows, which sitemaps it declares, and how content may be used."""

from sitemapaudit.robots.groups import group_of
from sitemapaudit.robots.policy import Policy
from sitemapaudit.robots.reader import (
    MAX_BYTES,
    decide_permission,
    declared_sitemaps,
    read_robots,
    restore_policy,
)

__all__ = [
    "MAX_BYTES",
    "Policy",
    "decide_permission",
    "declared_sitemaps",
    "group_of",
    "read_robots",
    "restore_policy",
]

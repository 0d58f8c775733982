"""The causes of an incomplete run."""

from dataclasses import dataclass
from enum import StrEnum


class CauseKind(StrEnum):
    """Kinds of causes: the part of a run that is missing."""

    DAMAGE = "damage"
    DEPLOYMENT = "deployment"
    SHARDS = "shards"
    HOSTS = "hosts"
    PAGES = "pages"
    SITEMAPS = "sitemaps"
    FAILED_SITEMAPS = "failed-sitemaps"
    SITES = "sites"
    LIMIT = "limit"
    UNCHECKED = "unchecked"
    LINKS = "links"
    UNREAD = "unread"


@dataclass(slots=True, frozen=True)
class Cause:
    """A cause of an incomplete run: a sentence about it, and what helps, if that is known."""

    kind: CauseKind
    reason: str
    remedy: str | None = None

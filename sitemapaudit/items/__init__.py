"""The items: rows that readers produce, rules check and datasets contain.

An item is a row, and each of its fields is a column of the dataset with the same name; the text
of a field is its documentation. Times are UTC. A null column means that the thing is absent or
could not be determined.
"""

from sitemapaudit.items.agent_verdict import AgentVerdict
from sitemapaudit.items.alternate import Alternate
from sitemapaudit.items.entry import Entries, Entry, Image, News, Video
from sitemapaudit.items.media_file import MediaFile
from sitemapaudit.items.page import SCRIPT, AgentPage, Page, RecheckedPage, Refresh
from sitemapaudit.items.rendering import Navigation, Rendering
from sitemapaudit.items.result import (
    Estimate,
    Finding,
    Link,
    Occurrence,
    Orphan,
    UnlistedPage,
    Url,
)
from sitemapaudit.items.robots_file import DeclaredSitemap, Robots
from sitemapaudit.items.signals import Canonical, OwnValue, Signals, Statement
from sitemapaudit.items.sitemap_file import NamespaceBinding, Sitemap, UnexpectedElement
from sitemapaudit.items.vocabulary import (
    ELSEWHERE,
    Error,
    EstimateKind,
    EstimateScope,
    Kind,
    MediaKind,
    OrphanKind,
    Permission,
    RecheckResult,
    RedirectKind,
    Region,
    RenderReason,
    Revalidation,
    Role,
    Severity,
    SitemapSource,
    SkipReason,
    Subject,
    Verdict,
)

__all__ = [
    "ELSEWHERE",
    "SCRIPT",
    "AgentPage",
    "AgentVerdict",
    "Alternate",
    "Canonical",
    "DeclaredSitemap",
    "Entries",
    "Entry",
    "Error",
    "Estimate",
    "EstimateKind",
    "EstimateScope",
    "Finding",
    "Image",
    "Kind",
    "Link",
    "MediaFile",
    "MediaKind",
    "NamespaceBinding",
    "Navigation",
    "News",
    "Occurrence",
    "Orphan",
    "OrphanKind",
    "OwnValue",
    "Page",
    "Permission",
    "RecheckResult",
    "RecheckedPage",
    "RedirectKind",
    "Refresh",
    "Region",
    "RenderReason",
    "Rendering",
    "Revalidation",
    "Robots",
    "Role",
    "Severity",
    "Signals",
    "Sitemap",
    "SitemapSource",
    "SkipReason",
    "Statement",
    "Subject",
    "UnexpectedElement",
    "UnlistedPage",
    "Url",
    "Verdict",
    "Video",
]

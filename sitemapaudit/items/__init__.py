"""The vocabulary: what the readers establish, the rules judge and the datasets hold.

An item is a row, and a field is a column of the dataset that bears the name of
the item; the text beside a field is its documentation, here and in the README.
Times are UTC. A column that is null says that the thing was not there, or
could not be known.
"""

from sitemapaudit.items.alternates import Alternate
from sitemapaudit.items.entries import Entries, Entry, Image, News, Video
from sitemapaudit.items.pages import Canonical, Page, Refresh, Statement
from sitemapaudit.items.renderings import Navigation, Rendering
from sitemapaudit.items.results import Finding, Url
from sitemapaudit.items.robots import Declared, Robots
from sitemapaudit.items.sitemaps import Binding, Sitemap, Stranger
from sitemapaudit.items.words import (
    Error,
    Kind,
    LeftOut,
    Permission,
    Reason,
    Role,
    Severity,
    Source,
    Subject,
    Verdict,
)

__all__ = [
    "Alternate",
    "Binding",
    "Canonical",
    "Declared",
    "Entries",
    "Entry",
    "Error",
    "Finding",
    "Image",
    "Kind",
    "LeftOut",
    "Navigation",
    "News",
    "Page",
    "Permission",
    "Reason",
    "Refresh",
    "Rendering",
    "Robots",
    "Role",
    "Severity",
    "Sitemap",
    "Source",
    "Statement",
    "Stranger",
    "Subject",
    "Url",
    "Verdict",
    "Video",
]

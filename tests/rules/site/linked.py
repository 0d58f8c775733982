"""A site whose links were recorded, for rules about links."""

from typing import Any

from sitemapaudit.items import Kind, Robots, Sitemap
from tests.pages.responses import SITE
from tests.support.rows import SITEMAP

ARGUMENTS: dict[str, Any] = {"links": "record", "site": SITE}
HOME, A, B, OLD = (f"{SITE}/{path}" for path in ("", "a", "b", "old"))
ROBOTS = Robots(SITE, f"{SITE}/robots.txt", audited=True)
READ = Sitemap(SITEMAP, status=200, kind=Kind.URLSET)

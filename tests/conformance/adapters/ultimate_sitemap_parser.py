"""ultimate-sitemap-parser: the tree of a sitemap, or that of a homepage."""

from collections.abc import Iterator
from typing import Any

from usp.fetch_parse import SitemapFetcher
from usp.objects.sitemap import PagesAtomSitemap, PagesRSSSitemap
from usp.tree import sitemap_tree_for_homepage

from tests.conformance.adapters.process import run
from tests.conformance.cases import Facts

TELLS = (
    "urls", "sitemaps", "lastmod", "changefreq", "priority", "images", "news", "alternates",
)  # fmt: skip


def read(kind: str, start: str) -> Facts:
    if kind == "site":
        tree = sitemap_tree_for_homepage(start, use_known_paths=False)
    else:
        tree = SitemapFetcher(url=start, recursion_level=0).sitemap()
    pages = list(tree.all_pages())
    return {
        "urls": [page.url for page in pages],
        "sitemaps": [
            each.url
            for each in tree.all_sitemaps()
            if each.url != start and not each.url.endswith("/robots.txt")
        ],
        "lastmod": dict(_dates(tree)),
        "changefreq": {
            page.url: page.change_frequency.value for page in pages if page.change_frequency
        },
        "priority": {page.url: page.priority for page in pages},
        "images": {
            page.url: [image.loc for image in page.images or () if image.loc] for page in pages
        },
        "news": {
            page.url: {
                "name": page.news_story.publication_name,
                "language": page.news_story.publication_language,
                "title": page.news_story.title,
                "published": page.news_story.publish_date,
            }
            for page in pages
            if page.news_story
        },
        "alternates": {page.url: dict(page.alternates or ()) for page in pages},
    }


def _dates(tree: Any) -> Iterator[tuple[str, Any]]:
    """Yield the date of each page; it keeps those of feeds as dates of publication."""
    for sitemap in (tree, *tree.all_sitemaps()):
        is_feed = isinstance(sitemap, PagesAtomSitemap | PagesRSSSitemap)
        for page in sitemap.pages:
            date = page.news_story.publish_date if is_feed else page.last_modified
            if date:
                yield page.url, date


if __name__ == "__main__":
    run("ultimate-sitemap-parser", read, {"sitemap": TELLS, "site": TELLS})

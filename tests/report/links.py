"""A run of a shop with orphans, deep pages and pages that no sitemap lists."""

from collections.abc import Iterator
from pathlib import Path

from sitemapaudit import Run
from sitemapaudit.items import Kind, Page, Role, Sitemap
from sitemapaudit.runs.ledger.records import ReadItem
from tests.pages.responses import SITE, blocked
from tests.rules.site.linked import ROBOTS
from tests.rules.tables import Item
from tests.support.rows import linked_page, listed
from tests.support.runs import build_audited_run

SHOP, BLOG = f"{SITE}/sitemap-shop.xml", f"{SITE}/sitemap-blog.xml"
SHOES, POSTS, LOST = 24, 9, 13
NEW = f"{SITE}/shop/coffee-mill-with-a-grinder-of-ceramics-and-a-walnut-handle/"


def make_linked_run(folder: Path, *, complete: bool = True) -> Run:
    """Make the run; if it is not complete, robots.txt blocks a page."""
    items = list(_items())
    if not complete:
        address = f"{SITE}/blog/blocked"
        items += [listed(address, sitemap=f"{SITE}/more.xml"), blocked(address)]
    return build_audited_run(folder, items, links="record", site=SITE)


def shoe(number: int) -> str:
    return f"{SITE}/shop/shoes/{number}"


def post(number: int) -> str:
    return f"{SITE}/blog/{number}"


def lost(number: int) -> str:
    return f"{SITE}/shop/lost/{number}"


def _items() -> Iterator[Item]:
    shoes = [shoe(number) for number in range(SHOES)]
    posts = [post(number) for number in range(POSTS)]
    orphans = [lost(number) for number in range(LOST)]
    yield ROBOTS
    for sitemap in (SHOP, BLOG):
        yield Sitemap(sitemap, status=200, kind=Kind.URLSET)
    yield listed(f"{SITE}/", *shoes, *orphans, sitemap=SHOP)
    yield listed(*posts, sitemap=BLOG)
    yield linked_page(f"{SITE}/", *shoes, post(0), title="Home")
    yield from (_page(url, NEW) for url in shoes)
    yield from (_page(post(number), post(number + 1)) for number in range(POSTS - 1))
    yield _page(post(POSTS - 1))
    yield from (_page(url) for url in orphans[:-1])
    yield _page(orphans[-1], orphans[0])
    yield _page(NEW, role=Role.CANONICAL)


def _page(url: str, *targets: str, role: Role = Role.LISTED) -> ReadItem[Page]:
    return linked_page(url, *targets, title=f"Page {url}", role=role)

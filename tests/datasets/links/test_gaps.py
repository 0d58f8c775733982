"""What makes the link graph of a site incomplete: a visitor may find a page by unknown links."""

from typing import Any

import pytest

from sitemapaudit.items import Error, Page, Rendering, Robots, Role, Sitemap, Verdict
from sitemapaudit.runs.ledger.records import ReadItem
from tests.pages.responses import SITE, blocked
from tests.rules.site.linked import ARGUMENTS, HOME, OLD, READ, ROBOTS, A, B
from tests.rules.tables import Item, fill_tables, insert, manifest_of, transaction
from tests.support.rows import fetched_page, linked_page, listed, rendered

APEX, BLOG, OTHER = "https://example.com/", "https://blog.example.com/x", "https://other.example/"
FILE = f"{SITE}/wiki/File:x.jpg"
SHOP = [f"{SITE}/shop/{number}" for number in range(5)]


def gaps(*items: Item, lists: tuple[str, ...] = (HOME, A), **arguments: Any) -> dict[str, int]:
    """Return the gaps of a site with these rows, by their reasons."""
    manifest = manifest_of(**ARGUMENTS, **arguments)
    manifest.link_domains = ["example.com"]
    with transaction() as connection:
        insert(connection, [ROBOTS, READ, listed(*lists), *items], None)
        fill_tables(connection, {"link_gaps"}, manifest)
        rows = connection.execute("select reason, number from link_gaps").fetchall()
    return dict(rows)


def moved(url: str, target: str | None, **values: Any) -> Page:
    return fetched_page(url, 301, target=target, redirect_kind="http", **values)


@pytest.mark.parametrize("status", [400, 405, 406, 418, 444, 451, 300, 304])
def test_statuses_that_firewalls_send_leave_gaps(status: int) -> None:
    assert len(gaps(linked_page(HOME, A), fetched_page(A, status))) == 1


@pytest.mark.parametrize("status", [404, 410, 204])
def test_a_page_that_is_missing_has_no_links(status: int) -> None:
    assert gaps(linked_page(HOME, A), fetched_page(A, status)) == {}


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (APEX, "linked URLs on hosts that are not crawled"),
        (BLOG, "linked URLs on hosts that are not crawled"),
        (f"{SITE}/x", "linked URLs not fetched"),
        (FILE, "linked URLs not fetched"),
        (FILE.replace("e:x", "e%3Ax"), "linked URLs not fetched"),
        (f"{SITE}/x.jpg", None),
        (f"{BLOG}.jpg", None),
    ],
)
def test_links_to_urls_that_were_not_fetched(target: str, reason: str | None) -> None:
    assert gaps(linked_page(HOME, A, target), linked_page(A)) == ({reason: 1} if reason else {})


def test_a_link_that_may_be_followed_counts() -> None:
    nofollow = linked_page(A, B, nofollow=True)
    assert gaps(linked_page(HOME, A), nofollow) == {"URLs that only nofollow links lead to": 1}
    assert gaps(linked_page(HOME, A, B), nofollow) == {"linked URLs not fetched": 1}


def test_files_that_are_listed_or_were_fetched_are_counted() -> None:
    file = f"{SITE}/x.pdf"
    pages = linked_page(HOME, A, file), linked_page(A)
    assert gaps(*pages) == {}
    assert gaps(*pages, lists=(HOME, A, file)) == {"listed pages not fetched": 1}
    failed = fetched_page(file, 503, role=Role.LINK)
    assert gaps(*pages, failed) == {"pages with a server error": 1}


def test_an_extension_of_a_page_is_not_that_of_a_file() -> None:
    wiki = [linked_page(HOME, A, f"{SITE}/wiki/Node.js"), linked_page(A)]
    assert gaps(*wiki) == {}
    page = linked_page(f"{SITE}/wiki/Vue.js", role=Role.CANONICAL)
    assert gaps(*wiki, page) == {"linked URLs not fetched": 1}


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        ([], "redirects to URLs that were not fetched"),
        ([fetched_page(OTHER, 403, role=Role.REDIRECT)], "pages to which access is denied"),
        ([blocked(OTHER)], "pages blocked by robots.txt"),
        ([moved(OTHER, None, role=Role.REDIRECT)], "redirects without a usable target"),
        ([fetched_page(OTHER, is_html=True, noindex=False, scripts=9, role=Role.REDIRECT)], None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("is_linked", [True, False])
def test_redirects_over_another_host(end: list[Page], reason: str | None, is_linked: bool) -> None:
    home = linked_page(HOME, A, *([OLD] if is_linked else []))
    rows: list[Item] = [home, linked_page(A), moved(OLD, OTHER, role=Role.CANONICAL), *end]
    assert gaps(*rows) == ({reason: 1} if reason and is_linked else {})


def test_a_linked_file_of_a_build_was_not_read() -> None:
    page = fetched_page(B, is_html=True, noindex=False, file="b.html", role=Role.BUILT)
    assert gaps(linked_page(HOME, A), linked_page(A), page) == {}
    assert gaps(linked_page(HOME, A, B), linked_page(A), page) == {"linked URLs not fetched": 1}


def test_a_page_that_failed_here_is_a_gap() -> None:
    failed = fetched_page(B, None, error=Error.INTERNAL, role=Role.LINK)
    assert gaps(linked_page(HOME, A, B), linked_page(A), failed) == {
        "pages that could not be read": 1
    }


@pytest.mark.parametrize(
    ("values", "is_gap"),
    [
        ({"status": 503}, True),
        ({"error": Error.TIMEOUT, "status": None}, True),
        ({"status": 200, "truncated": True}, True),
        ({"status": 404}, False),
        ({"status": 200, "kind": "html"}, False),
        ({"status": 200, "xml_error": "not closed"}, False),
    ],
)
def test_an_unread_sitemap_may_list_pages_with_links(values: dict[str, Any], is_gap: bool) -> None:
    sitemap = Sitemap(f"{SITE}/other.xml", **{"complete": True, **values})
    found = gaps(linked_page(HOME, A), linked_page(A), sitemap)
    assert found == ({"sitemaps that could not be read": 1} if is_gap else {})


def scripted(url: str, *targets: str, **values: Any) -> ReadItem[Page]:
    return linked_page(url, *targets, **{"scripts": 2, **values})


def shown(page: ReadItem[Page], **values: Any) -> Rendering:
    return rendered(page.item, **values)


def test_pages_with_text_that_run_scripts_are_a_gap() -> None:
    found = gaps(scripted(HOME, A), scripted(A), linked_page(B, words=3, scripts=1, role=Role.LINK))
    assert found == {
        "pages made by scripts that were not rendered": 1,
        "pages that run scripts and were not rendered": 2,
    }


@pytest.mark.parametrize(
    ("values", "remaining"),
    [
        ({}, {}),
        ({"links_added": 1}, {"pages that run scripts and were not rendered": 2}),
        ({"idle": False}, None),
        ({"verdict": None, "error": Error.TIMEOUT}, None),
        ({"failed_requests": 1}, None),
        ({"blocked": ["https://cdn.example/x.js"]}, None),
    ],
)
def test_a_sample_of_a_template_stands_for_it(
    values: dict[str, Any], remaining: dict[str, int] | None
) -> None:
    pages = [scripted(url) for url in SHOP]
    sample = [shown(page) for page in pages[:2]]
    rows: list[Item] = [linked_page(HOME, *SHOP), *pages, *sample, shown(pages[2], **values)]
    if remaining is None:
        remaining = {
            "pages that the browser could not render as a whole": 1,
            "pages that run scripts and were not rendered": 2,
        }
    assert gaps(*rows, lists=(HOME, *SHOP)) == remaining


@pytest.mark.parametrize(("values", "number"), [({}, 0), ({"scripts": 3}, 1)])
def test_a_page_with_another_script_is_of_another_template(
    values: dict[str, Any], number: int
) -> None:
    pages = [*(scripted(url) for url in SHOP[:4]), scripted(SHOP[4], **values)]
    rows: list[Item] = [linked_page(HOME, *SHOP), *pages, *(shown(page) for page in pages[:3])]
    found = gaps(*rows, lists=(HOME, *SHOP))
    assert found.get("pages that run scripts and were not rendered", 0) == number


def test_hosts_of_others_are_not_of_the_site() -> None:
    away = fetched_page(OTHER, 503)
    assert gaps(linked_page(HOME, A), linked_page(A), away, lists=(HOME, A, OTHER)) == {}


def test_several_sites_have_several_home_pages() -> None:
    blog = Robots("https://blog.example.com", "https://blog.example.com/robots.txt", audited=True)
    found = gaps(
        blog, linked_page(HOME, A, BLOG), linked_page(A), linked_page(BLOG), lists=(HOME, A, BLOG)
    )
    assert found == {"home pages not fetched": 1}


def test_verdicts_without_a_known_page_are_gaps() -> None:
    known = {Verdict.REDIRECTED, Verdict.NOT_FOUND, Verdict.UNSUPPORTED_TYPE, Verdict.NOINDEX}
    known |= {Verdict.CANONICALIZED, Verdict.SOFT_404, Verdict.INDEXABLE}
    page = linked_page(A)
    for verdict in set(Verdict) - known:
        page.item.verdict = verdict
        assert len(gaps(linked_page(HOME, A), page)) == 1, verdict

"""Passes over the links end when nothing waits, or when a pass fetched nothing."""

from sitemapaudit.distribution.link_passes import LinkPasses
from tests.rules.tables import manifest_of


def passes(*found: tuple[int, int]) -> list[bool]:
    """Return whether more passes follow after merges with these numbers of URLs and pages."""
    decides, more = LinkPasses(), []
    for waiting, pages in found:
        manifest = manifest_of()
        manifest.waiting_links, manifest.rows = waiting, {"pages": pages}
        more.append(decides.has_more(manifest))
    return more


def test_each_pass_that_fetches_a_page_is_followed_by_another() -> None:
    # A chain of links: each page leads to one more, which another shard owns.
    assert passes((6, 40), (1, 46), (1, 47), (1, 48), (0, 49)) == [True, True, True, True, False]


def test_passes_end_if_a_limit_leaves_the_same_urls() -> None:
    assert passes((3, 40), (2, 41), (2, 41)) == [True, True, False]


def test_without_links_there_is_one_merge() -> None:
    assert passes((0, 40)) == [False]

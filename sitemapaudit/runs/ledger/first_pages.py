"""The first pages of each kind, whatever the order in which pages arrive."""

from bisect import bisect, insort
from collections.abc import Iterable
from typing import Final

from sitemapaudit import urls
from sitemapaudit.items import Finding, Page, Role, Verdict

MAX_PAGES: Final = 10
"""Pages of a kind whose responses are recorded as evidence."""

VERDICT_KIND: Final = "verdict || ' ' || status"
"""SQL: the kind of a page by its verdict; pages that are indexable have none."""


def kinds_of(page: Page, findings: Iterable[Finding]) -> set[str]:
    """Return the kinds of a page: the rules of its findings, and its verdict with its status.

    The random URL of a probe has none: it differs in each run.
    """
    if page.role is Role.PROBE:
        return set()
    kinds = {finding.rule for finding in findings}
    if page.verdict is not Verdict.INDEXABLE:
        kinds.add(f"{page.verdict} {page.status}")
    return kinds


class FirstPages:
    """Says which pages can be among the first of a kind in the order of the digests of their URLs.

    A page that is among the first of all pages is among the first of those that any process has
    seen, before and after a run is resumed. Pages that were fetched once more are counted apart:
    they replace others.
    """

    def __init__(self) -> None:
        self._first: dict[tuple[type, str], list[int]] = {}

    def add(self, page: Page, kinds: Iterable[str]) -> bool:
        """Return whether a page is among the first so far of one of its kinds."""
        place, is_first = urls.digest(page.url), False
        for kind in kinds:
            first = self._first.setdefault((type(page), kind), [])
            if bisect(first, place) < MAX_PAGES:
                insort(first, place)
                del first[MAX_PAGES:]
                is_first = True
        return is_first


def choose_first(pages: Iterable[tuple[str, str]]) -> set[str]:
    """Return the URLs of the first pages of each kind, of kinds and URLs in any order."""
    by_kind: dict[str, set[str]] = {}
    for kind, url in pages:
        by_kind.setdefault(kind, set()).add(url)
    first = (sorted(each, key=urls.digest)[:MAX_PAGES] for each in by_kind.values())
    return set().union(*first)

"""Counts of the links of a site, as a run reports them."""

from dataclasses import dataclass, field


@dataclass(slots=True, frozen=True)
class LinkCounts:
    """The counts of a run that recorded links.

    Of the ``indexable`` listed pages, some are ``reachable`` from a home page, some are certainly
    ``orphans``, and others are ``candidates``: orphans unless unknown links lead to them.
    ``unlisted`` counts indexable, linked pages that no sitemap lists. ``known_pages`` have or may
    have links; all links of ``read_pages`` are known. ``gaps`` counts the pages,
    URLs or links that may be missing, per reason.
    """

    indexable: int
    reachable: int
    orphans: int
    candidates: int
    unlisted: int
    read_pages: int
    known_pages: int
    gaps: dict[str, int] = field(default_factory=dict)

    @property
    def undetermined(self) -> int:
        """The number of pages for which it is unknown whether visitors can find them."""
        return self.indexable - self.reachable - self.orphans

    @property
    def share_read(self) -> float:
        """The share of known pages whose links are all known; 0 if no page is known."""
        return self.read_pages / self.known_pages if self.known_pages else 0.0

"""Counts of the links of a site, as a run reports them."""

from dataclasses import dataclass, field


@dataclass(slots=True, frozen=True)
class LinkCounts:
    """The counts of a run that recorded links.

    Of the ``indexable`` listed pages, some are ``reachable`` from a home page, some are ``orphans``
    for certain, and others are ``candidates``: orphans unless they have links that are unknown.
    ``unlisted`` counts indexable, linked pages that no sitemap lists. The links of ``read_pages``
    were read, of ``known_pages`` that have or may have links; ``gaps`` says why others may lack,
    with how many pages, URLs or links each reason concerns.
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
        """The share of the known pages whose links were read; 0 if none is known."""
        return self.read_pages / self.known_pages if self.known_pages else 0.0

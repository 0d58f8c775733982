"""The targets of the recorded links of a run, while it records more."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sitemapaudit import urls
from sitemapaudit.pages.links import NOFOLLOW
from sitemapaudit.runs.ledger.link_log import BATCH_BLOCKS, edge_array, name_lines, read_blocks

_BATCH_NAMES: Final = 10_000

MAX_PART: Final = 100_000
"""The number of URLs in memory; each part reads the names once."""


class FoundLinks:
    """Finds the targets of links: each URL once, in an order that depends on the URLs alone.

    It reads the files of the run folder, so a resumed run finds the same. It needs eight bytes of
    memory per URL.
    """

    def __init__(self, run: Path) -> None:
        self._run = run
        self._block_end = 0
        self._name_end = 0
        self._taken = np.empty(0, np.uint64)

    def has_more(self) -> bool:
        """Return whether links were recorded since the last time."""
        return next(read_blocks(self._run, self._block_end), None) is not None

    def take(self) -> Iterator[list[str]]:
        """Yield the URLs of links that may be followed and were recorded since the last time.

        They are in the order of their digests, so limits choose the same ones in whatever order
        the pages arrived.
        """
        wanted = self._new_targets()
        self._taken = np.union1d(self._taken, wanted)
        start = self._name_end
        for first in range(0, len(wanted), MAX_PART):
            part = wanted[first : first + MAX_PART]
            found = self._named(part, start)
            if len(found) < len(part) and start:
                # The first link to this URL was nofollow.
                found |= self._named(part, 0)
            yield [found[digest] for digest in sorted(found)]

    def _new_targets(self) -> NDArray[np.uint64]:
        """Return the sorted digests of targets of new links, and separately of nofollow links."""
        targets = np.empty(0, np.uint64)
        blocks = read_blocks(self._run, self._block_end)
        while batch := [*islice(blocks, BATCH_BLOCKS)]:
            self._block_end = batch[-1].end
            edges = edge_array(block.edges for block in batch)
            followed = edges["target"][edges["flags"] & NOFOLLOW == 0]
            targets = np.union1d(targets, followed.astype(np.uint64))
        return np.setdiff1d(targets, self._taken, assume_unique=True)

    def _named(self, wanted: NDArray[np.uint64], start: int) -> dict[int, str]:
        """Return the wanted URLs that the file has from a byte on, by their digests."""
        found: dict[int, str] = {}
        lines = name_lines(self._run, start)
        while batch := [*islice(lines, _BATCH_NAMES)]:
            digests = np.fromiter((urls.digest(url) for url, _ in batch), np.uint64, len(batch))
            hits = np.flatnonzero(np.isin(digests, wanted))
            found |= {int(digests[hit]): batch[hit][0] for hit in hits}
            self._name_end = max(self._name_end, batch[-1][1])
        return found

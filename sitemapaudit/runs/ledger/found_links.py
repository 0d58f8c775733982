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


class FoundLinks:
    """Finds the targets of links: each URL once, in the order in which the run recorded it.

    It reads the files of the run folder, so a resumed run finds the same. It needs eight bytes of
    memory per URL.
    """

    def __init__(self, run: Path) -> None:
        self._run = run
        self._block_end = 0
        self._name_end = 0
        self._taken = np.empty(0, np.uint64)

    def take(self) -> Iterator[str]:
        """Yield the URLs of links that may be followed and were recorded since the last time."""
        wanted = self._new_targets()
        self._taken = np.union1d(self._taken, wanted)
        start, found = self._name_end, 0
        for end, urls_found in self._named(wanted, start):
            self._name_end = end
            found += len(urls_found)
            yield from urls_found
        if found < len(wanted) and start:
            # The first link to this URL was nofollow.
            for end, urls_found in self._named(wanted, 0):
                yield from urls_found
                if end >= start:
                    return

    def _new_targets(self) -> NDArray[np.uint64]:
        """Return the sorted digests of targets of new links, and separately of nofollow links."""
        targets = np.empty(0, np.uint64)
        blocks = read_blocks(self._run, self._block_end)
        while batch := [*islice(blocks, BATCH_BLOCKS)]:
            self._block_end = batch[-1].end
            edges = edge_array(batch)
            followed = edges["target"][edges["flags"] & NOFOLLOW == 0]
            targets = np.union1d(targets, followed.astype(np.uint64))
        return np.setdiff1d(targets, self._taken, assume_unique=True)

    def _named(self, wanted: NDArray[np.uint64], start: int) -> Iterator[tuple[int, list[str]]]:
        """Yield the wanted URLs of each part of the file, and the end of the part."""
        lines = name_lines(self._run, start)
        while batch := [*islice(lines, _BATCH_NAMES)]:
            digests = np.fromiter((urls.digest(url) for url, _ in batch), np.uint64, len(batch))
            is_wanted = np.isin(digests, wanted)
            yield batch[-1][1], [url for (url, _), hit in zip(batch, is_wanted, strict=True) if hit]

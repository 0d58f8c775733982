"""The links that several shards recorded → those of one run."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from sitemapaudit.runs.ledger.link_log import (
    FILES,
    LinkLog,
    LinkRecord,
    has_links,
    link_file,
    read_blocks,
    read_names,
)
from sitemapaudit.urls.shard import Shard

_BATCH: Final = 10_000


def merge_links(runs: Mapping[Shard, Path], into: Path) -> None:
    """Write the links of a run folder from those of its shards.

    The last links of a page count, so those of the page's owner are written last.
    """
    for name in FILES:
        link_file(into, name).unlink(missing_ok=True)
    if not any(has_links(run) for run in runs.values()):
        return
    log = LinkLog(into)
    for shard in sorted(runs):
        log.write_names(read_names(runs[shard]))
    for owned in (False, True):
        for shard in sorted(runs):
            for block in read_blocks(runs[shard]):
                if shard.owns_digest(block.source) is owned:
                    log.write(LinkRecord(bytes(block.content), []))
    log.close()

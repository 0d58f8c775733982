"""A ledger rewritten from known rows, with new findings."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from sitemapaudit.audit import Audit, Item
from sitemapaudit.caps import batches
from sitemapaudit.items import Entries, Entry
from sitemapaudit.items.schema import LEDGER_TABLES
from sitemapaudit.runs.durable import sync_folder
from sitemapaudit.runs.folder_names import FOLDER
from sitemapaudit.runs.ledger.ledger import Ledger, ledger_file

_NEW: Final = ".new"


def rewrite_ledger(run: Path, items: Iterable[Item], audit: Audit) -> None:
    """Rewrite the ledger of a run folder.

    If it is interrupted, it can be repeated.
    """
    for table in LEDGER_TABLES:
        ledger_file(run, table, _NEW).unlink(missing_ok=True)
    ledger = Ledger(run, _NEW)
    try:
        for item in items:
            ledger.record(item, audit.examine(item))
    finally:
        ledger.close()
    for table in LEDGER_TABLES:
        ledger_file(run, table, _NEW).replace(ledger_file(run, table))
    sync_folder(run / FOLDER)


def in_batches(sitemap: str, rows: Iterable[Entry]) -> Iterator[Entries]:
    """Yield the entries of a sitemap in batches."""
    return (Entries(sitemap, batch) for batch in batches(rows))

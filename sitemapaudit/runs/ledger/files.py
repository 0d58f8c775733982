"""The files of a ledger, for a run and for copies of it."""

from pathlib import Path
from typing import Final

from sitemapaudit.items.schema import LEDGER_TABLES
from sitemapaudit.runs.ledger.ledger import ledger_file
from sitemapaudit.runs.ledger.link_log import FILES

LEDGER_FILES: Final = (
    *(ledger_file(Path(), table).name for table in LEDGER_TABLES),
    *FILES,
)
"""Their names in the folder of the ledger; a run has those that it needed."""

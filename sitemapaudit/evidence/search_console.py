"""Exports of Google's Search Console and Bing's Webmaster Tools."""

from pathlib import Path
from typing import Final

import pandas as pd
from msgspec import Struct

from sitemapaudit.evidence.tables import ExportError, has_table, read_numbers, read_table

MAX_ROWS: Final = 1_000
"""Rows of an exported table: Search Console truncates longer lists without saying so."""

_INDEXING: Final = ("Table.csv",)
_PERFORMANCE: Final = ("Pages.csv",)
_METADATA: Final = "Metadata.csv"

_NEVER: Final = ("1969-12-31", "1970-01-01")
"""The last crawl of a URL that was never crawled: Unix time 0, depending on the time zone."""

_ADDRESS_COLUMNS: Final = frozenset({"top pages", "page", "pages", "url"})
_MEASURES: Final = {
    "clicks": "clicks",
    "impressions": "impressions",
    "ctr": "ctr",
    "position": "position",
    "avg. position": "position",
    "average position": "position",
}
"""The columns of both engines, in lower case."""


class PageIndexing(Struct, frozen=True):
    """A list of the page-indexing report.

    ``pages`` has the columns ``url``, as written, and ``last_crawled``, a date that is null if
    Google never crawled the URL. ``issue`` is the reason why the pages are not indexed; None if the
    export does not name one, as for indexed pages. ``complete`` is False if there may be more pages
    than an export can contain.
    """

    pages: pd.DataFrame
    issue: str | None
    complete: bool


def read_page_indexing(path: str | Path) -> PageIndexing:
    """Read an export of the page-indexing report of Search Console.

    ``path`` is its zip file, its folder, or its ``Table.csv`` (``URL,Last crawled``). The issue is
    in ``Metadata.csv``. Raises ExportError (a ValueError) for any other file, and OSError.
    """
    file = Path(path)
    table = read_table(file, _INDEXING)
    if list(table.columns) != ["URL", "Last crawled"]:
        raise ExportError(f"{file} has no columns URL and Last crawled: export it in English")
    crawled = table["Last crawled"].str.strip()
    dates = pd.to_datetime(crawled.mask(crawled.isin(_NEVER)), format="%Y-%m-%d", errors="coerce")
    pages = pd.DataFrame({"url": table["URL"], "last_crawled": dates})
    return PageIndexing(pages, _issue(file), len(pages) < MAX_ROWS)


def read_performance(path: str | Path) -> pd.DataFrame:
    """Read an export of search performance by page, of Search Console or of Bing.

    ``path`` is the zip file or folder of Search Console (with ``Pages.csv``), or a CSV file of
    either. The frame has the columns ``url``, as written, ``clicks``, ``impressions``, ``ctr``
    (from 0 to 1) and ``position``, where the export has them. Raises ExportError (a ValueError)
    for any other file, and OSError.
    """
    file = Path(path)
    table = read_table(file, _PERFORMANCE)
    names = {name: name.strip().lower() for name in table.columns}
    address = next((name for name, low in names.items() if low in _ADDRESS_COLUMNS), None)
    measures = {_MEASURES[low]: name for name, low in names.items() if low in _MEASURES}
    if address is None or "impressions" not in measures:
        raise ExportError(f"{file} has no columns for pages and impressions: export it in English")
    numbers = {measure: read_numbers(table[name]) for measure, name in measures.items()}
    return pd.DataFrame({"url": table[address], **numbers})


def _issue(file: Path) -> str | None:
    if not has_table(file, _METADATA):
        return None
    table = read_table(file, (_METADATA,))
    values = dict(zip(table.iloc[:, 0], table.iloc[:, -1], strict=True))
    return str(values["Issue"]) if values.get("Issue") else None

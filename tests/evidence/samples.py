"""Writes exports and logs in the formats of those who make them."""

import csv
import gzip
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZipFile

GOOGLEBOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"
IN_RANGE, OUT_OF_RANGE = "66.249.66.1", "203.0.113.9"
RANGES = {
    "creationTime": "2026-11-20T15:46:08.000000",
    "prefixes": [{"ipv6Prefix": "2001:4860:4801:10::/64"}, {"ipv4Prefix": "66.249.66.0/27"}],
}

Pages = Iterable[tuple[str, str]]


def as_csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as Search Console writes it: no newline after the last row."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([head, *rows])
    return text.getvalue().rstrip("\n")


def indexing_files(pages: Pages, issue: str | None) -> dict[str, str]:
    """Return the files of a page-indexing export: URLs with the dates of their last crawls."""
    metadata = [("Issue", issue)] if issue else []
    return {
        "Chart.csv": as_csv(("Date", "Affected pages"), [("2026-11-20", 1)]),
        "Table.csv": as_csv(("URL", "Last crawled"), list(pages)),
        "Metadata.csv": as_csv(("Property", "Value"), [*metadata, ("Sitemap", "All known pages")]),
    }


def performance_files(rows: Iterable[tuple[str, object, object, str, str]]) -> dict[str, str]:
    """Return the files of a performance export, of which only the pages matter here."""
    head = ("Top pages", "Clicks", "Impressions", "CTR", "Position")
    return {
        "Queries.csv": as_csv(("Top queries", *head[1:]), [("shop", 1, 2, "50%", "1.5")]),
        "Pages.csv": as_csv(head, list(rows)),
        "Filters.csv": as_csv(("Filter", "Value"), [("Search type", "Web")]),
    }


def write_folder(folder: Path, files: Mapping[str, str]) -> Path:
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def write_zip(file: Path, files: Mapping[str, str]) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(file, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return file


def log_line(
    request: str,
    status: int = 200,
    address: str = IN_RANGE,
    agent: str = GOOGLEBOT,
    at: datetime = datetime(2026, 11, 20, 12, tzinfo=UTC),
    user: str = "-",
) -> str:
    """Return a line of the combined format."""
    time = at.strftime("%d/%b/%Y:%H:%M:%S %z")
    return f'{address} - {user} [{time}] "{request}" {status} 5120 "-" "{agent}"'


def write_log(file: Path, lines: Iterable[str]) -> Path:
    """Write a log; compressed if the name of the file says so."""
    content = "".join(f"{line}\n" for line in lines).encode()
    file.write_bytes(gzip.compress(content) if file.suffix == ".gz" else content)
    return file


def write_ranges(file: Path) -> Path:
    file.write_text(json.dumps(RANGES), encoding="utf-8")
    return file

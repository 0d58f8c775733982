"""A ledger file of any bytes: each complete line is a row or damaged; nothing else is lost."""

import tempfile
from pathlib import Path

from sitemapaudit.items.schema import LEDGER_TABLES
from sitemapaudit.runs.ledger.ledger import count_lines, read_rows
from tests.fuzzing.rows import round_trip

WORDS = (
    *(f"{table}\n".encode() for table in LEDGER_TABLES),
    b'{"url":"', b'"sitemap":"', b'"position":1', b'"kind":"urlset"', b'"loc":null', b'"},\n',
    b'"fetched_at":"2026-11-21T12:00:00Z"', b'"status":200', b'"\\ud800"', b"1e999", b"-0.0",
    b"\0\0\0\0", b"\r\n", b"[]", b"{}\n",
)  # fmt: skip


def check(data: bytes) -> None:
    """Read a file; the first line of the case is the name of its table."""
    name, _, content = data.partition(b"\n")
    item = LEDGER_TABLES.get(name.decode(errors="replace"), LEDGER_TABLES["pages"])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "table.jsonl"
        file.write_bytes(content)
        rows: list[object] = list(read_rows(file, item))
        lines = count_lines(file)
        assert len(rows) == lines == content.count(b"\n")
        assert len(list(read_rows(file, item, len(content) // 2))) <= lines
        for row in rows:
            if row is not None:
                round_trip(row)

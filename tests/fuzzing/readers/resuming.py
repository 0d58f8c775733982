"""A ledger of any lines is cleaned up: the rest can be read; a second pass changes nothing."""

import tempfile
from pathlib import Path

from sitemapaudit.audit import Audit
from sitemapaudit.items.schema import LEDGER_TABLES
from sitemapaudit.runs.folder_names import FOLDER
from sitemapaudit.runs.ledger.ledger import count_lines, ledger_file, read_rows
from sitemapaudit.runs.ledger.resuming import drop_unfinished

WORDS = (
    *(f"\n{table} ".encode() for table in LEDGER_TABLES),
    b'{"url":"https://www.example.com/', b'"sitemap":"https://www.example.com/s.xml"',
    b'"render_reason":', b'"position":1', b'"kind":"urlset"', b'"entries":1', b'"complete":true',
    b'"loc":"', b'"fetched_at":"2999-11-21T12:00:00Z"', b'"}\n', b"null", b"\0",
)  # fmt: skip

_TABLES = frozenset(table.encode() for table in LEDGER_TABLES)


def check(data: bytes) -> None:
    """Clean up a ledger; each line of the case starts with the name of its table."""
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder)
        (run / FOLDER).mkdir()
        for line in data.splitlines(keepends=True):
            name, _, row = line.partition(b" ")
            if name in _TABLES:
                with ledger_file(run, name.decode()).open("ab") as file:
                    file.write(row)
        lines = {table: count_lines(ledger_file(run, table)) for table in LEDGER_TABLES}
        damage = drop_unfinished(run, Audit())
        assert all(0 < count <= lines[table] for table, count in damage.items())
        first = _content(run)
        for table, item in LEDGER_TABLES.items():
            assert None not in list(read_rows(ledger_file(run, table), item)), table
        assert drop_unfinished(run, Audit()) == {}
        assert _content(run) == first


def _content(run: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in (run / FOLDER).iterdir()}

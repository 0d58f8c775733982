"""The same rows give the same files, in whatever order they arrived.

The checksums of blocks of lines are left out, as in the ledgers of earlier versions.
"""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from sitemapaudit.items import Kind
from sitemapaudit.items.schema import LEDGER_TABLES, TABLES
from sitemapaudit.runs.ledger.ledger import ledger_file
from tests.support.rows import fetched_page, listed, sitemap_of
from tests.support.runs import build_audited_run

HOST = "https://www.example.com"
INDEX = f"{HOST}/index.xml"
FILES = [f"{HOST}/sitemap-{number}.xml" for number in (2, 10, 1)]
"""In the order of the index."""


def world() -> list[object]:
    index = listed(*FILES, sitemap=INDEX, kind=Kind.SITEMAPINDEX)
    children = [
        listed(*(f"{HOST}/{file[-5]}/{number}" for number in range(9)), f"{HOST}/#x", sitemap=file)
        for file in FILES
    ]
    rows = [replace(sitemap_of(child), parent=INDEX, depth=1) for child in children]
    urls = dict.fromkeys(entry.url for child in children for entry in child.rows if entry.url)
    pages = [fetched_page(url, content_hash="0" * 32, words=60, noindex=False) for url in urls]
    return [
        sitemap_of(index),
        index,
        *(each for pair in zip(rows, children, strict=False) for each in pair),
        *pages,
    ]


@pytest.mark.parametrize("seed", [1, 2])
def test_files_are_equal_to_the_byte(tmp_path: Path, seed: int) -> None:
    first = build_audited_run(tmp_path / "1", world())  # type: ignore[arg-type]
    second = build_audited_run(tmp_path / "2", world())  # type: ignore[arg-type]
    entries = first.entries
    assert list(dict.fromkeys(entries["sitemap"])) == [INDEX, *FILES]
    assert first.pages["url"].is_monotonic_increasing
    for table in LEDGER_TABLES:
        file = ledger_file(second.path, table)
        lines = re.sub(rb'"sum":"\w+",', b"", file.read_bytes()).splitlines(keepends=True)
        random.Random(seed).shuffle(lines)
        file.write_bytes(b"".join(lines))
    rebuilt = build_audited_run(tmp_path / "2", [])
    for name in (*(f"{table}.parquet" for table in TABLES), "urls.csv", "findings.csv"):
        assert (first.path / name).read_bytes() == (rebuilt.path / name).read_bytes(), name

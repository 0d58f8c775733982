"""The pages of an earlier run that an audit can take over, in a file for lookups."""

from pathlib import Path
from typing import Final

from sitemapaudit.datasets.database import connect
from sitemapaudit.datasets.earlier_pages import EarlierPages, write_earlier_pages
from tests.support.rows import fetched_page
from tests.support.runs import build_run

URL: Final = "https://www.example.com/a"
MANY: Final = 40_000
"""Pages that DuckDB cannot hold in the memory that it gets."""


def test_the_pages_of_a_large_run_are_written_in_little_memory(tmp_path: Path) -> None:
    page = fetched_page(URL, etag='"1"', description="Text. " * 100, noindex=False)
    run = build_run(tmp_path / "one", [page]).path
    many, file = tmp_path / "many", tmp_path / "pages.sqlite"
    many.mkdir()
    with connect() as connection:
        connection.execute(
            f"copy (select * replace (url || '?' || range as url) from '{run}/pages.parquet',"
            f" range({MANY})) to '{many}/pages.parquet' (format parquet)"
        )
    assert write_earlier_pages(many, file, 64) == MANY
    pages = EarlierPages(file)
    last = f"{URL}?{MANY - 1}"
    all_found = pages.find([URL, last])
    found = all_found[last]
    assert found is not None
    assert (found.etag, found.description) == (page.etag, page.description)
    assert all_found[URL] is None
    pages.close()

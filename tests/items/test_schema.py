"""Tables are derived from items."""

from datetime import datetime
from typing import Annotated

import pytest

from sitemapaudit.items import Alternate, Severity
from sitemapaudit.items.schema import TABLES, columns, sql_type

DOCUMENTED = {
    "sitemaps": "sitemap parent source depth status final_url content_type kind bytes gzip_layers "
    "entries error fetched_at",
    "entries": "sitemap position loc url lastmod changefreq priority lastmod_at images videos news "
    "alternates",
    "pages": "url role status location error allowed content_type bytes elapsed fetched_at "
    "last_modified directives noindex canonical canonical_source title description h1 lang words "
    "content_hash alternates",
    "urls": "url verdict indexable status hops final_url final_status noindex canonical sitemaps "
    "lastmod rules",
    "findings": "rule severity subject url sitemap position message evidence",
}


@pytest.mark.parametrize("table", DOCUMENTED)
def test_documented_columns_exist(table: str) -> None:
    names = {column.name for column in columns(TABLES[table])}
    assert names >= set(DOCUMENTED[table].split())


@pytest.mark.parametrize("table", TABLES)
def test_each_column_has_a_meaning(table: str) -> None:
    assert all(column.meaning for column in columns(TABLES[table]))


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (str, "VARCHAR"),
        (int | None, "BIGINT"),
        (Annotated[bool | None, "its meaning"], "BOOLEAN"),
        (list[str], "VARCHAR[]"),
        (datetime | None, "TIMESTAMPTZ"),
        (Severity, "VARCHAR"),
        (
            list[Alternate],
            (
                'STRUCT("source" VARCHAR, "rel" VARCHAR, "hreflang" VARCHAR, "href" VARCHAR,'
                ' "url" VARCHAR, "code_error" VARCHAR, "media" VARCHAR)[]'
            ),
        ),
    ],
)
def test_types(hint: object, expected: str) -> None:
    assert sql_type(hint) == expected


def test_a_type_that_no_column_can_have() -> None:
    with pytest.raises(TypeError, match="no column can have"):
        sql_type(complex)

"""A table has the same rows, in however many groups of URLs it is made."""

import pytest

from sitemapaudit.datasets import groups_of_urls
from sitemapaudit.datasets.database import connect
from sitemapaudit.datasets.groups_of_urls import create_in_groups

JOINED = "select listed.url, pages.status from pages left join listed using (url)"
GROUPED = "select url, list(status order by status) as found from pages group by url"
SOURCES = {"listed": "main.listed", "pages": "main.pages"}


@pytest.mark.parametrize("query", [JOINED, GROUPED])
@pytest.mark.parametrize("at_once", [1, 3, 7, 100])
def test_groups_change_nothing(query: str, at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(groups_of_urls, "URLS_AT_ONCE", at_once)
    with connect() as connection:
        connection.execute(
            "create table listed as select 'https://www.example.com/' || range as url"
            " from range(20) union all select null"
        )
        connection.execute(
            "create table pages as select if(range % 9 = 8, null, 'https://www.example.com/'"
            " || range % 30) as url, range as status from range(70)"
        )
        create_in_groups(connection, "made", query, SOURCES)
        found = connection.execute("from made order by all").fetchall()
        assert found == connection.execute(f"from ({query}) order by all").fetchall()
        assert len(found) > 20

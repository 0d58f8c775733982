"""Own columns: what their selectors find, and the mistakes that are refused."""

from typing import Any

import duckdb
import pytest

from sitemapaudit.datasets.own_columns import check_names
from sitemapaudit.items import Page
from sitemapaudit.pages.own_columns import MAX_COLUMNS, MAX_VALUE, OwnColumns, check_columns
from sitemapaudit.pages.page_reader import read_page
from tests.pages.responses import make_response

BODY = (
    "<!doctype html><title>One</title><meta charset=utf-8>"
    "<p class=price data-amount=12><!-- c -->  12\n <b>€</b></p><p class=price>13</p>"
    f"<pre>{'x ' * MAX_VALUE}</pre>"
)


def values(selector: str, body: str | bytes = BODY, **given: Any) -> list[str]:
    """Return the values of a column for a page."""
    lines = ("X-Cache: HIT", "X-Cache: MISS, by edge")
    response = make_response(body, *lines, **given)
    page = read_page(response, Page(response.url), "Googlebot", own=OwnColumns({"it": selector}))
    return [each.value for each in page.own_values if each.name == "it"]


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        ("css:.price", ["12 €"]),
        ("css:.price::text", ["12"]),
        ("css:.price b::text", ["€"]),
        ("css: .price::attr(data-amount)", ["12"]),
        ("xpath://p[2]", ["13"]),
        ("xpath://p/@data-amount", ["12"]),
        ("xpath:count(//p)", ["2"]),
        ("xpath:number('a')", []),
        ("xpath:boolean(//b)", ["true"]),
        ("xpath://p[re:test(., '^1[34]$')]", ["13"]),
        ("css:.none", []),
        ("header:X-CACHE", ["HIT, MISS, by edge"]),
        ("header:x-none", []),
    ],
)
def test_the_first_match_is_the_value(selector: str, found: list[str]) -> None:
    assert values(selector) == found


def test_a_value_has_a_limit() -> None:
    (text,) = values("css:pre")
    assert len(text) == MAX_VALUE


def test_documents_are_decoded_as_for_other_columns() -> None:
    latin = "<meta charset=iso-8859-1><p>é".encode("latin-1")
    assert values("css:p", latin, media="text/html") == ["é"]
    assert values("css:p", "<p>é".encode("cp1252"), media="text/html; charset=cp1252") == ["é"]
    assert values("css:p", b"<p>a\x00b" + b"<i>" * 100_000) == ["ab"]
    assert values("css:p", b"") == []


def test_other_responses_have_headers_only() -> None:
    assert values("css:p", status=404) == []
    assert values("css:p", media="application/pdf") == []
    assert values("header:x-cache", status=301) == ["HIT, MISS, by edge"]


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"Price": "css:p"}, "'Price' is not a name such as price"),
        ({"price": "p"}, r"'p' \(of price\) is not css:…, xpath:… or header:…"),
        ({"price": "css: "}, r"'css: ' \(of price\) is not css:…"),
        ({"price": "css:p["}, r"'p\[' is not a selector of css"),
        ({"price": "css:p::unknown"}, "'p::unknown' is not a selector of css"),
        ({"price": "xpath://p["}, r"'//p\[' is not a selector of xpath"),
        ({"price": "xpath:re:test(//p, '(')"}, r"is not a selector of xpath \(.*regular|missing"),
        ({"price": "xpath:unknown()"}, r"'unknown\(\)' is not a selector of xpath"),
        ({"price": "xpath://x:p"}, "'//x:p' is not a selector of xpath"),
        ({"price": "header:a b"}, "'a b' is not the name of a header"),
        ({"price": "header:Set-Cookie"}, "cookies are secrets"),
        ({f"a{n}": "css:p" for n in range(MAX_COLUMNS + 1)}, "21 columns are more than 20"),
    ],
)
def test_a_mistake_is_the_rest_of_a_sentence(columns: dict[str, str], reason: str) -> None:
    with pytest.raises(ValueError, match=f"^{reason}"):
        check_columns(columns)


@pytest.mark.parametrize("name", ["title", "rendered_price", "own_values", "sitemaps", "count"])
def test_a_name_that_is_taken_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name} already"):
        check_names([name])


def test_a_name_is_refused_if_queries_cannot_use_it() -> None:
    with duckdb.connect() as connection:
        words = connection.execute("select keyword_name from duckdb_keywords()").fetchall()
        free, refused = [], []
        for (word,) in words:
            try:
                check_names([word])
            except ValueError:
                refused.append(word)
                continue
            free.append(word)
            connection.execute(f'create or replace table pages as select 1 as "{word}"')
            query = f"select {word}, pages.{word} from pages where {word} > 0 order by {word}"
            assert connection.execute(query).fetchall() == [(1, 1)], word
    assert {"order", "group", "is", "left", "default"} <= {*refused}
    assert {"price", "year", "date", "views", "first"} & {*free}
    with pytest.raises(ValueError, match="rowid is a word of SQL; choose another name: own_rowid"):
        check_names(["rowid"])


def test_usual_names_are_free() -> None:
    check_names(["price", "stock", "author", "brand", "category", "rating", "server", "cache"])

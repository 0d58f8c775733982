"""The law of verdicts in Python and in SQL: both decide the same for every page."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from sitemapaudit.datasets.database import connect, sql_string
from sitemapaudit.items import Error, Page, RedirectKind
from sitemapaudit.items.schema import columns
from sitemapaudit.verdicts import LAW, decide_verdict, sql_case

HTML, FILE = "https://a.example/", "https://a.example/b.c/file.ZIP?d=e.html"

RESPONSES: Mapping[str, Iterable[Any]] = {
    "url": [HTML],
    "error": [None, *Error],
    "allowed": [None, False, True],
    "status": [
        *(None, 0, 100, 101, 200, 204, 299, 300, 301, 304, 308),
        *(401, 404, 410, 418, 429, 500, 599, 600, 999),
    ],
    "challenge": [None, "", "a challenge"],
    "redirect_kind": [None, RedirectKind.REFRESH],
}
"""The columns by which a response is refused, and their values."""

FILES: Mapping[str, Iterable[Any]] = {
    "url": [HTML],
    "status": [None, 200, 401, 403, 404],
    "file": [None, "a.html"],
    "challenge": [None, "a challenge"],
}
"""The columns by which a build denies access, and their values."""

CONTENTS: Mapping[str, Iterable[Any]] = {
    "url": [HTML, FILE],
    "status": [200, 204, 304],
    "is_html": [False, True],
    "content_type": [
        None,
        "",
        "text/html",
        "application/zip",
        "application/octet-stream",
        "x/y+xml",
    ],
    "bytes": [None, 0, 5],
    "noindex": [None, False, True],
    "canonical": [None, HTML, FILE],
    "soft_404": [None, "", "not found"],
    "words": [None, 0, 50],
    "scripts": [None, 0, 2],
}
"""The columns that tell what a page is, and their values."""


def every_page(values: Mapping[str, Iterable[Any]]) -> Iterator[Page]:
    """Yield a page for each combination of values."""
    return (Page(**dict(zip(values, each, strict=True))) for each in product(*values.values()))


def decide_in_sql(pages: list[Page]) -> list[str]:
    """Return the verdicts that SQL decides."""
    names = {*RESPONSES, *FILES, *CONTENTS}
    types = {each.name: each.type for each in columns(Page) if each.name in names}
    rows = [{name: getattr(page, name) for name in types} for page in pages]
    text = sql_string(msgspec.json.encode(rows).decode())
    structure = sql_string(msgspec.json.encode([types]).decode())
    with connect() as connection:
        found = connection.execute(
            f"select {sql_case(LAW)} from"
            f" (select unnest(from_json({text}::json, {structure}), max_depth := 2))"
        )
        return [verdict for (verdict,) in found.fetchall()]


def test_python_and_sql_decide_the_same_in_all_combinations() -> None:
    decided: Counter[int] = Counter()
    for values in (RESPONSES, FILES, CONTENTS):
        pages = list(every_page(values))
        assert decide_in_sql(pages) == [decide_verdict(page) for page in pages]
        decided.update(next(at for at, row in enumerate(LAW) if row.holds(page)) for page in pages)
    # Each row of the law decided some of them.
    assert set(decided) == set(range(len(LAW)))


@given(
    st.lists(
        st.builds(
            Page,
            st.from_regex(r"https://a\.example/[a-z./?#=Z]*", fullmatch=True),
            status=st.just(200),
            content_type=st.from_regex(r"[a-z]{0,4}/?(zip|x-unknown|pdf|svg\+xml|\*)?"),
            noindex=st.sampled_from([None, True]),
        ),
        min_size=1,
    )
)
def test_python_and_sql_know_the_same_types(pages: list[Page]) -> None:
    assert decide_in_sql(pages) == [decide_verdict(page) for page in pages]

"""The law of verdicts in Python and in SQL: both decide the same for every page.

What only SQL decides is here, too.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

import msgspec

from sitemapaudit.datasets.database import connect, sql_string
from sitemapaudit.items import Error, Page, RedirectKind, Role, Sitemap, Verdict
from sitemapaudit.items.schema import columns
from sitemapaudit.verdicts import (
    AGENT_VERDICT,
    INDEXABLE,
    IS_UNREAD,
    LAW,
    MACROS,
    NOT_INDEXABLE,
    PAGE_VERDICTS,
    UNKNOWN,
    decide_verdict,
    sql_case,
)
from tests.rules.tables import Item, fill_tables, insert, transaction
from tests.support.rows import fetched_page, listed, rendered

HTML, FILE = "https://a.example/", "https://a.example/b.c/file.ZIP?d=e.html"

REDIRECT_ERRORS = (Error.REDIRECT_INVALID, Error.REDIRECT_LOOP, Error.TOO_MANY_REDIRECTS)

RESPONSES: Mapping[str, Iterable[Any]] = {
    "url": [HTML],
    "error": [None, *Error],
    "allowed": [None, False, True],
    "status": [
        *(None, 0, 100, 199, 200, 204, 299, 300, 301, 304, 308),
        *(400, 401, 404, 410, 418, 429, 499, 500, 599, 600, 999),
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

TYPES: Mapping[str, Iterable[Any]] = {
    "url": [HTML, FILE],
    "status": [200, 204, 300],
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
    "noindex": [None, True],
}
"""The columns by which a type is not indexed, one that comes next, and their values."""

CONTENTS: Mapping[str, Iterable[Any]] = {
    "url": [HTML],
    "status": [200, 204, 304],
    "bytes": [None, 0, 5],
    "truncated": [False, True],
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


def evaluate(expression: str, rows: list[dict[str, Any]], types: Mapping[str, str]) -> list[Any]:
    """Return the values of SQL for rows with columns of these types."""
    text = sql_string(msgspec.json.encode(rows).decode())
    structure = sql_string(msgspec.json.encode([types]).decode())
    with connect() as connection:
        connection.execute(MACROS)
        found = connection.execute(
            f"select {expression} from"
            f" (select unnest(from_json({text}::json, {structure}), max_depth := 2))"
        )
        return [value for (value,) in found.fetchall()]


def decide_in_sql(pages: list[Page]) -> list[str]:
    """Return the verdicts that SQL decides."""
    names = {*RESPONSES, *FILES, *TYPES, *CONTENTS}
    types = {each.name: each.type for each in columns(Page) if each.name in names}
    rows = [{name: getattr(page, name) for name in types} for page in pages]
    return evaluate(sql_case(LAW), rows, types)


def test_python_and_sql_decide_the_same_in_all_combinations() -> None:
    decided: Counter[int] = Counter()
    for values in (RESPONSES, FILES, TYPES, CONTENTS):
        pages = list(every_page(values))
        assert decide_in_sql(pages) == [decide_verdict(page) for page in pages]
        decided.update(next(at for at, row in enumerate(LAW) if row.holds(page)) for page in pages)
    # Each row of the law decided some of them.
    assert set(decided) == set(range(len(LAW)))


def test_python_and_sql_know_the_same_types() -> None:
    names = ("", "a", ".", "/", "?", "#", "zip", "Zip")
    urls = {f"https://a.example/{''.join(each)}" for each in product(names, repeat=4)}
    families = ("", "*", "application", "binary", "text")
    subtypes = ("", "*", "octet-stream", "pdf", "svg+xml", "unknown", "zip")
    types = {"".join(each) for each in product(families, ("", "/"), ("", "x-"), subtypes)}
    pages = [Page(url, status=200, content_type="application/octet-stream") for url in urls]
    pages += [Page(HTML, status=200, content_type=each) for each in types]
    assert decide_in_sql(pages) == [decide_verdict(page) for page in pages]


def test_sql_knows_which_verdicts_are_indexable() -> None:
    rows = [{"verdict": verdict} for verdict in Verdict]
    known = [verdict.indexable for verdict in Verdict]
    types = {"verdict": "varchar"}
    assert evaluate(INDEXABLE, rows, types) == known
    assert evaluate(f"verdict in ({UNKNOWN})", rows, types) == [each is None for each in known]
    not_indexable = [each is False for each in known]
    assert evaluate(f"verdict in ({NOT_INDEXABLE})", rows, types) == not_indexable


CHANGED_BY_SCRIPTS = {
    Verdict.CANONICALIZED: {Verdict.REDIRECTED, Verdict.NOINDEX},
    Verdict.SOFT_404: {*Verdict},
    Verdict.INDEXABLE: {*Verdict},
}
"""The verdicts of a rendering that are also those of the page, by the verdict of its response."""


def test_scripts_change_few_verdicts() -> None:
    pairs = [*product(Verdict, (None, *Verdict))]
    rows = [{"verdict": verdict, "rendered": rendered} for verdict, rendered in pairs]
    expected = [
        rendered if rendered in CHANGED_BY_SCRIPTS.get(verdict, ()) else verdict
        for verdict, rendered in pairs
    ]
    types = {"verdict": "varchar", "rendered": "varchar"}
    assert evaluate("effective_verdict(verdict, rendered)", rows, types) == expected


UNREAD: list[tuple[dict[str, Any], bool]] = [
    *(({"status": status}, False) for status in (200, 299, 300, 301, 399, 404, 410)),
    *(({"status": status}, True) for status in (199, 304, 400, 403, 405, 409, 411, 429, 500, 600)),
    ({"status": 200, "truncated": True}, True),
    ({"status": 200, "complete": False}, True),
    ({"status": 304, "error": Error.ENCODING}, False),
    ({"status": 500, "error": Error.REDIRECT_INVALID}, False),
    *(({"error": error}, False) for error in REDIRECT_ERRORS),
    *(({"error": error}, True) for error in Error if error not in {*REDIRECT_ERRORS, "encoding"}),
]
"""Rows of sitemaps, and whether they can list URLs that are not known."""


def test_a_sitemap_is_unread() -> None:
    rows = [Sitemap("https://a.example/s.xml", **values) for values, _ in UNREAD]
    names = ("status", "error", "truncated", "complete")
    types = {each.name: each.type for each in columns(Sitemap) if each.name in names}
    values = [{name: getattr(row, name) for name in names} for row in rows]
    found = evaluate(IS_UNREAD, values, types)
    assert [*map(bool, found)] == [is_unread for _, is_unread in UNREAD]


NOINDEX: dict[str, Any] = {"verdict": "noindex", "permitted": True, "robots": True}
AGENTS: list[tuple[dict[str, Any], str | None]] = [
    ({"verdict": "indexable", "skip_reason": "sample", "permitted": False}, "unchecked"),
    ({"verdict": "indexable", "permitted": False, "robots": None}, None),
    ({"verdict": "indexable", "permitted": False, "robots": True}, "blocked"),
    ({"verdict": "indexable", "permitted": False, "robots": False}, "indexable"),
    ({"verdict": "indexable", "permitted": None, "robots": True}, "indexable"),
    ({"verdict": "blocked", "permitted": False, "robots": True}, "blocked"),
    ({"verdict": "blocked", "permitted": True, "robots": True}, "unchecked"),
    *(
        ({"verdict": verdict, "permitted": True, "forbidden": True, "doubtful": True}, verdict)
        for verdict in ("unreachable", "denied", "server-error", "not-found", "client-error")
    ),
    ({"verdict": "redirected", "forbidden": True}, "redirected"),
    *(
        ({"verdict": verdict, "permitted": True, "forbidden": True}, "noindex")
        for verdict in ("unsupported-type", "noindex", "canonicalized", "soft-404", "indexable")
    ),
    ({"verdict": "canonicalized", "doubtful": True}, None),
    ({"verdict": "canonicalized", "forbidden": False, "doubtful": False}, "canonicalized"),
    # A directive forbids indexing to the first agent only.
    (NOINDEX | {"canonical": FILE, "status": 200}, "canonicalized"),
    (NOINDEX | {"canonical": HTML, "status": 204}, "unsupported-type"),
    (NOINDEX | {"status": 200, "bytes": 0}, "soft-404"),
    (NOINDEX | {"status": 200, "bytes": 0, "truncated": True}, "unchecked"),
    (NOINDEX | {"status": 200, "bytes": 1}, "indexable"),
    (NOINDEX | {"status": 200, "noindex": True}, "indexable"),
]
"""What is known of a page for another agent, and its verdict for that."""


def test_the_verdict_for_another_agent() -> None:
    types = {each.name: each.type for each in columns(Page) if each.name in CONTENTS}
    types |= dict.fromkeys(("permitted", "robots", "forbidden", "doubtful"), "boolean")
    types |= {"skip_reason": "varchar", "verdict": "varchar"}
    rows = [{"url": HTML, **values} for values, _ in AGENTS]
    assert evaluate(AGENT_VERDICT, rows, types) == [verdict for _, verdict in AGENTS]


def test_every_page_has_a_final_verdict() -> None:
    """That of a listed one is the verdict of its URL."""
    listed_page, other = fetched_page(HTML, noindex=True), fetched_page(FILE, role=Role.LINK)
    items: list[Item] = [listed(HTML), listed_page, other, rendered(other, Verdict.NOINDEX)]
    with transaction() as connection:
        insert(connection, items, None)
        fill_tables(connection, {"urls", "pages"})
        connection.execute("update urls set verdict = 'soft-404'")
        connection.execute(PAGE_VERDICTS)
        rows = connection.execute("from page_verdicts order by url").fetchall()
    assert rows == [(HTML, "soft-404"), (FILE, "noindex")]

"""The caps: any row fits into a line of the ledger, and says what it lost."""

from copy import deepcopy
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from sitemapaudit.caps import (
    BATCH_BYTES,
    BATCH_ROWS,
    MAX_ITEMS,
    MAX_LINE,
    MAX_LISTS,
    MAX_TEXT,
    batches,
    cut,
    extend,
    fit,
)
from sitemapaudit.items import (
    Alternate,
    Canonical,
    Entries,
    Entry,
    Image,
    Kind,
    Page,
    Rendering,
    RenderReason,
    Robots,
    Sitemap,
    Statement,
    Video,
)
from sitemapaudit.items.schema import columns
from sitemapaudit.urls import normalize
from tests.support.rows import SITEMAP, fetched_page, listed, sitemap_of
from tests.support.runs import build_run

URL = "https://www.example.com/"
ENTRY = Entry(URL, 1, Kind.URLSET)

# The last ones take six bytes and four as JSON.
letters = st.sampled_from(["a", '"', "é", "\0", "\U0001f600"])
lengths = st.sampled_from([0, 1, 100, MAX_TEXT - 1, MAX_TEXT, MAX_TEXT + 1])
SIZES = [(0, 0), (1, MAX_TEXT), (30, MAX_TEXT + 2), (MAX_ITEMS, 100), (MAX_ITEMS + 1, 1)]
"""Items of a list, and characters of each of their texts: each exceeds one cap at most."""

ITEMS: dict[str, Any] = {
    "images": lambda text: Image(text, text),
    "videos": lambda text: Video(text, tag=[text] * 9),
    "alternates": lambda text: Alternate("tag", text, text, text, None),
    "canonicals": lambda text: Canonical("tag", text, None),
    "statements": lambda text: Statement("meta", text, text),
    "directives": str,
}
ROWS: list[Any] = [
    ENTRY,
    Page(URL),
    Rendering(URL, RenderReason.ALWAYS),
    Sitemap(URL),
    Robots(URL, URL, text="\0" * 512_000),
]


def texts_in(item: Any) -> list[str]:
    """Return the texts of an item of a list, and of its lists."""
    if isinstance(item, dict | list):
        parts = item.values() if isinstance(item, dict) else item
        return [text for part in parts for text in texts_in(part)]
    return [item] if isinstance(item, str) else []


@given(st.data())
@settings(max_examples=30, deadline=None, phases=[Phase.generate])
def test_any_row_fits_into_a_line(data: st.DataObject) -> None:
    row = deepcopy(data.draw(st.sampled_from(ROWS)))
    for column in columns(row.__class__):
        if column.type == "VARCHAR" and column.name != "text":
            setattr(row, column.name, data.draw(letters) * data.draw(lengths))
        elif column.name in ITEMS:
            count, length = data.draw(st.sampled_from(SIZES))
            item = ITEMS[column.name](data.draw(letters) * length)
            setattr(row, column.name, [deepcopy(item) for _ in range(count)])
    before = deepcopy(row)
    fit(row)
    line = msgspec.json.encode(row)
    assert len(line) < MAX_LINE
    assert sum(len(msgspec.json.encode(getattr(row, name, []))) for name in ITEMS) < 2 * MAX_LISTS
    for name in ITEMS:
        items = msgspec.to_builtins(getattr(row, name, []))
        assert len(items) <= MAX_ITEMS
        assert all(len(text) <= MAX_TEXT + 1 for item in items for text in texts_in(item))
    changed = [
        field.name
        for field in fields(row)
        if getattr(row, field.name) != getattr(before, field.name)
    ]
    assert set(changed) - {"truncated_columns"} == set(row.truncated_columns)
    assert msgspec.json.encode(fit(row)) == line


@pytest.mark.parametrize(("length", "kept"), [(MAX_TEXT, True), (MAX_TEXT + 1, False)])
def test_a_truncated_text_is_no_url(length: int, *, kept: bool) -> None:
    loc = URL.ljust(length, "a")
    row = fit(replace(ENTRY, loc=loc, truncated_columns=[]))
    assert row.loc == (loc if kept else loc[:MAX_TEXT] + "…")
    assert row.truncated_columns == ([] if kept else ["loc"])
    assert normalize(row.loc) == (loc if kept else None)
    assert normalize("b", row.loc if kept else "") == (f"{URL}b" if kept else None)


def test_a_url_that_percent_encoding_makes_too_long() -> None:
    assert normalize(URL + "é" * (MAX_TEXT // 6 - len(URL))) is not None
    assert normalize(URL + "é" * (MAX_TEXT // 6)) is None


def test_readers_stop_after_the_caps() -> None:
    items = [0]
    extend(items, iter(range(10 * MAX_ITEMS)))
    assert len(items) == MAX_ITEMS + 1
    extend(items, items)
    assert len(items) == MAX_ITEMS + 1
    assert len(cut("x" * 10 * MAX_TEXT)) == MAX_TEXT + 1


@pytest.mark.parametrize(
    ("count", "size", "batch"),
    [(BATCH_ROWS + 1, 10, BATCH_ROWS), (300, 8_000, 127), (3, BATCH_BYTES * 2, 1)],
)
def test_batches_are_bounded_by_bytes(count: int, size: int, batch: int) -> None:
    rows = [replace(ENTRY, position=number, loc="x" * size) for number in range(count)]
    found = list(batches(rows))
    assert [row for each in found for row in each] == rows
    assert len(found[0]) == max(map(len, found)) == pytest.approx(batch, abs=3)


def full(row: Any, *, text: str) -> Any:
    """Return a row whose texts and lists are as long as the caps allow."""
    for column in columns(row.__class__):
        if column.type == "VARCHAR" and column.name not in {"url", "sitemap", "text"}:
            if getattr(row, column.name) is None:
                setattr(row, column.name, text)
        elif column.name in ITEMS:
            setattr(row, column.name, [ITEMS[column.name]("x")] * MAX_ITEMS)
    return fit(row)


# Of the longest lines there are twice as many bytes as a line may have: DuckDB reads them in parts.
LETTERS = ["a", '"', "\U0001f600"] + ["\0"] * 20


def test_rows_at_the_caps_become_tables(tmp_path: Path) -> None:
    urls = [f"{URL}{number}" for number in range(len(LETTERS))]
    longest = [letter * MAX_TEXT for letter in LETTERS]
    entries = listed(*urls)
    rows = zip(entries.rows, longest, strict=True)
    items = [
        full(sitemap_of(entries), text=longest[-1]),
        Entries(SITEMAP, [full(row, text=text) for row, text in rows]),
        *(full(fetched_page(url), text=text) for url, text in zip(urls, longest, strict=True)),
    ]
    run = build_run(tmp_path, items)
    assert run.manifest.damage == {}
    titles = run.sql("select url, title from pages")
    assert dict(zip(titles["url"], titles["title"], strict=True)) == dict(
        zip(urls, longest, strict=True)
    )
    assert run.manifest.rows["urls"] == len(urls)
    images = run.sql("select len(images) as number from entries")["number"]
    assert [*images] == [MAX_ITEMS] * len(urls)

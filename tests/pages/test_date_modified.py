"""The date that a page states for itself: JSON-LD and Open Graph, read only where they occur."""

import json
from typing import Any

import pytest

from tests.pages.responses import head, page_of
from tests.support.effort import cpu_limit

DATE, OTHER = "2026-11-10T10:00:00+00:00", "2026-09-01"
UTC = "2026-11-10 10:00:00+00:00"


def json_ld(content: Any) -> str:
    text = content if isinstance(content, str) else json.dumps(content)
    return f'<script type="application/ld+json">{text}</script>'


def dated(date: Any = DATE, **more: Any) -> dict[str, Any]:
    return {"@type": "Article", "dateModified": date, **more}


META = f'<meta property="article:modified_time" content="{DATE}">'


@pytest.mark.parametrize(
    "elements",
    [
        [json_ld(dated())],
        [json_ld([{"@type": "Person"}, dated()])],
        [json_ld({"@graph": [{"@type": "Person"}, dated()]})],
        [json_ld({"@graph": "x", **dated()})],
        [json_ld(dated(comment={"dateModified": OTHER}))],
        [json_ld(dated("2026-11-10T10:00:00Z")), json_ld(dated("2026-11-10"))],
        [json_ld(dated("2026-11-10T12:00:00+0200"))],
        [json_ld(dated(" 2026-11-10 10:00:00 "))],
        [json_ld("{broken dateModified"), json_ld(dated())],
        [json_ld(dated("last week")), json_ld(dated())],
        [json_ld(dated("0001-01-01T00:00:00")), json_ld(dated())],
        [json_ld(dated("1970-01-01")), json_ld(dated())],
        [META],
        [META.upper().replace("ARTICLE:MODIFIED_TIME", "article:modified_time")],
        [META.replace("property", "name")],
        [META, json_ld(dated())],
    ],
)
def test_the_date_of_the_page(elements: list[str]) -> None:
    assert str(page_of(head(*elements)).date_modified_at) == UTC


@pytest.mark.parametrize(
    "elements",
    [
        [],
        [json_ld({"@type": "Article", "datePublished": DATE})],
        [json_ld({"mainEntity": dated()})],
        [json_ld(dated(date=None))],
        [json_ld(dated(date=20261110))],
        [json_ld(dated("last week"))],
        [json_ld(dated("2026-13-40"))],
        [json_ld(dated("9" * 10_000))],
        [json_ld("dateModified")],
        [json_ld('{"dateModified":' * 5_000)],
        [json_ld(dated(text="x" * 300_000))],
        [json_ld(dated()), json_ld(dated(OTHER))],
        [META, json_ld(dated(OTHER))],
        ['<meta property="article:published_time" content="2026-11-10"> modified_time'],
        [json_ld(dated()).replace("ld+json", "json")],
    ],
)
def test_no_date_or_an_ambiguous_one(elements: list[str]) -> None:
    page = page_of(head(*elements))
    assert (page.date_modified, page.date_modified_at) == (None, None)


def test_the_date_is_kept_as_written() -> None:
    assert page_of(head(json_ld(dated(" 2026-11-10 ")))).date_modified == "2026-11-10"


def test_many_scripts_and_nodes_take_little_time() -> None:
    scripts = json_ld([dated()] * 2_000) * 2_000
    with cpu_limit(3):
        assert page_of(head(scripts)).date_modified == DATE

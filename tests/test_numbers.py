"""Numbers have one form wherever people read them."""

import html
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import duckdb
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sitemapaudit import Run
from sitemapaudit.datasets.database import connect
from sitemapaudit.gating.decision import Conditions, decide
from sitemapaudit.gating.findings import read_findings
from sitemapaudit.gating.wording import decision_lines
from sitemapaudit.items import Severity
from sitemapaudit.numbers import count_noun, fill, percent
from sitemapaudit.report.markdown_report import MARKDOWN
from sitemapaudit.report.report_page import write_report
from sitemapaudit.report.summary import summary
from sitemapaudit.report.terminal import Terminal
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.rules.examples import examples
from sitemapaudit.rules.rule import SECTIONS
from tests.report.links import make_linked_run
from tests.report.markup import data_of
from tests.support.audits import Audited
from tests.support.rows import fetched_page, listed
from tests.support.runs import build_audited_run

NOUNS: Final = (
    "findings", "URLs", "sitemaps", "rules", "pages", "entries", "errors", "warnings", "notices",
    "changes", "orphans", "clicks", "places", "files", "responses", "runs", "links", "alternates",
)  # fmt: skip
CONSTANTS: Final = (
    "95 % confidence", "95 % within", "50, 75, 95 and 99 % of",
    "\n50 %\n", "\n75 %\n", "\n95 %\n", "\n99 %\n",
)  # fmt: skip
"""Percentiles and levels of confidence, which are no shares."""

_SHARE: Final = re.compile(r"(?<![\w.,])\d[\d.,]* ?%")
_LARGE: Final = re.compile(
    r"(?<!RFC )(?<!ISO )(?<![\w.,:/#=?&'+-])(?!(?:19|20)\d\d\b)\d{4,}(?![\w:/'-]|\.\d)"
)
_ONE: Final = re.compile(rf"(?<![\d.,])1 (?:(?!of\b)[A-Za-z-]+ ){{0,2}}(?:{'|'.join(NOUNS)})\b")


def odd_numbers(text: str) -> list[str]:
    """Return the numbers of a text that have another form than all others."""
    plain = re.sub(r"https?://\S+|content-length: \d+", "", text.replace("\N{NO-BREAK SPACE}", " "))
    for constant in CONSTANTS:
        plain = plain.replace(constant, "")
    shares = [each for each in _SHARE.findall(plain) if not re.fullmatch(r"\d+\.\d %", each)]
    return [*shares, *_LARGE.findall(plain), *_ONE.findall(plain)]


@pytest.mark.parametrize(
    ("text", "odd"),
    [
        ("91.8 % of 51,411 listed URLs, 1 finding, entry 1 of 2 entries, in 2026", []),
        ("(90.8\N{NO-BREAK SPACE}%), under 0.1 %, 100.0 %, 2026-11-21T12:00:00Z", []),
        ("2 %", ["2 %"]),
        ("66.67 %", ["66.67 %"]),
        ("50%", ["50%"]),
        ("51411 URLs", ["51411"]),
        ("1 new findings", ["1 new findings"]),
        ("3 of 1 URLs", ["1 URLs"]),
    ],
)
def test_odd_numbers_are_found(text: str, odd: list[str]) -> None:
    assert odd_numbers(text) == odd


def texts_of(run: Run) -> Iterator[tuple[str, str]]:
    """Yield what people read of a run, each with the name of its place."""
    markup = write_report(run.path, run.manifest, catalog()).read_text(encoding="utf-8")
    # The page of a rule has its limits, which are no shares.
    prose = {rule.section(name)[1:] for rule in catalog().values() for name in SECTIONS}
    text = blocks_of(markup)
    for section in prose:
        text = text.replace(section, "")
    yield "report.html", text
    yield "its messages", "\n".join(messages_in(data_of(markup)))
    # What its fixes say is prose, too.
    lines = (run.path / MARKDOWN).read_text(encoding="utf-8").splitlines()
    yield "report.md", "\n".join(line for line in lines if line.startswith(("*", "|", "-", "#")))
    console = Terminal(file=io.StringIO())
    console.print(summary(run.path, run.manifest), highlight=False)
    assert isinstance(console.file, io.StringIO)
    yield "the summary", console.file.getvalue()
    for conditions in (Conditions(min_share=0.99), Conditions("never")):
        decision = decide(run.manifest, read_findings(run.path), conditions)
        yield "the gate", "\n".join(decision_lines(decision))


def blocks_of(markup: str) -> str:
    """Return the visible text of the markup, with a line for each cell, label and paragraph."""
    text = re.sub(
        r"(?s)<(script|style)\b.*?</\1>|</?(?:span|strong|code|a|time)\b[^>]*>", "", markup
    )
    blocks = html.unescape(re.sub(r"<[^>]*>", "\0", re.sub(r"\s+", " ", text))).split("\0")
    return "\n".join(blocks)


def messages_in(data: Any) -> Iterator[str]:
    """Yield the messages in the data of a report."""
    if isinstance(data, dict):
        yield from (data[name] for name in ("message",) if name in data)
        data = list(data.values())
    if isinstance(data, list):
        for each in data:
            yield from messages_in(each)


@pytest.mark.xdist_group("demo")
def test_numbers_of_the_demo_have_one_form(demo: Audited) -> None:
    for place, text in texts_of(demo.run):
        assert odd_numbers(text) == [], place


def test_numbers_of_a_site_with_one_of_each_have_one_form(tmp_path: Path) -> None:
    url = "https://www.example.com/"
    run = build_audited_run(tmp_path / "one", [listed(url), fetched_page(url, 404)])
    assert run.manifest.severities[Severity.ERROR] == 1
    for each in (run, make_linked_run(tmp_path / "links")):
        for place, text in texts_of(each):
            assert odd_numbers(text) == [], place


def test_numbers_in_examples_have_one_form() -> None:
    found = {rule: odd_numbers(example.message) for rule, example in examples().items()}
    assert not {rule: odd for rule, odd in found.items() if odd}


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with connect() as connection:
        yield connection


@given(st.integers(0, 10**7), st.integers(1, 10**7))
@example(0, 1)
@example(1, 1)
@example(57, 100)
@example(999_999, 1_000_000)
def test_sql_writes_shares_as_python_does(
    connection: duckdb.DuckDBPyConnection, part: int, whole: int
) -> None:
    share = min(part / whole, 1)
    written = connection.execute("select percent($share)", {"share": share}).fetchall()
    assert written == [(percent(share, " "),)]
    assert odd_numbers(percent(share)) == []


@pytest.mark.parametrize("noun", ["URL", "entry", "day", "listed page"])
@pytest.mark.parametrize("number", [0, 1, 2, 1_234_567])
def test_sql_counts_as_python_does(
    connection: duckdb.DuckDBPyConnection, number: int, noun: str
) -> None:
    written = connection.execute("select count_noun($1, $2)", [number, noun]).fetchall()
    assert written == [(count_noun(number, noun),)]


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [(1, "entry", "1 entry"), (2, "entry", "2 entries"), (3, "day", "3 days")],
)
def test_nouns_have_a_plural(number: int, noun: str, text: str) -> None:
    assert count_noun(number, noun) == text


def test_integers_of_messages_have_commas(connection: duckdb.DuckDBPyConnection) -> None:
    values = {"number": 12_345, "text": "12345", "share": 0.5, "flag": True}
    assert fill("{number} {text} {share} {flag}", values) == "12,345 12345 0.5 True"
    selected = ", ".join(f"in_message({json.dumps(value)})" for value in (12_345, 0.5, True))
    written = connection.execute(f"select {selected}, in_message('12345')").fetchall()
    assert written == [("12,345", "0.5", "true", "12345")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1 of 1 entry has no lastmod (100.0 %)", "2 of 1,300 entries have no lastmod (0.1 %)"),
        ("1 of 25 entries has no lastmod (4.0 %)", "1 of 2,500 entries has (under 0.1 %)"),
        ("left 1 listed URL unchecked and 2 sitemaps unread", "left 2 listed URLs unchecked and"),
        ("1 listed URL: blocked for a", "22 listed URLs: blocked for a"),
        (
            "links to 1 more URL like /a, which was not fetched",
            "links to 2 more URLs like /a, which",
        ),
    ],
)
def test_messages_that_differ_by_numbers_only_are_the_same(
    connection: duckdb.DuckDBPyConnection, one: str, other: str
) -> None:
    query = "select without_numbers($1), without_numbers($2)"
    ((same, shorter),) = connection.execute(query, [one, other]).fetchall()
    assert "#" in same
    assert same.startswith(shorter.partition(" (")[0]), (same, shorter)

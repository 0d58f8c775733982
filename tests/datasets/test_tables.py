"""From the ledger to the tables: one row and one verdict per listed URL."""

import codecs
import csv
import itertools
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest

from sitemapaudit import Run
from sitemapaudit.audit import Audit
from sitemapaudit.datasets import (
    database,
    groups_of_urls,
    memory_limit,
    similar_texts,
)
from sitemapaudit.datasets.merged_findings import MANY
from sitemapaudit.datasets.tables import TableBuild, build_tables
from sitemapaudit.items import (
    Alternate,
    Canonical,
    Entries,
    Error,
    Kind,
    Page,
    Role,
    Severity,
    Sitemap,
    SkipReason,
    Subject,
    Verdict,
)
from sitemapaudit.items.schema import LINK_DATASETS, TABLES, table_columns
from sitemapaudit.rules.needs import Need
from sitemapaudit.rules.rule import QueryRule
from sitemapaudit.rules.sources import PRACTICE
from sitemapaudit.runs.manifest import Manifest
from tests.report.site import make_faulty_run
from tests.support.rows import NOW, SITEMAP, fetched_page, linked_page, listed, sitemap_of
from tests.support.runs import build_audited_run, build_run

pytestmark = pytest.mark.xdist_group("tables")

HOST = "https://www.example.com"
A, B, C = (f"{HOST}/{name}" for name in "abc")


def row(run: Run, url: str) -> dict[str, Any]:
    """Return the row of a listed URL."""
    frame = run.urls[run.urls["url"] == url]
    assert len(frame) == 1
    return {str(name): value for name, value in frame.iloc[0].to_dict().items()}


def test_every_listed_url_has_one_row(tmp_path: Path) -> None:
    run = build_run(tmp_path, [listed(A, B, A), listed(A, C, sitemap=f"{HOST}/2.xml")])
    assert run.urls["url"].tolist() == [A, B, C]
    assert run.urls["verdict"].tolist() == ["unchecked"] * 3
    assert row(run, A)["sitemaps"].tolist() == [f"{HOST}/2.xml", SITEMAP]
    assert row(run, A)["listings"] == 3


def test_invalid_locs_and_child_sitemaps_are_not_listed_urls(tmp_path: Path) -> None:
    children = listed(f"{HOST}/child.xml", kind=Kind.SITEMAPINDEX)
    run = build_run(tmp_path, [listed("ftp://x/", "/relative", ""), children])
    assert len(run.urls) == 0
    assert len(run.entries) == 4


def test_indexable_is_three_valued(tmp_path: Path) -> None:
    pages = [fetched_page(f"{HOST}/{verdict}") for verdict in Verdict]
    for page, verdict in zip(pages, Verdict, strict=True):
        page.verdict = verdict
    urls = build_run(tmp_path, [listed(*(page.url for page in pages)), *pages]).urls
    values = urls["indexable"].astype(object).where(urls["indexable"].notna(), None)
    assert dict(zip(urls["url"], values, strict=True)) == {
        f"{HOST}/{verdict}": verdict.indexable for verdict in Verdict
    }


def test_a_page_that_was_fetched_as_a_target_and_is_listed_is_listed(tmp_path: Path) -> None:
    run = build_run(
        tmp_path,
        [listed(B), fetched_page(A, role=Role.REDIRECT), fetched_page(B, role=Role.CANONICAL)],
    )
    assert dict(zip(run.pages["url"], run.pages["role"], strict=True)) == {
        A: "redirect",
        B: "listed",
    }
    assert row(run, B)["verdict"] == "indexable"


ROUTES: list[tuple[tuple[str, ...], str, tuple[Role, str | None]]] = [
    # The listed URLs, the argument ``follow``, and the role and the origin of C.
    ((A,), "redirect,canonical,hreflang", (Role.CANONICAL, A)),  # B is not listed.
    ((A, B), "redirect,canonical,hreflang", (Role.REDIRECT, B)),
    ((A, B), "canonical,hreflang", (Role.CANONICAL, A)),
    ((A, B), "hreflang", (Role.HREFLANG, A)),
    ((A, B, C), "redirect,canonical,hreflang", (Role.LISTED, None)),
]
ARRIVED = [(B, Role.REDIRECT), (A, Role.CANONICAL), (A, Role.HREFLANG)]


def host_of(route: int, arrived: int) -> str:
    return f"https://{route}-{arrived}.example"


def pages_of(route: int, arrived: int) -> Iterator[Entries | Page]:
    """Yield the rows of a website with a page to which two others lead."""
    host, (locs, *_), (via, role) = host_of(route, arrived), ROUTES[route], ARRIVED[arrived]
    a, b, c = (url.replace(HOST, host) for url in (A, B, C))
    via = via.replace(HOST, host)
    yield listed(*(loc.replace(HOST, host) for loc in locs), sitemap=f"{host}/sitemap.xml")
    yield fetched_page(a, canonical=c, alternates=[Alternate("html", "alternate", "en", c, c)])
    yield fetched_page(b, status=301, target=c, role=Role.CANONICAL)
    yield fetched_page(c, role=role, via=via)
    yield fetched_page(f"{host}/random", role=Role.PROBE, via=via)


@pytest.fixture(scope="module")
def reasons(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Role, str | None]]:
    """Return the role of each page of these websites, and what led to it."""
    found: dict[str, tuple[Role, str | None]] = {}
    for follow in sorted({follow for _, follow, _ in ROUTES}):
        rows = [
            row
            for route, (_, each, _) in enumerate(ROUTES)
            for arrived in range(len(ARRIVED))
            if each == follow
            for row in pages_of(route, arrived)
        ]
        run = build_run(tmp_path_factory.mktemp("routes"), rows, follow=follow)
        table = run.sql("select url, role, via from pages").to_numpy()
        found |= {url: (role, None if pd.isna(via) else via) for url, role, via in table}
    return found


@pytest.mark.parametrize("route", range(len(ROUTES)))
@pytest.mark.parametrize("arrived", range(len(ARRIVED)))
def test_what_led_to_a_page_does_not_depend_on_which_arrived_first(
    route: int, arrived: int, reasons: dict[str, tuple[Role, str | None]]
) -> None:
    host, (*_, (role, via)) = host_of(route, arrived), ROUTES[route]
    assert reasons[f"{host}/c"] == (role, via and via.replace(HOST, host))
    assert reasons[f"{host}/random"] == (Role.PROBE, None)


def test_a_page_that_nothing_is_known_to_lead_to_keeps_what_the_crawl_noted(
    tmp_path: Path,
) -> None:
    page = fetched_page(B, role=Role.HREFLANG, via=C)
    (via,) = build_run(tmp_path, [listed(A), page], follow="hreflang").pages["via"]
    assert via == C


def test_findings_on_pages_that_are_not_listed_are_dropped(tmp_path: Path) -> None:
    noindex: dict[str, Any] = {"noindex": True, "canonicals": [Canonical("tag", "x", A)]}
    missing = fetched_page(A, content_type="text/html", is_html=True, bytes=9, noindex=False)
    run = build_audited_run(
        tmp_path,
        [
            listed(A),
            missing,
            fetched_page(B, role=Role.REDIRECT, content_type="text/html", bytes=9, **noindex),
            fetched_page(C, role=Role.CANONICAL, content_type="text/html", bytes=9),
        ],
        rules={"lastmod-missing": "off", "audit-incomplete": "off"},
    )
    assert run.findings[["rule", "url"]].to_numpy().tolist() == [["canonical-missing", A]]
    assert run.findings["sitemap"].tolist() == [SITEMAP]
    assert row(run, A)["rules"].tolist() == ["canonical-missing"]


SKIPPED: list[tuple[list[SkipReason | None], str | None]] = [
    # The reasons of the entries of a URL, and that of the URL.
    ([None], None),
    ([SkipReason.EXCLUDE], "exclude"),
    ([SkipReason.EXCLUDE, SkipReason.EXCLUDE], "exclude"),
    ([SkipReason.SINCE, None], None),
]


@pytest.fixture(scope="module")
def urls(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return a run with the URLs of SKIPPED, and with redirects."""
    entries = listed(
        *(f"{HOST}/skipped/{at}" for at, (each, _) in enumerate(SKIPPED) for _ in each)
    )
    reasons = [reason for each, _ in SKIPPED for reason in each]
    for entry, reason in zip(entries.rows, reasons, strict=True):
        entry.skip_reason = reason
    pages = [
        fetched_page(A, 301, target=B),
        fetched_page(B, 302, role=Role.REDIRECT, target=C),
        fetched_page(C, None, role=Role.REDIRECT, error=Error.TIMEOUT),
        fetched_page(f"{HOST}/unknown", 301, target=f"{HOST}/target"),
        fetched_page(f"{HOST}/loop", 301, target=f"{HOST}/back"),
        fetched_page(f"{HOST}/back", 301, role=Role.REDIRECT, target=f"{HOST}/loop"),
    ]
    redirects = listed(A, f"{HOST}/unknown", f"{HOST}/loop", sitemap=f"{HOST}/redirects.xml")
    return build_run(tmp_path_factory.mktemp("urls"), [entries, redirects, *pages])


@pytest.mark.parametrize("number", range(len(SKIPPED)))
def test_a_url_is_skipped_if_all_its_entries_are(urls: Run, number: int) -> None:
    reason = row(urls, f"{HOST}/skipped/{number}")["skip_reason"]
    assert (None if pd.isna(reason) else reason) == SKIPPED[number][1]


def test_redirects_lead_to_the_last_known_url(urls: Run) -> None:
    found = row(urls, A)
    assert (found["verdict"], found["hops"], found["final_url"]) == ("redirected", 2, C)
    assert found["final_error"] == "timeout"
    assert found["redirect_chain"].tolist() == [A, B]
    assert not found["redirect_loop"]


def test_of_a_target_that_was_not_fetched_only_the_url_is_known(urls: Run) -> None:
    found = row(urls, f"{HOST}/unknown")
    assert (found["hops"], found["final_url"]) == (1, f"{HOST}/target")
    assert pd.isna(found["final_status"])


def test_a_redirect_loop_ends_at_the_first_repeated_url(urls: Run) -> None:
    found = row(urls, f"{HOST}/loop")
    assert found["redirect_loop"]
    assert found["hops"] == 2
    assert found["final_url"] == f"{HOST}/loop"


SIGNS = "=+-@\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}"
"""What begins a formula: in spreadsheets of East Asian languages, in full width too."""


def test_no_part_of_a_cell_is_a_formula_in_a_spreadsheet_of_another_language(
    tmp_path: Path,
) -> None:
    separators = (";", "\t", "\n", ';"', ";'", ";;")
    texts = ["".join(f"a{each}{sign}1+1;b" for sign in SIGNS) for each in separators]
    pages = [fetched_page(f"{A}/{number}", canonical=text) for number, text in enumerate(texts)]
    run = build_run(tmp_path, [listed(*(page.url for page in pages)), *pages])
    text = (run.path / "urls.csv").read_text(encoding="utf-8")
    assert text.count("1+1") == len(SIGNS) * len(separators)
    for delimiter in ";\t,":
        cells = [cell for line in text.splitlines() for cell in line.split(delimiter)]
        assert not [
            cell
            for cell in cells
            if re.match(rf"\"*'*\"*[{re.escape(SIGNS)}]1\+1", cell) and "'" not in cell
        ]


def test_csv_files_open_with_umlauts_in_excel_and_in_pandas(tmp_path: Path) -> None:
    """Excel reads UTF-8 only after a byte order mark; pandas and DuckDB skip it."""
    page = fetched_page(A, 404, location="/Übergröße")
    run = build_audited_run(tmp_path, [listed(f" {A}#Größe"), page])
    for name in ("urls", "findings"):
        file = run.path / f"{name}.csv"
        assert file.read_bytes().startswith(codecs.BOM_UTF8)
        assert list(pd.read_csv(file).columns) == list(getattr(run, name).columns)
        assert run.sql(f"select url from '{file}'")["url"][0] == A
    assert "Größe" in (run.path / "findings.csv").read_text(encoding="utf-8")


def test_csv_files_have_no_formula_and_lists_in_one_cell(tmp_path: Path) -> None:
    entries = listed(A, A, sitemap="https://www.example.com/=1+1.xml")
    entries.rows[0].loc = "=cmd|' /C calc'!A0"
    run = build_audited_run(
        tmp_path,
        [
            entries,
            fetched_page(A, content_type="text/html", is_html=True, bytes=1, noindex=False),
            Sitemap("=HYPERLINK(1)", entries=0, kind=Kind.URLSET),
        ],
    )
    with (run.path / "findings.csv").open(encoding="utf-8-sig", newline="") as file:
        cells = [cell for line in csv.reader(file) for cell in line]
    assert "'=HYPERLINK(1)" in cells
    assert not [cell for cell in cells if cell[:1] in "=+-@\t\r" and cell]
    with (run.path / "urls.csv").open(encoding="utf-8-sig", newline="") as file:
        (found,) = csv.DictReader(file)
    assert found["rules"] == "canonical-missing loc-duplicate loc-not-absolute"


def test_the_tables_of_the_same_items_are_the_same(tmp_path: Path) -> None:
    items = [listed(*(f"{HOST}/{n % 40}" for n in range(100)))]
    items += [fetched_page(f"{HOST}/{n}", content_type="text/html", bytes=1) for n in range(40)]  # type: ignore[misc]
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        build_audited_run(tmp_path / name, items)
    for table in ("urls", "findings"):
        texts = [(tmp_path / name / f"{table}.csv").read_text() for name in ("first", "second")]
        assert texts[0] == texts[1]


@pytest.mark.parametrize("severity", ["'high'", "null", "7"])
def test_a_query_with_an_unknown_severity_fails(severity: str, tmp_path: Path) -> None:
    class Loud(QueryRule):
        severity = Severity.ERROR
        message = "is loud"
        references = (PRACTICE,)
        query = "select url from urls"

    Loud.id, Loud.subject = "loud", Subject.SITE
    Loud.query = f"select url, {severity} as severity from urls"
    build_audited_run(tmp_path, [listed(A)])
    audit = Audit()
    audit.queries.insert(0, Loud)
    manifest = Manifest.read(tmp_path)
    build_tables(TableBuild([tmp_path], tmp_path, 256), manifest, audit)
    assert manifest.broken_rules == {"loud": 1}
    assert "loud" not in manifest.rules


@pytest.mark.parametrize(
    "need", [None, Need("nowhere"), Need("urls", "nothing"), Need("urls", "nothing() > 0")]
)
def test_a_query_that_fails_is_counted_and_the_others_continue(
    need: Need | None, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(QueryRule):
        severity = Severity.ERROR
        message = "{nothing}"
        references = (PRACTICE,)
        query = "select nothing from nowhere"
        needs = (need,) if need else ()

    Broken.id = "broken"
    Broken.subject = next(iter(Audit().queries)).subject
    build_audited_run(tmp_path, [listed(A, A)])
    audit = Audit()
    audit.queries.insert(0, Broken)
    manifest = Manifest.read(tmp_path)
    build_tables(TableBuild([tmp_path], tmp_path, 256), manifest, audit)
    assert manifest.broken_rules == {"broken": 1}
    assert manifest.rules["loc-duplicate"] == 1
    assert "broken" in caplog.text


def test_only_rules_about_tables_are_checked_again(tmp_path: Path) -> None:
    build_audited_run(tmp_path, [listed(A, A)])
    manifest = Manifest.read(tmp_path)
    manifest.broken_rules = {"loc-whitespace": 2, "loc-duplicate": 1, "no-longer-known": 3}
    build = TableBuild([tmp_path], tmp_path, 256)
    for _ in range(2):
        build_tables(build, manifest, Audit())
        assert manifest.broken_rules == {"loc-whitespace": 2, "no-longer-known": 3}
    build_tables(build, manifest, Audit({"loc-whitespace": "off"}))
    assert manifest.broken_rules == {"no-longer-known": 3}


def test_the_counts_are_those_of_the_tables(tmp_path: Path) -> None:
    run = build_audited_run(tmp_path, [listed(A, B, A), fetched_page(A), fetched_page(B, 404)])
    manifest = run.manifest
    assert manifest.verdicts == run.urls["verdict"].value_counts().to_dict()
    assert manifest.rules == run.findings["rule"].value_counts().to_dict()
    assert manifest.rows["entries"] == len(run.entries) == 3


def test_a_sitemap_with_a_row_at_its_beginning_and_end_has_one_row(tmp_path: Path) -> None:
    beginning = Sitemap(SITEMAP, kind=Kind.URLSET, complete=False)
    end = Sitemap(SITEMAP, kind=Kind.URLSET, entries=7, fetched_at=NOW)
    run = build_run(tmp_path, [beginning, end, Sitemap(f"{HOST}/2.xml", complete=False)])
    assert run.sitemaps.sort_values("sitemap")["complete"].tolist() == [False, True]
    assert run.manifest.unread_sitemaps == 1
    assert not run.manifest.complete


def make_run_without_pages(folder: Path) -> Run:
    """Make a run of a site whose pages were not fetched."""
    entries = listed(A, B, A)
    for entry in entries.rows:
        entry.lastmod, entry.lastmod_at = "2026-11-05", datetime(2026, 11, 5, tzinfo=UTC)
        entry.skip_reason = SkipReason.PAGES
    return build_audited_run(folder, [sitemap_of(entries), entries], pages="none")


def make_run_with_merged_findings(folder: Path) -> Run:
    """Make a run of which one value of all entries is wrong."""
    entries = listed(*(f"{HOST}/{number}" for number in range(MANY + 1)))
    for entry in entries.rows:
        entry.changefreq = "sometimes"
    return build_audited_run(folder, [sitemap_of(entries), entries], pages="none")


@pytest.mark.parametrize(
    "make", [make_faulty_run, make_run_without_pages, make_run_with_merged_findings]
)
def test_files_do_not_depend_on_whether_a_run_fits_into_memory(
    make: Callable[[Path], Run], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path / "small")
    monkeypatch.setattr(database, "SMALL_TABLE", 0)
    monkeypatch.setattr(groups_of_urls, "URLS_AT_ONCE", 2)
    monkeypatch.setattr(similar_texts, "AT_ONCE", 2)
    make(tmp_path / "medium")
    monkeypatch.setattr(memory_limit, "SMALL", 0)
    make(tmp_path / "large")
    files = [file for kind in ("parquet", "csv") for file in (tmp_path / "small").glob(f"*.{kind}")]
    assert len(files) >= len(TABLES)
    for file, size in itertools.product(files, ("medium", "large")):
        assert file.read_bytes() == (tmp_path / size / file.name).read_bytes(), (file.name, size)


def test_columns_have_the_types_that_are_documented(tmp_path: Path) -> None:
    pages = [linked_page(A, B), linked_page(B, C)]
    path = build_run(tmp_path, [listed(A, C), *pages], links="crawl").path
    with duckdb.connect() as connection:
        for table in (*TABLES, *LINK_DATASETS):
            columns = ", ".join(f"{each.name} {each.type}" for each in table_columns(table))
            connection.execute(f"create table {table} ({columns})")
            query = f"select column_name, column_type from (describe from '{path}/{table}.parquet')"
            declared = f"select column_name, column_type from (describe {table})"
            rows = connection.execute(query).fetchall()
            assert rows == connection.execute(declared).fetchall(), table


@pytest.mark.parametrize("reason", [SkipReason.LIMIT, SkipReason.EXCLUDE])
def test_what_was_fetched_has_no_skip_reason(tmp_path: Path, reason: SkipReason) -> None:
    """A redirect of a listed page led there: each agent has a verdict then."""
    entries = listed(A, B, C)
    for entry in entries.rows[1:]:
        entry.skip_reason = reason
    pages = [fetched_page(A, 301, target=B), fetched_page(B, role=Role.REDIRECT, via=A)]
    run = build_run(tmp_path, [entries, *pages], agents="Googlebot,Bingbot")
    rows = run.urls.set_index("url")
    assert rows["skip_reason"].fillna("").to_dict() == {A: "", B: "", C: reason}
    assert (run.manifest.skipped, run.manifest.limits) == (
        {reason: 1},
        {"AUDIT_MAX_URLS": 1} if reason is SkipReason.LIMIT else {},
    )
    verdicts = run.sql("select url, verdict from verdicts order by url").to_numpy().tolist()
    expected = {A: "redirected", B: "indexable", C: "unchecked"}
    assert [*map(tuple, verdicts)] == [pair for pair in expected.items() for _ in range(2)]

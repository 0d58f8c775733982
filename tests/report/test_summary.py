"""The summary of a run in a terminal: nothing that is copied from it is cut."""

from pathlib import Path

import pytest

from sitemapaudit import Run
from tests.report.terminal import printed
from tests.support.rows import fetched_page, listed, rendered
from tests.support.runs import build_audited_run, build_run

pytestmark = pytest.mark.xdist_group("summary")

SHOP = "https://www.shop.example/de-de/damen/bekleidung/jacken-und-maentel/winterjacken"
URLS = [f"{SHOP}/daunenjacke-mit-abnehmbarer-kapuze-{number:05}?farbe=blau" for number in range(40)]
WIDTHS = [60, 80, 100, 160]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Return a run with more warnings than errors."""
    pages = [
        fetched_page(url, 404 if number < 12 else 200, is_html=True, title="T", canonical=url)
        for number, url in enumerate(URLS)
    ]
    return build_audited_run(tmp_path_factory.mktemp("run"), [listed(*URLS, *URLS[:30]), *pages])


@pytest.mark.parametrize("width", WIDTHS)
def test_only_the_example_gives_way(run: Run, width: int) -> None:
    lines = printed(run, width)
    rows = [line.split() for line in lines]
    severities = dict(zip(run.findings["rule"], run.findings["severity"], strict=True))
    shown = [words for words in rows if words[1:2] and words[1] in severities]
    counts = run.findings["rule"].value_counts()
    assert len(shown) == len(counts)
    for severity, rule, count, *_ in shown:
        assert (severity, int(count)) == (severities[rule], counts[rule])
    verdicts = run.urls["verdict"].value_counts()
    assert {words[0]: int(words[1]) for words in rows if words and words[0] in verdicts} == {
        **verdicts
    }
    table = [line for line in lines if "blau" in line or "…" in line]
    assert table
    assert max(map(len, table)) <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_an_example_keeps_what_tells_it_apart(run: Run, width: int) -> None:
    """Its middle gives way, and nothing in a file. Without the host of the first line."""
    run.manifest.arguments["site"] = "https://www.shop.example"
    lines, whole = printed(run, width), printed(run, width, to_file=True)
    assert lines[1] == "https://www.shop.example"
    path = min(URLS).removeprefix("https://www.shop.example")
    (example,) = {line.split()[3] for line in whole if line.split()[1:2] == ["page-not-found"]}
    assert example == path
    (shown,) = {line.split()[3] for line in lines if line.split()[1:2] == ["page-not-found"]}
    start, _, end = shown.partition("…")
    assert start
    assert path.startswith(start)
    assert path.endswith(end)
    assert end or shown == path


@pytest.mark.parametrize("width", WIDTHS)
def test_paths_and_commands_are_not_wrapped(run: Run, width: int) -> None:
    lines = printed(run, width)
    assert f"Run folder  {run.path}" in lines
    assert f"Next        open {run.path / 'findings.csv'}" in lines


def test_the_next_step_is_the_most_severe_rule_with_the_most_findings(run: Run) -> None:
    assert run.findings["rule"].value_counts().index[0] == "loc-duplicate"
    (line,) = (line.strip() for line in printed(run, 80) if "sitemapaudit rules" in line)
    assert line == "sitemapaudit rules page-not-found   (explains this rule)"


@pytest.mark.parametrize("width", [80, 160])
def test_the_next_step_offers_the_repair_in_figures(run: Run, width: int) -> None:
    run.manifest.repairs = {}
    assert not any("repair" in line for line in printed(run, width))
    run.manifest.repairs = {"dropped": 41, "replaced": 23, "listed": 1334}
    lines = printed(run, width)
    place = lines.index("            Remove 41, replace 23 of 1,334 listed URLs:")
    assert lines[place + 1] == f"            sitemapaudit repair {run.path}"
    run.manifest.repairs["without_url"] = 1
    removed = "remove 1 entry without a usable URL"
    assert f"Remove 41, replace 23 of 1,334 listed URLs, {removed}:" in " ".join(
        line.strip() for line in printed(run, width)
    )


@pytest.mark.parametrize(
    ("pages", "read", "expected"),
    [
        (0, 0, None),
        (0, 50, None),
        (9, 50, None),
        (1, 1, "1 of 1 page has almost no text without JavaScript, and no browser rendered"),
        (10, 500, "10 of 500 pages have almost no text without JavaScript, and no browser"),
        (25, 50, "25 of 50 pages have almost no text without JavaScript, and no browser"),
    ],
)
def test_pages_that_need_a_browser_are_one_sentence(
    run: Run, pages: int, read: int, expected: str | None
) -> None:
    run.manifest.script_pages, run.manifest.read_pages = pages, read
    text = " ".join(printed(run, 160))
    run.manifest.script_pages = 0
    assert ("JavaScript" in text) == bool(expected)
    assert (expected or "") in text
    assert ("audit again with render=auto" in text) == bool(expected)


def test_pages_with_scripts_and_little_text_are_counted(tmp_path: Path) -> None:
    cases = {
        "empty": {"words": 3, "scripts": 2},
        "static": {"words": 3, "scripts": 0},
        "text": {"words": 50, "scripts": 2},
    }
    pages = [
        fetched_page(f"{SHOP}/{name}", is_html=True, noindex=False, **values)
        for name, values in cases.items()
    ]
    entries = listed(*(page.url for page in pages))
    manifest = build_run(tmp_path / "raw", [entries, *pages]).manifest
    assert (manifest.script_pages, manifest.read_pages) == (1, 3)
    opened = build_run(tmp_path / "opened", [entries, *pages, rendered(pages[0])]).manifest
    assert (opened.script_pages, opened.read_pages) == (0, 3)

"""A query of an assistant: it reads the tables of one run, and does nothing else."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit.audit_folder.guarded_query import MAX_BYTES, QueryError, run_query
from tests.gating.runs import SITE, make_run
from tests.support.paths import PROJECT

ALLOWED = {
    "urls": "select url, sitemaps, lastmod from urls order by url",
    "all": "from urls limit 2",
    "large": "select repeat('x', 5000) as text from range(100)",
}
REFUSED = [
    "from read_text('{other}')",
    "from '{other}'",
    "from glob('/*')",
    "from query('from read_text(''{other}'')')",
    "from read_csv('https://www.example.com/x.csv')",
    "copy urls to '{run}/new.parquet'",
    "copy (select 1) to '{run}/urls.parquet'",
    "attach '{other}.db'",
    "install httpfs",
    "set enable_external_access = true",
    "create table x as select 1",
    "select 1; drop view urls",
    "explain analyze from urls",
    "selec",
    "",
    "select list_sum(range(4_000_000_000))",  # The memory of such values has no other limit.
    "select " + ", ".join(f"repeat('x', 2000) as c{number}" for number in range(50)),
]

SCRIPT = """
import json, sys
import msgspec
from sitemapaudit.audit_folder import guarded_query
guarded_query._limit_process()
run, queries = json.load(sys.stdin)
answers = [guarded_query._answer(guarded_query._Query(run, text, 2)) for text in queries]
sys.stdout.buffer.write(msgspec.json.encode(answers))
"""
"""One process for many queries: each would start its own."""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("audits"))


@pytest.fixture(scope="module")
def answers(run: Path) -> dict[str, dict[str, Any]]:
    """Return the answer to each query. None of them changes a file."""
    other = run.parent / "other.txt"
    other.write_text("secret")
    before = {file: file.read_bytes() for file in run.parent.rglob("*") if file.is_file()}
    texts = [text.format(run=run, other=other) for text in (*ALLOWED.values(), *REFUSED)]
    command = [sys.executable, "-c", SCRIPT]
    given = json.dumps([str(run), texts])
    done = subprocess.run(
        command, input=given, capture_output=True, text=True, cwd=PROJECT, check=True
    )
    assert {file: file.read_bytes() for file in run.parent.rglob("*") if file.is_file()} == before
    return dict(zip((*ALLOWED, *REFUSED), json.loads(done.stdout), strict=True))


def test_rows_and_bytes_are_limited(answers: dict[str, dict[str, Any]]) -> None:
    urls, all_of_them, large = (answers[name] for name in ALLOWED)
    assert urls["columns"] == ["url", "sitemaps", "lastmod"]
    assert urls["rows"] == [[f"{SITE}/{page}", [f"{SITE}/sitemap.xml"], None] for page in "ab"]
    assert (urls["more"], all_of_them["more"], large["more"]) == (True, False, True)
    assert len(json.dumps(large["rows"])) <= MAX_BYTES


@pytest.mark.parametrize("query", REFUSED)
def test_anything_else_is_one_sentence(answers: dict[str, dict[str, Any]], query: str) -> None:
    answer = answers[query]
    assert answer["error"]
    assert "\n" not in answer["error"]
    assert not answer["rows"]


def test_time_is_limited(run: Path) -> None:
    with pytest.raises(QueryError, match=r"The query was ended after 0\.2 seconds"):
        run_query(run, "select count(*) from range(100_000_000_000) where hash(range) = 7", 1, 0.2)

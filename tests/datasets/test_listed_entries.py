"""The entries of an earlier run, as its shards read them."""

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from sitemapaudit.datasets import listed_entries
from sitemapaudit.datasets.database import connect
from sitemapaudit.datasets.listed_entries import ListedRun, open_listed
from sitemapaudit.datasets.refusals import MemoryLimitError
from sitemapaudit.items import Alternate, Entries, Entry, Image, Kind, News, Robots, Sitemap, Video
from sitemapaudit.machine import find_shortage
from sitemapaudit.urls.shard import WHOLE, Shard
from tests.support.rows import NOW, SITEMAP, listed
from tests.support.runs import build_run
from tests.support.store import Store

pytestmark = pytest.mark.xdist_group("stores")

INDEX: Final = "https://www.example.com/index.xml"
MANY: Final = 1_000
"""As many times are the entries of the run: DuckDB cannot hold all of them in little memory."""
FULL: Final = Entry(
    SITEMAP, 61, Kind.URLSET, " https://www.example.com/é ", "https://www.example.com/%C3%A9",
    "2026-11-21T12:00:00Z", "daily", "0.5", NOW,
    [Image("https://www.example.com/a.png", title="A\n'b'")],
    [Video(title="V", tag=["one", "two"], published_at=NOW, expires_at=NOW), Video()],
    [News("N", published_at=NOW)], [Alternate("entry", "alternate", "de", "/de", None)],
    ["image:image/loc"], ["loc"], True, 12, True, ["loc"], None,
)  # fmt: skip
PAGES: Final = [*listed(*(f"https://www.example.com/{n}" for n in range(1, 61))).rows, FULL]
OTHERS: Final = [
    *listed(SITEMAP, "::", sitemap=INDEX, kind=Kind.SITEMAPINDEX).rows,
    Entry(SITEMAP, 62, Kind.URLSET, "not a URL"),
]
SITEMAPS: Final = [
    Sitemap(INDEX, status=200, kind=Kind.SITEMAPINDEX, entries=2, complete=True, fetched_at=NOW),
    Sitemap(SITEMAP, INDEX, depth=1, status=200, kind=Kind.URLSET, entries=62, complete=True),
]
ROBOTS: Final = Robots(
    "https://www.example.com", "https://www.example.com/robots.txt", fetched_at=NOW
)


def plain(rows: Iterable[object]) -> list[dict[str, Any]]:
    """Return rows as JSON has them: an empty list is an empty list."""
    return [msgspec.json.decode(msgspec.json.encode(row)) for row in rows]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run")
    items = [Entries(INDEX, OTHERS[:2]), Entries(SITEMAP, [*PAGES, OTHERS[2]])]
    return build_run(folder, [ROBOTS, *SITEMAPS, *items], pages="none").path


def test_rows_are_as_they_were_read(run: Path, tmp_path: Path) -> None:
    earlier = ListedRun(run, tmp_path, 512)
    assert plain(earlier.robots()) == plain([ROBOTS])
    assert plain(earlier.sitemaps()) == plain(SITEMAPS)
    assert plain(earlier.entries(WHOLE)) == plain([*OTHERS[:2], *PAGES, OTHERS[2]])


@pytest.mark.parametrize(
    # Several files of a shard, or several shards of a file.
    ("count", "at_once"),
    [(1, listed_entries.SORTED_AT_ONCE), (1, 10), (3, 4), (32, 1), (70, 1)],
)
def test_each_shard_has_its_own_pages_and_everything_else(
    count: int, at_once: int, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listed_entries, "SORTED_AT_ONCE", at_once)
    earlier = ListedRun(run, tmp_path, 512)
    found = {index: list(earlier.entries(Shard(index, count))) for index in range(1, count + 1)}
    for index, entries in found.items():
        own = [row for row in PAGES if Shard(index, count).owns(str(row.url))]
        assert plain(entries) == plain([*OTHERS[:2], *own, OTHERS[2]])
    assert sum(map(len, found.values())) == len(PAGES) + count * len(OTHERS)


def test_a_run_that_cannot_be_written_is_split_elsewhere(run: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(run, tmp_path / "copy"))
    shutil.rmtree(copy / "entries-by-digest", ignore_errors=True)
    shutil.rmtree(copy / "log")
    (copy / "log").touch()  # Root writes everywhere.
    entries = ListedRun(copy, tmp_path / "scratch", 512).entries(WHOLE)
    assert len(list(entries)) == len(PAGES) + len(OTHERS)
    assert not (copy / "entries-by-digest").exists()


def test_many_entries_are_divided_in_little_memory(
    run: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    many = Path(shutil.copytree(run, tmp_path / "many"))
    shutil.rmtree(many / "entries-by-digest", ignore_errors=True)
    file = many / "entries.parquet"
    with connect() as connection:
        connection.execute(
            f"copy (select * replace (url || '?' || range as url) from '{run / file.name}',"
            f" range({MANY})) to '{file}' (format parquet)"
        )
    shard = Shard(1, 64)
    entries = ListedRun(many, tmp_path / "scratch", 64).entries(shard)
    pages = [str(entry.url) for entry in entries if entry.kind is Kind.URLSET and entry.url]
    assert {*pages} == {
        url for row in PAGES for n in range(MANY) if shard.owns(url := f"{row.url}?{n}")
    }
    assert "needs more" not in caplog.text


@pytest.mark.parametrize("memory", [1, 6])
def test_too_little_memory_is_said(memory: int, run: Path, tmp_path: Path) -> None:
    list(ListedRun(run, tmp_path / "first", 512).entries(WHOLE))  # They are divided now.
    sentence = f"needs more than {memory} MB of memory; raise AUDIT_MEMORY"
    with pytest.raises(MemoryLimitError, match=sentence) as raised:
        list(ListedRun(run, tmp_path / "scratch", memory).entries(WHOLE))
    fault = find_shortage(raised.value)
    assert fault is not None
    assert sentence in fault.reason


@pytest.mark.parametrize("is_split", [False, True])
def test_of_a_run_in_a_store_a_shard_copies_what_it_needs(
    *, is_split: bool, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shard = Shard(2, 3)
    entries = list(ListedRun(run, tmp_path / "queries", 512).entries(shard))
    with Store() as store:
        for name, value in store.environment.items():
            monkeypatch.setenv(name, value)
        bucket = store.create_bucket("audits")
        bucket.put_object(Key="read/run.json", Body=b"{}")
        for file in run.rglob("*.parquet"):
            if is_split == (file.parent != run) or file.stem in ("robots", "sitemaps"):
                bucket.upload_file(str(file), f"read/{file.relative_to(run)}")
        earlier = open_listed("s3://audits/read", shard, tmp_path, 512)
        assert list(earlier.entries(shard)) == entries
    assert plain(earlier.robots()) == plain([ROBOTS])
    assert (tmp_path / "copy" / "entries.parquet").exists() is not is_split
    copied = {file.parent.name for file in tmp_path.glob("copy/entries-by-digest/*/*")}
    numbers = {int(name.removeprefix("file=")) for name in copied}
    assert not is_split or numbers <= {*range(21, 43), 64}

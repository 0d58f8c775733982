"""Processes that read sitemaps write what one process writes, and end with the run."""

import gzip
import json
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from sitemapaudit.demo.documents import GZIP, HTML, TEXT, entry, index, urlset, xml
from sitemapaudit.demo.server import Reply, Server, ServerRequest
from sitemapaudit.runs.ledger.ledger import ledger_file
from sitemapaudit.runs.manifest import Manifest, Status
from tests.runs.killing import finish, read_rows, start, wait_for_run
from tests.support.commands import TIMEOUT
from tests.workers.running import PATIENCE, Running, cancel, children_of, interrupt

pytestmark = pytest.mark.xdist_group("workers")

READERS = 2
ENTRIES = 1_200
"""Entries of a long file: three batches."""

CHECKSUMS = 100_000
"""Bytes that are more than the checksums of all entries but those of a long file."""

LONG = 100_000
"""Entries of a file that takes long enough to kill those who read it."""

HELD = "/last.xml"
"""The last file; while it is held, the run does not end."""

RULE = """
from sitemapaudit.items import Entry, Severity, Subject
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import PRACTICE


class RaisesOnTen(RowRule[Entry]):
    \"\"\"Entry ends with ten

    When: the URL of an entry ends with 10.

    Why: It is a test.

    Fix: Nothing.
    \"\"\"

    subject = Subject.ENTRY
    severity = Severity.NOTICE
    message = "is not ten"
    references = (PRACTICE,)

    def check(self, row):
        if row.loc and row.loc.endswith("/10"):
            raise ValueError("ten")
        yield self.finding(row)
"""


class Files(Server):
    """Lists sitemaps of every kind, and holds back the later ones until it is ``open``.

    The first file is answered at once: when one was read, other processes may read the next.
    """

    def __init__(self) -> None:
        super().__init__(self._reply)
        self.open = threading.Event()
        self.released = threading.Event()
        self.last = ENTRIES
        self._replies = self._new_replies()

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            return Reply(f"Sitemap: {self.origin}/index.xml", headers=[TEXT])
        if request.path == "/index.xml":
            return xml(index(self.origin + path for path in [*self._replies, HELD]))
        if request.path not in ("/first.xml", "/more.xml", "/unlisted.xml"):
            self.open.wait(TIMEOUT)
        if request.path == HELD:
            self.released.wait(TIMEOUT)
            return xml(urlset(map(entry, self._locs("last", self.last))))
        if request.path in ("/more.xml", "/unlisted.xml"):
            return xml(urlset([entry(self.origin + request.path)]))
        return self._replies.get(request.path, Reply(status=404))

    def _new_replies(self) -> dict[str, Reply]:
        image = f"<image:image><image:loc>{self.origin}/1.png</image:loc></image:image>"
        images = 'xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
        secret = self.origin.replace("//", "//user:secret@")
        plain = urlset(map(entry, self._locs("plain", ENTRIES)))
        broken = urlset(map(entry, self._locs("broken", ENTRIES))).replace("broken/700<", "&bad<")
        moved = [("Location", "/plain.xml")]
        return {
            "/first.xml": xml(urlset(map(entry, self._locs("first", 3)))),
            "/plain.xml": xml(plain),
            "/moved.xml": Reply(status=301, headers=moved),
            "/elsewhere.xml": Reply(status=302, headers=[("Location", "/unlisted.xml")]),
            "/broken.xml": xml(broken),
            "/packed.xml.gz": Reply(gzip.compress(plain.encode()), headers=[GZIP]),
            "/nested.xml": xml(index([f"{self.origin}/more.xml", f"{self.origin}/index.xml"])),
            "/to-more.xml": Reply(status=301, headers=[("Location", "/more.xml")]),
            "/text.txt": Reply("\n".join(self._locs("text", 600)), headers=[TEXT]),
            "/images.xml": xml(
                urlset((entry(loc, more=image) for loc in self._locs("i", 600)), attributes=images)
            ),
            "/password.xml": xml(urlset([entry(f"{secret}/hidden"), entry("not an address")])),
            "/other-host.xml": xml(urlset([entry("http://other.invalid/page")])),
            "/page.xml": Reply("<!doctype html><title>Page</title>", headers=[HTML]),
            "/empty.xml": Reply("", headers=[TEXT]),
            "/missing.xml": Reply(status=404),
            **{
                f"/{number}.xml": xml(urlset(map(entry, self._locs(f"{number}", 200))))
                for number in range(4)
            },
        }

    def _locs(self, folder: str, number: int) -> Iterator[str]:
        return (f"{self.origin}/{folder}/{page}" for page in range(number))


@dataclass
class Whole:
    """A website, and what an audit in one process writes about it."""

    site: Files
    run: Path

    @cached_property
    def rows(self) -> dict[str, Counter[str]]:
        return read_rows(self.run)

    @cached_property
    def lines(self) -> dict[str, dict[str, list[str]]]:
        return {table: lines_of(self.run, table) for table in ("entries", "findings")}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    audits = tmp_path_factory.mktemp("whole")
    with Files() as site:
        site.open.set()
        site.released.set()
        process = start(audits, f"site={site.origin}", "pages=none", "workers=1")
        run = wait_for_run(audits, process)
        finish(process)
        yield Whole(site, run)


def run_readers(
    whole: Whole, audits: Path, prepare: Callable[[], None] | None = None, **settings: Any
) -> Running:
    """Start an audit, and wait until other processes read its sitemaps."""
    whole.site.open.clear()
    whole.site.released.clear()
    words = (f"site={whole.site.origin}", "pages=none", f"workers={READERS}")
    process = start(audits, *words, prepare=prepare, **settings)
    run = wait_for_run(audits, process)
    while len(children_of(process)) < READERS:
        assert process.poll() is None, process.log
        time.sleep(0.01)
    running = Running.of(process, run)
    whole.site.open.set()
    return running


def wait_for_entries(running: Running, size: int) -> None:
    """Wait until the ledger has a number of bytes of entries."""
    file = ledger_file(running.run, "entries")
    while file.stat().st_size < size:
        assert running.process.poll() is None, running.process.log
        time.sleep(0.005)


def lines_of(run: Path, table: str) -> dict[str, list[str]]:
    """Return the rows of each file in the ledger, in order.

    Their checksums depend on which of them were written together.
    """
    lines: dict[str, list[str]] = {}
    for line in ledger_file(run, table).read_text().splitlines(keepends=True):
        row = json.loads(line)
        row.pop("sum", None)
        text = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
        lines.setdefault(row.get("file", row.get("sitemap")), []).append(f"{text}\n")
    return lines


def check_equal(run: Path, whole: Whole) -> None:
    for table, lines in whole.lines.items():
        assert lines_of(run, table) == lines, table
    check_tables(run, whole)


def check_tables(run: Path, whole: Whole) -> None:
    for table, rows in read_rows(run).items():
        assert rows == whole.rows[table], table


@dataclass
class Finished:
    """An audit whose sitemaps other processes read, and the libraries that these loaded."""

    running: Running
    loaded: set[str]


@pytest.fixture(scope="module")
def finished(whole: Whole, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    running = run_readers(whole, tmp_path_factory.mktemp("finished"))
    end = time.monotonic() + PATIENCE
    while "etree" not in (loaded := libraries(running.children)):
        assert time.monotonic() < end
    whole.site.released.set()
    finish(running.process)
    return Finished(running, loaded)


def test_readers_write_what_one_process_writes(whole: Whole, finished: Finished) -> None:
    running = finished.running
    assert len(running.children) == READERS
    running.check_ended()
    check_equal(running.run, whole)
    assert "user:secret" not in ledger_file(running.run, "entries").read_text()
    counts = [Manifest.read(run) for run in (running.run, whole.run)]
    assert counts[0].rules == counts[1].rules
    assert counts[0].complete == counts[1].complete


def test_readers_load_nothing_that_fetches(finished: Finished) -> None:
    assert not finished.loaded & {"_duckdb", "_ssl"}


def libraries(processes: Iterable[psutil.Process]) -> set[str]:
    """Return the names, up to the first dot, of the files that processes have in memory."""
    files = (each.path for process in processes for each in process.memory_maps())
    return {Path(file).name.partition(".")[0] for file in files}


def test_files_of_a_killed_reader_are_read_again(whole: Whole, tmp_path: Path) -> None:
    running = run_readers(whole, tmp_path)
    wait_for_entries(running, 1_000)
    running.children[0].kill()
    whole.site.released.set()
    finish(running.process)
    running.check_ended()
    check_equal(running.run, whole)
    assert "A process that read sitemaps ended (exit status -9)" in running.log


def test_a_file_that_was_half_read_is_read_to_its_end(whole: Whole, tmp_path: Path) -> None:
    whole.site.last = LONG
    running = run_readers(whole, tmp_path)
    last = whole.site.origin + HELD
    others = sum(
        len(line)
        for name, lines in whole.lines["entries"].items()
        if name != last
        for line in lines
    )
    wait_for_entries(running, others)
    whole.site.released.set()
    wait_for_entries(running, others + CHECKSUMS + 1)
    for reader in running.children:
        reader.kill()
    whole.site.last = ENTRIES
    finish(running.process)
    assert "A process that read sitemaps ended (exit status -9)" in running.log
    lines = lines_of(running.run, "entries")[last]
    assert [json.loads(line)["n"] for line in lines] == list(range(1, LONG + 1))


def test_files_of_readers_that_stand_still_are_read_again(whole: Whole, tmp_path: Path) -> None:
    running = run_readers(whole, tmp_path)
    for reader in running.children:
        reader.suspend()
    whole.site.released.set()
    time.sleep(0.2)  # Files are given to them meanwhile.
    for reader in running.children:
        reader.kill()
    finish(running.process)
    check_equal(running.run, whole)


def test_readers_end_with_a_killed_main_process(whole: Whole, tmp_path: Path) -> None:
    running = run_readers(whole, tmp_path)
    wait_for_entries(running, 1_000)
    running.process.signal(signal.SIGKILL)
    running.check_ended()
    whole.site.released.set()
    finish(start(tmp_path, f"resume={running.run}"))
    check_tables(running.run, whole)


@pytest.mark.parametrize("stop", [interrupt, cancel])
def test_a_stopped_run_is_resumed(
    whole: Whole, tmp_path: Path, stop: Callable[[Running], None]
) -> None:
    running = run_readers(whole, tmp_path, AUDIT_RESULTS="later")
    wait_for_entries(running, 1_000)
    stop(running)
    while "Closing spider" not in running.log:
        assert running.process.poll() is None, running.process.log
        time.sleep(0.01)
    whole.site.released.set()
    assert running.process.wait(PATIENCE) == 3
    running.check_ended()
    assert Manifest.read(running.run).status is Status.INTERRUPTED
    finish(start(tmp_path, f"resume={running.run}", AUDIT_RESULTS="now"))
    check_tables(running.run, whole)


def add_to_path(folder: Path) -> None:
    sys.path.insert(0, str(folder))


@pytest.fixture
def own_rules(tmp_path: Path) -> str:
    """The package of a rule that raises."""
    package = tmp_path / "own_rules"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "raises_on_ten.py").write_text(RULE)
    return package.name


def test_a_rule_that_raises_in_a_reader_is_logged_and_counted(
    whole: Whole, tmp_path: Path, own_rules: str
) -> None:
    running = run_readers(
        whole,
        tmp_path / "audits",
        prepare=partial(add_to_path, tmp_path),
        AUDIT_RULE_MODULES=own_rules,
    )
    whole.site.released.set()
    running.process.wait(PATIENCE)
    check_broken(running.run, whole)


def test_a_rule_that_raises_in_one_process_is_logged_and_counted(
    whole: Whole, tmp_path: Path, own_rules: str
) -> None:
    whole.site.open.set()
    whole.site.released.set()
    words = (f"site={whole.site.origin}", "pages=none", "workers=1")
    prepare = partial(add_to_path, tmp_path)
    # Also if the tables are built later.
    settings: dict[str, Any] = {"AUDIT_RULE_MODULES": own_rules, "AUDIT_RESULTS": "later"}
    process = start(tmp_path / "audits", *words, prepare=prepare, **settings)
    run = wait_for_run(tmp_path / "audits", process)
    process.wait(PATIENCE)
    check_broken(run, whole)


def check_broken(run: Path, whole: Whole) -> None:
    broken = Manifest.read(run).broken_rules["raises-on-ten"]
    locs = ledger_file(whole.run, "entries").read_text().count('/10"')
    assert broken == locs > 1
    # Each process that reads sitemaps logs one.
    assert 1 <= (run / "crawl.log").read_text().count("ValueError: ten") <= READERS


def test_feeds_see_every_entry(whole: Whole, tmp_path: Path) -> None:
    whole.site.open.set()
    whole.site.released.set()
    feed = tmp_path / "entries.jsonl"
    words = (f"site={whole.site.origin}", "pages=none", f"workers={READERS}")
    feeds = json.dumps({str(feed): {"format": "jsonlines"}})
    process = start(tmp_path, *words, FEEDS=feeds)
    run = wait_for_run(tmp_path, process)
    finish(process)
    assert "processes read sitemaps" not in (run / "crawl.log").read_text()
    assert feed.read_text().count("/plain/") >= ENTRIES
    check_equal(run, whole)

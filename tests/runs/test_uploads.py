"""What a store has of a running audit is what its ledger was at some moment, whatever happens."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from sitemapaudit.runs.folder_names import FOLDER
from sitemapaudit.runs.folders import RunInUseError
from sitemapaudit.runs.merging.stores import Store
from sitemapaudit.runs.uploads import claiming, snapshots, uploader
from sitemapaudit.runs.uploads.claiming import claim, write_snapshot
from sitemapaudit.runs.uploads.copies import remove_empty_copy, upload_run
from sitemapaudit.runs.uploads.links import NEW, Link
from sitemapaudit.runs.uploads.snapshots import Snapshot
from sitemapaudit.runs.uploads.uploader import UPLOADED, Uploader

PART = 16
STEPS = 3

Files = Mapping[str, bytes]

FIRST: Files = {
    "pages.jsonl": bytes(range(100)),
    "entries.jsonl": b"e" * PART * STEPS,
    "links.urls": b"first",
}
SECOND: Files = {"pages.jsonl": bytes(range(100, 220)), "entries.jsonl": b"f" * 40}
"""The ledger of a run that is resumed is written anew, and can be shorter."""


class KilledError(BaseException):
    """The process ends here."""


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (snapshots, uploader):
        monkeypatch.setattr(module, "PART", PART)


def grow(run: Path, files: Files, step: int) -> None:
    """Write the ledger of a run as it is after a step."""
    (run / FOLDER).mkdir(parents=True, exist_ok=True)
    (run / "run.json").write_text("{}")
    for name in FIRST.keys() - files.keys():
        (run / FOLDER / name).unlink(missing_ok=True)
    for name, content in files.items():
        (run / FOLDER / name).write_bytes(content[: len(content) * step // STEPS])


def work(folder: Path, files: Files, own: str) -> Iterator[None]:
    """Upload a ledger that grows; yield after each upload."""
    address, run = f"file://{folder / 'store'}", folder / "run"
    grow(run, files, 0)
    if own:
        _, claimed = claim(Store(address), own)
        Link(address, claimed.writer).write(run)
    upload = Uploader(run, Link.read(run) or Link(address))
    for step in range(1, STEPS + 1):
        grow(run, files, step)
        upload.upload_ledger()
        yield


def read_copies(folder: Path) -> Files:
    """Return the files that another machine would have."""
    Store(f"file://{folder / 'store'}").copy_ledger(folder / "copy", UPLOADED)
    return {file.name: file.read_bytes() for file in (folder / "copy" / FOLDER).glob("*")}


def is_beginning(copies: Files, files: Files) -> bool:
    return all(files.get(name, b"").startswith(content) for name, content in copies.items())


class Writes:
    """Counts the writes to stores; one of them writes only a half, and fails."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.number, self.failing = 0, -1
        self.error: BaseException = KilledError()
        write = Store.write

        def counted(store: Store, name: str, blocks: Iterable[bytes]) -> None:
            self.number += 1
            content = b"".join(blocks)
            if self.number == self.failing:
                write(store, name, [content[: len(content) // 2]])
                raise self.error
            write(store, name, [content])

        monkeypatch.setattr(Store, "write", counted)


def test_a_writer_that_is_killed_at_any_write_leaves_what_it_had_uploaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes, number = Writes(monkeypatch), 0
    while writes.failing <= writes.number:
        folder, done = tmp_path / str(number), 0
        number += 1
        writes.number, writes.failing = 0, number
        with suppress(KilledError):
            for _ in work(folder, FIRST, ""):
                done += 1
            link = Link.read(folder / "run")
            assert link is not None
            for _ in work(folder, SECOND, link.writer):
                done += 1
        copies, own = read_copies(folder), FIRST if done <= STEPS else SECOND
        assert is_beginning(copies, FIRST) or is_beginning(copies, SECOND), number
        for name, content in own.items():
            step = min(done, STEPS) if own is FIRST else done - STEPS
            least = len(content) * step // STEPS
            assert len(copies.get(name, b"")) >= least or copies["pages.jsonl"][0] == 100, number
    assert number > 30
    assert copies == {name: content for name, content in SECOND.items() if content}


def test_each_snapshot_has_the_links_of_its_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An audit writes the links of a page first, and goes on while its files are uploaded."""
    monkeypatch.setattr(claiming, "INTERVAL", 0.0)
    run, checked, write = tmp_path / "run", 0, Store.write
    grow(run, FIRST, 0)

    def write_and_fetch(store: Store, name: str, blocks: Iterable[bytes]) -> None:
        nonlocal checked
        write(store, name, blocks)
        if "snapshot" in name:
            copies = read_copies(tmp_path)
            assert len(copies.get("pages.jsonl", b"")) <= len(copies.get("links.edges", b""))
            checked += 1
        for file in ("links.edges", "pages.jsonl"):
            with (run / FOLDER / file).open("ab") as ledger:
                ledger.write(b"0123456789")

    monkeypatch.setattr(Store, "write", write_and_fetch)
    upload = Uploader(run, Link(f"file://{tmp_path / 'store'}"))
    for _ in range(STEPS):
        upload.upload_ledger()
    assert checked > 2 * STEPS
    assert read_copies(tmp_path)["pages.jsonl"]


def test_a_failing_write_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    writes, number = Writes(monkeypatch), 0
    writes.error = OSError("the store is gone")
    while writes.failing <= writes.number:
        number += 1
        writes.number, writes.failing = 0, number
        grow(tmp_path / str(number) / "run", FIRST, STEPS)
        upload = Uploader(
            tmp_path / str(number) / "run", Link(f"file://{tmp_path / str(number) / 'store'}")
        )
        for _ in range(3):  # The last one has nothing new.
            with suppress(OSError):
                upload.upload_ledger()
        assert read_copies(tmp_path / str(number)) == FIRST
    assert number > 8


def test_the_later_process_has_the_run(tmp_path: Path) -> None:
    address = f"file://{tmp_path / 'store'}"
    grow(tmp_path / "run", FIRST, 1)
    early = Uploader(tmp_path / "run", Link(address))
    early.upload_ledger()
    before = Snapshot.read(Store(address).read)
    assert before is not None
    _, claimed = claim(Store(address), before.writer)
    grow(tmp_path / "other", SECOND, STEPS)
    late = Uploader(tmp_path / "other", Link(address, claimed.writer))
    late.upload_ledger()
    with pytest.raises(RunInUseError, match="is in use by process"):
        early.upload_ledger()
    # It was stopped just before it wrote a snapshot.
    write_snapshot(Store(address), before)
    assert read_copies(tmp_path) == SECOND
    late.upload_ledger()
    assert late.finish()
    assert read_copies(tmp_path) == SECOND
    assert not early.finish()
    (parts,) = (tmp_path / "store" / "upload" / "parts").iterdir()
    assert parts.name == claimed.writer


def test_a_process_that_gives_signs_of_life_keeps_its_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(claiming, "LEASE", 0.3)
    monkeypatch.setattr(claiming, "INTERVAL", 0.05)
    address = f"file://{tmp_path / 'store'}"
    grow(tmp_path / "run", FIRST, 1)
    upload = Uploader(tmp_path / "run", Link(address))
    upload.upload_ledger()
    upload.start()
    with pytest.raises(RunInUseError, match="is in use by process"):
        claim(Store(address))
    assert "waiting 0 seconds for a sign of life" in capsys.readouterr().err
    assert upload.finish()
    claim(Store(address))  # At once: it has ended.
    assert not capsys.readouterr().err
    claim(Store(address))  # It has not ended, and gives no sign.


def test_a_run_that_was_deleted_in_the_store_is_uploaded_again(tmp_path: Path) -> None:
    address = f"file://{tmp_path / 'store'}"
    grow(tmp_path / "run", FIRST, STEPS)
    upload = Uploader(tmp_path / "run", Link(address))
    upload.upload_ledger()
    Store(f"file://{tmp_path}").remove_folder("store")
    upload.upload_ledger()
    assert read_copies(tmp_path) == FIRST


def test_two_runs_of_one_name_get_two_addresses(tmp_path: Path) -> None:
    for number in range(2):
        grow(tmp_path / str(number), FIRST, STEPS)
        upload = Uploader(tmp_path / str(number), Link(f"file://{tmp_path / 'store'}", NEW))
        upload.upload_ledger()
        upload.hurry()
    assert upload.address == f"file://{tmp_path / 'store'}-2"


def test_a_merged_run_is_uploaded_over_an_earlier_one(tmp_path: Path) -> None:
    for files in (FIRST, SECOND):
        grow(tmp_path / "run", files, STEPS)
        assert upload_run(tmp_path / "run", f"file://{tmp_path / 'store'}") is None
        assert read_copies(tmp_path) == files


def test_an_unused_copy_is_removed(tmp_path: Path) -> None:
    grow(tmp_path / "run", FIRST, 1)
    Link("file:///nowhere", "000001-0").write(tmp_path / "run")
    remove_empty_copy(tmp_path / "run")
    assert (tmp_path / "run").exists()
    Link("file:///nowhere").write(tmp_path / "run")
    remove_empty_copy(tmp_path / "run")
    assert not (tmp_path / "run").exists()

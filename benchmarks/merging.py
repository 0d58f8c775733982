"""Compares the merge of many small shards with that of a few large ones.

``python benchmarks/merging.py --urls 1000000 --counts 4 100``

A run with ``--pages none`` reads the sitemaps once, and one real shard with a few pages is the
model of all others: their ledgers have their own entries from the first run, and a row like one of
the real shard for each of their pages, with a text of its own. ``sitemapaudit report`` merges the
shards of each count. With ``--save``, the results are in scale.md.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

import msgspec
from measuring import (
    Measured,
    audit_command,
    measure,
    record,
    report_command,
    run_folder,
    website,
)
from scale_data import Merged, Scale, today
from scale_page import write_page

from sitemapaudit.datasets.listed_entries import ListedRun
from sitemapaudit.items import Entry, Kind, Page, Role
from sitemapaudit.runs.ledger.ledger import Ledger, ledger_file, readable_rows
from sitemapaudit.runs.ledger.rewriting import in_batches
from sitemapaudit.runs.manifest import NAME
from sitemapaudit.urls.shard import Shard

MEMORY = 512
"""Megabytes that a merge may take."""

RATIO = 1.3
"""The time of many shards, as a multiple of that of a few."""


class Model:
    """The run with the entries, and a real shard of it."""

    def __init__(self, origin: str, folder: Path) -> None:
        measure(audit_command(origin, folder / "read", "--pages", "none"))
        self.read = run_folder(folder / "read")
        words = f"--entries-from {self.read} --shard 1/64 --results later --workers 1"
        measure(audit_command(origin, folder / "real", *words.split()))
        self.real = run_folder(folder / "real")
        pages = readable_rows(self.real, "pages", Page)
        self.pages = [page for page in pages if page.role is Role.LISTED]

    def write_shards(self, folder: Path, count: int) -> list[Path]:
        """Write the runs of a number of shards; return their folders."""
        runs = [folder / str(number) for number in range(1, count + 1)]
        for number, run in enumerate(runs, start=1):
            self._write(Shard(number, count), run)
        return runs

    def _write(self, shard: Shard, into: Path) -> None:
        """Write the run of a shard."""
        shutil.copytree(self.real, into, ignore=shutil.ignore_patterns("entries.*", "pages.*"))
        manifest = msgspec.json.decode((self.real / NAME).read_bytes())
        manifest["arguments"]["shard"] = str(shard)
        (into / NAME).write_bytes(msgspec.json.encode(manifest))
        ledger_file(into, "findings").write_bytes(b"")
        entries = [*ListedRun(self.read, into / "scratch", MEMORY).entries(shard)]
        shutil.rmtree(into / "scratch", ignore_errors=True)
        ledger = Ledger(into)
        for name in dict.fromkeys(entry.sitemap for entry in entries):
            rows = (replace(each, skip_reason=None) for each in entries if each.sitemap == name)
            for batch in in_batches(name, rows):
                ledger.append(batch)
                ledger.extend([page for each in batch.rows if (page := self._page(each))])
        ledger.close()

    def _page(self, entry: Entry) -> Page | None:
        page = self.pages[entry.position % len(self.pages)]
        if entry.url is None or entry.kind is Kind.SITEMAPINDEX:
            return None
        text = blake2b(entry.url.encode(), digest_size=32).hexdigest()
        return replace(page, url=entry.url, content_hash=text[:16], fingerprint=text)


def merge(model: Model, folder: Path, count: int) -> Measured:
    """Write the shards, and measure their merge."""
    runs = model.write_shards(folder, count)
    measured = measure(report_command(*runs, "--into", folder / "merged"))
    shutil.rmtree(folder)
    return measured


def main() -> None:
    """Measure each count, and print its figures against those of the first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--urls", type=int, default=1_000_000)
    parser.add_argument("--counts", type=int, nargs="+", default=[4, 100])
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    rows: list[Merged] = []
    with website(options.urls) as origin, tempfile.TemporaryDirectory() as folder:
        model = Model(origin, Path(folder))
        first: Measured | None = None
        for count in options.counts:
            merged = merge(model, Path(folder) / "shards", count)
            first = first or merged
            costs = (merged.seconds, merged.cpu_seconds, merged.megabytes)
            rows.append(Merged(count, options.urls, *costs, today()))
            what = f"{count} runs of {options.urls // count:,} URLs each, merged"
            record(what, f"{merged.cpu_seconds:,.1f} s of CPU, {merged.seconds:,.1f} s")
            record(f"{what}: memory", f"{merged.megabytes:,.0f} MB", f"{MEMORY} MB")
            if first is not merged:
                ratio = merged.cpu_seconds / first.cpu_seconds
                record(f"{what}: CPU", f"{ratio:.2f} times", f"{RATIO} times")
    if options.save:
        scale = Scale.load()
        scale.merged = rows
        scale.save()
        write_page(scale)


if __name__ == "__main__":
    main()

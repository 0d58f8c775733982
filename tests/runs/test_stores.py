"""Runs in an object store: a server with the API of S3 on loopback."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit import open_run
from sitemapaudit.items import Kind, Sitemap
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.urls.shard import Shard
from tests.crawling.sharding.worker import Item, owned_urls, work
from tests.support.commands import scrapy
from tests.support.rows import SITEMAP, fetched_page, listed
from tests.support.store import Store

pytestmark = pytest.mark.xdist_group("stores")

SHARDS = [Shard(1, 2), Shard(2, 2)]
URLS = [url for shard in SHARDS for url in owned_urls(shard, 2)]


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with Store() as store:
        yield store


@pytest.fixture(scope="module")
def bucket(store: Store) -> Any:
    return store.create_bucket("audits")


def report(store: Store, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run ``scrapy report`` in the environment of the store."""
    return scrapy("report", *words, environment=store.environment)


def upload(run: Path, bucket: Any, prefix: str) -> str:
    """Upload the manifest and the ledger of a run; return the address."""
    for file in [run / "run.json", *sorted((run / "log").glob("*.jsonl"))]:
        bucket.upload_file(str(file), f"{prefix}/{file.relative_to(run)}")
    return f"s3://{bucket.name}/{prefix}"


def test_shards_in_a_bucket_are_merged_into_a_local_run(
    tmp_path: Path, bucket: Any, store: Store
) -> None:
    items: list[Item] = [Sitemap(SITEMAP, status=200, kind=Kind.URLSET, entries=4), listed(*URLS)]
    runs = [
        work(tmp_path, shard, [*items, *map(fetched_page, filter(shard.owns, URLS))], place)
        for place, shard in enumerate(SHARDS)
    ]
    addresses = [upload(run, bucket, f"www/{place}") for place, run in enumerate(runs)]
    audits = tmp_path / "audits"
    # Both from the store, and then one of them from this machine.
    for number, given in enumerate([addresses, [addresses[0], str(runs[1])]]):
        folder = audits / str(number)
        done = report(store, *given, "-s", f"AUDIT_DIR={folder}")
        assert done.returncode == 0, done.stderr
        run = open_run(folder)
        assert run.path == folder / "www.example.com" / "2026-11-21T12-00-00Z-merged"
        assert run.manifest.verdicts == {"indexable": 4}
        assert run.manifest.shards[0].run == addresses[0]
        assert not (run.path / "fetched").exists()


def test_a_whole_run_in_a_bucket_is_built_locally(
    tmp_path: Path, bucket: Any, store: Store
) -> None:
    run = work(tmp_path, Shard(1, 1), [listed(*URLS), *map(fetched_page, URLS)])
    manifest = Manifest.read(run)
    manifest.broken_rules = {"canonical-missing": 2}
    manifest.write(run)
    address = upload(run, bucket, "whole")
    report(store, address, "-s", f"AUDIT_DIR={tmp_path / 'audits'}")
    built = open_run(tmp_path / "audits")
    assert built.path.name == "2026-11-21T12-00-00Z"
    assert built.manifest.verdicts == {"indexable": 4}
    assert built.manifest.broken_rules == {"canonical-missing": 2}


def test_a_missing_extra_is_one_sentence() -> None:
    script = (
        "import sys; sys.modules['pyarrow'] = None; sys.argv = ['', 'report', 's3://audits/run'];"
        "from sitemapaudit.cli.main import start; start()"
    )
    words = [sys.executable, "-c", script]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "to read s3://audits/run, install sitemapaudit[stores].\n"


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        (
            "s3://audits/nowhere",
            "There is no run folder (with run.json) at or below s3://audits/nowhere.\n",
        ),
        ("s3://nowhere/run", "There is no bucket nowhere (s3://nowhere/run).\n"),
        ("nonsense://bucket/run", "nonsense://bucket/run cannot be read"),
    ],
)
def test_a_missing_run_is_one_sentence(
    bucket: Any, store: Store, address: str, reason: str
) -> None:
    done = report(store, address)
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1

"""Feeds are uploaded to S3 by Scrapy: here to a server with the same API on loopback."""

import json
from typing import Any

import pytest

from sitemapaudit import Run
from tests.sites.website import Website
from tests.support.audits import Audited, crawl
from tests.support.store import Store

pytestmark = pytest.mark.xdist_group("feeds-s3")

BUCKET = "audits"


def rows(item: Any) -> list[dict[str, Any]]:
    """Return the rows of an object in a bucket."""
    text = item.get()["Body"].read().decode()
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def uploaded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Audited, dict[str, Any]]:
    """Audit with feeds in a bucket, and one in a missing bucket; return the rows of the objects."""
    lines = {"format": "jsonlines"}
    feeds = {
        f"s3://{BUCKET}/www/urls.jsonl": lines,
        "s3://nowhere/urls.jsonl": lines,
        f"s3://{BUCKET}/www/findings-%(batch_id)d.jsonl": {**lines, "batch_item_count": 100},
    }
    with Store() as store, Website("repeats") as website:
        bucket = store.create_bucket(BUCKET)
        settings = {"FEEDS": json.dumps(feeds), **store.settings}
        folder = tmp_path_factory.mktemp("audits")
        audited = crawl(folder, {"site": website.origin}, settings)
        return audited, {each.key: rows(each) for each in bucket.objects.all()}


def test_verdicts_and_findings_are_uploaded_to_a_bucket(
    uploaded: tuple[Audited, dict[str, Any]],
) -> None:
    audited, files = uploaded
    assert files.keys() == {"www/urls.jsonl", "www/findings-1.jsonl"}
    run: Run = audited.run
    found = [(row["url"], row["verdict"]) for row in files["www/urls.jsonl"]]
    assert found == list(zip(run.urls["url"], run.urls["verdict"], strict=True))
    messages = [row["message"] for row in files["www/findings-1.jsonl"]]
    assert messages == list(run.findings["message"])
    assert messages


def test_a_missing_bucket_affects_only_its_feed_and_the_exit_status(
    uploaded: tuple[Audited, dict[str, Any]],
) -> None:
    audited, _ = uploaded
    assert "NoSuchBucket" in audited.log
    assert "1 feed could not be written: see crawl.log." in audited.log
    assert audited.status == 3
    assert audited.run.manifest.complete
    assert (audited.run.path / "report.html").is_file()

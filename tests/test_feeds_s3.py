"""Feeds are uploaded to S3 by Scrapy: here to a server with the same API on loopback."""

import json
from pathlib import Path
from typing import Any

from sitemapaudit import Run
from tests.sites.website import Website
from tests.store import Store
from tests.support import crawl

BUCKET = "audits"


def rows(item: Any) -> list[dict[str, Any]]:
    """Return the rows of an object in a bucket."""
    text = item.get()["Body"].read().decode()
    return [json.loads(line) for line in text.splitlines()]


def test_verdicts_and_findings_are_uploaded_to_a_bucket(tmp_path: Path) -> None:
    feeds = {
        f"s3://{BUCKET}/www/urls.jsonl": {"format": "jsonlines"},
        f"s3://{BUCKET}/www/findings-%(batch_id)d.jsonl": {
            "format": "jsonlines",
            "batch_item_count": 100,
        },
    }
    with Store() as store, Website("repeats") as website:
        bucket = store.create_bucket(BUCKET)
        settings = {"FEEDS": json.dumps(feeds), **store.settings}
        audited = crawl(tmp_path, {"site": website.origin}, settings)
        assert audited.status == 0, audited.log
        files = {each.key: rows(each) for each in bucket.objects.all()}
    assert files.keys() == {"www/urls.jsonl", "www/findings-1.jsonl"}
    run: Run = audited.run
    found = [(row["url"], row["verdict"]) for row in files["www/urls.jsonl"]]
    assert found == list(zip(run.urls["url"], run.urls["verdict"], strict=True))
    messages = [row["message"] for row in files["www/findings-1.jsonl"]]
    assert messages == list(run.findings["message"])
    assert messages


def test_a_missing_bucket_affects_only_the_feed(tmp_path: Path) -> None:
    feeds = {"s3://nowhere/urls.jsonl": {"format": "jsonlines"}}
    with Store() as store, Website("repeats") as website:
        settings = {"FEEDS": json.dumps(feeds), **store.settings}
        audited = crawl(tmp_path, {"site": website.origin}, settings)
    assert "NoSuchBucket" in audited.log
    assert audited.run.manifest.complete
    assert (audited.run.path / "report.html").is_file()

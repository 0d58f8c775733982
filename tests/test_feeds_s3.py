"""Feeds reach S3 as Scrapy sends them: to a server of its kind on loopback."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto.server import ThreadedMotoServer

from sitemapaudit import Run
from tests.sites.website import Website
from tests.support import crawl

BUCKET = "audits"
KEYS = {
    "aws_access_key_id": "someone",
    "aws_secret_access_key": "secret",
    "region_name": "us-east-1",
}


@pytest.fixture
def endpoint() -> Iterator[str]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


def rows(bucket: Any, key: str) -> list[dict[str, Any]]:
    text = bucket.Object(key).get()["Body"].read().decode()
    return [json.loads(line) for line in text.splitlines()]


def test_verdicts_and_findings_arrive_in_a_bucket(tmp_path: Path, endpoint: str) -> None:
    bucket = boto3.resource("s3", endpoint_url=endpoint, **KEYS).create_bucket(Bucket=BUCKET)
    feeds = {
        f"s3://{BUCKET}/www/urls.jsonl": {"format": "jsonlines"},
        f"s3://{BUCKET}/www/findings-%(batch_id)d.jsonl": {
            "format": "jsonlines",
            "batch_item_count": 100,
        },
    }
    settings = {
        "FEEDS": json.dumps(feeds),
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": KEYS["aws_access_key_id"],
        "AWS_SECRET_ACCESS_KEY": KEYS["aws_secret_access_key"],
        "AWS_REGION_NAME": KEYS["region_name"],
    }
    with Website("repeats") as website:
        audited = crawl(tmp_path, {"site": website.origin}, settings)
    assert audited.status == 0, audited.log
    assert {each.key for each in bucket.objects.all()} == {
        "www/urls.jsonl",
        "www/findings-1.jsonl",
    }
    run: Run = audited.run
    told = [(row["url"], row["verdict"]) for row in rows(bucket, "www/urls.jsonl")]
    assert told == list(zip(run.urls["url"], run.urls["verdict"], strict=True))
    messages = [row["message"] for row in rows(bucket, "www/findings-1.jsonl")]
    assert messages == list(run.findings["message"])
    assert messages


def test_a_bucket_that_is_not_there_costs_nothing_but_the_feed(
    tmp_path: Path, endpoint: str
) -> None:
    settings = {
        "FEEDS": json.dumps({"s3://nowhere/urls.jsonl": {"format": "jsonlines"}}),
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "someone",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION_NAME": "us-east-1",
    }
    with Website("repeats") as website:
        audited = crawl(tmp_path, {"site": website.origin}, settings)
    assert "NoSuchBucket" in audited.log
    assert audited.run.manifest.complete
    assert (audited.run.path / "report.html").is_file()

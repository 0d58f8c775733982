"""A job on Scrapy Cloud: the platform starts it, and gets items, stats and the log."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from sitemapaudit import open_run
from tests.plugins.interpreters.commands import own_environment, run
from tests.sites.website import Website
from tests.support.commands import TIMEOUT
from tests.support.paths import PROJECT


def start(folder: Path, site: str) -> list[tuple[str, dict[str, Any]]]:
    """Run a job, and return what the platform receives: kinds and values."""
    job = {"key": "1/2/3", "spider": "sitemap", "project": 1, "auth": "secret"}
    settings = {"AUDIT_SPEED": "full", "AUDIT_DIR": str(folder / "audits")}
    received = folder / "received"
    received.touch()
    environment = own_environment() | {
        "SHUB_JOBKEY": "1/2/3",
        "SHUB_SPIDER": "sitemap",
        "SHUB_FIFO_PATH": str(received),
        "SHUB_JOB_DATA": json.dumps({**job, "spider_args": {"site": site}}),
        "SHUB_SETTINGS": json.dumps({"project_settings": settings}),
    }
    done = run("tests.scheduling.cloud_job", [], environment, TIMEOUT, PROJECT)
    assert done.returncode == 0, done.stderr
    lines = received.read_text(encoding="utf-8").splitlines()
    return [(line[:3], json.loads(line[4:])) for line in lines if line.strip()]


def test_a_job_has_the_rows_as_items(tmp_path: Path) -> None:
    with Website("repeats") as website:
        received = start(tmp_path, website.origin)
    audited = open_run(tmp_path / "audits")
    assert audited.manifest.complete
    items = [value for kind, value in received if kind == "ITM"]
    types = Counter(value["_type"] for value in items)
    assert types["Finding"] == len(audited.findings)
    assert types["Url"] == len(audited.urls)
    assert types["Page"] == len(audited.pages)
    log = [value["message"] for kind, value in received if kind == "LOG"]
    assert not [line for line in log if "Traceback" in line or "isatty" in line]
    assert log[-1].endswith("Exit status 0")
    stats = [value for kind, value in received if kind == "STA"][-1]["stats"]
    assert stats["downloader/request_count"] >= types["Page"]
    assert [value for kind, value in received if kind == "FIN"] == [{"outcome": "finished"}]

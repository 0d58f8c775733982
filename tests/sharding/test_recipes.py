"""The shell lines and the Kubernetes Job of the README, as a shell and a cluster take them."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.support import PROJECT

SECTION = (PROJECT / "README.md").read_text().split("## On more than one machine")[1]
SHELL = re.findall(r"```sh\n(.*?)```", SECTION.split("\n## ")[0], re.DOTALL)
JOB = yaml.safe_load(re.findall(r"```yaml\n(.*?)```", SECTION, re.DOTALL)[0])


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """Return a folder of programs that note how they were called."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("scrapy", "curl", "rsync", "aws"):
        program = folder / name
        program.write_text(f'#!/bin/sh\necho {name} "$@" >> "$CALLS"\n')
        program.chmod(0o755)
    return folder


def calls(script: str, tools: Path, cwd: Path, **environment: str) -> list[str]:
    """Run a script; return how it called the programs, in any order."""
    noted = cwd / "calls"
    noted.write_text("")
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        ["sh", "-euc", script],
        cwd=cwd,
        env={"PATH": path, "CALLS": str(noted), **environment},
        check=True,
        capture_output=True,
    )
    return sorted(noted.read_text().splitlines())


def test_four_workers_on_one_machine(tools: Path, tmp_path: Path) -> None:
    for number in range(1, 5):
        (tmp_path / "shards" / str(number)).mkdir(parents=True)
    crawl = "scrapy crawl sitemap -a site=www.example.com"
    assert calls(SHELL[0], tools, tmp_path) == [
        *(f"{crawl} -a shard={number}/4 -s AUDIT_DIR=shards/{number}" for number in range(1, 5)),
        "scrapy report shards/1 shards/2 shards/3 shards/4",
    ]


def test_four_nodes_of_scrapyd(tools: Path, tmp_path: Path) -> None:
    asked = calls(SHELL[2], tools, tmp_path)
    assert [call for call in asked if call.startswith("curl")] == [
        f"curl -s http://node{number}:6800/schedule.json -d project=sitemapaudit -d spider=sitemap"
        f" -d site=www.example.com -d shard={number}/4 -d setting=AUDIT_DIR=/var/audits"
        for number in range(1, 5)
    ]
    assert "rsync -a node4:/var/audits/ shards/4/" in asked


def test_the_job_asks_for_each_shard_once(tools: Path, tmp_path: Path) -> None:
    spec = JOB["spec"]
    pod = spec["template"]["spec"]
    (worker,) = pod["containers"]
    assert (JOB["apiVersion"], JOB["kind"]) == ("batch/v1", "Job")
    assert spec["completionMode"] == "Indexed"
    # A limit for each index is allowed with this policy alone.
    assert ("backoffLimitPerIndex" in spec, pod["restartPolicy"]) == (True, "Never")
    assert worker["command"] == ["sh", "-c"]
    assert [mount["name"] for mount in worker["volumeMounts"]] == [
        volume["name"] for volume in pod["volumes"]
    ]
    count = spec["completions"]
    (script,) = worker["args"]
    script = script.replace("/audits", str(tmp_path))
    asked = [
        calls(script, tools, tmp_path, JOB_COMPLETION_INDEX=str(index)) for index in range(count)
    ]
    assert [re.findall(r"shard=(\S+)", " ".join(each)) for each in asked] == [
        [f"{number}/{count}"] for number in range(1, count + 1)
    ]
    (tmp_path / "3" / "www.example.com" / "now").mkdir(parents=True)
    (tmp_path / "3" / "www.example.com" / "now" / "run.json").touch()
    again = calls(script, tools, tmp_path, JOB_COMPLETION_INDEX="3")
    assert again == [f"scrapy crawl sitemap -a resume={tmp_path}/3"]

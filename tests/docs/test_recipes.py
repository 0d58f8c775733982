"""The shell blocks and the Kubernetes Job of the page on large sites, as shells run them."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.docs.blocks import blocks_of
from tests.support.paths import PROJECT

BLOCKS = blocks_of(PROJECT / "docs" / "how-to" / "large-sites.md")
SHELL = [block.text for block in BLOCKS if block.language == "sh"]
(JOB,) = (yaml.safe_load(block.text) for block in BLOCKS if block.language == "yaml")


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """Return a folder of programs that record how they were called."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sitemapaudit", "curl", "rsync", "aws"):
        program = folder / name
        program.write_text(f'#!/bin/sh\necho {name} "$@" >> "$CALLS"\n')
        program.chmod(0o755)
    return folder


def calls(script: str, tools: Path, cwd: Path, **environment: str) -> list[str]:
    """Run a script; return how it called the programs, in any order."""
    record = cwd / "calls"
    record.write_text("")
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    subprocess.run(
        ["sh", "-euc", script],
        cwd=cwd,
        env={"PATH": path, "CALLS": str(record), **environment},
        check=True,
        capture_output=True,
    )
    return sorted(record.read_text().splitlines())


def test_shards_on_one_machine(tools: Path, tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / "shards" / str(number)).mkdir(parents=True)
    audit = "sitemapaudit audit www.example.com"
    assert calls(SHELL[2], tools, tmp_path) == [
        *(f"{audit} --shard {number}/2 --dir shards/{number}" for number in (1, 2)),
        "sitemapaudit report shards/1 shards/2",
    ]


def test_four_scrapyd_nodes(tools: Path, tmp_path: Path) -> None:
    made = calls(SHELL[4], tools, tmp_path)
    assert [call for call in made if call.startswith("curl")] == [
        f"curl -s http://node{number}:6800/schedule.json -d project=sitemapaudit -d spider=sitemap"
        f" -d site=www.example.com -d shard={number}/4 -d setting=AUDIT_DIR=/var/audits"
        for number in range(1, 5)
    ]
    assert "rsync -a node4:/var/audits/ shards/4/" in made


def test_the_job_audits_each_shard_once(tools: Path, tmp_path: Path) -> None:
    spec = JOB["spec"]
    pod = spec["template"]["spec"]
    (worker,) = pod["containers"]
    assert (JOB["apiVersion"], JOB["kind"]) == ("batch/v1", "Job")
    assert spec["completionMode"] == "Indexed"
    # Kubernetes allows a limit per index with this policy only.
    assert ("backoffLimitPerIndex" in spec, pod["restartPolicy"]) == (True, "Never")
    assert worker["command"] == ["sh", "-c"]
    assert [mount["name"] for mount in worker["volumeMounts"]] == [
        volume["name"] for volume in pod["volumes"]
    ]
    count = spec["completions"]
    (script,) = worker["args"]
    script = script.replace("/audits", str(tmp_path))
    made = [
        calls(script, tools, tmp_path, JOB_COMPLETION_INDEX=str(index)) for index in range(count)
    ]
    assert [re.findall(r"--shard (\S+)", " ".join(each)) for each in made] == [
        [f"{number}/{count}"] for number in range(1, count + 1)
    ]
    (tmp_path / "3" / "www.example.com" / "now").mkdir(parents=True)
    (tmp_path / "3" / "www.example.com" / "now" / "run.json").touch()
    again = calls(script, tools, tmp_path, JOB_COMPLETION_INDEX="3")
    assert again == [f"sitemapaudit audit --resume {tmp_path}/3"]

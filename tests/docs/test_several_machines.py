"""The scripts and manifests of the page on several machines, as shells and engines run them."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from kubernetes_validate import ValidationError, validate

from tests.docs.blocks import blocks_of
from tests.support.paths import PROJECT

BLOCKS = blocks_of(PROJECT / "docs" / "how-to" / "several-machines.md")
SHELL = [block.text for block in BLOCKS if block.language == "sh"]
KUBERNETES = "1.33"
"""The first version in which limits per index are stable."""

(JOB,) = (yaml.safe_load(block.text) for block in BLOCKS if block.language == "yaml")


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """Return a folder of programs that record how they were called."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("sitemapaudit", "curl", "rsync", "aws", "gcloud"):
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


def of_engine(engine: str) -> str:
    """Return the only shell block that mentions an engine."""
    (script,) = (text for text in SHELL if engine in text)
    return script


def test_shards_on_one_machine(tools: Path, tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / "shards" / str(number)).mkdir(parents=True)
    audit = "sitemapaudit audit www.example.com"
    assert calls(SHELL[0], tools, tmp_path) == [
        *(f"{audit} --shard {number}/2 --dir shards/{number}" for number in (1, 2)),
        "sitemapaudit report shards/1 shards/2",
    ]


def test_four_scrapyd_nodes(tools: Path, tmp_path: Path) -> None:
    made = calls(of_engine("curl"), tools, tmp_path)
    assert [call for call in made if call.startswith("curl")] == [
        f"curl -s http://node{number}:6800/schedule.json -d project=sitemapaudit -d spider=sitemap"
        f" -d site=www.example.com -d shard={number}/4 -d setting=AUDIT_DIR=/var/audits"
        for number in range(1, 5)
    ]
    assert "rsync -a node4:/var/audits/ shards/4/" in made


def test_the_job_is_one_that_kubernetes_accepts() -> None:
    assert validate(JOB, KUBERNETES, strict=True) == KUBERNETES
    with pytest.raises(ValidationError, match="completion"):
        validate({**JOB, "spec": {**JOB["spec"], "completion": 8}}, KUBERNETES, strict=True)
    spec = JOB["spec"]
    pod = spec["template"]["spec"]
    # Kubernetes allows these only together.
    assert ("backoffLimitPerIndex" in spec, pod["restartPolicy"]) == (True, "Never")
    (worker,) = pod["containers"]
    rules = {rule["action"]: rule for rule in spec["podFailurePolicy"]["rules"]}
    assert rules["FailIndex"]["onExitCodes"]["containerName"] == worker["name"]
    assert rules["FailIndex"]["onExitCodes"]["values"] == [2]
    assert [mount["name"] for mount in worker["volumeMounts"]] == [
        volume["name"] for volume in pod["volumes"]
    ]
    assert worker["env"] == [{"name": "SHARDS", "value": str(spec["completions"])}]


@pytest.mark.parametrize("engine", ["JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID"])
def test_a_job_of_an_array_audits_its_shard_and_resumes_it(
    engine: str, tools: Path, tmp_path: Path
) -> None:
    (kubernetes,) = JOB["spec"]["template"]["spec"]["containers"][0]["args"]
    script = kubernetes if engine in kubernetes else of_engine(engine)
    audits = tmp_path / "audits"
    script = script.replace("/audits", str(audits)).replace(f"$HOME{audits}", str(audits))
    made = calls(script, tools, tmp_path, **{engine: "3"})
    options = f"--shard auto --results later --exit-zero --dir {audits}/shards/3"
    assert made == [f"sitemapaudit audit --entries-from {audits}/read {options}"]
    (audits / "shards" / "3" / "www.example.com" / "now").mkdir(parents=True)
    (audits / "shards" / "3" / "www.example.com" / "now" / "run.json").touch()
    again = calls(script, tools, tmp_path, **{engine: "3"})
    assert again == [f"sitemapaudit audit --resume {audits}/shards/3"]


def test_batch_and_cloud_run(tools: Path, tmp_path: Path) -> None:
    (batch,) = (json.loads(block.text) for block in BLOCKS if block.language == "json")
    strategy = batch["retryStrategy"]
    assert strategy["evaluateOnExit"][0] == {"onExitCode": "2", "action": "EXIT"}
    assert 1 <= strategy["attempts"] <= 10
    (call,) = calls(of_engine("gcloud"), tools, tmp_path)
    words = call.split(" --args ")[1].split(",")
    assert words[:4] == ["audit", "www.example.com", "--shard", "auto"]


def test_a_task_of_airflow_audits_one_site(tools: Path, tmp_path: Path) -> None:
    (program,) = (block.text for block in BLOCKS if block.language == "python")
    (tmp_path / "airflow").mkdir()
    (tmp_path / "airflow" / "sdk.py").write_text(
        "def dag(**options): return lambda make: make\n"
        "class Task:\n"
        "    def __init__(self, run): self.run = run\n"
        "    def expand(self, site):\n"
        "        for each in site: self.run(each)\n"
        "def task(**options): return Task\n"
    )
    run = f"{sys.executable} -c {shlex.quote(program)}"
    assert calls(run, tools, tmp_path) == [
        f"sitemapaudit audit {site}.example.com --exit-zero --dir /var/audits"
        for site in ("shop", "www")
    ]

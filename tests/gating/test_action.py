"""The steps of the action, and the hook of pre-commit, run as the systems run them."""

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema
import pytest
import yaml

from sitemapaudit.demo.documents import TEXT, entry, page, urlset, xml
from sitemapaudit.demo.server import Reply, Server, ServerRequest
from sitemapaudit.sitemaps.dialects import NAMESPACE
from tests.builds.generators import SITE, mkdocs
from tests.gating.schemas import CODE_QUALITY, SARIF
from tests.plugins.interpreters.commands import own_environment
from tests.support.commands import TIMEOUT, run_in_process
from tests.support.paths import PROJECT

pytestmark = pytest.mark.xdist_group("action")

ACTION: dict[str, Any] = yaml.safe_load((PROJECT / "action.yml").read_text())
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"] if "name" in step}
PROGRAM = str(Path(sys.executable).with_name("sitemapaudit"))


class Shop(Server):
    """A site with two pages, of which one is gone."""

    def __init__(self) -> None:
        super().__init__(self._reply)

    def _reply(self, request: ServerRequest) -> Reply:
        if request.path == "/robots.txt":
            return Reply(f"Sitemap: {SITE}/sitemap.xml\n", headers=[TEXT])
        if request.path == "/sitemap.xml":
            return xml(urlset(entry(f"{SITE}/{name}") for name in ("a", "gone")))
        if request.path == "/a":
            return page("/a", canonical=f"{SITE}/a", body="<p>" + "Enough words. " * 200)
        return Reply(status=404)


def run_step(
    name: str, at: Path, *, program: str = PROGRAM, **given: str
) -> "subprocess.CompletedProcess[str]":
    """Run a step of the action as GitHub's runner does; ``given`` are inputs and variables."""
    step = STEPS[name]
    inputs = {key: each.get("default", "") for key, each in ACTION["inputs"].items()}
    inputs |= {key: given.pop(key) for key in [*given] if key in inputs}
    names = {value: key for key, value in step["env"].items()}
    values = {
        names[f"${{{{ inputs.{key} }}}}"]: value
        for key, value in inputs.items()
        if f"${{{{ inputs.{key} }}}}" in names
    }
    files = {name: str(at / name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    given |= {"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(at), "PROGRAM": program}
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=at,
        env={**own_environment(), **values, **files, **given},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return mkdocs(tmp_path_factory.mktemp("site"))


@dataclass(frozen=True)
class Gated:
    """The step on staging: the process that ended, its folder, and the site, which still runs."""

    done: "subprocess.CompletedProcess[str]"
    folder: Path
    shop: Shop


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gated]:
    folder = tmp_path_factory.mktemp("staged")
    with Shop() as shop:
        yield Gated(run_step("Gate", folder, site=SITE, staging=shop.origin), folder, shop)


def outputs(folder: Path) -> dict[str, str]:
    lines = (folder / "GITHUB_OUTPUT").read_text().splitlines()
    return dict(line.split("=", 1) for line in lines)


def test_a_build_passes(build: Path, tmp_path: Path) -> None:
    done = run_step("Gate", tmp_path, site=SITE, folder=str(build), hosting="github")
    assert done.returncode == 0, done.stderr
    assert "PASSED: 100.0\xa0% of 4 judged URLs are indexable." in done.stdout
    given = outputs(tmp_path)
    assert (given["share"], given["errors"]) == ("1.0000", "0")
    assert (tmp_path / given["report"]).is_file()
    assert "PASSED" in (tmp_path / "GITHUB_STEP_SUMMARY").read_text()
    assert (tmp_path / given["run"] / "sarif.json").is_file()


def test_findings_of_a_build_are_in_its_files(tmp_path: Path) -> None:
    public = tmp_path / "apps" / "my shop" / "public"
    public.mkdir(parents=True)
    (public / "robots.txt").write_text(f"Sitemap: {SITE}/sitemap.xml\n")
    locs = (f"<loc>{SITE}/{name}</loc>" for name in ("a", "b", "gone"))
    more = ("", "<priority>9</priority>", "")
    entries = "".join(f"<url>\n{loc}{other}</url>\n" for loc, other in zip(locs, more, strict=True))
    (public / "sitemap.xml").write_text(
        f'<?xml version="1.0"?>\n<urlset xmlns="{NAMESPACE}">\n{entries}</urlset>\n'
    )
    for name in ("a", "b", "404"):
        (public / f"{name}.html").write_text(
            f"<!doctype html><html lang=en><title>{name}</title><body><p>{'Enough words. ' * 200}"
        )
    (public.parent / "_config.yml").touch()
    (public.parent / "b.md").touch()
    options = {"hosting": "github", "fail-on": "notice"}
    done = run_step("Gate", tmp_path, site=SITE, folder="apps/my shop/public", **options)
    assert done.returncode == 1, done.stderr
    run = tmp_path / outputs(tmp_path)["run"]
    assert _annotated(done.stdout) >= {
        "title=page-not-found,file=apps/my shop/public/sitemap.xml,line=7",
        "title=canonical-missing,file=apps/my shop/public/a.html,line=1",
        "title=canonical-missing,file=apps/my shop/b.md,line=1",
        "title=priority-invalid,file=apps/my shop/public/sitemap.xml,line=5",
    }
    assert f"{SITE}/a (a.html)" in done.stdout
    rows = (run / "findings.csv").read_text().splitlines()
    assert rows[0].endswith(",occurrences,file")
    assert {row.rpartition(",")[2] for row in rows[1:]} == {"", "a.html", "b.html"}
    assert f"`{SITE}/a` (`a.html`): " in (run / "report.md").read_text()
    sarif = json.loads((run / "sarif.json").read_text())
    jsonschema.validate(sarif, SARIF)
    places = [result["locations"][0]["physicalLocation"] for result in sarif["runs"][0]["results"]]
    uris = {place["artifactLocation"]["uri"] for place in places}
    assert uris >= {f"apps/my%20shop/public/{name}" for name in ("sitemap.xml", "a.html")}
    assert "apps/my%20shop/b.md" in uris
    assert all((tmp_path / unquote(uri)).is_file() for uri in uris)
    jsonschema.validate(json.loads((run / "codequality.json").read_text()), CODE_QUALITY)


def _annotated(output: str) -> set[str]:
    """Return the properties of the annotations."""
    return set(re.findall(r"^::(?:error|warning|notice) (.*?)::", output, re.MULTILINE))


def test_staging_fails_and_is_annotated(staged: Gated) -> None:
    done = staged.done
    assert done.returncode == 1, done.stderr
    stop, *audit, annotation, _, failed, named, _, command = done.stdout.splitlines()
    word = stop.removeprefix("::stop-commands::")
    assert f"::{word}::" in audit
    assert "The audit is complete." in audit[: audit.index(f"::{word}::")]
    assert annotation == f"::error title=page-not-found::{SITE}/gone: returns 404"
    assert failed.startswith("FAILED: 1 error")
    assert named == f"  error  page-not-found  {SITE}/gone  returns 404"
    assert command.startswith("  sitemapaudit baseline audits/")
    assert outputs(staged.folder)["errors"] == "1"


def test_known_findings_pass(staged: Gated, tmp_path: Path) -> None:
    run = staged.folder / outputs(staged.folder)["run"]
    (tmp_path / "known.json").write_text(run_in_process("baseline", str(run)).stdout)
    given = {"staging": staged.shop.origin, "baseline": "known.json", "args": "-L INFO"}
    done = run_step("Gate", tmp_path, site=SITE, **given)
    assert done.returncode == 0, done.stderr


def test_no_input_is_read_as_a_command(tmp_path: Path) -> None:
    attack = '"; touch stolen; $(touch stolen) `touch stolen`'
    names = {name for name in ACTION["inputs"] if name not in ("python-version", "artifact")}
    run_step("Gate", tmp_path, program="true", **dict.fromkeys(names, attack))
    assert not (tmp_path / "stolen").exists()
    assert all("${{" not in step["run"] for step in STEPS.values())


def test_all_lines_of_args_are_used(tmp_path: Path) -> None:
    done = run_step("Gate", tmp_path, program="echo", site=SITE, args="--pages none\n-L INFO\n")
    assert done.stdout.endswith("--pages none -L INFO\n")
    done = run_step("Gate", tmp_path, program="echo", site=SITE)
    assert done.stdout == f"gate {SITE} --fail-on error --speed full\n"


def test_the_key_of_the_cache_is_that_of_the_lock_file(tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run_step("Key", tmp_path, SOURCE=str(PROJECT), PATH=path)
    known = hashlib.sha256((PROJECT / "requirements.lock").read_bytes()).hexdigest()
    assert outputs(tmp_path) == {"hash": known}
    cache = next(step for step in ACTION["runs"]["steps"] if "cache@" in step.get("uses", ""))
    assert cache["with"]["path"] == STEPS["Install"]["env"]["PIP_CACHE_DIR"]
    assert "steps.key.outputs.hash" in cache["with"]["key"]


def test_each_input_is_used() -> None:
    text = (PROJECT / "action.yml").read_text()
    assert all(f"inputs.{name}" in text for name in ACTION["inputs"])


@pytest.mark.parametrize("option", ["--fail-on", "--min-share", "--baseline", "--against"])
def test_the_options_of_the_action_exist(option: str) -> None:
    assert f"  {option} " in run_in_process("gate", "--help").stdout


def test_the_hook_of_pre_commit(build: Path, tmp_path: Path) -> None:
    (hook,) = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text())
    words = [*shlex.split(hook["entry"]), SITE, "--folder", str(build)]
    path = f"{Path(PROGRAM).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        words, cwd=tmp_path, env={**own_environment(), "PATH": path}, capture_output=True,
        text=True, timeout=TIMEOUT, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert hook["pass_filenames"] is False

"""Every command and Python block of the documentation works, or says why no test runs it."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from sitemapaudit.runs.folders import folder_name
from tests import warm
from tests.docs.blocks import PAGES, Block, blocks_of
from tests.docs.site import Site
from tests.support import PROJECT, own_environment

TIMEOUT = 120
"""Seconds that a command may take."""

SHELL_SIGNS = re.compile(r"[*$|&;<>]")
RUN = {page: [block for block in blocks_of(page) if block.is_run] for page in PAGES}
PAGES_TO_RUN = [page for page, blocks in RUN.items() if blocks]
STATUSES = re.compile(r"# .*exit status (\d)")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Site(tmp_path_factory.mktemp("site")) as served:
        yield served


@pytest.fixture(scope="module")
def audits(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with one finished audit."""
    folder = tmp_path_factory.mktemp("work")
    done = execute(f"sitemapaudit audit {site.origin}", folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "audits"


def environment(folder: Path) -> dict[str, str]:
    programs = str(Path(sys.executable).parent)
    path = os.pathsep.join((programs, os.environ["PATH"]))
    return {
        **own_environment(),
        "PATH": path,
        "PYTHONPATH": os.pathsep.join((str(folder), str(PROJECT))),
        "SCRAPY_SETTINGS_MODULE": "sitemapaudit.settings",
    }


def execute(text: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run a command: without a shell and in a prepared process, where that makes no difference."""
    words = shlex.split(text, comments=True) if "\n" not in text else []
    if words and words[0] in ("sitemapaudit", "scrapy") and not SHELL_SIGNS.search(text):
        return warm.run(words[0], words[1:], environment(folder), TIMEOUT, folder)
    return subprocess.run(
        ["sh", "-c", text],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


def on(site: Site, text: str) -> str:
    """Return a text with the served website in place of www.example.com."""
    text = text.replace("audits/www.example.com", f"audits/{folder_name(site.host)}")
    text = text.replace("https://www.example.com", site.origin)
    return re.sub(r"(?<![/\w.])www\.example\.com", site.origin, text)


def commands_of(text: str) -> list[tuple[str, int]]:
    """Return the commands of a shell block, each with the status that its comment gives."""
    if re.search(r"^(for|wait|do|done)\b", text, re.MULTILINE):
        return [(f"set -e\n{text}", 0)]
    lines = text.replace("\\\n", " ").splitlines()
    return [
        (line, int(status[1]) if (status := STATUSES.search(line)) else 0)
        for line in lines
        if line.strip() and not line.startswith("#")
    ]


def work(block: Block, folder: Path, site: Site) -> None:
    """Write the file that a block shows, or run it."""
    text = on(site, block.text)
    if block.note.startswith("file: "):
        file = folder / block.note.removeprefix("file: ")
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    elif block.language == "python":
        file = folder / "block.py"
        file.write_text(text, encoding="utf-8")
        done = execute(f"{sys.executable} block.py", folder)
        assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
    else:
        for command, status in commands_of(text):
            done = execute(command, folder)
            assert done.returncode == status, f"{command}\n{done.stdout}{done.stderr}"
            assert "Traceback" not in done.stdout + done.stderr, command


@pytest.mark.parametrize("page", PAGES_TO_RUN, ids=lambda page: page.stem)
def test_the_blocks_of_a_page_work(page: Path, site: Site, audits: Path, tmp_path: Path) -> None:
    shutil.copytree(audits, tmp_path / "audits")
    for block in RUN[page]:
        work(block, tmp_path, site)


def test_each_block_that_no_test_runs_says_why() -> None:
    for page in PAGES:
        for block in blocks_of(page):
            if block.note.startswith("not run:"):
                assert len(block.note.removeprefix("not run:").split()) >= 3, block
            if block.language == "yaml":
                assert yaml.safe_load(block.text)


def test_each_page_is_found() -> None:
    index = (PROJECT / "docs" / "index.md").read_text(encoding="utf-8")
    docs = PROJECT / "docs"
    for page in PAGES:
        if page.is_relative_to(docs) and page.stem != "index":
            assert page.relative_to(docs).with_suffix("").as_posix() in index


def test_the_documentation_builds_without_a_warning(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "docs", str(tmp_path)]
    done = subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "rules" / "page-not-found.html").is_file()

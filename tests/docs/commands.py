"""Runs the commands and Python blocks of the documentation."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import mkdtemp

from sitemapaudit.config.config_file import VARIABLE as CONFIG
from sitemapaudit.runs.folder_names import folder_name
from tests.docs.blocks import PAGES, Block, blocks_of
from tests.docs.site import Site
from tests.plugins.interpreters.commands import own_environment, run
from tests.support.commands import TIMEOUT
from tests.support.paths import PROJECT

RUN = {
    page: [block for block in blocks_of(page) if block.is_run]
    for page in PAGES
    if any(block.is_run for block in blocks_of(page))
}
"""The blocks that tests run, by page."""

AUDIT = "sitemapaudit audit www.example.com"
_FULL_SPEED = Path(__file__).with_name("full_speed.toml")
"""The configuration of all commands."""

_SHELL_SIGNS = re.compile(r"[$|&;<>]")
_STATUS = re.compile(r"# .*exit status (\d)")
_ONLY_ARGUMENTS_MATTER = re.compile(r"sitemapaudit (rules|audit(?!.* --resume))\b")


def execute(text: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run a command: without a shell and in a prepared process, where that makes no difference."""
    words = shlex.split(text, comments=True) if "\n" not in text else []
    if words and words[0] in ("sitemapaudit", "scrapy") and not _SHELL_SIGNS.search(text):
        words = [each for word in words for each in _expand(word, folder)]
        return run(words[0], words[1:], _environment(folder), TIMEOUT, folder)
    return _execute_anew(["sh", "-c", text], folder)


def _expand(word: str, folder: Path) -> list[str]:
    """Return the files that a pattern matches, as a shell does; or the word itself."""
    files = folder.glob(word) if "*" in word else ()
    return sorted(str(file.relative_to(folder)) for file in files) or [word]


def execute_python(block: Block, text: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run a Python block; in a new interpreter and an empty folder if it is a script."""
    if block.note == "script":
        empty = Path(mkdtemp(dir=folder))
        (empty / "block.py").write_text(text, encoding="utf-8")
        return _execute_anew([sys.executable, "block.py"], empty)
    (folder / "block.py").write_text(text, encoding="utf-8")
    return run("tests.docs.script", ["block.py"], _environment(folder), TIMEOUT, folder)


def _execute_anew(words: list[str], folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        words,
        cwd=folder,
        env=_environment(folder),
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )


def _environment(folder: Path) -> dict[str, str]:
    programs = str(Path(sys.executable).parent)
    path = os.pathsep.join((programs, os.environ["PATH"]))
    return {
        **own_environment(),
        "PATH": path,
        "PYTHONPATH": os.pathsep.join((str(folder), str(PROJECT))),
        "SCRAPY_SETTINGS_MODULE": "sitemapaudit.settings",
        CONFIG: str(_FULL_SPEED),
        # Most installed modules are never imported.
        "PIP_NO_COMPILE": "1",
    }


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
        (
            line.partition(" # ")[0].strip(),
            int(status[1]) if (status := _STATUS.search(line)) else 0,
        )
        for line in lines
        if line.strip() and not line.startswith("#")
    ]


def repeated_commands() -> set[str]:
    """Return the commands that occur more than once and read no file of their folder."""
    blocks = (block for blocks in RUN.values() for block in blocks if block.language == "sh")
    counts = Counter(command for block in blocks for command, _ in commands_of(block.text))
    return {
        command
        for command, count in counts.items()
        if count > 1 and _ONLY_ARGUMENTS_MATTER.match(command)
    }


class Commands:
    """Runs a repeated command once; the other pages get a copy of the run that it made."""

    def __init__(self, site: Site, folder: Path) -> None:
        self._site, self._folder = site, folder
        self._repeated = repeated_commands()
        self._done: dict[str, subprocess.CompletedProcess[str]] = {}

    def run(self, command: str, folder: Path) -> "subprocess.CompletedProcess[str]":
        """Run a command, or copy what it made before."""
        text = on(self._site, command)
        if command not in self._repeated:
            return execute(text, folder)
        made = self._folder / str(sorted(self._repeated).index(command))
        if command not in self._done:
            made.mkdir()
            self._done[command] = execute(text, made)
        if any((folder / run.relative_to(made)).exists() for run in made.glob("audits/*/*")):
            # The page repeats the command, and needs a second run.
            return execute(text, folder)
        shutil.copytree(made, folder, dirs_exist_ok=True)
        return self._done[command]

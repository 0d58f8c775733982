"""Every command and Python block of the documentation works, or says why no test runs it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.docs.blocks import PAGES, Block, blocks_of
from tests.docs.commands import AUDIT, RUN, Commands, commands_of, execute_python, on
from tests.docs.site import Site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Site(tmp_path_factory.mktemp("site")) as served:
        yield served


@pytest.fixture(scope="module")
def commands(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Commands:
    return Commands(site, tmp_path_factory.mktemp("made"))


def run_commands(commands: Commands, text: str, folder: Path) -> None:
    """Run the commands of a shell block; each must end with the documented status."""
    for command, status in commands_of(text):
        done = commands.run(command, folder)
        assert done.returncode == status, f"{command}\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stdout + done.stderr, command


def work(block: Block, folder: Path, site: Site, commands: Commands) -> None:
    """Write the file that a block shows, or run it."""
    text = on(site, block.text)
    if block.note.startswith("file: "):
        file = folder / block.note.removeprefix("file: ")
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    elif block.language == "python":
        done = execute_python(block, text, folder)
        printed = done.stdout + done.stderr
        assert (done.returncode, "Traceback" in printed) == (0, False), f"{text}\n{printed}"
    else:
        run_commands(commands, block.text, folder)


@pytest.mark.xdist_group("docs")
@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_the_blocks_of_a_page_work(
    page: Path, site: Site, commands: Commands, tmp_path: Path
) -> None:
    first = RUN[page][0]
    if first.language == "python":
        # The page reads a run that its reader already has.
        run_commands(commands, AUDIT, tmp_path)
    for block in RUN[page]:
        work(block, tmp_path, site, commands)


def test_each_block_that_no_test_runs_says_why() -> None:
    for page in PAGES:
        for block in blocks_of(page):
            if block.note.startswith("not run:"):
                assert len(block.note.removeprefix("not run:").split()) >= 3, block
            if block.language == "yaml":
                assert yaml.safe_load(block.text)

"""Only findings end a command with status 1, and nothing ends it with a traceback.

``AUDIT_COMMAND_LINES=3000 pytest -s tests/cli/test_status_law.py`` tries more command
lines, and prints how they ended.
"""

import os
import re
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

from tests.cli.command_lines import CommandLines, World
from tests.support.commands import run_in_process
from tests.support.rows import fetched_page, listed, sitemap_of
from tests.support.runs import build_audited_run

COUNT = int(os.environ.get("AUDIT_COMMAND_LINES", "40"))
SEED = int(os.environ.get("AUDIT_COMMAND_SEED", "42"))
PATIENCE = 30
"""Seconds that a command may take: a pipe without a writer is refused after ten."""

CRAWL = "the crawl would start"
PAGE = "https://www.example.com/"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    made = tmp_path_factory.mktemp("made")
    for name, status in (("1", 200), ("2", 404)):
        entries = listed(PAGE, f"{PAGE}a")
        pages = fetched_page(PAGE), fetched_page(f"{PAGE}a", status)
        build_audited_run(
            made / name, [sitemap_of(entries), entries, *pages], site="https://www.example.com"
        )
    return World(tmp_path_factory.mktemp("world"), made)


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    def end(*_: object) -> None:
        pytest.fail(f"the command takes more than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def test_only_findings_end_a_command_with_1(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random(SEED)
    lines = CommandLines(world, chance)
    ended: Counter[tuple[str, int | str]] = Counter()
    for number in range(COUNT):
        world.renew()
        monkeypatch.chdir(world.folder)
        damages = [world.damage(chance) for _ in range(chance.choice((0, 1, 1, 2)))]
        words = lines.draw()
        began = time.monotonic()
        with time_limit(PATIENCE):
            done = run_in_process(*words)
        case = (number, words, damages, done, f"{time.monotonic() - began:.1f} s")
        printed = done.stdout + done.stderr
        starts = CRAWL in printed
        assert starts or not re.search(r"Traceback|\[Errno|<class ", printed), case
        assert done.returncode in (0, 1, 2, 3), case
        assert done.returncode == 0 or printed, case
        if done.returncode == 1:
            found = "new" if words[0] == "compare" else "failed"
            assert words[0] in ("compare", "gate"), case
            assert found in done.stdout.lower(), case
        ended[words[0], "crawl" if starts else done.returncode] += 1
    for (command, status), times in sorted(ended.items(), key=str):
        print(f"{command:10} {status:>5} {times:>6,}")

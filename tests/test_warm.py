"""A command in a forked process does what it does in a new interpreter."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import warm
from tests.support import PATIENCE, PROJECT, own_environment

NOBODY = ["crawl", "sitemap", "-a", "site=http://127.0.0.1:9", "-s", "RETRY_TIMES=0"]


def without_numbers(*said: str) -> list[str]:
    """Return texts without times, and without the numbers that a folder is named by."""
    return [re.sub(r"\d+", "0", each) for each in said]


@pytest.mark.parametrize(
    ("words", "status"),
    [(["rules", "loc-missing"], 0), (["report", "nowhere"], 2), (NOBODY, 3)],
    ids=["rules", "report", "crawl"],
)
def test_it_says_and_ends_as_in_a_new_interpreter(
    tmp_path: Path, words: list[str], status: int
) -> None:
    forked = warm.run([*words, "-s", f"AUDIT_DIR={tmp_path / '1'}"], own_environment(), PATIENCE)
    new = subprocess.run(
        [sys.executable, "-m", "scrapy", *words, "-s", f"AUDIT_DIR={tmp_path / '2'}"],
        cwd=PROJECT,
        env=own_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (forked.returncode, new.returncode) == (status, status)
    said = without_numbers(forked.stdout, forked.stderr)
    assert said == without_numbers(new.stdout, new.stderr)
    assert any(said)


def test_it_may_not_take_for_ever() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        warm.run(["rules"], own_environment(), 0)

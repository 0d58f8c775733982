"""A command in a forked process behaves as in a new interpreter."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import warm
from tests.support import PROJECT, TIMEOUT, own_environment

UNREACHABLE = ["crawl", "sitemap", "-a", "site=http://127.0.0.1:9", "-s", "RETRY_TIMES=0"]


def without_numbers(*texts: str) -> list[str]:
    """Return texts with every number replaced: times, and names of folders."""
    return [re.sub(r"\d+", "0", text) for text in texts]


@pytest.mark.parametrize(
    ("module", "words", "status"),
    [
        ("sitemapaudit", ["rules", "loc-missing"], 0),
        ("sitemapaudit", ["report", "nowhere"], 2),
        ("scrapy", UNREACHABLE, 3),
    ],
    ids=["rules", "report", "crawl"],
)
def test_output_and_status_are_those_of_a_new_interpreter(
    tmp_path: Path, module: str, words: list[str], status: int
) -> None:
    forked = warm.run(
        module, [*words, "-s", f"AUDIT_DIR={tmp_path / '1'}"], own_environment(), TIMEOUT
    )
    new = subprocess.run(
        [sys.executable, "-m", module, *words, "-s", f"AUDIT_DIR={tmp_path / '2'}"],
        cwd=PROJECT,
        env=own_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (forked.returncode, new.returncode) == (status, status)
    texts = without_numbers(forked.stdout, forked.stderr)
    assert texts == without_numbers(new.stdout, new.stderr)
    assert any(texts)


def test_a_command_that_takes_too_long_is_killed() -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        warm.run("scrapy", ["rules"], own_environment(), 0)

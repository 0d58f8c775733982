"""The programs, in a process of their own or in this one."""

import io
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import Mock, patch

from scrapy import cmdline

from sitemapaudit.cli import main as program
from sitemapaudit.cli import scrapy_crawl
from sitemapaudit.cli.program import SETTINGS_MODULE
from sitemapaudit.config.scrapy_settings import SETTINGS_VARIABLE
from tests.plugins.interpreters.commands import own_environment, run
from tests.support.paths import PROJECT

TIMEOUT = 300
"""Seconds that a command may take."""


def scrapy(
    *words: str,
    cwd: Path = PROJECT,
    environment: dict[str, str] | None = None,
    module: str = "scrapy",
) -> subprocess.CompletedProcess[str]:
    """Run a command of Scrapy in a process of its own."""
    return run(module, words, own_environment() | (environment or {}), TIMEOUT, cwd)


def sitemapaudit(
    *words: str, cwd: Path = PROJECT, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the program ``sitemapaudit`` in a process of its own."""
    return run("sitemapaudit", words, own_environment() | (environment or {}), TIMEOUT, cwd)


def run_in_process(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the program ``sitemapaudit`` in this process; it must not start a crawl."""
    return _captured(words, lambda: program.main(words))


def check_crawl(*words: str) -> subprocess.CompletedProcess[str]:
    """Run ``scrapy crawl sitemap`` in this process, up to the point where the crawl starts."""
    command = ["scrapy", "crawl", "sitemap", *words]
    return _captured(command, lambda: cmdline.execute(command))


def _captured(
    words: Sequence[str], command: Callable[[], int | None]
) -> subprocess.CompletedProcess[str]:
    output, log, nothing = (_new_file() for _ in range(3))
    started = AssertionError("the crawl would start")
    with (
        patch.dict(os.environ, {SETTINGS_VARIABLE: SETTINGS_MODULE}),
        patch.multiple(
            cmdline,
            AsyncCrawlerProcess=Mock(side_effect=started),
            CrawlerProcess=Mock(side_effect=started),
        ),
        patch.object(scrapy_crawl, "AsyncCrawlerProcess", Mock(side_effect=started)),
        redirect_stdout(output),
        redirect_stderr(log),
        patch.object(sys, "stdin", nothing),
    ):
        try:
            status = command() or 0
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
    return subprocess.CompletedProcess(words, status, _read(output), _read(log))


def _new_file() -> io.TextIOWrapper:
    """Return a file in memory that is one of text and of bytes, like those of a process."""
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)


def _read(file: io.TextIOWrapper) -> str:
    file.seek(0)
    return file.read()

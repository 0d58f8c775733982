"""A value of a wrong type is a mistake of the caller: one sentence, whatever the option is."""

import re
from collections.abc import Callable
from dataclasses import fields
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from scrapy.crawler import Crawler
from scrapy.settings import Settings, default_settings

from sitemapaudit.config import Arguments, AuditSettings, Config, ConfigError
from sitemapaudit.config.scrapy_settings import check_types
from sitemapaudit.engine import crawl_settings
from sitemapaudit.spiders.sitemap import SitemapSpider

VALUES: tuple[Any, ...] = (
    5, -1, 3.5, float("nan"), True, None, b"x", re.compile("x"), Path("no-such-file"), object(),
    date(2026, 11, 21), ["a"], [5], [None], [["a"]], {"a": 1}, {5: 5}, {"a": {}}, (),
    frozenset("a"),
)  # fmt: skip


@pytest.mark.parametrize("name", [each.name for each in fields(Arguments)])
def test_an_argument(name: str) -> None:
    settings = Settings()
    settings.setmodule(crawl_settings)
    check(lambda value: Config.read({"site": "www.example.com", name: value}, settings), name)


@pytest.mark.parametrize("name", [AuditSettings.public_name(f.name) for f in fields(AuditSettings)])
def test_a_setting(name: str) -> None:
    check(lambda value: AuditSettings.from_scrapy({name: value}), name)


@pytest.mark.parametrize("name", ["DOWNLOAD_TIMEOUT", "RETRY_TIMES", "CONCURRENT_REQUESTS"])
def test_a_setting_of_scrapy_in_a_script(name: str) -> None:
    crawler = Crawler(SitemapSpider, {name: None})
    with pytest.raises(ConfigError, match=f"^{name}: None is not a "):
        SitemapSpider.from_crawler(crawler, site="www.example.com")


SIMPLE = (bool, int, float)


@pytest.mark.parametrize(
    "name", [name for name, value in vars(default_settings).items() if type(value) in SIMPLE]
)
def test_a_setting_of_scrapy(name: str) -> None:
    check(lambda value: check_types(Settings({name: value})), name)


def check(read: Callable[[Any], object], name: str) -> None:
    """Check that each value is read, or refused with one sentence that begins with its name."""
    reasons = []
    for value in VALUES:
        try:
            read(value)
        except ConfigError as error:
            reasons.append(str(error))
    sentence = re.compile(rf"({name}: |Nothing to audit: )[^\n]+[.?]")
    assert [reason for reason in reasons if not sentence.fullmatch(reason)] == []

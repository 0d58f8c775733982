"""The settings of audits: below those of the user, and nothing for other spiders."""

from typing import Any

import pytest
from scrapy import Spider
from scrapy.exceptions import NotConfigured
from scrapy.settings import BaseSettings, Settings, default_settings
from scrapy.utils.misc import build_from_crawler, load_object
from scrapy.utils.test import get_crawler

from sitemapaudit.engine import crawl_settings
from sitemapaudit.spiders.sitemap import SitemapSpider

NAMES = sorted(filter(str.isupper, vars(crawl_settings)))

COMPONENTS = [
    component
    for name in ("ITEM_PIPELINES_BASE", "EXTENSIONS_BASE", "DOWNLOADER_MIDDLEWARES_BASE")
    for component in getattr(crawl_settings, name)
    if component.startswith("sitemapaudit.")
]


@pytest.mark.parametrize("component", COMPONENTS)
def test_a_component_serves_no_spider_but_an_audit(component: str) -> None:
    crawler = get_crawler(Spider, {"HTTPAUTH_USER": "us", "FEEDS": {"a.jsonl": {}}})
    crawler.spider = crawler._create_spider("plain")
    with pytest.raises(NotConfigured):
        build_from_crawler(load_object(component), crawler)


def applied(settings: Settings, spider: type[Spider] = SitemapSpider) -> Settings:
    spider.update_settings(settings)
    return settings


@pytest.mark.parametrize("name", NAMES)
def test_a_setting_applies_to_an_audit(name: str) -> None:
    value = applied(Settings())[name]
    if name == "DOWNLOADER_MIDDLEWARES_BASE":  # Those that few runs need are added.
        value = {key: value[key] for key in getattr(crawl_settings, name)}
    assert value == getattr(crawl_settings, name)


@pytest.mark.parametrize("name", NAMES)
def test_a_setting_of_the_user_takes_precedence(name: str) -> None:
    if name == "DOWNLOADER_MIDDLEWARES_BASE":
        return
    given: Any = getattr(default_settings, name)
    given = dict(given) if isinstance(given, dict) else given
    of_project = Settings()
    of_project.set(name, given, "project")

    class Custom(SitemapSpider):
        custom_settings = {name: given}  # noqa: RUF012 - as users do

    for settings in (applied(of_project), applied(Settings(), Custom)):
        value = settings[name]
        assert (value.copy_to_dict() if isinstance(value, BaseSettings) else value) == given


def test_only_lists_that_a_project_cannot_replace_are_set() -> None:
    lists = [name for name in NAMES if isinstance(getattr(crawl_settings, name), dict)]
    assert [name for name in lists if not name.endswith("_BASE")] == ["DEFAULT_REQUEST_HEADERS"]

"""The settings of this project. Those of its audits are in engine/crawl_settings.py."""

BOT_NAME = "sitemapaudit"
SPIDER_MODULES = ["sitemapaudit.spiders"]
COMMANDS_MODULE = "sitemapaudit.commands"

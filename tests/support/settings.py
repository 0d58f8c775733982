"""Settings that audits of tests share."""

import json

from sitemapaudit.rules.catalog import catalog

NO_RULES = dict.fromkeys(catalog(), "off")
"""For tests that check the tables of a run, and not its findings."""

QUICK = {"AUDIT_RULES": json.dumps(NO_RULES)}
"""The same as settings of ``crawl``."""

UNTIMED = {"AUDIT_SLOW_SECONDS": "0"}
"""How fast a website of the tests responds depends on the machine."""

RULES_OFF = f"AUDIT_RULES={QUICK['AUDIT_RULES']}"
"""The same as a setting of the command line."""

"""Alerts, for those who switch Spidermon on: what a finished audit must hold.

``spidermon`` is to be installed, and told of in settings.py::

    EXTENSIONS["spidermon.contrib.scrapy.extensions.Spidermon"] = 0
    SPIDERMON_ENABLED = True
    SPIDERMON_SPIDER_CLOSE_MONITORS = ("sitemapaudit.monitors.AuditMonitors",)

What is monitored beside completeness is what ``AUDIT_ALERT_…`` asks for. Whom to
tell is for a suite of one's own, which names Spidermon's actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar
from unittest import SkipTest

from scrapy import signals
from spidermon import Monitor, MonitorSuite
from spidermon.contrib.scrapy.extensions import Spidermon

from sitemapaudit.datasets.manifest import Manifest, Status
from sitemapaudit.items import Severity, Verdict
from sitemapaudit.pipelines import RUN_STAT

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from sitemapaudit.config import AuditSettings


class AuditMonitor(Monitor):  # type: ignore[misc]
    """Base of what looks at the outcome of an audit."""

    @property
    def run_folder(self) -> Path:
        """The run folder."""
        return Path(self.data.stats[RUN_STAT])

    @property
    def manifest(self) -> Manifest:
        """What the run counted; fails if it still counts."""
        manifest = Manifest.read(self.run_folder)
        if manifest.status is Status.RUNNING:
            self.fail("The audit is still under way: monitor it when the spider is closed.")
        return manifest

    @property
    def settings(self) -> AuditSettings:
        """What the user asks for."""
        settings: AuditSettings = self.data.spider.config.settings
        return settings


class CompletenessMonitor(AuditMonitor):
    """Everything was looked at that was to be looked at."""

    def test_the_audit_is_complete(self) -> None:
        """The audit is complete."""
        manifest = self.manifest
        if not manifest.complete:
            self.fail(f"The audit is {manifest.status} and not complete: {manifest.reason}.")


class ErrorsMonitor(AuditMonitor):
    """No more findings are errors than AUDIT_ALERT_ERRORS allows."""

    def test_errors_are_as_few_as_allowed(self) -> None:
        """Errors are as few as AUDIT_ALERT_ERRORS allows."""
        allowed = self.settings.alert_errors
        if allowed is None:
            raise SkipTest("AUDIT_ALERT_ERRORS is not set")
        errors = self.manifest.severities.get(Severity.ERROR, 0)
        if errors > allowed:
            self.fail(
                f"{errors:,} findings are errors, and AUDIT_ALERT_ERRORS allows {allowed:,};"
                f" see {self.run_folder / 'findings.csv'}."
            )


class IndexableMonitor(AuditMonitor):
    """The share of URLs known to be indexable is not below AUDIT_ALERT_INDEXABLE.

    What could not be known counts against it: if a whole site is unreachable,
    somebody is to be told. What was left out by choice does not count.
    """

    def test_the_share_of_indexable_is_as_high_as_demanded(self) -> None:
        """The share of indexable is as high as AUDIT_ALERT_INDEXABLE demands."""
        demanded = self.settings.alert_indexable
        if demanded is None:
            raise SkipTest("AUDIT_ALERT_INDEXABLE is not set")
        manifest = self.manifest
        if not manifest.verdicts:
            self.fail("No URL is listed, so none is indexable.")
        verdicts = manifest.verdicts | {Verdict.UNCHECKED.value: manifest.unchecked}
        asked = sum(verdicts.values())
        if not asked:
            raise SkipTest("no listed URL was to be asked for")
        indexable = verdicts.get(Verdict.INDEXABLE, 0)
        if indexable < demanded * asked:
            unknown = sum(n for name, n in verdicts.items() if Verdict(name).indexable is None)
            self.fail(
                f"{indexable:,} of {asked:,} URLs ({indexable / asked:.1%}) are indexable, and"
                f" AUDIT_ALERT_INDEXABLE demands {demanded:.1%}; of {unknown:,} it could not be"
                f" known; see {self.run_folder / 'urls.csv'}."
            )


class RulesMonitor(AuditMonitor):
    """None of the rules in AUDIT_ALERT_RULES is found."""

    def test_no_rule_is_found_that_alerts(self) -> None:
        """No rule of AUDIT_ALERT_RULES is found."""
        rules = self.settings.alert_rules
        if not rules:
            raise SkipTest("AUDIT_ALERT_RULES is not set")
        counts = self.manifest.rules
        found = [f"{rule} ({counts[rule]:,})" for rule in rules if rule in counts]
        if found:
            self.fail(
                f"Rules of AUDIT_ALERT_RULES are found: {', '.join(found)};"
                f" see {self.run_folder / 'findings.csv'}."
            )


class AuditMonitors(MonitorSuite):  # type: ignore[misc]
    """All of them. A subclass can name actions in ``monitors_failed_actions``."""

    monitors: ClassVar[Sequence[type[Monitor]]] = [
        CompletenessMonitor,
        ErrorsMonitor,
        IndexableMonitor,
        RulesMonitor,
    ]

    def __init__(self, *args: Any, crawler: Crawler | None = None, **kwargs: Any) -> None:
        super().__init__(*args, crawler=crawler, **kwargs)
        if crawler is not None:
            self._audited = crawler
            crawler.signals.connect(self.come_last, signal=signals.spider_opened)

    def come_last(self) -> None:
        """Let Spidermon look when the tables stand.

        Who connects to a signal first is called first. Spidermon connects before
        the pipeline does, that builds the tables: here it connects once more.
        """
        spidermon: Any = self._audited.get_extension(Spidermon)
        self._audited.signals.disconnect(spidermon.spider_closed, signal=signals.spider_closed)
        self._audited.signals.connect(spidermon.spider_closed, signal=signals.spider_closed)

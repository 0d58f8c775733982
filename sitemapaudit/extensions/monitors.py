"""Spidermon monitors: alerts about a finished audit.

Install ``spidermon``, and add to the settings::

    EXTENSIONS = {"spidermon.contrib.scrapy.extensions.Spidermon": 0}
    SPIDERMON_ENABLED = True
    SPIDERMON_SPIDER_CLOSE_MONITORS = ("sitemapaudit.extensions.monitors.AuditMonitors",)

Completeness is always checked; the settings ``AUDIT_ALERT_…`` add more checks. To send alerts,
subclass ``AuditMonitors`` and set Spidermon's actions.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar
from unittest import SkipTest

from scrapy import signals
from scrapy.crawler import Crawler
from spidermon import Monitor, MonitorSuite
from spidermon.contrib.scrapy.extensions import Spidermon

from sitemapaudit.config import AuditSettings
from sitemapaudit.items import Severity
from sitemapaudit.numbers import count_noun, percent
from sitemapaudit.report.wording import describe_known, describe_share
from sitemapaudit.runs.manifest import Manifest, Status


class AuditMonitor(Monitor):  # type: ignore[misc]
    """The base of the monitors of an audit."""

    @property
    def run_folder(self) -> Path:
        """The run folder."""
        folder: Path = self.data.spider.run.folder
        return folder

    @property
    def manifest(self) -> Manifest:
        """The manifest of the finished run; fails if it is still running."""
        manifest = Manifest.read(self.run_folder)
        if manifest.status is Status.RUNNING:
            self.fail("The audit is still running: monitor it when the spider is closed.")
        return manifest

    @property
    def settings(self) -> AuditSettings:
        """The settings of the audit."""
        settings: AuditSettings = self.data.spider.config.settings
        return settings


class CompletenessMonitor(AuditMonitor):
    """The audit is complete."""

    def test_the_audit_is_complete(self) -> None:
        """The audit is complete."""
        manifest = self.manifest
        if not manifest.complete:
            self.fail(f"The audit is {manifest.status} and incomplete: {manifest.reason}.")


class ErrorsMonitor(AuditMonitor):
    """The number of errors does not exceed AUDIT_ALERT_ERRORS."""

    def test_errors_are_within_the_limit(self) -> None:
        """The number of errors does not exceed AUDIT_ALERT_ERRORS."""
        allowed = self.settings.alert_errors
        if allowed is None:
            raise SkipTest("AUDIT_ALERT_ERRORS is not set")
        errors = self.manifest.severities.get(Severity.ERROR, 0)
        if errors > allowed:
            self.fail(
                f"There {'is' if errors == 1 else 'are'} {count_noun(errors, 'error')};"
                f" AUDIT_ALERT_ERRORS allows {allowed:,}."
                f" See {self.run_folder / 'findings.csv'}."
            )


class IndexableMonitor(AuditMonitor):
    """The share of URLs known to be indexable is at least AUDIT_ALERT_INDEXABLE.

    An unknown URL counts as not indexable: an unreachable site is an alert. URLs that were skipped
    by choice do not count.
    """

    def test_enough_urls_are_indexable(self) -> None:
        """The share of indexable URLs is at least AUDIT_ALERT_INDEXABLE."""
        required = self.settings.alert_indexable
        if required is None:
            raise SkipTest("AUDIT_ALERT_INDEXABLE is not set")
        manifest = self.manifest
        if not manifest.verdicts:
            self.fail("No URL is listed, so no URL is indexable.")
        share = manifest.share
        if share.known_value is None:
            raise SkipTest("every listed URL was skipped by choice")
        if share.known_value < required:
            self.fail(
                f"{describe_known(share)};"
                f" AUDIT_ALERT_INDEXABLE requires {percent(required)}. {describe_share(share)}"
                f" See {self.run_folder / 'urls.csv'}."
            )


class RulesMonitor(AuditMonitor):
    """No rule in AUDIT_ALERT_RULES has a finding."""

    def test_no_alerting_rule_has_a_finding(self) -> None:
        """No rule in AUDIT_ALERT_RULES has a finding."""
        rules = self.settings.alert_rules
        if not rules:
            raise SkipTest("AUDIT_ALERT_RULES is not set")
        counts = self.manifest.rules
        found = [f"{rule} ({counts[rule]:,})" for rule in rules if rule in counts]
        if found:
            self.fail(
                f"Rules of AUDIT_ALERT_RULES have findings: {', '.join(found)}."
                f" See {self.run_folder / 'findings.csv'}."
            )


class AuditMonitors(MonitorSuite):  # type: ignore[misc]
    """All monitors. A subclass can set actions in ``monitors_failed_actions``."""

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
            crawler.signals.connect(self.run_after_pipeline, signal=signals.spider_opened)

    def run_after_pipeline(self) -> None:
        """Run the monitors after the tables are built.

        Receivers are called in the order in which they connect. Spidermon connects before the
        pipeline, which builds the tables: this connects it again, after the pipeline.
        """
        spidermon: Any = self._audited.get_extension(Spidermon)
        self._audited.signals.disconnect(spidermon.spider_closed, signal=signals.spider_closed)
        self._audited.signals.connect(spidermon.spider_closed, signal=signals.spider_closed)

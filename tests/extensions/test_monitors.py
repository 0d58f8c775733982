"""The monitors, run by Spidermon at the end of crawls."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit.config import AuditSettings
from sitemapaudit.config.options import ConfigError
from sitemapaudit.report.wording import describe_share
from tests.sites.website import Website
from tests.support.audits import Audited, crawl
from tests.support.settings import QUICK

pytestmark = pytest.mark.xdist_group("monitors")

ORDERS = ("SPIDERMON_SPIDER_CLOSE_MONITORS", "SPIDERMON_ENGINE_STOP_MONITORS")
NAMES = {
    "CompletenessMonitor": "complete",
    "ErrorsMonitor": "errors",
    "IndexableMonitor": "indexable",
    "RulesMonitor": "rules",
}
"""For audits whose findings are not looked at."""


def monitored(
    folder: Path,
    site: str,
    settings: dict[str, str] | None = None,
    when: str = ORDERS[0],
    **arguments: str,
) -> Audited:
    """Audit one of the tiny websites with Spidermon enabled."""
    extensions = {
        "sitemapaudit.extensions.progress.Progress": 0,
        "spidermon.contrib.scrapy.extensions.Spidermon": 0,
    }
    enabled = {
        "EXTENSIONS": json.dumps(extensions),
        "SPIDERMON_ENABLED": "True",
        when: "sitemapaudit.extensions.monitors.AuditMonitors",
    }
    with Website(site) as website:
        return crawl(
            folder,
            {"site": website.origin, **arguments},
            {"RETRY_TIMES": "0", **enabled, **(settings or {})},
        )


def outcomes(audited: Audited) -> dict[str, str]:
    """Return the outcome of each monitor."""
    found = re.findall(r"\[Spidermon\] (\w+)/\w+\.\.\. (\w+)", audited.log)
    assert len(found) == len(NAMES), audited.log
    return {NAMES[name]: result for name, result in found}


def messages(audited: Audited) -> list[str]:
    """Return the messages of the monitors that failed."""
    return re.findall(r"^AssertionError: (.*)$", audited.log, re.MULTILINE)


ALL = {
    "AUDIT_ALERT_ERRORS": "3",
    "AUDIT_ALERT_INDEXABLE": "0.5",
    "AUDIT_ALERT_RULES": "page-not-found,loc-missing,page-server-error",
}


@pytest.mark.parametrize("when", ORDERS)
def test_every_monitor_fails_with_the_final_counts(tmp_path: Path, when: str) -> None:
    settings = {**ALL, "AUDIT_MAX_URLS": "12"}
    audited = monitored(tmp_path, "statuses", settings, when)
    run = audited.run
    assert outcomes(audited) == dict.fromkeys(NAMES.values(), "FAIL")
    incomplete, errors, indexable, rules = messages(audited)
    assert run.manifest.reason
    assert run.manifest.reason in incomplete
    number = (run.findings["severity"] == "error").sum()
    assert errors.startswith(f"There are {number} errors; AUDIT_ALERT_ERRORS allows 3. See ")
    assert str(run.path / "findings.csv") in errors
    verdicts = run.urls["verdict"]
    good = (verdicts == "indexable").sum()
    assert indexable.startswith(
        f"{good} of {len(verdicts)} URLs are known to be indexable; AUDIT_ALERT_INDEXABLE requires"
        f" 50.0\N{NO-BREAK SPACE}%. {describe_share(run.manifest.share)} See "
    )
    counts = run.manifest.rules
    assert rules.startswith(
        "Rules of AUDIT_ALERT_RULES have findings:"
        f" page-not-found ({counts['page-not-found']}),"
        f" page-server-error ({counts['page-server-error']}). See "
    )
    assert audited.status == 3


def test_findings_of_queries_count_too(tmp_path: Path) -> None:
    audited = monitored(
        tmp_path, "repeats", {"AUDIT_ALERT_RULES": "url-in-multiple-sitemaps,loc-missing"}
    )
    (message,) = messages(audited)
    assert "have findings: url-in-multiple-sitemaps (" in message
    assert "loc-missing" not in message


def test_a_clean_site_passes(tmp_path: Path) -> None:
    settings = {**ALL, "AUDIT_ALERT_ERRORS": "0", "AUDIT_ALERT_INDEXABLE": "1"}
    audited = monitored(tmp_path, "clean", settings)
    assert outcomes(audited) == dict.fromkeys(NAMES.values(), "OK")
    assert audited.status == 0


@pytest.fixture(scope="module")
def unlimited(tmp_path_factory: pytest.TempPathFactory) -> Audited:
    """Audit a website with many kinds of pages, without a limit."""
    return monitored(tmp_path_factory.mktemp("unlimited"), "statuses")


def test_a_monitor_without_a_limit_is_skipped(unlimited: Audited) -> None:
    assert outcomes(unlimited) == {
        "complete": "OK",
        "errors": "SKIPPED",
        "indexable": "SKIPPED",
        "rules": "SKIPPED",
    }
    assert "AUDIT_ALERT_ERRORS is not set" in unlimited.log


def test_numbers_at_the_limit_are_allowed(tmp_path: Path, unlimited: Audited) -> None:
    errors = (unlimited.run.findings["severity"] == "error").sum()
    share = (unlimited.run.urls["verdict"] == "indexable").mean()
    settings = {"AUDIT_ALERT_ERRORS": str(errors), "AUDIT_ALERT_INDEXABLE": str(share)}
    again = outcomes(monitored(tmp_path / "again", "statuses", settings))
    assert (again["errors"], again["indexable"]) == ("OK", "OK")
    settings = {
        "AUDIT_ALERT_ERRORS": str(errors - 1),
        "AUDIT_ALERT_INDEXABLE": str(share + 0.001),
    }
    stricter = outcomes(monitored(tmp_path / "stricter", "statuses", settings))
    assert (stricter["errors"], stricter["indexable"]) == ("FAIL", "FAIL")


def test_urls_that_were_skipped_by_choice_do_not_count(tmp_path: Path) -> None:
    settings = {"AUDIT_ALERT_INDEXABLE": "1", **QUICK}
    some = monitored(tmp_path / "some", "clean", settings, include="/about")
    assert outcomes(some)["indexable"] == "OK"
    none = monitored(tmp_path / "none", "clean", settings, pages="none")
    assert outcomes(none)["indexable"] == "SKIPPED"


def test_a_site_that_lists_nothing_alerts(tmp_path: Path) -> None:
    audited = monitored(tmp_path, "empty-sitemap", {"AUDIT_ALERT_INDEXABLE": "0", **QUICK})
    assert outcomes(audited)["indexable"] == "FAIL"
    assert "No URL is listed, so no URL is indexable." in messages(audited)


@pytest.mark.parametrize(
    ("name", "given", "read"),
    [
        ("AUDIT_ALERT_ERRORS", "", None),
        ("AUDIT_ALERT_ERRORS", "0", 0),
        ("AUDIT_ALERT_INDEXABLE", "", None),
        ("AUDIT_ALERT_INDEXABLE", "0.95", 0.95),
        ("AUDIT_ALERT_RULES", "", ()),
        ("AUDIT_ALERT_RULES", "loc-missing, page-not-found", ("loc-missing", "page-not-found")),
    ],
)
def test_limits_are_read(name: str, given: str, read: Any) -> None:
    settings = AuditSettings.read({name: given})
    assert getattr(settings, name.removeprefix("AUDIT_").lower()) == read


@pytest.mark.parametrize(
    ("name", "given", "sentence"),
    [
        ("AUDIT_ALERT_ERRORS", "-1", "'-1' is not a whole number of at least 0."),
        ("AUDIT_ALERT_INDEXABLE", "95", "'95' is not a share from 0 to 1, such as 0.95."),
        ("AUDIT_ALERT_INDEXABLE", "nan", "'nan' is not a share from 0 to 1, such as 0.95."),
        (
            "AUDIT_ALERT_RULES",
            "loc-mising",
            "there is no rule 'loc-mising'; did you mean loc-missing?",
        ),
    ],
)
def test_a_wrong_limit_is_one_sentence(name: str, given: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        AuditSettings.from_scrapy({name: given})
    assert str(caught.value) == f"{name}: {sentence}"

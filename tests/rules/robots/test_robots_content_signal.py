"""robots-content-signal: a malformed preference, or one about content that is disallowed."""

import json

import pytest

from sitemapaudit.items import Robots
from tests.rules.robots.files import DECLARED, ROBOTS, robots
from tests.support.effort import cpu_limit
from tests.support.findings import found, severities

RULE = "robots-content-signal"


def example() -> list[Robots]:
    return [robots(f"User-agent: *\nContent-Signal: search=yes\nDisallow: /\n{DECLARED}")]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("Content-Signal: search=yes, ai-train=no", None),
        ("content-signal:search=yes,ai-train=no,use=reference", None),
        ("CONTENT-SIGNAL : Search=Yes # a comment", None),
        ("Content-Signal: /news ai-input=no", None),
        ("Content-Signal: other=maybe", None),
        ("Content-Signals: search=yes, ai-train=no", None),
        ("Content-Signals: search=y", "search is 'y', not yes or no"),
        ("Content-Usage: train-ai=n", None),
        ("Content-Usage: /ai-ok/ train-ai=y, search=y", None),
        ("Content-Usage: train-ai=n;exceptions=cite", None),
        ("Content-Usage: *.html train-ai=y", None),
        ("Content-Usage: bots=n", None),
        ("# Content-Signal: nothing", None),
        ("Content-Signal:", "a preference is missing"),
        ("Content-Signal: search=yes,", "a preference is missing"),
        ("Content-Signal: search", "'search' is not a preference such as search=yes"),
        ("Content-Signal: search: yes", "'search: yes' is not a preference such as search=yes"),
        ("Content-Signal: search=yes ai-train=no", "'search=yes ai-train=no' is not a preference"),
        ("Content-Signal: search=y", "search is 'y', not yes or no"),
        ("Content-Signal: search=yes, search=no", "search is both yes and no"),
        ("Content-Signal: train-ai=no", "train-ai belongs to Content-Usage"),
        ("Content-Usage: train-ai=no", "train-ai is 'no', not y or n"),
        ("Content-Signal: ai-use=no", "ai-use belongs to Content-Usage"),
        ("Content-Usage: ai-train=n", "ai-train belongs to Content-Signal"),
        ("Content-Usage: ai-input=n", "ai-input belongs to Content-Signal"),
        ("Content-Usage: /a", "a preference is missing"),
    ],
)
def test_preferences(line: str, problem: str | None) -> None:
    findings = found(RULE, robots(f"User-agent: *\n{line}\nAllow: /\n"))
    if problem is None:
        assert findings == []
    else:
        (finding,) = findings
        assert finding.severity == "notice"
        assert finding.message.startswith(f"line 2 has no effect: {problem}")


SIGNAL = "Content-Signal: search=yes, ai-train=no"


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ([SIGNAL, "Disallow: /"], "it allows search of /, which * must not fetch"),
        (["Disallow: /*", SIGNAL], "it allows search of /, which * must not fetch"),
        (["Disallow: /a", "Content-Usage: /a/b ai-use=y"], "it allows ai-use of /a/b, which"),
        (["Disallow: /a", "Content-Usage: /a/b ai-use=y", "Allow: /c"], "it allows ai-use of /a/b"),
        # Something can be fetched, or nothing is allowed.
        ([SIGNAL, "Disallow: /", "Allow: /public/"], None),
        ([SIGNAL, "Disallow: /", "Allow: /"], None),
        ([SIGNAL, "Disallow: /", "User-agent: *", "Allow: /"], None),
        ([SIGNAL, "Disallow: /$"], None),
        ([SIGNAL, "Disallow: /private"], None),
        ([SIGNAL, "Allow: /", "User-agent: b", "Disallow: /"], None),
        (["Content-Signal: search=no", "Disallow: /"], None),
        (["Disallow: /a", "Content-Usage: /a*b ai-use=y"], None),
        (["Disallow: /a", "Content-Usage: /a/b ai-use=y", "Allow: /*.html"], None),
    ],
)
def test_what_the_group_disallows(lines: list[str], problem: str | None) -> None:
    findings = found(RULE, robots("\n".join(["User-agent: *", *lines])))
    assert len(findings) == (0 if problem is None else 1)
    assert all(f" has no effect: {problem}" in finding.message for finding in findings)


@pytest.mark.parametrize(
    ("group", "problem"),
    [
        (["Disallow: /a"], "does not apply to bingbot, whose own group has no such line"),
        (["Allow: /"], "does not apply to bingbot, whose own group has no such line"),
        (["Disallow: /", "Allow: /a"], "does not apply to bingbot, whose own group has no such"),
        (["Disallow: /"], None),
        (["Disallow: /a", SIGNAL], None),
        (["Disallow: /a", "User-agent: Bingbot", "Content-Signals: search=no"], None),
    ],
)
def test_a_line_is_about_its_group_only(group: list[str], problem: str | None) -> None:
    lines = ["User-agent: *", SIGNAL, "Allow: /", "User-agent: Bingbot", *group]
    findings = found(RULE, robots("\n".join(lines)))
    assert len(findings) == (0 if problem is None else 1)
    assert all(finding.message.startswith(f"line 2 {problem}") for finding in findings)


def test_lines_before_the_first_group_are_checked_for_errors_only() -> None:
    assert severities(RULE, robots(f"{SIGNAL}\nUser-agent: *\nDisallow: /")) == []
    assert severities(RULE, robots("Content-Signal: search\nUser-agent: *")) == ["notice"]


def test_many_lines_are_one_finding() -> None:
    (finding,) = found(RULE, robots("User-agent: *\n" + "Content-Signal: search\n" * 3))
    assert finding.message.endswith("search=yes, and 2 more")
    assert (finding.url, json.loads(finding.evidence or "")["lines"]) == (ROBOTS, [2, 3, 4])


def test_html_is_not_checked() -> None:
    assert severities(RULE, robots("<html>\nContent-Signal: search")) == []


@pytest.mark.parametrize(("agents", "rules"), [(1, 5_000), (9_000, 1), (200, 200)])
def test_no_file_takes_long(agents: int, rules: int) -> None:
    text = "".join(f"User-agent: a{number}\n" for number in range(agents))
    row = robots(text + "Disallow: /*a*b\n" * rules + f"{SIGNAL}\n" * 5_000 + "Disallow: /")
    with cpu_limit(5):
        assert severities(RULE, row) == ["notice"]

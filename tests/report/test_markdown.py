"""report.md: the answer as text of at most 25 kB, whatever a site writes."""

from collections import Counter

import pytest
from msgspec.structs import replace

from sitemapaudit.items import Severity, Subject
from sitemapaudit.report.actions import Action
from sitemapaudit.report.finding_groups import Group
from sitemapaudit.report.markdown import code, escape
from sitemapaudit.report.markdown_report import MAX_BYTES, render_markdown
from sitemapaudit.runs.compared_agents import ComparedAgents
from sitemapaudit.runs.likely_cause import Fix, LikelyCause
from sitemapaudit.runs.manifest import Manifest, Status

SITE = "https://www.example.com"
LONG = "x" * 2_000


def manifest(**values: object) -> Manifest:
    arguments = {"site": values.pop("site", SITE)}
    found = Manifest(arguments, {}, {}, "2026-11-21T12:00:00Z", Status.FINISHED, complete=True)
    found.rows = {"urls": 3, "sitemaps": 1}
    found.verdicts = {"indexable": 2, "not-found": 1}
    for name, value in values.items():
        setattr(found, name, value)
    return found


def group(
    rule: str, severity: Severity = Severity.ERROR, message: str = "returns 404", examples: int = 5
) -> Group:
    rows = [{"url": f"{SITE}/{rule}/{n}", "message": message} for n in range(examples)]
    sections = (("When", "w"), ("Why", "y"), ("Fix", f"Repair {rule}."))
    counts = Counter({severity: examples})
    return Group(rule, severity, Subject.PAGE, f"Title of {rule}", sections, (), counts, rows)


ACTION = Action(
    title="Remove 1 dead URL from 1 sitemap",
    how="Restore a page first.",
    severity=Severity.ERROR,
    rules=("page-not-found",),
    urls=1,
    entries=0,
    sitemaps=1,
    effect=100,
    repairs=True,
    example=f"{SITE}/gone",
)


def test_the_answer_has_share_actions_findings_and_fixes() -> None:
    text = render_markdown(manifest(), [group("a"), group("b", Severity.NOTICE)], [ACTION])
    assert text.startswith(f"# Sitemap audit of `{SITE}`\n\n**66.6")
    assert "| not-found | 1 |" in text
    assert "1. **Remove 1 dead URL from 1 sitemap** (`page-not-found`)." in text
    assert "`sitemapaudit repair` does it." in text
    assert "### error: Title of a (`a`, 5)\n\nRepair a.\n\n" in text
    assert text.count(f"- `{SITE}/a/") == text.count(f"- `{SITE}/b/") == 3
    assert text.index("Title of a") < text.index("Title of b")
    assert "left out" not in text


def test_findings_of_several_severities_are_counted_for_each() -> None:
    mixed = group("a")
    mixed.severities = Counter({Severity.ERROR: 2, Severity.NOTICE: 1_000})
    text = render_markdown(manifest(), [mixed], [])
    assert "### error: Title of a (`a`, 2 errors, 1,000 notices)\n" in text


def test_an_incomplete_audit_says_why_first() -> None:
    compared = [ComparedAgents(f"{SITE}/", "403", "200", browser_denied=False)]
    found = manifest(
        complete=False, reason="no sitemap could be read", remedy="wait", compared_agents=compared
    )
    text = render_markdown(found, [], [])
    warning = "> **The audit is incomplete:** `no sitemap could be read`. To fix this: wait."
    assert warning in text
    assert "Only this program is refused" in text
    assert "Whether the site admits Googlebot cannot be tested" in text
    assert "## Findings" not in text


@pytest.mark.parametrize(("number", "said"), [(3, False), (4, True)])
def test_comparisons_that_are_not_described_are_counted(number: int, said: bool) -> None:
    compared = [
        ComparedAgents(f"https://{each}.example.com/", "403", "200", browser_denied=False)
        for each in range(number)
    ]
    text = render_markdown(manifest(complete=False, compared_agents=compared), [], [])
    assert text.count("Only this program is refused") == 3
    assert ("run.json has all 4 comparisons." in text) is said


@pytest.mark.parametrize(("rules", "absent"), [(40, 0), (120, 0), (400, 150)])
def test_the_least_severe_give_way_and_the_text_says_so(rules: int, absent: int) -> None:
    groups = [group("first", message=LONG)]
    groups += [group(f"rule-{n}", Severity.NOTICE, "ü" * 200) for n in range(rules)]
    text = render_markdown(manifest(), groups, [ACTION] * 5)
    assert MAX_BYTES - 6_000 < len(text.encode()) <= MAX_BYTES
    assert text.count(f"- `{SITE}/first/") == 3
    assert text.count(f"- `{SITE}/rule-{rules - 1}/") == 0
    assert text.count(f"- `{SITE}/rule-0/") == 3
    named = sum(f"`rule-{n}`" in text for n in range(rules))
    assert named == rules if not absent else absent < named < rules
    assert ("more rules\n" in text) is bool(absent)
    assert "are omitted, those of the least severe first" in text
    assert text == render_markdown(manifest(), groups, [ACTION] * 5)


def test_no_text_makes_it_longer() -> None:
    endless = "@\u202e`|<é\n" * 5_000
    compared = [ComparedAgents(endless, endless, endless, browser_denied=True)] * 50
    found = manifest(
        site=endless, complete=False, reason=endless, remedy=LONG, compared_agents=compared
    )
    action = replace(ACTION, title=endless, how=endless, rules=(LONG,) * 9, example=endless)
    groups = [group(f"{LONG[:50]}-{n}", message=endless) for n in range(2_000)]
    assert len(render_markdown(found, groups, [action] * 5).encode()) <= MAX_BYTES


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "`plain`"),
        ("a`b", "`` a`b ``"),
        ("``", "``` `` ```"),
        ("<img src=x onerror=alert(1)>|@user #1", "`<img src=x onerror=alert(1)>|@user #1`"),
        ("a\n# b\r\n\n- c\u2028d", "`a # b - c d`"),
        ("\u202ereversed\x1b[31m", "`reversed [31m`"),
        ("", "`-`"),
    ],
)
def test_code_contains_any_text(text: str, expected: str) -> None:
    assert code(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Plain text, as it is.", "Plain text, as it is."),
        ("<b> & *c* _d_ [e](f) `g` | ~h~", r"\<b\> \& \*c\* \_d\_ \[e\](f) \`g\` \| \~h\~"),
        ("thanks @someone", "thanks @&#8203;someone"),
        ("see #12", r"see \#&#8203;12"),
        ("two\nlines", "two lines"),
    ],
)
def test_a_text_has_no_markup(text: str, expected: str) -> None:
    assert escape(text) == expected


def test_likely_causes_are_first_with_a_link_to_the_manual() -> None:
    fix = Fix("Docusaurus", "set `trailingSlash`", "https://docusaurus.io/docs#trailingSlash")
    cause = LikelyCause("All 26 lack the slash #1.", ["page-redirect-permanent"], 26, [fix])
    text = render_markdown(manifest(likely_causes=[cause]), [], [])
    link = "Docusaurus: set `trailingSlash` ([manual](https://docusaurus.io/docs#trailingSlash))."
    assert link in text
    assert text.index("All 26 lack the slash") < text.index("| verdict |")

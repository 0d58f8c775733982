"""``sitemapaudit rules ID``: the page of a rule says everything about it, in short lines."""

from sitemapaudit.generators.recognition import settings_for
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.rules.examples import examples
from sitemapaudit.rules.profiles import profiles_of
from sitemapaudit.rules.rule import SECTIONS, Rule
from sitemapaudit.rules.rule_page import WIDTH, rule_page

INDENT = 12


def paragraphs_of(page: str) -> list[tuple[str, str]]:
    """Return the paragraphs of a page: a name at the margin, and its text without spaces."""
    found: list[tuple[str, str]] = []
    for line in filter(None, page.splitlines()):
        name, text = line[:INDENT].strip(), "".join(line[INDENT:].split())
        if name:
            found.append((name, text))
        else:
            found[-1] = (found[-1][0], found[-1][1] + text)
    return found


def parts_of(rule: type[Rule]) -> list[tuple[str, str]]:
    """Return the name and the text of each paragraph that a page should have."""
    parts = [(name, rule.section(name)) for name in SECTIONS]
    for generator, setting in settings_for(rule.id):
        parts.append((generator, f"{setting.how.replace('`', '')} ({setting.source})"))
    parts.append(("Profiles", ", ".join(profiles_of(rule))))
    if rule.id in examples():
        example = examples()[rule.id]
        parts.append(("Example", f"{example.place} {example.message}"))
    parts.append(("References", "".join(map(str, rule.references))))
    return [(name, "".join(text.split())) for name, text in parts if text]


def test_the_page_says_everything_about_the_rule() -> None:
    for rule in catalog().values():
        heading, title, empty, *rest = rule_page(rule).split("\n")
        assert (heading, title, empty) == (f"{rule.id} ({rule.severity})", f"{rule.title()}.", "")
        assert paragraphs_of("\n".join(rest)) == parts_of(rule)


def test_lines_are_short_and_references_have_one_each() -> None:
    for rule in catalog().values():
        *lines, end = rule_page(rule).split("\n")
        assert end == ""
        text, references = lines[: -len(rule.references) or None], rule.references
        assert [line[INDENT:] for line in lines[len(text) :]] == [*map(str, references)]
        assert all(len(line) <= WIDTH == 88 or " " not in line[INDENT:] for line in text)
        assert text.count("") == len(parts_of(rule)) + (not references)

"""The README says what the code says."""

import re

from sitemapaudit.manual import PARTS, filled
from sitemapaudit.rules.catalogue import catalogue
from tests.support import PROJECT

README = (PROJECT / "README.md").read_text(encoding="utf-8")


def test_generated_parts_are_up_to_date() -> None:
    assert filled(README) == README, "run make docs"


def test_every_part_has_its_place() -> None:
    for name in PARTS:
        assert README.count(f"<!-- {name}: generated -->") == 1
        assert README.count(f"<!-- {name}: end -->") == 1


def test_both_commands_are_in_the_makefile() -> None:
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    commands = re.findall(r"^make (\w+)", README, re.MULTILINE)
    assert commands == ["demo", "test"]
    assert all(re.search(rf"^{command}:", makefile, re.MULTILINE) for command in commands)


def test_each_requirement_has_its_reason() -> None:
    for file in (*PROJECT.glob("*requirements.txt"), *PROJECT.glob("[!.]*/**/requirements.txt")):
        lines = file.read_text(encoding="utf-8").splitlines()
        for line in lines:
            if line and not line.startswith("#"):
                assert re.search(r"\S  +# \S", line), line


def test_the_changelog_counts_the_rules() -> None:

    changelog = (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"{len(catalogue())} rules" in changelog


def test_every_notebook_is_listed() -> None:
    listed = re.findall(r"^\| \[[\w-]+\]\(notebooks/([\w-]+\.ipynb)\) \|", README, re.MULTILINE)
    assert sorted(listed) == sorted(file.name for file in PROJECT.glob("notebooks/*.ipynb"))

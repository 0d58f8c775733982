"""The README: short, with links that lead somewhere, and the commands of the Makefile."""

import re

from tests.support.paths import PROJECT

README = (PROJECT / "README.md").read_text(encoding="utf-8")


def test_it_is_short() -> None:
    assert len(README.splitlines()) <= 200


def test_both_commands_are_in_the_makefile() -> None:
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    commands = re.findall(r"^make (\w+)", README, re.MULTILINE)
    assert commands == ["demo", "test"]
    assert all(re.search(rf"^{command}:", makefile, re.MULTILINE) for command in commands)


def test_each_notebook_is_listed() -> None:
    page = (PROJECT / "docs" / "how-to" / "notebooks.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `notebooks/([\w-]+\.ipynb)` \|", page, re.MULTILINE)
    assert sorted(listed) == sorted(file.name for file in PROJECT.glob("notebooks/*.ipynb"))


def test_each_requirement_has_its_reason() -> None:
    for file in (*PROJECT.glob("*requirements.txt"), *PROJECT.glob("[!.]*/**/requirements.txt")):
        for line in file.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                assert re.search(r"\S  +# \S", line), line

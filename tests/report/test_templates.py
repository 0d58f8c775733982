"""Compiled templates are kept, and a disk without room for them changes nothing."""

from pathlib import Path

import pytest

from sitemapaudit.report.markup import CompiledTemplates, environment


@pytest.mark.parametrize("exists", [True, False])
def test_a_template_renders_wherever_it_is_kept(tmp_path: Path, *, exists: bool) -> None:
    folder = tmp_path / "templates"
    if exists:
        folder.mkdir()
    overlay = environment().overlay(bytecode_cache=CompiledTemplates(str(folder)))
    first = overlay.from_string("{{ 0.5|percent }}").render()
    overlay.get_template("macros.html")
    assert first == environment().from_string("{{ 0.5|percent }}").render()
    assert len([*tmp_path.glob("templates/*")]) == int(exists)

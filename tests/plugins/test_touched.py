"""`make check` runs the tests of what was changed."""

import grimp
import pytest

from tests.support.paths import PROJECT
from tests.touched import LAWS, PACKAGE, touched_tests

GRAPH = grimp.build_graph(PACKAGE, "tests")


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("sitemapaudit/rules/page/page_not_found.py", {"tests/rules/page/test_page_not_found.py"}),
        ("tests/robots/test_robots.py", {"tests/robots/test_robots.py"}),
        ("sitemapaudit/bounds/strata.py", {"tests/bounds"}),
        ("sitemapaudit/report/templates/report.html", {"tests/report"}),
        ("docs/install.md", {"tests/docs"}),
        ("LICENSE", set()),
    ],
)
def test_a_file_touches_its_tests(file: str, expected: set[str]) -> None:
    assert expected <= touched_tests({file}, GRAPH)


def test_a_module_touches_the_tests_that_use_it() -> None:
    touched = touched_tests({"sitemapaudit/datasets/recipe.py"}, GRAPH)
    assert {"tests/datasets/test_recipe.py", "tests/datasets/test_tables.py"} <= touched


def test_every_module_touches_a_test() -> None:
    modules = (PROJECT / PACKAGE).glob("*/**/*.py")
    files = [str(module.relative_to(PROJECT)) for module in modules]
    assert [file for file in files if not touched_tests({file}, GRAPH)] == []


def test_the_laws_exist() -> None:
    assert [law for law in LAWS if not (PROJECT / law).exists()] == []

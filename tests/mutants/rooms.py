"""The rooms whose code is mutated, and the tests that should notice it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple


class Room(NamedTuple):
    """Files or folders of code, those of its tests, texts, and laws.

    The texts are files and names of constants that decide nothing: they are not changed.
    The laws are test modules that run on each mutant of a constant.
    """

    code: tuple[str, ...]
    tests: tuple[str, ...]
    texts: tuple[str, ...] = ()
    laws: tuple[str, ...] = ()

    def files(self, project: Path) -> Iterator[str]:
        """Yield the modules of the room, relative to the project."""
        for each in self.code:
            path = project / each
            for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
                name = file.relative_to(project).as_posix()
                if name not in self.texts:
                    yield name

    def size(self, project: Path) -> int:
        """Return the number of lines of the code."""
        return sum(len((project / file).read_bytes().splitlines()) for file in self.files(project))


ROOMS: Final = {
    "verdicts": Room(
        ("sitemapaudit/verdicts.py",),
        (
            "tests/pages/test_law.py",
            "tests/pages/test_verdicts.py",
            "tests/datasets/test_rendered.py",
            "tests/rules/site/test_agents_disagree.py",
        ),
        ("MEANINGS",),
        ("tests/pages/test_law.py",),
    ),
    "rules": Room(
        ("sitemapaudit/rules",),
        ("tests/rules", "tests/comparison/test_rules.py"),
        ("sitemapaudit/rules/search_console.py", "sitemapaudit/rules/sources.py"),
        ("tests/rules/test_rules.py",),
    ),
    "completeness": Room(
        (
            "sitemapaudit/runs/manifest.py",
            "sitemapaudit/runs/cause.py",
            "sitemapaudit/datasets/causes.py",
            "sitemapaudit/datasets/counts.py",
            "sitemapaudit/datasets/obstacles.py",
        ),
        (
            "tests/datasets/test_causes.py",
            "tests/datasets/test_complete.py",
            "tests/datasets/test_counts.py",
            "tests/datasets/test_obstacles.py",
            "tests/gating/test_decisions.py",
            "tests/rules/site/test_audit_incomplete.py",
            "tests/runs/test_manifest.py",
            "tests/runs/test_merging.py",
            "tests/runs/test_refusals.py",
        ),
        laws=(
            "tests/datasets/test_causes.py",
            "tests/datasets/test_complete.py",
            "tests/datasets/test_obstacles.py",
        ),
    ),
    "robots": Room(
        ("sitemapaudit/robots",),
        (
            "tests/oracles/test_oracles.py",
            "tests/robots",
            "tests/rules/robots/test_robots_content_signal.py",
        ),
        ("sitemapaudit/robots/agents.py",),
    ),
    "sitemaps": Room(
        ("sitemapaudit/sitemaps",),
        ("tests/sitemaps", "tests/rules/sitemap/test_sitemap_access_denied.py"),
    ),
    "repair": Room(
        ("sitemapaudit/repair",),
        ("tests/repair",),
        laws=("tests/repair/test_contents.py", "tests/repair/test_in_memory.py"),
    ),
}

"""hreflang-sources-conflict: sitemap, tags and headers name different addresses for a code."""

from pathlib import Path

import pytest

from sitemapaudit.items import Alternate, Entries, Page, Role
from tests.pages.answers import SITE
from tests.support import SITEMAP, answered, build_run, listed, rule_on

RULE = "hreflang-sources-conflict"
EN, DE, OTHER = f"{SITE}/en", f"{SITE}/de", f"{SITE}/other"

Named = list[tuple[str, str | None]]


def links(source: str, named: Named) -> list[Alternate]:
    return [Alternate(source, "alternate", code, url, url) for code, url in named]


def mapped(named: Named, sitemap: str = SITEMAP) -> Entries:
    entries = listed(EN, sitemap=sitemap)
    entries.rows[0].alternates = links("sitemap", named)
    return entries


def tagged(tags: Named, header: Named = [], role: Role = Role.LISTED) -> Page:  # noqa: B006
    return answered(EN, role=role, alternates=links("tag", tags) + links("header", header))


@pytest.mark.parametrize(
    ("sitemap", "tags", "header", "codes"),
    [
        ([("de", DE)], [("de", DE)], [("de", DE)], []),
        ([("de", DE)], [("de", OTHER)], [], ["de"]),
        ([("de", DE)], [], [("de", OTHER)], ["de"]),
        ([], [("de", DE)], [("de", OTHER)], ["de"]),
        ([("de", DE)], [("de", DE)], [("de", OTHER)], ["de"]),
        ([("de", DE)], [("de", f"{DE}/")], [], ["de"]),
        # A code that only one of them names is no conflict.
        ([("de", DE)], [], [], []),
        ([("de", DE)], [("fr", OTHER)], [], []),
        ([("de", DE)], [("de-AT", OTHER)], [], []),
        ([("de", DE), ("fr", OTHER)], [("de", DE)], [], []),
        # Case and white space do not count.
        ([("de-AT", DE)], [(" DE-at ", DE)], [], []),
        ([("de-AT", DE)], [(" DE-at ", OTHER)], [], ["de-at"]),
        ([("x-default", DE)], [("x-default", OTHER)], [], ["x-default"]),
        # One code twice in one source is another rule's; all that it names is compared.
        ([("de", DE), ("de", OTHER)], [], [], []),
        ([("de", DE), ("de", OTHER)], [("de", OTHER), ("de", DE)], [], []),
        ([("de", DE), ("de", DE)], [("de", DE)], [], []),
        ([("de", DE), ("de", OTHER)], [("de", DE)], [], ["de"]),
        # What is no address, or no code.
        ([("de", DE)], [("de", None)], [], []),
        ([("", DE)], [("", OTHER)], [], []),
        ([("de", DE), ("fr", DE)], [("de", OTHER), ("fr", OTHER)], [], ["de", "fr"]),
    ],
)
def test_sources(
    tmp_path: Path, sitemap: Named, tags: Named, header: Named, codes: list[str]
) -> None:
    found = rule_on(build_run(tmp_path, [mapped(sitemap), tagged(tags, header)]), RULE)
    assert [finding[:2] for finding in found] == [(EN, "warning")] * len(codes)
    for code, (_, _, message) in zip(codes, sorted(found), strict=True):
        assert message.startswith(f"names different alternates for {code}: ")


def test_sitemaps_count_together(tmp_path: Path) -> None:
    files = mapped([("de", DE)]), mapped([("fr", OTHER)], f"{SITE}/b.xml")
    run = build_run(tmp_path, [*files, tagged([("de", DE), ("fr", OTHER)])])
    assert rule_on(run, RULE) == []


def test_only_listed_urls_are_judged(tmp_path: Path) -> None:
    page = tagged([("de", DE)], [("de", OTHER)], role=Role.REDIRECT)
    assert rule_on(build_run(tmp_path, [listed(DE), page]), RULE) == []


def test_message(tmp_path: Path) -> None:
    page = tagged([("de", OTHER)], [("de", OTHER), ("de", DE)])
    run = build_run(tmp_path, [mapped([("de", DE)]), page])
    message = f"names different alternates for de: header {DE} {OTHER}, sitemap {DE}, tag {OTHER}"
    assert rule_on(run, RULE) == [(EN, "warning", message)]

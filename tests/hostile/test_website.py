"""Audits of the hostile website in limited memory: each attack has its expected row."""

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.hostile.process import MEGABYTE, MeasuredAudit
from tests.hostile.website import HARMLESS, Website, serve

MEMORY = 640 * MEGABYTE
"""The limit of the peak memory: about 510 MB, more or less as attacks overlap."""

WORK = 80
"""The limit of the seconds of work, on a machine a few times slower than that of a developer."""


@dataclass(frozen=True)
class Audit:
    """An audit of the website."""

    audited: MeasuredAudit
    website: Website
    waits: bool

    def place(self, address: object) -> str:
        """Return the path of an address, or the name of its host: ports differ between runs."""
        text = str(address)
        for name, origin in self.website.origins.items():
            text = text.replace(f"{origin}/page", name)
        return text.removeprefix(self.website.site.origin)

    def errors(self, table: str, column: str) -> dict[str, str | None]:
        """Return the error of each row of a table that has one."""
        rows = getattr(self.audited.run, table).dropna(subset="error")
        return {self.place(row[column]): str(row["error"]) for _, row in rows.iterrows()}


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(False, id="work", marks=pytest.mark.xdist_group("hostile-work")),
        pytest.param(True, id="wait", marks=pytest.mark.xdist_group("hostile-wait")),
    ],
)
def audit(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Audit]:
    # A large file costs work.
    with serve(lambda _, attack: attack.waits is request.param, large=not request.param) as website:
        yield Audit(website.audit(tmp_path_factory.mktemp("hostile")), website, request.param)


def test_each_attack_has_its_expected_error(audit: Audit) -> None:
    website = audit.website
    expected = {attack.path: attack.error for attack in website.sitemaps if attack.error}
    assert audit.errors("sitemaps", "sitemap") == expected
    pages = {attack.path: attack.error for attack in website.pages if attack.error}
    pages |= {name: attack.error for name, attack in website.hosts.items() if attack.error}
    assert audit.errors("urls", "url") == pages


def test_each_attack_has_its_expected_findings(audit: Audit) -> None:
    website = audit.website
    expected = {
        *((rule, each.path) for each in [*website.sitemaps, *website.pages] for rule in each.rules),
        *((rule, name) for name, attack in website.hosts.items() for rule in attack.rules),
        *(("loc-scheme-mismatch", name) for name in website.hosts),
        ("audit-incomplete", "nan"),
    }
    findings = audit.audited.run.findings.drop_duplicates(["rule", "url", "sitemap"])
    places = findings["url"].fillna(findings["sitemap"])
    found = [
        (rule, audit.place(place)) for rule, place in zip(findings["rule"], places, strict=True)
    ]
    assert set(found) == expected


def test_every_harmless_page_is_indexable(audit: Audit) -> None:
    urls = audit.audited.run.urls
    verdicts = {
        audit.place(url): verdict for url, verdict in zip(urls["url"], urls["verdict"], strict=True)
    }
    assert {verdicts[path] for path in HARMLESS} == {"indexable"}


def test_memory_and_time_are_bounded(audit: Audit) -> None:
    assert audit.audited.peak < MEMORY
    assert audit.audited.cpu_seconds < WORK
    assert "Traceback" not in audit.audited.log


def test_entities_and_dtds_are_not_fetched(audit: Audit) -> None:
    assert audit.website.canary.requests == []


def test_truncated_sitemaps_are_counted_and_reported(audit: Audit) -> None:
    manifest = audit.audited.run.manifest
    assert audit.audited.status == 3
    assert manifest.failed_sitemaps
    assert manifest.limits == ({} if audit.waits else {"the length of a sitemap": 6})
    assert ("the length of a sitemap skipped 6" in audit.audited.output) is not audit.waits

"""Audits of tiny websites on loopback give exactly the expected findings."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from tests.rules.error_verdicts import MAY_BE_INDEXABLE
from tests.sites.website import NAMES, Website
from tests.support.audits import Audited, crawl

pytestmark = pytest.mark.xdist_group("sites")

RANDOM = re.compile("/[0-9a-f]{24}")


class Audits:
    """Serves all tiny websites; those with the same settings and exit status share an audit."""

    def __init__(self, websites: dict[str, Website], folder: Path) -> None:
        self._folder = folder
        self._groups: dict[str, list[Website]] = defaultdict(list)
        self._keys: dict[str, str] = {}
        for name, website in websites.items():
            definition = website.definition
            alone = name if "arguments" in definition else None
            shared = [alone, definition.get("settings"), definition.get("status", 0)]
            self._keys[name] = json.dumps(shared)
            self._groups[self._keys[name]].append(website)
        self._audit = cache(self._run)

    def find(self, name: str) -> tuple[Audited, list[Website]]:
        """Return the audit of a website, and all websites that it audited."""
        key = self._keys[name]
        return self._audit(key), self._groups[key]

    def all(self) -> Iterator[tuple[Audited, list[Website]]]:
        """Yield every audit with the websites that it audited."""
        for key, websites in self._groups.items():
            yield self._audit(key), websites

    def _run(self, key: str) -> Audited:
        websites = self._groups[key]
        first = websites[0]
        sites = ",".join(website.origin for website in websites)
        arguments = {"site": sites, **first.fill_in(first.definition.get("arguments", {}))}
        return crawl(
            self._folder / first.folder.name,
            {name: value for name, value in arguments.items() if value},
            first.fill_in(first.definition.get("settings", {})),
        )


@pytest.fixture(scope="module")
def audits(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Audits]:
    with ExitStack() as stack:
        websites = {name: stack.enter_context(Website(name)) for name in NAMES}
        yield Audits(websites, tmp_path_factory.mktemp("sites"))


@pytest.mark.parametrize("name", NAMES)
def test_site(name: str, audits: Audits) -> None:
    audited, websites = audits.find(name)
    (website,) = (each for each in websites if each.folder.name == name)
    expected, findings, verdicts = website.definition, website.findings(), website.verdicts()
    places = {place for _, place in findings}
    assert [
        (rule, place)
        for rule, place in audited.findings()
        if place in places or place.startswith(website.origin)
    ] == findings
    assert {
        url: verdict
        for url, verdict in read_verdicts(audited).items()
        if url in verdicts or url.startswith(website.origin)
    } == verdicts
    assert audited.status == max(each.definition.get("status", 0) for each in websites)
    requests = website.requests()
    fetched_again = {path for path, times in requests.items() if times > 1}
    assert fetched_again == set(expected.get("fetched_again", []))
    assert not set(expected.get("never_fetched", [])) & requests.keys()
    if "probes" in expected:
        assert len([*filter(RANDOM.fullmatch, requests)]) == expected["probes"]


def test_an_audit_finds_nothing_else(audits: Audits) -> None:
    for audited, websites in audits.all():
        assert "Traceback" not in audited.log
        incomplete = [("audit-incomplete", "")] if audited.status == 3 else []
        findings = sorted(each for site in websites for each in site.findings())
        assert audited.findings() == incomplete + findings
        assert read_verdicts(audited) == {
            url: verdict for site in websites for url, verdict in site.verdicts().items()
        }


def test_a_url_with_an_error_about_its_page_is_not_indexable(audits: Audits) -> None:
    for audited, _ in audits.all():
        errors = audited.run.findings.query("subject == 'page' and severity == 'error'")
        judged = errors.merge(audited.run.urls[["url", "indexable"]], on="url")
        assert {*judged[judged["indexable"].eq(True)]["rule"]} <= MAY_BE_INDEXABLE


def test_a_refresh_is_part_of_a_redirect_chain(audits: Audits) -> None:
    audited, _ = audits.find("redirects")
    urls = audited.run.urls.set_index("url")
    origin = next(url.removesuffix("/refreshed") for url in urls.index if "/refreshed" in url)
    refreshed = urls.loc[f"{origin}/refreshed"]
    assert refreshed["redirect_kind"] == "refresh"
    assert [*refreshed["redirect_chain"]] == [f"{origin}/refreshed", f"{origin}/hop"]
    assert (refreshed["final_url"], refreshed["final_status"]) == (f"{origin}/end", 200)
    assert urls.loc[f"{origin}/permanent", "redirect_kind"] == "http"
    assert urls["redirect_kind"].isna()[f"{origin}/reloads"]


def read_verdicts(audited: Audited) -> dict[str, str]:
    """Return the verdict on each listed URL."""
    urls = audited.run.urls
    return dict(zip(urls["url"], urls["verdict"], strict=True))

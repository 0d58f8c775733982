"""Audits of tiny websites on loopback give exactly the expected findings."""

import re
from pathlib import Path

import pytest

from tests.sites.website import NAMES, Website
from tests.support import crawl

RANDOM = re.compile("/[0-9a-f]{24}")


@pytest.mark.parametrize("name", NAMES)
def test_site(name: str, tmp_path: Path) -> None:
    with Website(name) as website:
        expected = website.definition
        arguments = {"site": website.origin, **website.fill_in(expected.get("arguments", {}))}
        audited = crawl(
            tmp_path,
            {name: value for name, value in arguments.items() if value},
            website.fill_in(expected.get("settings", {})),
        )
        assert "Traceback" not in audited.log
        assert audited.findings() == website.findings()
        urls = audited.run.urls
        assert dict(zip(urls["url"], urls["verdict"], strict=True)) == website.verdicts()
        assert audited.status == expected.get("status", 0)
        requests = website.requests()
        fetched_again = {path for path, times in requests.items() if times > 1}
        assert fetched_again == set(expected.get("fetched_again", []))
        assert not set(expected.get("never_fetched", [])) & requests.keys()
        if "probes" in expected:
            assert len([*filter(RANDOM.fullmatch, requests)]) == expected["probes"]

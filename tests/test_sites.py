"""Tiny websites, crawled for real on loopback: exactly the findings that each must give."""

import re
from pathlib import Path

import pytest

from tests.sites.website import NAMES, Website
from tests.support import crawl

RANDOM = re.compile("/[0-9a-f]{24}")


@pytest.mark.parametrize("name", NAMES)
def test_site(name: str, tmp_path: Path) -> None:
    with Website(name) as website:
        arguments = {"site": website.origin, **website.filled(website.told.get("arguments", {}))}
        audited = crawl(
            tmp_path,
            {name: value for name, value in arguments.items() if value},
            website.filled(website.told.get("settings", {})),
        )
        assert "Traceback" not in audited.log
        assert audited.findings() == website.findings()
        urls = audited.run.urls
        assert dict(zip(urls["url"], urls["verdict"], strict=True)) == website.verdicts()
        assert audited.status == website.told.get("status", 0)
        asked_again = {path for path, times in website.asked().items() if times > 1}
        assert asked_again == set(website.told.get("asked_again", []))
        assert not set(website.told.get("never_asked", [])) & website.asked().keys()
        if "probes" in website.told:
            assert len([*filter(RANDOM.fullmatch, website.asked())]) == website.told["probes"]

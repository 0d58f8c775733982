"""A run listens on no port: no telnet console, no remote control."""

import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from scrapy.settings import default_settings

from sitemapaudit.engine.crawl_settings import EXTENSIONS_BASE
from tests.runs.killing import kill, start
from tests.runs.site import Site

CONSOLE = {
    "TELNETCONSOLE_ENABLED": True,
    "EXTENSIONS": '{"scrapy.extensions.telnet.TelnetConsole": 0}',
}
"""Settings with which a run listens: the test would notice it."""


def test_every_other_extension_of_scrapy_is_loaded() -> None:
    replaced = {
        "scrapy.extensions.corestats.CoreStats",
        "scrapy.extensions.feedexport.FeedExporter",
        "scrapy.extensions.remote_control.RemoteControl",
        "scrapy.extensions.telnet.TelnetConsole",
    }
    own = {name: order for name, order in EXTENSIONS_BASE.items() if name.startswith("scrapy.")}
    assert own.keys() == default_settings.EXTENSIONS_BASE.keys() - replaced
    assert own.items() <= default_settings.EXTENSIONS_BASE.items()


@pytest.mark.parametrize(
    ("settings", "ports"), [({}, 0), (CONSOLE, 1)], ids=["default", "telnet-console"]
)
def test_a_run_listens_on_no_port(tmp_path: Path, settings: dict[str, Any], ports: int) -> None:
    with Site(40) as site:
        process = start(tmp_path, f"site={site.origin}", DOWNLOAD_DELAY=1, **settings)
        while site.requests.total() < 3:
            assert process.poll() is None
            time.sleep(0.05)
        connections = psutil.Process(process.pid).net_connections(kind="inet")
        assert kill(process)
    assert len([each for each in connections if each.status == psutil.CONN_LISTEN]) == ports

"""A run listens to nobody: no telnet console, no remote control."""

import time
from pathlib import Path

import psutil
import pytest

from tests.resuming.killing import kill, start
from tests.resuming.site import Site


@pytest.mark.parametrize(("console", "ports"), [({}, 0), ({"TELNETCONSOLE_ENABLED": True}, 1)])
def test_a_run_listens_to_nobody(tmp_path: Path, console: dict[str, bool], ports: int) -> None:
    with Site(40) as site:
        process = start(tmp_path, f"site={site.origin}", DOWNLOAD_DELAY=1, **console)
        while site.asked.total() < 3:
            assert process.poll() is None
            time.sleep(0.05)
        open_to = psutil.Process(process.pid).net_connections(kind="inet")
        assert kill(process)
    assert len([each for each in open_to if each.status == psutil.CONN_LISTEN]) == ports

"""The name of an audited site that turns to an inner address gains nothing."""

from pathlib import Path

import pytest

from sitemapaudit import open_run
from tests.fetching.isolated_site import can_isolate
from tests.fetching.rebinding_site import (
    HTTPS_PAGE,
    IN_FLIGHT,
    INTRANET,
    INTRANET_PAGE,
    SITE,
    RebindingSite,
)
from tests.runs.killing import start
from tests.support.commands import TIMEOUT

pytestmark = [
    pytest.mark.skipif(not can_isolate(), reason="networks can only be created by root"),
    pytest.mark.xdist_group("rebinding"),
]


@pytest.mark.parametrize("argument", ["workers=1", "workers=2", "render=1"])
def test_no_inner_server_is_contacted(tmp_path: Path, argument: str) -> None:
    """This process, its workers and its browser look the name up again."""
    workers = argument == "workers=2"
    site = RebindingSite(tmp_path, workers)
    words = (f"site={SITE},{INTRANET}", argument, "follow=none")
    process = start(site.audits, *words, prepare=site, RETRY_TIMES=0, CONCURRENT_REQUESTS=IN_FLIGHT)
    status = process.wait(TIMEOUT)
    assert not site.reached.exists(), site.reached.read_text()
    assert status == 3, process.log
    run = open_run(site.audits)
    pages = run.pages[run.pages["role"] == "listed"].set_index("url")
    refused = pages[pages["error"] == "address-refused"]
    assert HTTPS_PAGE in refused.index
    assert (len(refused) > 1) is workers
    assert set(refused["verdict"]) == {"unchecked"}
    assert "www.site.test has the address" in refused["error_detail"][HTTPS_PAGE]
    assert set(pages.drop(refused.index)["verdict"]) == {"indexable"}
    assert INTRANET_PAGE not in refused.index
    reason = f"{len(refused)} listed URL"
    assert (run.manifest.reason or "").startswith(reason)
    if argument.startswith("render"):
        (rendered,) = pages["rendered_failed"].dropna()
        assert rendered[0].startswith(f"{SITE}/secret ")

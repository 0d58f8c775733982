"""Images and videos of killed, sharded and large audits."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit import open_run
from sitemapaudit.runs.ledger.ledger import count_lines, ledger_file
from tests.crawling.media.site import Answer, MediaSite, url_element
from tests.crawling.sharding.worker import merge
from tests.hostile.process import MEGABYTE, measure
from tests.runs.killing import CONCURRENCY, finish, kill, start, wait_for_run
from tests.support.audits import crawl
from tests.support.commands import run_in_process
from tests.support.settings import QUICK, RULES_OFF

pytestmark = pytest.mark.xdist_group("media-survival")

IMAGES = 200
PER_PAGE = 50


def moved(method: str, path: str) -> Answer | None:
    """Redirect each tenth image to another one."""
    if path.endswith("7.jpg") and path.startswith("/image"):
        return Answer(301, {"Location": path.replace("image", "target")}, b"")
    return None


def slowly_moved(method: str, path: str) -> Answer | None:
    """Let an audit be killed before its end."""
    time.sleep(0.02)
    return moved(method, path)


def entries(origin: str, images: int = IMAGES) -> Sequence[str]:
    """Return pages with so many images in all."""
    return [
        url_element(
            f"{origin}/{first}",
            [f"{origin}/image-{number}.jpg" for number in range(first, first + PER_PAGE)],
        )
        for first in range(0, images, PER_PAGE)
    ]


@pytest.fixture
def site() -> Iterator[MediaSite]:
    with MediaSite(entries, moved) as site:
        yield site


def images_of(site: MediaSite) -> Counter[str]:
    return Counter(each.path for each in site.take_requests() if each.path.endswith(".jpg"))


def test_a_killed_audit_is_resumed(tmp_path: Path) -> None:
    rules: dict[str, Any] = dict(QUICK)
    with MediaSite(entries, slowly_moved) as site:
        process = start(tmp_path, f"site={site.origin}", "media=check", **rules)
        run = wait_for_run(tmp_path, process)
        while count_lines(ledger_file(run, "media")) < IMAGES // 4:
            assert process.poll() is None, process.log
            time.sleep(0.002)
        assert kill(process)
        before = count_lines(ledger_file(run, "media"))
        assert before < IMAGES
        finish(start(tmp_path, f"resume={run}"))
        requests = images_of(site)
    assert sum(number - 1 for number in requests.values()) <= CONCURRENCY
    assert len(requests) == IMAGES + IMAGES // 10
    media = open_run(run).media
    assert media["url"].is_unique
    assert set(media["url"]) == {site.origin + path for path in requests}


def test_workers_leave_the_images_to_the_main_process(site: MediaSite, tmp_path: Path) -> None:
    """Rows of images that its ledger lost make the run incomplete."""
    given = {"site": site.origin, "media": "check", "workers": "2"}
    audited = crawl(tmp_path, given, QUICK)
    assert audited.status == 0, audited.log
    requests = images_of(site)
    assert len(requests) == IMAGES + IMAGES // 10
    assert set(requests.values()) == {1}
    run = audited.run.path
    file = ledger_file(run, "media")
    rows = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(rows[10:]))
    assert run_in_process("report", str(run)).returncode == 3
    manifest = open_run(run).manifest
    assert manifest.damage == {"media": 10}
    assert len(open_run(run).media) == len(rows) - 10
    file.unlink()
    assert run_in_process("report", str(run)).returncode == 3
    assert open_run(run).manifest.damage == {"media": len(rows)}


def test_shards_share_the_images(site: MediaSite, tmp_path: Path) -> None:
    requests: Counter[str] = Counter()
    for number in (1, 2):
        given = {"site": site.origin, "media": "check", "shard": f"{number}/2"}
        audited = crawl(tmp_path / str(number), given, {**QUICK, "AUDIT_RESULTS": "later"})
        assert audited.status == 0, audited.log
        own = images_of(site)
        assert IMAGES // 4 < len(own) < IMAGES
        requests += own
    listed = {path: times for path, times in requests.items() if path.startswith("/image")}
    assert len(listed) == IMAGES
    assert set(listed.values()) == {1}
    run = merge(tmp_path / "1", tmp_path / "2", into=tmp_path / "merged" / "run")
    assert set(run.media["url"]) == {site.origin + path for path in requests}
    assert run.media["url"].is_unique


def test_memory_does_not_grow_with_the_images(tmp_path: Path) -> None:
    peaks = []
    for images in (100, 4_000):
        with MediaSite(lambda origin, images=images: entries(origin, images)) as site:  # type: ignore[misc]
            settings = {"AUDIT_RULES": RULES_OFF.partition("=")[2]}
            audited = measure(
                tmp_path / str(images),
                site.origin,
                settings,
                address_space=8 * 1024 * MEGABYTE,
                media="check",
            )
        assert audited.status == 0, audited.log
        assert len(audited.run.media) == images
        peaks.append(audited.peak)
    print(f"peak memory with 100 and 4,000 images: {[peak // MEGABYTE for peak in peaks]} MB")
    assert peaks[1] - peaks[0] < 25 * MEGABYTE

"""``scrapy repair`` at the shell: what is wrong is one sentence and status 2."""

from pathlib import Path

import pytest

from sitemapaudit.items import Canonical, Entries, Page
from tests.support import answered, build_run, listed, scrapy

HOST = "https://www.example.com"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    canonical = [Canonical("tag", f"{HOST}/c", f"{HOST}/c")]
    items: list[Entries | Page] = [
        listed(f"{HOST}/a", f"{HOST}/a", f"{HOST}/gone", f"{HOST}/down", f"{HOST}/copy"),
        answered(f"{HOST}/a", noindex=False),
        answered(f"{HOST}/gone", 404),
        answered(f"{HOST}/down", 503),
        answered(f"{HOST}/copy", noindex=False, canonical=f"{HOST}/c", canonicals=canonical),
        answered(f"{HOST}/c", noindex=False),
    ]
    folder = tmp_path / "run"
    build_run(folder, items)
    return folder


def repaired(run: Path, *options: str) -> str:
    done = scrapy("repair", *options, str(run))
    assert (done.returncode, done.stderr) == (0, "")
    return (run / "repaired" / "www.example.com" / "sitemap.xml").read_text(encoding="utf-8")


def test_what_is_written_and_told(run: Path) -> None:
    done = scrapy("repair", str(run))
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 URLs in 1 file below" in done.stdout
    text = (run / "repaired" / "www.example.com" / "sitemap.xml").read_text(encoding="utf-8")
    assert text.count("<url>") == 2
    assert f"<loc>{HOST}/a</loc>" in text
    assert f"<loc>{HOST}/c</loc>" in text
    changes = (run / "repaired" / "changes.csv").read_text(encoding="utf-8").splitlines()
    assert len(changes) == 1 + 4
    assert not (run / "repaired" / "scratch").exists()


def test_what_is_not_known_to_be_gone_can_be_kept(run: Path) -> None:
    text = repaired(run, "--keep-unknown")
    assert f"<loc>{HOST}/down</loc>" in text
    assert "gone" not in text


def test_nothing_is_overwritten(run: Path) -> None:
    repaired(run)
    done = scrapy("repair", str(run))
    assert done.returncode == 2
    assert done.stderr == f"--into: {run / 'repaired'} is not empty.\n"


def test_no_run_folder(tmp_path: Path) -> None:
    done = scrapy("repair", str(tmp_path))
    assert done.returncode == 2
    assert "no run folder" in done.stderr
    assert done.stderr.count("\n") == 1

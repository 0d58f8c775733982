"""``scrapy repair`` at the shell: what is wrong is one sentence and status 2."""

from pathlib import Path

import pytest

from sitemapaudit.items import Canonical, Entries, Image, Page
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


def test_what_is_unfit_does_not_come_back_as_a_target(tmp_path: Path) -> None:
    unfit = f"{HOST}/a?sid=1"
    moved = answered(f"{HOST}/moved", 301, target=unfit, location=unfit)
    items: list[Entries | Page] = [
        listed(f"{HOST}/moved", unfit, f"{HOST}/b"),
        moved,
        answered(unfit, noindex=False),
        answered(f"{HOST}/b", noindex=False),
    ]
    build_run(tmp_path / "run", items)
    text = repaired(tmp_path / "run")
    assert f"<loc>{HOST}/b</loc>" in text
    assert text.count("<url>") == 1


def test_of_too_many_images_a_thousand_are_kept(tmp_path: Path) -> None:
    entries = listed(f"{HOST}/b")
    entries.rows[0].images = [Image(f"{HOST}/{number}.png") for number in range(1_001)]
    build_run(tmp_path / "run", [entries, answered(f"{HOST}/b", noindex=False)])
    assert repaired(tmp_path / "run").count("<image:loc>") == 1_000


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

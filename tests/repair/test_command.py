"""``scrapy repair`` at the shell: what is wrong is one sentence and status 2."""

import argparse
import gzip
import io
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from lxml import etree
from scrapy.settings import Settings

from sitemapaudit.commands.repair import Command
from sitemapaudit.items import (
    Canonical,
    Entries,
    Error,
    Image,
    LeftOut,
    Page,
    Permission,
    Robots,
    Sitemap,
)
from sitemapaudit.sitemaps.dialects import NAMESPACE
from tests.support import PROJECT, answered, build_run, listed, scrapy

HOST = "https://www.example.com"

Item = Robots | Sitemap | Entries | Page

NOT_EMPTY = "is not empty: give another folder with --into."


@pytest.fixture
def run(tmp_path: Path) -> Path:
    canonical = [Canonical("tag", f"{HOST}/c", f"{HOST}/c")]
    items: list[Item] = [
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


def command(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the command in this process, which is quicker than the shell."""
    repair, parser = Command(), argparse.ArgumentParser()
    repair.settings = Settings()
    repair.add_options(parser)
    options, arguments = parser.parse_known_args(words)
    with redirect_stdout(io.StringIO()) as told, redirect_stderr(io.StringIO()) as refused:
        repair.run(arguments, options)
    return subprocess.CompletedProcess(words, repair.exitcode, told.getvalue(), refused.getvalue())


def repaired(run: Path, *options: str) -> str:
    done = command(*options, str(run))
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
    items: list[Item] = [
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


def test_the_line_for_robots_txt_is_told(run: Path) -> None:
    told = command(str(run)).stdout.splitlines()
    assert told[-1].strip() == f"Sitemap: {HOST}/sitemap.xml"
    assert told[-2].strip() == f"{run / 'repaired' / 'www.example.com'}/* to {HOST}/"
    packed = command("--gzip", "--into", str(run / "packed"), str(run)).stdout
    assert packed.splitlines()[-1].strip() == f"Sitemap: {HOST}/sitemap.xml.gz"
    assert gzip.decompress((run / "packed/www.example.com/sitemap.xml.gz").read_bytes())


def test_what_was_not_checked_stays_and_is_told(tmp_path: Path) -> None:
    """A run that was stopped: pages, the target of a redirect, and a canonical are not known."""
    names = ("unasked", "moved", "copy", "sampled", "gone")
    unasked, moved, copy, sampled, gone = (f"{HOST}/{name}" for name in names)
    entries = listed(unasked, moved, copy, sampled, gone)
    entries.rows[3].left_out = LeftOut.SAMPLE
    canonical = [Canonical("tag", f"{HOST}/c", f"{HOST}/c")]
    items: list[Item] = [
        entries,
        answered(moved, 301, target=f"{HOST}/new", location="/new"),
        answered(copy, noindex=False, canonical=f"{HOST}/c", canonicals=canonical),
        answered(gone, 404),
    ]
    build_run(tmp_path / "run", items, reason="the run was stopped")
    done = command(str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    assert locs(tmp_path / "run" / "repaired") == {unasked, moved, copy, sampled}
    assert "The audit is not complete: the run was stopped." in done.stdout
    assert (
        "4 URLs kept as listed, though not checked: 3 that the run did not come to,"
        " or not to where they lead, 1 left out by sample." in done.stdout
    )


@pytest.mark.parametrize("permission", [Permission.NONE, Permission.UNREACHABLE])
def test_urls_of_a_host_whose_robots_txt_could_not_be_had_stay(
    tmp_path: Path, permission: Permission
) -> None:
    other = "https://other.example.com"
    items: list[Item] = [
        Robots(HOST, f"{HOST}/robots.txt", permission=permission),
        Robots(other, f"{other}/robots.txt", permission=Permission.RULES),
        listed(f"{HOST}/a", f"{HOST}/b", f"{other}/c"),
        answered(f"{HOST}/a", None, allowed=False),
        answered(f"{HOST}/b", None, error=Error.TIMEOUT),
        answered(f"{other}/c", None, allowed=False),
    ]
    build_run(tmp_path / "run", items)
    assert command(str(tmp_path / "run")).returncode == 0
    assert locs(tmp_path / "run" / "repaired") == {f"{HOST}/a", f"{HOST}/b"}


def test_sitemaps_that_were_not_read_are_told(tmp_path: Path) -> None:
    items: list[Item] = [listed(f"{HOST}/a"), Sitemap(f"{HOST}/late.xml", error=Error.LIMIT)]
    build_run(tmp_path / "run", items)
    told = command(str(tmp_path / "run")).stdout
    assert "1 sitemap could not be read, or not as a whole" in told


def test_each_origin_has_a_folder_of_its_own(tmp_path: Path) -> None:
    origins = [
        "https://www.example.com",
        "http://www.example.com",
        "https://www.example.com:8443",
        "https://a_b.example.com",
        "https://a-b.example.com",
        "https://[::1]",
    ]
    locs_there = [f"{origin}/x" for origin in origins]
    build_run(tmp_path / "run", [listed(*locs_there, f"{HOST}/y")])
    done = command(str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    into = tmp_path / "run" / "repaired"
    assert locs(into) == {*locs_there, f"{HOST}/y"}
    assert {path.name for path in into.iterdir() if path.is_dir()} == {
        "www.example.com",
        "www.example.com-2",
        "www.example.com-8443",
        "a-b.example.com",
        "a-b.example.com-2",
        "---1-",
    }
    # The one with most addresses has the plain name.
    assert f"<loc>{HOST}/x</loc>" in (into / "www.example.com" / "sitemap.xml").read_text()
    for origin in origins:
        assert f"Sitemap: {origin}/sitemap.xml\n" in done.stdout


def test_if_nothing_can_stay_the_status_says_so(tmp_path: Path) -> None:
    build_run(tmp_path / "run", [listed(f"{HOST}/a"), answered(f"{HOST}/a", 404)])
    done = command(str(tmp_path / "run"))
    assert done.returncode == 3
    assert "No sitemap is written" in done.stdout
    assert (tmp_path / "run" / "repaired" / "changes.csv").is_file()


def test_nothing_is_overwritten(run: Path) -> None:
    repaired(run)
    assert refused(str(run)) == f"{run / 'repaired'} {NOT_EMPTY}\n"


def test_no_run_folder(tmp_path: Path) -> None:
    assert "no run folder" in refused(str(tmp_path))
    assert "no run folder" in refused(str(tmp_path / "nowhere"))


def test_a_manifest_that_is_none(run: Path) -> None:
    (run / "run.json").write_text("{")
    assert refused(str(run)) == f"{run / 'run.json'} cannot be read.\n"


def test_a_run_without_tables(run: Path) -> None:
    (run / "urls.parquet").unlink()
    assert "build them with scrapy report" in refused(str(run))


def test_a_run_that_lists_nothing(tmp_path: Path) -> None:
    build_run(tmp_path / "run", [Sitemap(f"{HOST}/sitemap.xml", status=404)])
    told = refused(str(tmp_path / "run"))
    assert told == f"{tmp_path / 'run'} lists no URL: there is nothing to repair.\n"
    assert not (tmp_path / "run" / "repaired").exists()


def test_a_folder_that_cannot_be_written(run: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert refused("--into", str(file), str(run)) == f"--into: {file} is no folder.\n"
    below = refused("--into", str(file / "below"), str(run))
    assert below == f"{file / 'below'} cannot be written: Not a directory.\n"
    # Nobody, root neither, makes a folder there: it is as good as a run folder on a read-only disk.
    assert "cannot be written" in refused("--into", "/proc/repaired", str(run))


def test_what_fails_on_the_way_leaves_nothing(run: Path, tmp_path: Path) -> None:
    """The disk is full when the files are written."""
    limit = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (40, 40));"
    command = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
    start = f"{limit} {command} from scrapy.cmdline import execute; execute()"
    into = tmp_path / "repaired"
    done = subprocess.run(
        [sys.executable, "-c", start, "repair", "--into", str(into), str(run)],
        cwd=PROJECT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith((f"{into} cannot be written: ", f"{run} cannot be repaired: "))
    assert done.stderr.count("\n") == 1
    assert not into.exists()


def refused(*words: str) -> str:
    """Return the one sentence that a command is refused with."""
    done = command(*words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
    return done.stderr


def locs(into: Path) -> set[str | None]:
    """Return the addresses that all files of all origins list."""
    files = [file for file in into.glob("*/*.xml") if b"<urlset" in file.read_bytes()]
    return {each.text for file in files for each in etree.parse(file).iter(f"{{{NAMESPACE}}}loc")}

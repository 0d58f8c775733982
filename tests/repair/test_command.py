"""The command ``repair``: its files and its summary; a refusal is one sentence and status 2."""

import gzip
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from lxml import etree

from sitemapaudit.items import (
    Canonical,
    Entries,
    Error,
    Image,
    Page,
    Permission,
    Robots,
    Sitemap,
    SkipReason,
)
from sitemapaudit.sitemaps.dialects import NAMESPACE
from tests.support.commands import run_in_process, scrapy
from tests.support.paths import PROJECT
from tests.support.rows import fetched_page, listed
from tests.support.runs import build_audited_run

pytestmark = pytest.mark.xdist_group("repair-command")

HOST = "https://www.example.com"

Item = Robots | Sitemap | Entries | Page

NOT_EMPTY = "is not empty; name another folder with --into."


@pytest.fixture(scope="module")
def unrepaired(tmp_path_factory: pytest.TempPathFactory) -> Path:
    canonical = [Canonical("tag", f"{HOST}/c", f"{HOST}/c")]
    items: list[Item] = [
        listed(f"{HOST}/a", f"{HOST}/a", f"{HOST}/gone", f"{HOST}/down", f"{HOST}/copy"),
        fetched_page(f"{HOST}/a", noindex=False),
        fetched_page(f"{HOST}/gone", 404),
        fetched_page(f"{HOST}/down", 503),
        fetched_page(f"{HOST}/copy", noindex=False, canonical=f"{HOST}/c", canonicals=canonical),
        fetched_page(f"{HOST}/c", noindex=False),
    ]
    folder = tmp_path_factory.mktemp("unrepaired") / "run"
    build_audited_run(folder, items)
    return folder


@pytest.fixture
def run(unrepaired: Path, tmp_path: Path) -> Path:
    """Return a copy of the run: a repair writes into it."""
    return shutil.copytree(unrepaired, tmp_path / "run")


def command(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the command in this process, which is faster than a new one."""
    return run_in_process("repair", *words)


def repaired(run: Path, *options: str) -> str:
    done = command(*options, str(run))
    assert (done.returncode, done.stderr) == (0, "")
    return (run / "repaired" / "www.example.com" / "sitemap.xml").read_text(encoding="utf-8")


def test_files_of_a_build_below_a_path_belong_there(tmp_path: Path) -> None:
    place = f"{HOST}/repo"
    items: list[Item] = []
    for name in "ab":
        entries = listed(f"{place}/{name}")
        entries = Entries(f"{place}/{name}.xml", entries.rows)
        for row in entries.rows:
            row.sitemap = entries.sitemap
        items += [Sitemap(entries.sitemap, entries=1), entries, fetched_page(f"{place}/{name}")]
    run = build_audited_run(tmp_path / "run", items)
    run.manifest.arguments.update(site=f"{place}/", folder="public")
    run.manifest.write(run.path)
    done = command(str(run.path))
    assert f"/www.example.com/* to {place}/\n    Sitemap: {place}/sitemap.xml\n" in done.stdout
    index = etree.parse(run.path / "repaired" / "www.example.com" / "sitemap.xml")
    locs = [element.text for element in index.iter("{*}loc")]
    assert locs == [f"{place}/a.xml", f"{place}/b.xml"]


def test_files_are_written_and_summarized(run: Path) -> None:
    done = scrapy("repair", str(run))
    assert (done.returncode, done.stderr) == (0, "")
    assert "3 URLs in 1 file below" in done.stdout
    kept = "1 URL kept although unknown or failing: 1 server-error; --drop-unknown drops them.\n"
    assert kept in done.stdout
    text = (run / "repaired" / "www.example.com" / "sitemap.xml").read_text(encoding="utf-8")
    assert text.count("<url>") == 3
    assert f"<loc>{HOST}/down</loc>" in text
    assert f"<loc>{HOST}/a</loc>" in text
    assert f"<loc>{HOST}/c</loc>" in text
    changes = (run / "repaired" / "changes.csv").read_text(encoding="utf-8").splitlines()
    assert len(changes) == 1 + 3
    assert not (run / "repaired" / "scratch").exists()


def test_drop_unknown_drops_urls_that_failed(run: Path) -> None:
    text = repaired(run, "--drop-unknown")
    assert f"<loc>{HOST}/c</loc>" in text
    assert "gone" not in text
    assert "down" not in text
    assert text.count("xmlns") == 1


def test_an_unfit_url_does_not_return_as_a_redirect_target(tmp_path: Path) -> None:
    unfit = f"{HOST}/a?sid=1"
    moved = fetched_page(f"{HOST}/moved", 301, target=unfit, location=unfit)
    items: list[Item] = [
        listed(f"{HOST}/moved", unfit, f"{HOST}/b"),
        moved,
        fetched_page(unfit, noindex=False),
        fetched_page(f"{HOST}/b", noindex=False),
    ]
    build_audited_run(tmp_path / "run", items)
    text = repaired(tmp_path / "run")
    assert f"<loc>{HOST}/b</loc>" in text
    assert text.count("<url>") == 1


def test_an_entry_keeps_a_thousand_images(tmp_path: Path) -> None:
    entries = listed(f"{HOST}/b")
    entries.rows[0].images = [Image(f"{HOST}/{number}.png") for number in range(1_001)]
    build_audited_run(tmp_path / "run", [entries, fetched_page(f"{HOST}/b", noindex=False)])
    text = repaired(tmp_path / "run")
    assert (text.count("<image:loc>"), text.count("xmlns")) == (1_000, 2)


def test_the_summary_ends_with_the_line_for_robots_txt(run: Path) -> None:
    lines = command(str(run)).stdout.splitlines()
    assert lines[-1].strip() == f"Sitemap: {HOST}/sitemap.xml"
    assert lines[-2].strip() == f"{run / 'repaired' / 'www.example.com'}/* to {HOST}/"
    packed = command("--gzip", "--into", str(run / "packed"), str(run)).stdout
    assert packed.splitlines()[-1].strip() == f"Sitemap: {HOST}/sitemap.xml.gz"
    assert gzip.decompress((run / "packed/www.example.com/sitemap.xml.gz").read_bytes())


def test_unchecked_urls_are_kept_and_counted(tmp_path: Path) -> None:
    """A run that was stopped before it fetched some pages, a redirect target and a canonical."""
    names = ("unfetched", "moved", "copy", "sampled", "gone")
    unfetched, moved, copy, sampled, gone = (f"{HOST}/{name}" for name in names)
    entries = listed(unfetched, moved, copy, sampled, gone)
    entries.rows[3].skip_reason = SkipReason.SAMPLE
    canonical = [Canonical("tag", f"{HOST}/c", f"{HOST}/c")]
    items: list[Item] = [
        entries,
        fetched_page(moved, 301, target=f"{HOST}/new", location="/new"),
        fetched_page(copy, noindex=False, canonical=f"{HOST}/c", canonicals=canonical),
        fetched_page(gone, 404),
    ]
    build_audited_run(tmp_path / "run", items, reason="the run was stopped")
    done = command(str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    assert locs(tmp_path / "run" / "repaired") == {unfetched, moved, copy, sampled}
    assert "The audit is incomplete: the run was stopped." in done.stdout
    assert (
        "4 URLs kept as listed although not checked: 3 not reached by the run, or pointing to a"
        " URL that it did not reach, 1 skipped by sample." in done.stdout
    )


@pytest.mark.parametrize("permission", [Permission.NONE, Permission.UNREACHABLE])
def test_urls_of_a_host_are_kept_if_its_robots_txt_could_not_be_fetched(
    tmp_path: Path, permission: Permission
) -> None:
    other = "https://other.example.com"
    items: list[Item] = [
        Robots(HOST, f"{HOST}/robots.txt", permission=permission),
        Robots(other, f"{other}/robots.txt", permission=Permission.RULES),
        listed(f"{HOST}/a", f"{HOST}/b", f"{other}/c"),
        fetched_page(f"{HOST}/a", None, allowed=False),
        fetched_page(f"{HOST}/b", None, error=Error.TIMEOUT),
        fetched_page(f"{other}/c", None, allowed=False),
    ]
    build_audited_run(tmp_path / "run", items)
    assert command(str(tmp_path / "run")).returncode == 0
    assert locs(tmp_path / "run" / "repaired") == {f"{HOST}/a", f"{HOST}/b"}


def test_sitemaps_that_were_not_read_are_counted(tmp_path: Path) -> None:
    items: list[Item] = [listed(f"{HOST}/a"), Sitemap(f"{HOST}/late.xml", error=Error.LIMIT)]
    build_audited_run(tmp_path / "run", items)
    output = command(str(tmp_path / "run")).stdout
    assert "1 sitemap could not be read, or only partly" in output


def test_each_origin_has_its_own_folder(tmp_path: Path) -> None:
    long = ".".join(["a" * 60] * 4)
    origins = [
        f"https://{long}",
        "https://www.example.com",
        "http://www.example.com",
        "https://www.example.com:8443",
        "https://a_b.example.com",
        "https://a-b.example.com",
        "https://[::1]",
    ]
    urls = [f"{origin}/x" for origin in origins]
    build_audited_run(tmp_path / "run", [listed(*urls, f"{HOST}/y")])
    done = command(str(tmp_path / "run"))
    assert done.returncode == 0, done.stderr
    into = tmp_path / "run" / "repaired"
    assert locs(into) == {*urls, f"{HOST}/y"}
    assert {path.name for path in into.iterdir() if path.is_dir()} == {
        "www.example.com",
        "www.example.com-2",
        "www.example.com-8443",
        "a_b.example.com",
        "a-b.example.com",
        "ipv6-0--1",
        long[:200],
    }
    # The origin with the most URLs has the plain name.
    assert f"<loc>{HOST}/x</loc>" in (into / "www.example.com" / "sitemap.xml").read_text()
    # Only the sitemaps of example.com were read: those of other hosts are not replaced.
    replaced, added = done.stdout.split("\nThe sitemaps of these hosts were not read.")
    for origin in origins:
        is_read = "www.example.com" in origin
        assert (f"Sitemap: {origin}/sitemap.xml\n" in replaced) is is_read
        assert (f"/* for {origin}/\n" in added) is not is_read
    names = [file.name for file in into.glob("*/*.xml")]
    assert Counter(names) == {"sitemap.xml": 3, "additional-entries.xml": 4}


def test_the_status_is_3_if_no_url_can_be_kept(tmp_path: Path) -> None:
    build_audited_run(tmp_path / "run", [listed(f"{HOST}/a"), fetched_page(f"{HOST}/a", 404)])
    done = command(str(tmp_path / "run"))
    assert done.returncode == 3
    assert "No sitemap was written" in done.stdout
    assert (tmp_path / "run" / "repaired" / "changes.csv").is_file()


def test_a_folder_that_is_not_empty_is_refused(run: Path) -> None:
    repaired(run)
    assert refused(str(run)) == f"{run / 'repaired'} {NOT_EMPTY}\n"


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    assert "no run folder" in refused(str(tmp_path))
    assert "no run folder" in refused(str(tmp_path / "nowhere"))


def test_an_unreadable_manifest_is_refused(run: Path) -> None:
    (run / "run.json").write_text("{")
    assert refused(str(run)).startswith(f"{run / 'run.json'} cannot be read: ")


def test_a_run_without_tables_is_refused(run: Path) -> None:
    (run / "urls.parquet").unlink()
    assert "build them with sitemapaudit report" in refused(str(run))


def test_a_run_without_urls_is_refused(tmp_path: Path) -> None:
    build_audited_run(tmp_path / "run", [Sitemap(f"{HOST}/sitemap.xml", status=404)])
    message = refused(str(tmp_path / "run"))
    assert message == f"{tmp_path / 'run'} lists no URLs: there is nothing to repair.\n"
    assert not (tmp_path / "run" / "repaired").exists()


def test_a_folder_that_cannot_be_written_is_refused(run: Path, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    assert refused("--into", str(file), str(run)) == f"--into: {file} is not a folder.\n"
    below = refused("--into", str(file / "below"), str(run))
    assert below == f"{file / 'below'} cannot be written: Not a directory.\n"
    # Not even root can create a folder there: it stands for a run folder on a read-only disk.
    assert "cannot be written" in refused("--into", "/proc/repaired", str(run))


def test_a_repair_that_fails_leaves_no_files(run: Path, tmp_path: Path) -> None:
    """The disk is full while the files are written."""
    limit = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (40, 40));"
    command = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
    start = f"{limit} {command} from scrapy.cmdline import execute; execute()"
    into = tmp_path / "repaired"
    done = subprocess.run(
        [sys.executable, "-c", start, "repair", "--into", str(into), str(run)],
        cwd=PROJECT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 3
    assert done.stderr.startswith(f"{into} cannot be written: ")
    assert done.stderr.count("\n") == 1
    assert not into.exists()


def refused(*words: str) -> str:
    """Return the one sentence with which the command is refused."""
    done = command(*words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done
    return done.stderr


def locs(into: Path) -> set[str | None]:
    """Return the locs in all files of all origins."""
    files = [file for file in into.glob("*/*.xml") if b"<urlset" in file.read_bytes()]
    return {each.text for file in files for each in etree.parse(file).iter(f"{{{NAMESPACE}}}loc")}


def test_unlisted_pages_need_recorded_links(run: Path) -> None:
    done = command("--add-unlisted", str(run))
    sentence = f"--add-unlisted: {run} has no links; audit with links=record.\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", sentence)
    assert not (run / "repaired").exists()

"""``scrapy schedule`` with a real Scrapyd: the number of jobs is limited, each end is printed."""

import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from sitemapaudit.config.options import ConfigError
from sitemapaudit.runs.folders import find_runs
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.scheduling.server import Server as Client
from sitemapaudit.scheduling.server import ServerError
from sitemapaudit.scheduling.site_list import ListedSite, read_list
from tests.indexnow.engine import Engine
from tests.plugins.interpreters.commands import Command
from tests.runs.site import Site
from tests.scheduling.node import Server
from tests.support.commands import run_in_process, scrapy
from tests.support.settings import RULES_OFF

pytestmark = pytest.mark.xdist_group("scrapyd")

UNREACHABLE = "http://127.0.0.1:9"


def test_a_list_is_audited_by_two_jobs_at_once(node: Server, tmp_path: Path) -> None:
    with ExitStack() as stack:
        one, two = (stack.enter_context(Site(20)).origin for _ in range(2))
        file = tmp_path / "sites.txt"
        lines = [
            f"{one} pages=none",
            "# a comment",
            "",
            f"sitemap={two}/sitemap-1.xml",
            UNREACHABLE,
        ]
        file.write_text("\n".join(lines), encoding="utf-8")
        words = ["--at", node.url, "--jobs", "2", "-a", "pages=2", str(file)]
        settings = [f"AUDIT_DIR={tmp_path / 'audits'}", "AUDIT_SPEED=full", "RETRY_TIMES=0"]
        settings.append(RULES_OFF)
        words += [word for setting in settings for word in ("-s", setting)]
        schedule = Command(["schedule", *words])
        most = 0
        while schedule.poll() is None:
            most = max(most, len(node.jobs("pending", "running")))
            time.sleep(0.1)
    assert most == 2
    assert schedule.output.splitlines()[-1] == "3 sites: 2 complete, 1 incomplete."
    assert schedule.poll() == 3
    manifests = [Manifest.read(run) for run in find_runs(tmp_path / "audits")]
    pages = {
        each.arguments["site"] or each.arguments["sitemap"]: each.arguments["pages"]
        for each in manifests
    }
    assert pages == {one: "none", f"{two}/sitemap-1.xml": 2, UNREACHABLE: 2}


def test_a_line_is_a_site_with_its_own_arguments() -> None:
    assert read_list(
        ["www.example.com pages=5", "sitemap=https://a.example/s.xml?x=1#y", "  # none"],
        {"pages": "9", "follow": "none"},
    ) == [
        ListedSite("www.example.com", {"site": "www.example.com", "pages": "5", "follow": "none"}),
        ListedSite(
            "https://a.example/s.xml?x=1#y",
            {"sitemap": "https://a.example/s.xml?x=1#y", "pages": "9", "follow": "none"},
        ),
    ]
    with pytest.raises(ConfigError, match="line 2: 'pages' is not an argument"):
        read_list(["www.example.com", "www.example.org pages"], {})
    for pairs in ("pages=1 pages=2", "sitemap=https://a.example/s.xml", "site=b.example"):
        with pytest.raises(ConfigError, match="line 1: each argument once, and one site"):
            read_list([f"sitemap=https://a.example/sitemap.xml {pairs}"], {})
    with pytest.raises(ConfigError, match="contains no site"):
        read_list(["# nothing"], {})


@pytest.mark.parametrize(
    ("lines", "words", "reason"),
    [
        ("www.example.com\nwww.example.org pages=some", [], "www.example.org: pages: 'some'"),
        ("www.example.com", ["--at", "defautl"], "did you mean default?"),
        ("www.example.com", ["--jobs", "0"], "--jobs"),
        ("a.example\nb.example\nA.example", [], "A.example is listed twice, also as a.example."),
        ("a.example\na.example", [], "a.example is listed twice.\n"),
        ("www.example.com", ["-s", "DOWNLOAD_DELY=1"], "did you mean DOWNLOAD_DELAY?"),
        ("www.example.com", ["-s", "RETRY_TIMES=a"], "RETRY_TIMES: 'a' is not a whole number"),
    ],
    ids=["argument", "target", "jobs", "spelling", "twice", "name", "type"],
)
def test_a_mistake_is_one_sentence_and_status_2(
    tmp_path: Path, lines: str, words: list[str], reason: str
) -> None:
    file = tmp_path / "sites.txt"
    file.write_text(lines, encoding="utf-8")
    done = run_in_process("schedule", *words, str(file))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert reason in done.stderr


def test_a_server_that_does_not_respond_is_one_sentence_and_status_3(tmp_path: Path) -> None:
    file = tmp_path / "sites.txt"
    file.write_text("www.example.com", encoding="utf-8")
    done = scrapy("schedule", "--at", "http://me:secret@127.0.0.1:9", str(file))
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
    assert done.stderr.startswith("http://127.0.0.1:9 does not respond: ")
    assert "0 sites of 1 ended" in done.stderr


def test_a_server_without_the_project_is_an_error(
    node: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with pytest.raises(ServerError, match="refused the request: project 'another' not found"):
        Client(node.url, "another").jobs()


def test_a_password_reaches_no_other_server_and_other_answers_are_refused() -> None:
    with Engine() as other, Engine() as engine:
        engine.redirects = {"/listjobs.json?project=p": f"{other.origin}/listjobs.json"}
        client = Client(engine.origin.replace("://", "://me:secret@"), "p")
        with pytest.raises(ServerError, match=f"^{engine.origin} returns 302 Found$"):
            client.jobs()
        assert other.requested == []
        engine.redirects = {}
        engine.key_files = {"/listjobs.json?project=p": "[1]"}
        with pytest.raises(ServerError, match=r"is not a Scrapyd server: .* is not a JSON object"):
            client.jobs()

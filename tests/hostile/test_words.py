"""What a site writes is written down as text, whatever it is; and passwords are not at all."""

import csv
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import psutil
import pytest
from selectolax.lexbor import LexborHTMLParser

from sitemapaudit.items import Canonical, Page
from sitemapaudit.passwords import hidden, hide
from tests.hostile.attacks import OPENING
from tests.hostile.host import HTML, TEXT, XML, Host, Sent, text
from tests.support import Audited, crawl, scrapy

pytestmark = pytest.mark.xdist_group("words")

WORDS = (
    '=HYPERLINK("http://a.example","x")',
    "+cmd|' /C calc'!A0",
    "@SUM(1)",
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "\x1b]0;owned\x07\x1b[31mred\x1b[2J",
    "\u202egpj.exe\u2066",
    "'; drop table urls; --",
    "[bold red]markup[/bold red]",
    "../../../etc/passwd",
    "{{7*7}}${7*7}",
)
SECRET = "hush-hush"
ADDRESSES = (
    f"http://user:{SECRET}@a.example/",
    f"https://user:{SECRET}@x@a.example/path",
    f"HTTP:\\\\user:{SECRET}@a.example/",
    f"//:{SECRET}@a.example/",
    f"ftp://user:{SECRET}@a.example/",
)
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True)
class Spoken:
    """What an audit of a site that says all this left behind, and where it listened meanwhile."""

    audited: Audited
    places: list[str]

    @property
    def files(self) -> list[Path]:
        return [file for file in self.audited.audits.rglob("*") if file.is_file()]


def says(words: str) -> Sent:
    """Return a page that says something in every place that is kept."""
    said, quoted = escape(words), escape(words, {'"': "&quot;"})
    head = (
        f'<title>{said}</title><meta name="description" content="{quoted}">'
        f'<link rel="canonical" href="{quoted}">'
        f'<link rel="alternate" hreflang="{quoted}" href="{quoted}">'
        f'<meta http-equiv="refresh" content="9; url={quoted}">'
    )
    sent = words.encode("ascii", "replace").decode().replace("\r", "").replace("\n", "")
    headers = [f'Link: <{sent}>; rel="canonical"', f"Refresh: 9; url={sent}"]
    if words in WORDS:  # Directives are no place for addresses.
        headers.append(f"X-Robots-Tag: {sent}")
        head += f'<meta name="robots" content="{quoted}">'
    return text(f"<!doctype html><html lang=en>{head}<h1>{said}</h1><p>{said}", HTML, *headers)


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Spoken]:
    with Host() as site:
        said = [*WORDS, *ADDRESSES]
        for number, words in enumerate(said):
            site.answers[f"/{number}"] = says(words)
            moved = words.encode("ascii", "replace").decode()
            site.answers[f"/moved/{number}"] = text("", f"Location: {moved}", status="302 Found")
        locs = [*(site.origin + path for path in site.answers), *said]
        entries = "".join(
            f"<url><loc>{escape(loc)}</loc><lastmod>{escape(loc)}</lastmod></url>"
            for loc in locs if not CONTROL.search(loc)
        )  # fmt: skip
        site.answers["/sitemap.xml"] = text(f"{OPENING}{entries}</urlset>", XML)
        declared = [
            f"{site.origin}/sitemap.xml",
            *said,
            *(f"{site.origin}/{each}" for each in WORDS),
        ]
        site.answers["/robots.txt"] = text("".join(f"Sitemap: {each}\n" for each in declared), TEXT)
        folder = tmp_path_factory.mktemp("words")
        audited = crawl(
            folder,
            {"site": site.origin},
            {
                "AUDIT_FORMATS": "xlsx,jsonl", "DOWNLOAD_TIMEOUT": "3", "RETRY_TIMES": "0",
                "FEEDS": f'{{"{folder}/feed.jsonl": {{"format": "jsonlines"}}}}',
                "HTTPAUTH_USER": "user", "HTTPAUTH_PASS": SECRET, "LOG_LEVEL": "DEBUG",
            },
        )  # fmt: skip
        yield Spoken(audited, list(site.answers))


def test_the_audit_ends_as_any_other(spoken: Spoken) -> None:
    assert spoken.audited.status == 0
    assert "Traceback" not in spoken.audited.log


def test_nothing_on_the_terminal_controls_it(spoken: Spoken) -> None:
    assert not CONTROL.search(spoken.audited.output)
    assert not CONTROL.search(spoken.audited.log)


def test_the_page_holds_no_markup_of_the_site(spoken: Spoken) -> None:
    report = (spoken.audited.run.path / "report.html").read_text(encoding="utf-8")
    page = LexborHTMLParser(report)
    scripts = [node.text() for node in page.css("script")]
    assert not [script for script in scripts if re.match(r"\s*alert\(", script)]
    assert not page.css("[onerror]")
    assert not page.css("a[href^='javascript:' i], a[href^='data:' i]")


def test_no_cell_of_a_spreadsheet_is_a_formula(spoken: Spoken) -> None:
    for name in ("urls.csv", "findings.csv"):
        with (spoken.audited.run.path / name).open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                assert not [
                    value for value in row if value.startswith(("=", "+", "-", "@", "\t", "\r"))
                ]
    with zipfile.ZipFile(spoken.audited.run.path / "audit.xlsx") as book:
        for sheet in book.namelist():
            assert b"<f>" not in book.read(sheet)
            assert b"<hyperlink" not in book.read(sheet)


def test_every_file_is_within_the_folder(spoken: Spoken) -> None:
    assert {file.relative_to(spoken.audited.audits).parts[0] for file in spoken.files} == {
        spoken.audited.run.path.parent.name, "feed.jsonl",
    }  # fmt: skip


def test_no_password_is_written_down(spoken: Spoken) -> None:
    texts = [spoken.audited.log, spoken.audited.output]
    texts += [file.read_bytes().decode("latin-1") for file in spoken.files]
    assert len(texts) > 20
    assert not [text for text in texts if SECRET in text]
    for file in spoken.audited.run.path.glob("*.parquet"):
        rows = spoken.audited.run.sql(f"select t::varchar as row from read_parquet('{file}') t")
        assert not rows["row"].str.contains(SECRET).any()
    entries = spoken.audited.run.entries
    assert "http://user:***@a.example/" in set(entries["loc"])
    assert "http://user:***@a.example/" in set(spoken.audited.run.pages["location"])
    assert "'HTTPAUTH_PASS': '***'" in spoken.audited.log


@pytest.mark.parametrize("argument", ["site", "sitemap"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_an_argument_with_a_password_is_refused_without_repeating_it(
    argument: str, address: str
) -> None:
    done = scrapy("crawl", "sitemap", "-a", f"{argument}={address}")
    assert done.returncode == 2
    assert SECRET not in done.stdout + done.stderr


@pytest.mark.parametrize("address", ADDRESSES)
def test_hide(address: str) -> None:
    assert SECRET not in hide(f"before {address} after")
    assert hide(address).endswith(address.rpartition("@")[2])


@pytest.mark.parametrize(
    "harmless",
    ["", "a@b.example", "http://user@a.example/", "http://a.example/x:y@z", "http://a.example/?q=a:b@c",
     "http://a.example:80/@me", "see http://a.example: mail me@b.example"],
)  # fmt: skip
def test_what_is_no_password_stays(harmless: str) -> None:
    assert hide(harmless) == harmless


def test_what_is_written_down_is_another_row_than_the_one_that_is_worked_with() -> None:
    told = f"http://user:{SECRET}@a.example/"
    page = Page("http://a.example/", location=told, canonicals=[Canonical("tag", told, None)])
    assert SECRET not in repr(hidden(page))
    assert page.location == page.canonicals[0].href == told


def test_a_row_without_a_password_is_written_down_as_it_is() -> None:
    page = Page("http://a.example/", status=200, title="a@b.example")
    assert hidden(page) == page


def test_a_run_listens_to_nobody(tmp_path: Path) -> None:
    ports: list[int] = []

    def look() -> Iterator[bytes | float]:
        for process in psutil.Process().children(recursive=True):
            ports.extend(
                each.laddr.port
                for each in process.net_connections()
                if each.status == psutil.CONN_LISTEN
            )
        yield from text("", TEXT)()

    with Host() as site:
        site.answers["/robots.txt"] = look
        crawl(tmp_path, {"site": site.origin})
        assert site.times("/robots.txt") == 1
    assert ports == []

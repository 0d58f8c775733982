"""Text of a site is never run, rendered as markup or used as a path; passwords are not written."""

import contextlib
import csv
import logging
import re
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from xml.sax.saxutils import escape

import ada_url
import pytest
from selectolax.lexbor import LexborHTMLParser

from sitemapaudit.items import Canonical, Page
from sitemapaudit.redaction import RedactedLogRecord, hide_passwords, redacted
from tests.hostile.attacks import URLSET_START
from tests.hostile.host import HTML, TEXT, XML, Host, Sender, response
from tests.support.audits import Audited, crawl
from tests.support.commands import check_crawl, scrapy
from tests.support.effort import cpu_limit

pytestmark = pytest.mark.xdist_group("untrusted-text")

TEXTS = (
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
ODD = (
    *(f"http://user:{SECRET}{each}{SECRET}@a.example/" for each in "\"' <>\\/,;:%\u00e9\u65e5"),
    *(f"https://us{each}er:{SECRET}@a.example/" for each in "\"' <>%\u00e9"),
    f"http://user%3A{SECRET}@a.example/",
    f"http://user: {SECRET}@a.example/",
    f"http://user:80{SECRET}@a.example/",
    f"http://a.example/?to=http%3A%2F%2Fuser%3A{SECRET}%40a.example",
)
"""Addresses whose user information has characters that end other texts."""

BROWSERS = (
    *(f"{start}user:{SECRET}@a.example/" for start in ("http:", "https:/", "http:\\", "wss:")),
    *(f"{start}user:{SECRET}@a.example/" for start in ("ht\ttp://", "http:\t//")),
    f"http:us@er:{SECRET}@@a.example/",
    f"postgres://us\\er:{SECRET}@a.example/",
)
"""Addresses with user information as browsers read it (URL Standard, "URL parsing")."""

SCHEMES = ("http", "two-at-signs", "backslashes", "no-scheme", "ftp")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


@dataclass(frozen=True)
class Outcome:
    """The results of an audit of a site with all these texts and addresses."""

    audited: Audited

    @property
    def files(self) -> list[Path]:
        return [file for file in self.audited.audits.rglob("*") if file.is_file()]


def page_with(text: str) -> Sender:
    """Return a page that contains a text in every place that an audit records."""
    content, value = escape(text), escape(text, {'"': "&quot;"})
    head = (
        f'<title>{content}</title><meta name="description" content="{value}">'
        f'<link rel="canonical" href="{value}">'
        f'<link rel="alternate" hreflang="{value}" href="{value}">'
        f'<meta http-equiv="refresh" content="9; url={value}">'
    )
    header = text.encode("ascii", "ignore").decode().replace("\r", "").replace("\n", "")
    headers = [f"Refresh: 9; url={header}"]
    if ">" not in text:  # It would end there.
        headers.append(f'Link: <{header}>; rel="canonical"')
    if text in TEXTS:  # Directives contain no addresses.
        headers.append(f"X-Robots-Tag: {header}")
        head += f'<meta name="robots" content="{value}">'
    return response(
        f"<!doctype html><html lang=en>{head}<h1>{content}</h1><p>{content}", HTML, *headers
    )


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcome]:
    with Host() as site:
        texts = [*TEXTS, *ADDRESSES, *ODD, *BROWSERS]
        for number, text in enumerate(texts):
            site.responses[f"/{number}"] = page_with(text)
            location = text.encode("ascii", "ignore").decode()
            site.responses[f"/moved/{number}"] = response(
                "", f"Location: {location}", status="302 Found"
            )
        locs = [*(site.origin + path for path in site.responses), *texts]
        entries = "".join(
            f"<url><loc>{escape(loc)}</loc><lastmod>{escape(loc)}</lastmod></url>"
            for loc in locs if not CONTROL.search(loc)
        )  # fmt: skip
        site.responses["/sitemap.xml"] = response(f"{URLSET_START}{entries}</urlset>", XML)
        declared = [
            f"{site.origin}/sitemap.xml",
            *texts,
            *(f"{site.origin}/{each}" for each in TEXTS),
        ]
        lines = "".join(f"Sitemap: {each}\n" for each in declared)
        site.responses["/robots.txt"] = response(lines, TEXT)
        folder = tmp_path_factory.mktemp("untrusted")
        audited = crawl(
            folder,
            {"site": site.origin},
            {
                "AUDIT_FORMATS": "xlsx,jsonl", "DOWNLOAD_TIMEOUT": "30", "RETRY_TIMES": "0",
                "FEEDS": f'{{"{folder}/feed.jsonl": {{"format": "jsonlines"}}}}',
                "HTTPAUTH_USER": "user", "HTTPAUTH_PASS": SECRET, "LOG_LEVEL": "DEBUG",
            },
        )  # fmt: skip
        yield Outcome(audited)


def test_the_audit_is_complete_except_for_a_host_without_an_address(outcome: Outcome) -> None:
    assert outcome.audited.status == 3
    reason = outcome.audited.run.manifest.reason
    assert reason == "1 sitemap could not be read: the host name a.example cannot be resolved"
    assert "Traceback" not in outcome.audited.log


def test_the_terminal_gets_no_control_characters(outcome: Outcome) -> None:
    assert not CONTROL.search(outcome.audited.output)
    assert not CONTROL.search(outcome.audited.log)


def test_the_report_contains_no_markup_of_the_site(outcome: Outcome) -> None:
    report = (outcome.audited.run.path / "report.html").read_text(encoding="utf-8")
    page = LexborHTMLParser(report)
    scripts = [node.text() for node in page.css("script")]
    assert not [script for script in scripts if re.match(r"\s*alert\(", script)]
    assert not page.css("[onerror]")
    assert not page.css("a[href^='javascript:' i], a[href^='data:' i]")


def test_no_cell_of_a_spreadsheet_is_a_formula(outcome: Outcome) -> None:
    for name in ("urls.csv", "findings.csv"):
        with (outcome.audited.run.path / name).open(encoding="utf-8", newline="") as file:
            for row in csv.reader(file):
                assert not [
                    value for value in row if value.startswith(("=", "+", "-", "@", "\t", "\r"))
                ]
    with zipfile.ZipFile(outcome.audited.run.path / "audit.xlsx") as book:
        for sheet in book.namelist():
            assert b"<f>" not in book.read(sheet)
            assert b"<hyperlink" not in book.read(sheet)


def test_every_file_is_in_the_folder(outcome: Outcome) -> None:
    assert {file.relative_to(outcome.audited.audits).parts[0] for file in outcome.files} == {
        outcome.audited.run.path.parent.name, "feed.jsonl",
    }  # fmt: skip


def test_no_password_is_written(outcome: Outcome) -> None:
    texts = [outcome.audited.log, outcome.audited.output]
    texts += [file.read_bytes().decode("latin-1") for file in outcome.files]
    assert len(texts) > 20
    found = [
        text[found.start() - 120 : found.end() + 40]
        for text in texts
        for found in re.finditer(SECRET, text)
    ]
    assert not found
    for file in outcome.audited.run.path.glob("*.parquet"):
        rows = outcome.audited.run.sql(f"select t::varchar as row from read_parquet('{file}') t")
        assert not rows["row"].str.contains(SECRET).any()
    entries = outcome.audited.run.entries
    assert "http://user:***@a.example/" in set(entries["loc"])
    assert "http://user:***@a.example/" in set(outcome.audited.run.pages["location"])
    assert "'HTTPAUTH_PASS': '***'" in outcome.audited.log


@pytest.mark.parametrize("argument", ["site", "sitemap"])
@pytest.mark.parametrize("address", ADDRESSES, ids=SCHEMES)
def test_an_argument_with_a_password_is_refused_without_repeating_it(
    argument: str, address: str
) -> None:
    done = check_crawl("-a", f"{argument}={address}")
    assert done.returncode == 2
    assert SECRET not in done.stdout + done.stderr


@pytest.mark.parametrize("argument", ["site", "sitemap"])
def test_a_command_does_not_repeat_the_password_of_an_argument(argument: str) -> None:
    done = scrapy("crawl", "sitemap", "-a", f"{argument}={ADDRESSES[0]}")
    assert done.returncode == 2
    assert SECRET not in done.stdout + done.stderr


@pytest.mark.parametrize("address", ADDRESSES, ids=SCHEMES)
def test_a_password_is_hidden(address: str) -> None:
    assert SECRET not in hide_passwords(f"before {address} after")
    assert hide_passwords(address).endswith(address.rpartition("@")[2])


@pytest.mark.parametrize(
    "text", ["refresh: 9; url={}", 'link: <{}>; rel="canonical"', "location: {}", '<a href="{}">']
)
def test_a_password_is_hidden_in_headers_and_in_markup(text: str) -> None:
    for address in (*ADDRESSES, *ODD, *BROWSERS):
        assert SECRET not in hide_passwords(text.format(address)), address


@pytest.mark.parametrize(
    "text",
    [
        "\\\\a" * 100_000 + "\t@",
        "//a" * 100_000 + "\n@",
        "//a:b\t@" * 20_000,
        "'" + "PASS" * 50_000,
        "//[" * 100_000 + "\t@",
        "%2F%2F" * 50_000 + "%40",
    ],
)
def test_a_long_text_is_searched_in_little_time(text: str) -> None:
    with cpu_limit(3):
        hide_passwords(text)
        RedactedLogRecord("a", 20, "", 0, text, (), None).getMessage()


@pytest.mark.parametrize("address", ODD)
def test_a_password_with_odd_characters_is_hidden(address: str) -> None:
    assert SECRET not in hide_passwords(address)
    assert "a.example" in hide_passwords(address)
    page = Page("http://a.example/", location=address, set_by_script=[address])
    assert SECRET not in repr(redacted(page))


def test_a_password_is_hidden_in_every_form_that_a_browser_reads() -> None:
    schemes = ("http", "Https", "ws", "ftp", "foo", "")
    slashes = (":", ":/", "://", ":\\", ":/\n/", ":\t///", "//", "/\\", "\\\r\\")
    users = ("user", "", "us\ter", "us%3Aer", "us@er", "[", "u r", "us\\er")
    ends = ("@a.example", "@@a.example:80/b@c", "\n@[::1]", "%40@a.example?d@e", "@a.example\\f@g")
    parts = [*product(("", " ", "\0\n"), schemes, slashes, users, (":", "::", ":1"), ends)]
    tried = 0
    for begin, scheme, slash, user, colon, end in Random(1).sample(parts, 3_000):
        address = f"{begin}{scheme}{slash}{user}{colon}{SECRET}{end}"
        if SECRET not in _password_of(address):
            continue
        tried += 1
        # In a sentence, spaces and backslashes can belong to it.
        is_certain = user != "u r" and (user != "us\\er" or (scheme, slash) == ("foo", "://"))
        in_text = [f"before {address} after"] if is_certain else []
        for text in (address, *in_text):
            assert SECRET not in hide_passwords(text), repr(text)
        assert _password_of(hide_passwords(address)) in ("", "***"), repr(address)
    assert tried > 1_000


def _password_of(address: str) -> str:
    """Return the password that a browser reads in an address, absolute or on a page."""
    for base in (None, "http://base.example/", "ftp://base.example/"):
        with contextlib.suppress(ValueError):
            password = ada_url.URL(address, base).password
            if password:
                return password
    return ""


@pytest.mark.parametrize("argument", ["site", "sitemap"])
@pytest.mark.parametrize("address", ODD[:-1])
def test_an_argument_with_odd_characters_is_not_repeated(argument: str, address: str) -> None:
    done = check_crawl("-a", f"{argument}={address}")
    assert done.returncode == 2
    assert SECRET not in done.stdout + done.stderr


@pytest.mark.parametrize("secret", ["'", '"', "'\"", "\\'", "\\", "a'b\"c, 'd': 'e"])
def test_a_setting_is_hidden_whatever_its_quotes(secret: str) -> None:
    settings = {"HTTPAUTH_PASS": f"{SECRET}{secret}{SECRET}", "B_TOKEN": SECRET.encode(), "C": "x"}
    record = RedactedLogRecord("n", 20, "f", 1, "Overridden settings:\n%s", (repr(settings),), None)
    assert SECRET not in record.getMessage()
    assert "'C': 'x'" in record.getMessage()


def test_a_traceback_has_no_password() -> None:
    try:
        int(f"http://user:{SECRET}@a.example/")
    except ValueError:
        record = RedactedLogRecord("n", 40, "f", 1, "It failed", (), sys.exc_info())
    text = logging.Formatter().format(record)
    assert "http://user:***@a.example/" in text
    assert SECRET not in text


@pytest.mark.parametrize(
    "text",
    ["", "a@b.example", "http://user@a.example/", "http://a.example/x:y@z", "http://a.example/?q=a:b@c",
     "http://a.example:80/@me", "see http://a.example: mail me@b.example",
     "http://[::1]:80/@me", "see http://a.example:80 mail me@b.example", "http://a.example:80?q=a@b",
     "http://a.example/?to=http%3A%2F%2Fb.example%3A80%2Fme"],
)  # fmt: skip
def test_text_without_a_password_is_not_changed(text: str) -> None:
    assert hide_passwords(text) == text


def test_a_password_is_hidden_in_a_copy_of_the_row() -> None:
    address = f"http://user:{SECRET}@a.example/"
    page = Page("http://a.example/", location=address, canonicals=[Canonical("tag", address, None)])
    assert SECRET not in repr(redacted(page))
    assert page.location == page.canonicals[0].href == address


def test_a_row_without_a_password_is_not_changed() -> None:
    page = Page("http://a.example/", status=200, title="a@b.example")
    assert redacted(page) == page

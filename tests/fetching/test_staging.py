"""The requests go to staging; URLs, verdicts and findings are those of the site."""

import gzip
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request
from scrapy.statscollectors import MemoryStatsCollector
from scrapy.utils.test import get_crawler

from sitemapaudit import Run, open_run
from sitemapaudit.config import Config, ConfigError
from sitemapaudit.demo.documents import TEXT, entry, page, urlset, xml
from sitemapaudit.demo.server import Reply, Server, ServerRequest
from sitemapaudit.fetching.staging_site import StagingSite
from sitemapaudit.runs.manifest import Manifest
from sitemapaudit.sitemaps.sitemap_reader import MAX_BYTES
from sitemapaudit.urls import normalize
from sitemapaudit.urls.staging import Staging as StagingOrigins
from tests.support.audits import Audited, crawl
from tests.support.untouched import UntouchedServer

SITE = "https://www.example.com"
SHOP = "https://shop.example.com"
IMAGES = ' xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"'
TEXT_OF_PAGE = "<p>" + "Enough words for a page. " * 60


class Staging(Server):
    """Staging of a site whose sitemap names the site, as generators write it."""

    def __init__(self, *, blocked: bool = False, leaks: bool = False, packs: bool = False) -> None:
        super().__init__(self._reply)
        self.hosts: set[str] = set()
        self._blocked = blocked
        self._leaks = leaks
        self._packs = packs
        self._lock = threading.Lock()

    def _reply(self, request: ServerRequest) -> Reply:
        with self._lock:
            self.hosts.add(request.host)
        named = self.origin if self._leaks else SITE
        if request.path == "/robots.txt":
            block = "User-agent: *\nDisallow: /\n" if self._blocked else ""
            return Reply(f"{block}Sitemap: {named}/sitemap.xml\n", headers=[TEXT])
        if request.path == "/sitemap.xml":
            reply = xml(urlset(entry(f"{named}/{name}") for name in ("a", "b", "moved")))
            if self._packs:
                reply.body = gzip.compress(str(reply.body).encode())
            return reply
        if request.path == "/moved":
            return Reply(status=301, headers=[("Location", f"http://{request.host}/a")])
        found = page(request.path, canonical=f"{named}{request.path}", body=TEXT_OF_PAGE)
        if not self._blocked:
            return found
        return Reply(found.body, headers=[*found.headers, ("X-Robots-Tag", "noindex")])


@pytest.fixture
def staging() -> Iterator[Staging]:
    with Staging() as staging:
        yield staging


def audit(audits: Path, staging: Staging, **values: Any) -> Audited:
    """Audit the site on staging; upper-case values are settings."""
    given = {"site": SITE, "staging": staging.origin, **values}
    settings = {name: given.pop(name) for name in list(given) if name.isupper()}
    return crawl(audits, given, settings)


def verdicts(run: Run) -> dict[str, str]:
    return dict(zip(run.urls.url, run.urls.verdict, strict=True))


AS_LIVE = {f"{SITE}/a": "indexable", f"{SITE}/b": "indexable", f"{SITE}/moved": "redirected"}


def test_all_urls_are_those_of_the_site(tmp_path: Path, staging: Staging) -> None:
    audited = audit(tmp_path, staging)
    assert audited.status == 0, audited.log
    assert verdicts(audited.run) == AS_LIVE
    pages = audited.run.pages.set_index("url")
    assert pages.target[f"{SITE}/moved"] == f"{SITE}/a"
    assert set(audited.run.robots.site) == {SITE}
    assert set(audited.run.sitemaps.sitemap) == {f"{SITE}/sitemap.xml"}
    assert {rule for rule, _ in audited.findings()} == {"page-redirect-permanent"}
    assert staging.hosts == {staging.origin.removeprefix("http://")}
    assert audited.run.path.parent.name == "www.example.com-staging"
    assert f"The pages are those of staging ({staging.origin})" in audited.output


def test_workers_request_staging(tmp_path: Path, staging: Staging) -> None:
    assert verdicts(audit(tmp_path, staging, workers="2").run) == AS_LIVE


def test_requests_can_name_the_site(tmp_path: Path, staging: Staging) -> None:
    audited = audit(tmp_path, staging, AUDIT_STAGING_HOST="site")
    assert staging.hosts == {"www.example.com"}
    target = audited.run.pages.set_index("url").target[f"{SITE}/moved"]
    assert target == "http://www.example.com/a"


def test_what_names_staging_is_an_error(tmp_path: Path) -> None:
    with Staging(leaks=True) as staging:
        audited = audit(tmp_path, staging)
        leaks = [row for row in audited.findings() if row[0] == "staging-origin-leaked"]
        messages = audited.run.findings.message[audited.run.findings.rule == leaks[0][0]]
        assert sorted(messages) == [
            *(f"a loc names staging: {staging.origin}/{name}" for name in ("a", "b", "moved")),
            f"robots.txt names staging: {staging.origin}/sitemap.xml",
            *(f"the canonical names staging: {staging.origin}/{name}" for name in ("a", "b")),
        ]
    # Where the requests go does not change.
    assert verdicts(audited.run).keys() == AS_LIVE.keys()


def test_staging_that_names_itself_can_be_read_as_the_site(tmp_path: Path) -> None:
    with Staging(leaks=True, packs=True) as staging:
        audited = audit(tmp_path, staging, staging_names_itself="true")
    assert verdicts(audited.run) == AS_LIVE
    assert {rule for rule, _ in audited.findings()} == {"page-redirect-permanent"}
    assert set(audited.run.entries["loc"].str.rpartition("/")[0]) == {SITE}
    texts = "Addresses of staging were read as those of the site in 5 texts."
    assert texts in " ".join(audited.output.split())


def test_packed_files_are_renamed_if_they_are_sitemaps() -> None:
    origins = StagingOrigins({SITE: "https://new.example.com"})
    site = StagingSite(
        origins,
        {},
        as_site=False,
        ignores_block=False,
        stats=MemoryStatsCollector(get_crawler()),
        renames=True,
    )
    text = b"https://new.example.com/a " * 1_000

    def renamed(body: bytes) -> bytes:
        return site.response_body(Request(f"{SITE}/sitemap.xml.gz"), body)

    found = renamed(gzip.compress(text))
    assert gzip.decompress(found) == text.replace(b"new.", b"www.")
    parts = gzip.compress(text) + gzip.compress(text)
    assert gzip.decompress(renamed(parts)) == 2 * text.replace(b"new.", b"www.")
    large = gzip.compress(bytes(MAX_BYTES) + text)
    for other in (gzip.compress(b"nothing"), gzip.compress(text)[:-20], b"\x1f\x8b", large):
        assert renamed(other) == other


def test_only_addresses_of_staging_are_renamed() -> None:
    given = {SITE: "https://new.example.com", SHOP: "https://shop.new.example.com:8443"}
    text = (
        b"http://new.example.com/a //NEW.example.com https://new.example.com:8443/"
        b" https://new.example.community/ https://shop.new.example.com:8443/x new.example.com"
    )
    assert StagingOrigins(given).rename(text, f"{SITE}/") == (
        b"https://www.example.com/a https://www.example.com https://new.example.com:8443/"
        b" https://new.example.community/ https://shop.example.com/x new.example.com"
    )


@pytest.mark.parametrize("workers", ["1", "2"])
def test_entries_whose_pages_are_not_fetched_are_those_of_the_site(
    tmp_path: Path, workers: str
) -> None:
    with Staging(leaks=True) as staging:
        run = audit(tmp_path, staging, pages="none", workers=workers).run
    assert verdicts(run) == dict.fromkeys(AS_LIVE, "unchecked")
    assert set(run.entries["loc"].str.rpartition("/")[0]) == {staging.origin}


def test_a_site_that_is_no_staging_leaks_nothing(tmp_path: Path) -> None:
    with Staging(leaks=True) as site:
        audited = crawl(tmp_path, {"site": site.origin})
    assert "staging-origin-leaked" not in {rule for rule, _ in audited.findings()}


def test_a_blocked_staging_is_reported(tmp_path: Path) -> None:
    with Staging(blocked=True) as staging:
        audited = audit(tmp_path, staging)
    assert audited.status == 3
    assert "--ignore-staging-block" in " ".join(audited.output.split())


def test_the_block_of_staging_can_be_set_aside(tmp_path: Path) -> None:
    with Staging(blocked=True) as staging:
        audited = audit(tmp_path, staging, ignore_staging_block="true")
    assert verdicts(audited.run) == AS_LIVE
    assert Manifest.read(audited.run.path).set_aside == {"robots": 1, "headers": 2}
    output = " ".join(audited.output.split())
    assert "robots.txt of staging disallows the site; it was set aside." in output
    assert "were set aside in 2 responses." in output
    report = (audited.run.path / "report.html").read_text()
    assert "were set aside in 2 responses." in report


def test_several_hosts_have_their_own_staging(tmp_path: Path, staging: Staging) -> None:
    with Staging() as other:
        hosts = f"www.example.com={staging.origin},shop.example.com={other.origin}"
        audited = crawl(tmp_path, {"site": f"{SITE},{SHOP}", "staging": hosts})
    assert staging.requests[staging.origin.removeprefix("http://") + "/robots.txt"] == 1
    assert other.requests[other.origin.removeprefix("http://") + "/robots.txt"] == 1
    assert set(audited.run.robots.site) == {SITE, SHOP}


def test_no_live_server_is_requested(tmp_path: Path) -> None:
    """A host of the site has more ports and spellings; other hosts need permission."""
    cookies: set[str | None] = set()

    def reply_live(request: ServerRequest) -> Reply:
        cookies.add(request.headers.get("cookie"))
        return Reply(b"GIF89a", headers=[("Content-Type", "image/gif")])

    def reply(request: ServerRequest) -> Reply:
        path = request.path
        if path == "/robots.txt":
            lines = (f"Sitemap: {each}/sitemap.xml\n" for each in (live.origin, other.origin))
            return Reply("".join(lines), headers=[TEXT])
        if path == "/sitemap.xml":
            images = "".join(
                f"<image:image><image:loc>{each}/a.gif</image:loc></image:image>"
                for each in (images_at, other.origin)
            )
            first = entry(f"{live.origin}/a", more=images)
            return xml(urlset([first, *map(entry, listed)], attributes=IMAGES))
        if path == "/moved":
            return Reply(status=301, headers=[("Location", f"{other.origin}/target")])
        return page(path, canonical=f"{other.origin}{path}", body=f"<a href={other.origin}>")

    with (
        UntouchedServer() as live,
        UntouchedServer() as other,
        Server(reply_live) as cdn,
        Server(reply) as staging,
    ):
        images_at = f"http://localhost:{cdn.port}"
        elsewhere = [
            f"http://localhost:{live.port}/b",
            f"http://LocalHost.:{live.port}/c",
            f"https://localhost:{live.port}/d",
            f"{other.origin}/e",
        ]
        listed = [f"http://0x7f.1:{live.port}/moved", *elsewhere]
        hosts = [f"{live.origin}={staging.origin}", f"{images_at}={images_at}"]
        given = {"staging": ",".join(hosts), "media": "check", "links": "crawl"}
        settings = {
            "AUDIT_PRIVATE_HOSTS": "127.0.0.1,localhost,localhost.",
            "AUDIT_STAGING_HEADERS": "Cookie=preview=1",
        }
        audited = crawl(tmp_path, {"site": live.origin, **given}, settings)
        assert (live.connections, other.connections) == (0, 0)
        assert {name.partition("/")[2] for name in cdn.requests} == {"robots.txt", "a.gif"}
    assert cookies == {None}
    run = audited.run
    assert verdicts(run) == {
        f"{live.origin}/a": "canonicalized",
        f"{live.origin}/moved": "redirected",
    } | {str(normalize(url)): "unchecked" for url in elsewhere}
    assert set(run.urls["error"].dropna()) == {"not-on-staging"}
    assert audited.status == 3
    assert "4 listed URLs unchecked: " in (run.manifest.reason or "")
    assert "has no staging, and its live server is not requested" in (run.manifest.reason or "")
    assert run.manifest.staging_origins == [staging.origin]
    assert not set(run.findings["rule"]) & {"canonical-to-error", "image-unreachable"}


def test_secrets_of_staging_are_not_recorded(tmp_path: Path, staging: Staging) -> None:
    headers = json.dumps({"Cookie": "preview=s3cret"})
    audited = audit(tmp_path, staging, AUDIT_STAGING_HEADERS=headers)
    assert audited.status == 0, audited.log
    for file in audited.run.path.rglob("*"):
        assert file.is_dir() or b"s3cret" not in file.read_bytes(), file
    recorded = Manifest.read(audited.run.path).settings["AUDIT_STAGING_HEADERS"]
    assert recorded == {"Cookie": "***"}
    assert open_run(audited.run.path)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("http://user:pw@127.0.0.1", "staging: an origin cannot contain a user name or password"),
        ("http://127.0.0.1/preview", "staging: 'http://127.0.0.1/preview' is not an origin"),
        ("http://a.example,http://b.example", "staging: of several origins, each needs its host"),
        (f"{SHOP}=http://a.example", "staging: it has no origin for www.example.com, which is a"),
        ("http://www.example.com", "staging: http://www.example.com is the site itself"),
        (f"{SITE}=http://a.example,b.example={SITE}", f"staging: {SITE} is the site itself"),
        *(
            (f"{SITE}=http://a.example,{each}={each}", f"staging: {each} is the site itself")
            for each in (f"{SITE}.", f"{SITE}:81", f"{SITE}.:81", "http://example.com")
        ),
    ],
)
def test_a_wrong_origin_is_one_sentence(given: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as raised:
        Config.read({"site": SITE, "staging": given}, {"DOWNLOAD_TIMEOUT": 30})
    assert str(raised.value).startswith(sentence)
    assert "pw" not in str(raised.value)


def test_one_origin_stands_for_one_host() -> None:
    with pytest.raises(ConfigError, match="cannot stand for several hosts"):
        Config.read(
            {"site": f"{SITE},{SHOP}", "staging": "http://a.example"}, {"DOWNLOAD_TIMEOUT": 30}
        )

"""An audit is complete only if it is known what each declared sitemap lists."""

import gzip
from pathlib import Path

import pytest

from sitemapaudit.demo.documents import entry, index, urlset
from tests.hostile.host import FOREVER, HTML, RESET, TEXT, XML, Host, Sender, response, stream
from tests.support.audits import Audited, crawl

QUICK = {
    "RETRY_TIMES": "0",
    "DOWNLOAD_TIMEOUT": "2",
    "AUDIT_SITEMAP_TIMEOUT": "50",
    "LOG_LEVEL": "WARNING",
}


def reset() -> Sender:
    return lambda: iter([RESET])


def short(body: bytes) -> Sender:
    return lambda: stream([body], XML, f"Content-Length: {len(body) + 50}")


def status(line: str) -> Sender:
    return response("no", TEXT, status=line)


LISTING = urlset([entry("https://other.example/a")])

UNKNOWN: dict[str, tuple[Sender, str]] = {
    "reset": (reset(), "closes the connection"),
    "silent": (lambda: iter([FOREVER]), "does not respond in time"),
    "short": (short(LISTING.encode()), "no usable response (truncated"),
    "401": (status("401 Unauthorized"), "needs a password"),
    "403": (status("403 Forbidden"), "access is denied"),
    "406": (status("406 Not Acceptable"), "returns 406"),
    "429": (status("429 Too Many Requests"), "too many requests"),
    "451": (status("451 Unavailable"), "returns 451"),
    "500": (status("500 Internal Server Error"), "a server error"),
    "503": (status("503 Service Unavailable"), "a server error"),
    "no-http": (lambda: iter([b"not HTTP\r\n\r\n"]), "no usable response"),
}
"""Responses that say nothing about what the sitemap lists, and a part of the reason."""

KNOWN: dict[str, Sender] = {
    "404": status("404 Not Found"),
    "410": status("410 Gone"),
    "html": response("<!doctype html><title>Hi</title>", HTML),
    "empty": response("", XML),
    "unknown-format": response("\x01\x02", "Content-Type: application/octet-stream"),
    "malformed": response(LISTING.replace("</urlset>", ""), XML),
    "broken-gzip": response(gzip.compress(LISTING.encode())[:-6], XML),
    "loop": response("", "Location: /loop", status="301 Moved Permanently"),
}
"""Responses that everybody gets: errors of the site, which is known."""


def audit(tmp_path: Path, *others: Sender, child: bool = False) -> Audited:
    """Audit a site with a readable sitemap and others, in robots.txt or in an index."""
    with Host() as host:
        files = {f"/sitemap-{number}.xml": sender for number, sender in enumerate(others, start=2)}
        locs = [host.origin + path for path in ("/sitemap-1.xml", *files)]
        declared = [f"{host.origin}/index.xml"] if child else locs
        robots = "\n".join(f"Sitemap: {address}" for address in declared)
        host.responses |= files | {
            "/robots.txt": response(robots, TEXT),
            "/index.xml": response(index(locs), XML),
            "/sitemap-1.xml": response(urlset([entry(f"{host.origin}/page")]), XML),
            "/loop": KNOWN["loop"],
            "/page": response("<!doctype html><title>A</title><h1>A</h1>a", HTML),
        }
        return crawl(tmp_path, {"site": host.origin}, QUICK)


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_sitemap_that_says_nothing_makes_the_audit_incomplete(tmp_path: Path, name: str) -> None:
    sender, reason = UNKNOWN[name]
    audited = audit(tmp_path, sender)
    manifest = audited.run.manifest
    assert audited.status == 3, audited.output
    assert not manifest.complete
    assert (manifest.unread_sitemaps, manifest.failed_sitemaps) == (1, 1)
    assert manifest.reason is not None
    assert manifest.reason.startswith("1 sitemap could not be read: ")
    assert reason in manifest.reason
    if name == "silent":  # The response must begin earlier than it must end.
        assert [*audited.run.sitemaps["error_detail"].dropna()] == ["2 seconds"]
    assert str(manifest.arguments["site"]).partition("//")[2] in manifest.reason
    shown = " ".join(audited.output.split())
    assert "of 1 judged URL in the sitemaps that could be read is indexable." in shown
    assert "audit-incomplete" in dict(audited.findings())


def test_children_of_an_index_count_as_declared_sitemaps_do(tmp_path: Path) -> None:
    unknown = [sender for sender, _ in UNKNOWN.values()]
    audited = audit(tmp_path, *unknown, *KNOWN.values(), child=True)
    assert audited.run.manifest.failed_sitemaps == len(unknown)
    assert audited.status == 3


@pytest.mark.parametrize("has_robots", [False, True])
def test_each_of_several_sites_needs_a_sitemap(tmp_path: Path, has_robots: bool) -> None:
    with Host() as good, Host() as bare:
        good.responses["/robots.txt"] = response(f"Sitemap: {good.origin}/sitemap.xml", TEXT)
        good.responses["/sitemap.xml"] = response(urlset([entry(f"{good.origin}/page")]), XML)
        good.responses["/page"] = response("<!doctype html><title>A</title>a", HTML)
        if has_robots:
            bare.responses["/robots.txt"] = response("User-agent: *\nDisallow: /", TEXT)
        audited = crawl(tmp_path, {"site": f"{good.origin},{bare.origin}"}, QUICK)
    assert audited.status == 3
    assert audited.run.manifest.sites_without_sitemap == [bare.origin]
    told = (
        f"no sitemap of {bare.origin} could be read: {bare.origin}/robots.txt declares none, and "
    )
    places = "disallows the usual places for Googlebot" if has_robots else ""
    assert audited.run.manifest.reason == told + (places or "there is none at the usual places")
    remedy = "--ignore-staging-block" if has_robots else "with the argument sitemap"
    assert (audited.run.manifest.remedy or "").endswith(remedy)


@pytest.mark.parametrize("child", [False, True], ids=["declared", "children"])
def test_sitemaps_that_were_answered_are_known(tmp_path: Path, child: bool) -> None:
    audited = audit(tmp_path, *KNOWN.values(), child=child)
    assert audited.run.manifest.complete, audited.run.manifest.reason
    assert audited.status == 0
    assert audited.run.manifest.unread_sitemaps == 0
    assert "The audit is complete." in audited.output

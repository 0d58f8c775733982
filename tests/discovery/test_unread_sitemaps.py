"""An audit is complete only if it is known what each declared sitemap lists."""

import gzip
from collections.abc import Mapping
from pathlib import Path

from sitemapaudit.datasets.obstacles import Seen, describe_obstacles
from sitemapaudit.demo.documents import entry, index, urlset
from sitemapaudit.sitemaps.well_known import WELL_KNOWN
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
    "challenge": (
        response("<title>Wait", HTML, "X-Amzn-Waf-Action: challenge", status="202 Accepted"),
        "is answered with a bot challenge (x-amzn-waf-action: challenge)",
    ),
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


def audit(tmp_path: Path, others: Mapping[str, Sender]) -> Audited:
    """Audit a site with a readable sitemap and others, each in robots.txt and in an index."""
    with Host() as host:
        declared = [f"/{name}.xml" for name in others]
        children = [f"{path}?child" for path in declared]
        files = zip((*declared, *children), (*others.values(), *others.values()), strict=True)
        locs = [host.origin + path for path in ("/sitemap.xml", "/index.xml", *declared)]
        host.responses |= dict(files) | {
            "/robots.txt": response("\n".join(f"Sitemap: {loc}" for loc in locs), TEXT),
            "/index.xml": response(index(host.origin + path for path in children), XML),
            "/sitemap.xml": response(urlset([entry(f"{host.origin}/page")]), XML),
            "/loop": KNOWN["loop"],
            "/page": response("<!doctype html><title>A</title><h1>A</h1>a", HTML),
        }
        return crawl(tmp_path, {"site": host.origin}, QUICK)


def test_sitemaps_that_say_nothing_make_the_audit_incomplete(tmp_path: Path) -> None:
    unknown = {name: sender for name, (sender, _) in UNKNOWN.items()}
    audited = audit(tmp_path, unknown | KNOWN)
    manifest = audited.run.manifest
    assert audited.status == 3, audited.output
    assert not manifest.complete
    frame = audited.run.sitemaps
    frame = frame.astype(object).where(frame.notna(), None)
    columns = ["sitemap", "status", "error", "error_detail", "kind"]
    told = {}
    for url, *values in frame[columns].itertuples(index=False):
        status, error, detail, kind = values
        seen = Seen(url, 1, status, error=error, detail=detail, kind=kind)
        told[url.rpartition("/")[2]] = describe_obstacles([seen], "Googlebot")
    for name, (_, reason) in UNKNOWN.items():
        for place in (f"{name}.xml", f"{name}.xml?child"):
            sentence, _ = told[place] or ("", "")
            assert reason in sentence, place
    # The response must begin earlier than it must end.
    silent = frame[frame["sitemap"].str.contains("/silent")]
    assert [*silent["error_detail"]] == ["2 seconds"] * 2
    failed = 2 * len(UNKNOWN)
    assert (manifest.unread_sitemaps, manifest.failed_sitemaps) == (failed, failed)
    assert manifest.reason is not None
    assert manifest.reason.startswith(f"{failed} sitemaps could not be read: ")
    assert str(manifest.arguments["site"]).partition("//")[2] in manifest.reason
    shown = " ".join(audited.output.split())
    assert "100.0 % of 1 judged URL in the sitemaps that could be read is indexable" in shown
    assert "audit-incomplete" in dict(audited.findings())


def test_a_site_that_challenges_robots_declares_nothing_that_is_known(tmp_path: Path) -> None:
    challenge = "SG-Captcha: challenge"
    with Host() as host:
        for path in ("/robots.txt", *WELL_KNOWN):
            host.responses[path] = response("<title>Wait", HTML, challenge, status="202 Accepted")
        audited = crawl(tmp_path, {"site": host.origin}, QUICK)
    assert audited.status == 3
    expected = "robots.txt is answered with a bot challenge (sg-captcha: challenge)"
    assert expected in str(audited.run.manifest.reason)
    assert {*audited.run.robots["well_known_outcomes"][0]} == {"challenge"}
    rules = {rule for rule, _ in audited.findings()}
    assert rules == {"robots-access-denied", "sitemap-unknown", "audit-incomplete"}


def test_each_of_several_sites_needs_a_sitemap(tmp_path: Path) -> None:
    with Host() as good, Host() as bare, Host() as closed:
        good.responses["/robots.txt"] = response(f"Sitemap: {good.origin}/sitemap.xml", TEXT)
        good.responses["/sitemap.xml"] = response(urlset([entry(f"{good.origin}/page")]), XML)
        good.responses["/page"] = response("<!doctype html><title>A</title>a", HTML)
        closed.responses["/robots.txt"] = response("User-agent: *\nDisallow: /", TEXT)
        sites = ",".join(host.origin for host in (good, bare, closed))
        audited = crawl(tmp_path, {"site": sites}, QUICK)
    assert audited.status == 3
    manifest = audited.run.manifest
    places = {
        bare.origin: "there is none at the usual places",
        closed.origin: "disallows the usual places for Googlebot",
    }
    unread = manifest.sites_without_sitemap
    assert sorted(unread) == sorted(places)
    declarations = (f"{site}/robots.txt declares none, and {places[site]}" for site in unread)
    found = f"no sitemap of {', '.join(unread)} could be read"
    assert manifest.reason == f"{found}: {', '.join(declarations)}"
    for remedy in ("with the argument sitemap", "--ignore-staging-block"):
        assert remedy in (manifest.remedy or "")


def test_sitemaps_that_were_answered_are_known(tmp_path: Path) -> None:
    audited = audit(tmp_path, KNOWN)
    assert audited.run.manifest.complete, audited.run.manifest.reason
    assert audited.status == 0
    assert audited.run.manifest.unread_sitemaps == 0
    assert "The audit is complete." in audited.output

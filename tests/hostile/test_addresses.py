"""Only http and https, and no private address, wherever an address comes from."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.hostile.attacks import INDEX_START, urlset
from tests.hostile.host import HTML, TEXT, XML, Host, Sender, response
from tests.support.audits import Audited, crawl

FORBIDDEN = (
    "file:///etc/passwd",
    "ftp://127.0.0.1:{port}/",
    "data:text/html,<h1>data</h1>",
    "javascript:alert(1)",
    "s3://bucket/key",
    "gopher://127.0.0.1:{port}/_GET",
    "ws://127.0.0.1:{port}/",
    "http://127.0.0.1:{port}/",
    "http://localhost:{port}/",
    "http://0x7f000001:{port}/",
    "http://2130706433:{port}/",
    "http://127.1:{port}/",
    "http://0.0.0.0:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://inside.test:{port}/",
    "http://both.test:{port}/",
    "http://mapped.test:{port}/",
    "http://rebinding.test:{port}/",
    "http://metadata.test/latest/meta-data/",
    "http://169.254.169.254/latest/meta-data/",
    "//127.0.0.1:{port}/",
)
"""Addresses of the canary, and others that an audit must not contact."""

SETTINGS = {
    "DOWNLOAD_TIMEOUT": "8",
    "RETRY_TIMES": "0",
    "ASYNCIO_EVENT_LOOP": "tests.hostile.names.Loop",
}


def page(head: str = "", body: str = "") -> Sender:
    return response(f"<!doctype html><html><head>{head}</head><body>{body}</body></html>", HTML)


def references_to(address: str, number: int) -> dict[str, Sender]:
    """Return responses by path, each of which refers to an address in another way."""
    redirect = response("", f"Location: {address}", status="302 Found")
    return {
        f"/{number}/redirect": redirect,
        f"/{number}/sitemap-redirect.xml": redirect,
        f"/{number}/refresh-header": response("<p>x", HTML, f"Refresh: 0; url={address}"),
        f"/{number}/refresh": page(f'<meta http-equiv="refresh" content="0; url={address}">'),
        f"/{number}/canonical": page(f'<link rel="canonical" href="{address}">'),
        f"/{number}/link-header": response("<p>x", HTML, f'Link: <{address}>; rel="canonical"'),
        f"/{number}/hreflang": page(f'<link rel="alternate" hreflang="de" href="{address}">'),
        f"/{number}/base": page(f'<base href="{address}"><link rel="canonical" href="x">'),
    }


@dataclass(frozen=True)
class Outcome:
    """The results of an audit, and the requests to the canary and to the site."""

    audited: Audited
    canary: list[tuple[str, float]]
    site: list[str]


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outcome]:
    with Host() as site, Host() as canary:
        addresses = [address.replace("{port}", str(canary.port)) for address in FORBIDDEN]
        for number, address in enumerate(addresses):
            site.responses |= references_to(address, number)
        pages = [site.origin + path for path in site.responses if not path.endswith(".xml")]
        redirects = [site.origin + path for path in site.responses if path.endswith(".xml")]
        site.responses["/pages.xml"] = response(urlset([*pages, *addresses]), XML)
        children = [*addresses, *redirects]
        locs = "".join(f"<sitemap><loc>{child}</loc></sitemap>" for child in children)
        site.responses["/index.xml"] = response(f"{INDEX_START}{locs}</sitemapindex>", XML)
        declared = [f"{site.origin}/pages.xml", f"{site.origin}/index.xml", *addresses]
        lines = "".join(f"Sitemap: {each}\n" for each in declared)
        site.responses["/robots.txt"] = response(lines, TEXT)
        audited = crawl(
            tmp_path_factory.mktemp("addresses"),
            {"site": site.origin, "follow": "redirect,canonical,hreflang"},
            SETTINGS,
        )
        yield Outcome(audited, canary.requests, [path for path, _ in site.requests])


@pytest.mark.xdist_group("hostile-addresses")
def test_the_canary_is_not_contacted(outcome: Outcome) -> None:
    assert outcome.canary == []


@pytest.mark.xdist_group("hostile-addresses")
def test_the_audit_of_the_site_is_complete(outcome: Outcome) -> None:
    assert outcome.audited.run.manifest.status == "finished"
    assert "Traceback" not in outcome.audited.log
    assert {path for path in outcome.site if path.endswith("/canonical")} == {
        f"/{number}/canonical" for number in range(len(FORBIDDEN))
    }


@pytest.mark.xdist_group("hostile-addresses")
def test_a_private_address_has_its_own_error(outcome: Outcome) -> None:
    urls = outcome.audited.run.urls
    hosts = urls["url"].str.extract("//([^/]+?)(?::[0-9]+)?/")[0]
    errors = dict(zip(hosts, urls["error"], strict=True))
    private = {
        "localhost", "0.0.0.0", "[::ffff:7f00:1]", "inside.test", "both.test", "mapped.test",
        "metadata.test", "169.254.169.254",
    }  # fmt: skip
    assert {host: errors[host] for host in private} == dict.fromkeys(private, "private-address")
    assert errors["rebinding.test"] in ("timeout", "private-address", "refused")


@pytest.mark.xdist_group("hostile-addresses")
def test_no_file_of_this_machine_is_copied_to_the_run_folder(outcome: Outcome) -> None:
    for file in outcome.audited.run.path.rglob("*"):
        if file.is_file():
            assert b"root:x:0:0" not in file.read_bytes()


def test_a_private_host_of_the_settings_is_contacted(tmp_path: Path) -> None:
    with Host() as site, Host(lambda _: page()) as canary:
        site.responses["/robots.txt"] = response(f"Sitemap: {canary.origin}/map.xml", TEXT)
        crawl(tmp_path, {"site": site.origin}, SETTINGS | {"AUDIT_PRIVATE_HOSTS": "127.0.0.1"})
        assert canary.count("/map.xml") == 1


EVERY_REQUEST = """
<img src="{0}"><script src="{0}"></script><iframe src="{0}"></iframe>
<link rel="stylesheet" href="{0}">
<link rel="preconnect" href="{0}"><link rel="prefetch" href="{0}"><object data="{0}"></object>
<form action="{0}" target="_blank"></form><a href="{0}" target="_blank" id="a">x</a>
<script>
  const go = work => { try { Promise.resolve(work()).catch(() => 0) } catch (e) {} };
  go(() => fetch('{0}')); go(() => fetch('{0}', {method: 'POST', mode: 'no-cors', body: 'x'}));
  go(() => new WebSocket('{0}'.replace('http', 'ws'))); go(() => new EventSource('{0}'));
  go(() => navigator.sendBeacon('{0}', 'x')); go(() => new Worker('{0}'));
  const work = "fetch('{0}'); new WebSocket('{0}'.replace('http', 'ws'))";
  go(() => new Worker(URL.createObjectURL(new Blob([work]))));
  go(() => window.open('{0}')); go(() => document.forms[0].submit());
  go(() => document.getElementById('a').click());
  setTimeout(() => { location = '{0}' }, 300);
</script>"""


@pytest.mark.xdist_group("rendering")
def test_the_browser_does_not_contact_the_canary(tmp_path: Path) -> None:
    with Host() as site, Host(lambda _: page()) as canary:
        addresses = [f"http://localhost:{canary.port}/", f"http://rebinding.test:{canary.port}/"]
        addresses += [f"http://inside.test:{canary.port}/", "file:///etc/passwd"]
        for number, address in enumerate(addresses):
            site.responses[f"/{number}"] = page(body=EVERY_REQUEST.replace("{0}", address))
        site.responses["/socket"] = page(
            body="<script>new WebSocket(`ws://${location.host}/ws`)</script>"
        )
        listed = [site.origin + path for path in site.responses]
        site.responses["/sitemap.xml"] = response(urlset(listed), XML)
        site.responses["/robots.txt"] = response(f"Sitemap: {site.origin}/sitemap.xml", TEXT)
        audited = crawl(
            tmp_path,
            {"site": site.origin, "render": "always"},
            SETTINGS | {"DOWNLOAD_TIMEOUT": "8"},
        )
        assert canary.requests == []
        assert site.count("/ws") == 0
    pages = audited.run.pages.query("role == 'listed'")
    assert pages["render_reason"].tolist() == ["always"] * 5

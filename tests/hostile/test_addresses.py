"""Only http and https, and no private address, by whatever way an address comes in."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.hostile.attacks import INDEX, urlset
from tests.hostile.host import HTML, TEXT, XML, Host, Sent, text
from tests.support import Audited, crawl

pytestmark = pytest.mark.xdist_group("hostile")

SECRETS = (
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
"""Addresses of the canary, or of nobody's business."""

SETTINGS = {
    "DOWNLOAD_TIMEOUT": "2",
    "RETRY_TIMES": "0",
    "TWISTED_DNS_RESOLVER": "tests.hostile.names.Names",
}


def page(head: str = "", body: str = "") -> Sent:
    return text(f"<!doctype html><html><head>{head}</head><body>{body}</body></html>", HTML)


def by_every_way(site: str, address: str, number: int) -> dict[str, Sent]:
    """Return the answers that lead to an address, each by another way."""
    moved = text("", f"Location: {address}", status="302 Found")
    return {
        f"/{number}/redirect": moved,
        f"/{number}/sitemap-moved.xml": moved,
        f"/{number}/refresh-header": text("<p>x", HTML, f"Refresh: 0; url={address}"),
        f"/{number}/refresh": page(f'<meta http-equiv="refresh" content="0; url={address}">'),
        f"/{number}/canonical": page(f'<link rel="canonical" href="{address}">'),
        f"/{number}/link-header": text("<p>x", HTML, f'Link: <{address}>; rel="canonical"'),
        f"/{number}/hreflang": page(f'<link rel="alternate" hreflang="de" href="{address}">'),
        f"/{number}/base": page(f'<base href="{address}"><link rel="canonical" href="x">'),
    }


@dataclass(frozen=True)
class Reached:
    """What an audit left behind, and what it asked the canary for."""

    audited: Audited
    canary: list[tuple[str, float]]
    site: list[str]


@pytest.fixture(scope="module")
def reached(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reached]:
    with Host() as site, Host() as canary:
        addresses = [secret.replace("{port}", str(canary.port)) for secret in SECRETS]
        for number, address in enumerate(addresses):
            site.answers |= by_every_way(site.origin, address, number)
        pages = [site.origin + path for path in site.answers if not path.endswith(".xml")]
        site.answers["/pages.xml"] = text(urlset([*pages, *addresses]), XML)
        children = [*addresses, *(site.origin + path for path in site.answers if "moved" in path)]
        locs = "".join(f"<sitemap><loc>{child}</loc></sitemap>" for child in children)
        site.answers["/index.xml"] = text(f"{INDEX}{locs}</sitemapindex>", XML)
        declared = [f"{site.origin}/pages.xml", f"{site.origin}/index.xml", *addresses]
        site.answers["/robots.txt"] = text("".join(f"Sitemap: {each}\n" for each in declared), TEXT)
        audited = crawl(
            tmp_path_factory.mktemp("addresses"),
            {"site": site.origin, "follow": "redirect,canonical,hreflang"},
            SETTINGS,
        )
        yield Reached(audited, canary.asked, [path for path, _ in site.asked])


def test_nobody_else_is_asked(reached: Reached) -> None:
    assert reached.canary == []


def test_the_audit_goes_on(reached: Reached) -> None:
    assert reached.audited.run.manifest.status == "finished"
    assert "Traceback" not in reached.audited.log
    assert {path for path in reached.site if path.endswith("/canonical")} == {
        f"/{number}/canonical" for number in range(len(SECRETS))
    }


def test_each_private_address_is_an_error_of_its_own(reached: Reached) -> None:
    urls = reached.audited.run.urls
    hosts = urls["url"].str.extract("//([^/]+?)(?::[0-9]+)?/")[0]
    errors = dict(zip(hosts, urls["error"], strict=True))
    private = {
        "localhost", "0.0.0.0", "[::ffff:7f00:1]", "inside.test", "both.test", "mapped.test",
        "metadata.test", "169.254.169.254",
    }  # fmt: skip
    assert {host: errors[host] for host in private} == dict.fromkeys(private, "private-address")
    assert errors["rebinding.test"] in ("timeout", "private-address", "refused")


def test_no_text_of_a_file_of_this_machine_is_written_down(reached: Reached) -> None:
    for file in reached.audited.run.path.rglob("*"):
        if file.is_file():
            assert b"root:x:0:0" not in file.read_bytes()


def test_another_site_that_is_named_in_the_settings_is_asked(tmp_path: Path) -> None:
    with Host() as site, Host(lambda _: page()) as canary:
        site.answers["/robots.txt"] = text(f"Sitemap: {canary.origin}/map.xml", TEXT)
        crawl(tmp_path, {"site": site.origin}, SETTINGS | {"AUDIT_PRIVATE_HOSTS": "127.0.0.1"})
        assert canary.times("/map.xml") == 1


BROWSED = """
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


@pytest.mark.xdist_group("browser")
def test_the_browser_asks_nobody_else(tmp_path: Path) -> None:
    with Host() as site, Host(lambda _: page()) as canary:
        addresses = [f"http://localhost:{canary.port}/", f"http://rebinding.test:{canary.port}/"]
        addresses += [f"http://inside.test:{canary.port}/", "file:///etc/passwd"]
        for number, address in enumerate(addresses):
            site.answers[f"/{number}"] = page(body=BROWSED.replace("{0}", address))
        site.answers["/socket"] = page(
            body="<script>new WebSocket(`ws://${location.host}/ws`)</script>"
        )
        listed = [site.origin + path for path in site.answers]
        site.answers["/sitemap.xml"] = text(urlset(listed), XML)
        site.answers["/robots.txt"] = text(f"Sitemap: {site.origin}/sitemap.xml", TEXT)
        audited = crawl(
            tmp_path,
            {"site": site.origin, "render": "always"},
            SETTINGS | {"DOWNLOAD_TIMEOUT": "4"},
        )
        assert canary.asked == []
        assert site.times("/ws") == 0
    pages = audited.run.pages.query("role == 'listed'")
    assert pages["rendered_reason"].tolist() == ["always"] * 5

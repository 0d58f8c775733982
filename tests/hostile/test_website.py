"""A website that means harm, audited whole in little memory: each attack ends as one row says."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import pytest

from tests.hostile import wire
from tests.hostile.attacks import OPENING, Attack, urlset
from tests.hostile.compression import compressed_pages, compression
from tests.hostile.documents import documents
from tests.hostile.host import HTML, TEXT, XML, Host, Sent, text
from tests.hostile.process import MEGABYTE, Measured, measure
from tests.hostile.robots import robots

pytestmark = pytest.mark.xdist_group("hostile")

ADDRESS_SPACE = 3_072 * MEGABYTE
"""What the process may have; the programs that it is made of take half of it when they start."""

MEMORY = 768 * MEGABYTE
"""What it may hold in memory at any time: a harmless audit holds 200 MB."""

SECONDS = 100
"""What it may take on a busy machine."""

FINE = [f"/fine/{number}" for number in range(40)]
SETTINGS = {
    "DOWNLOAD_TIMEOUT": "2",
    "AUDIT_SITEMAP_TIMEOUT": "4",
    "RETRY_TIMES": "0",
    "AUDIT_PRIVATE_HOSTS": "127.0.0.1",
}


@dataclass(frozen=True)
class Audit:
    """The audit of the website; places are paths, or names of hosts of their own."""

    audited: Measured
    sitemaps: list[Attack]
    pages: list[Attack]
    hosts: dict[str, Attack]
    origins: dict[str, str]
    site: str
    canary: list[tuple[str, float]]

    def place(self, address: object) -> str:
        """Return an address without what differs from run to run."""
        text = str(address)
        for name, origin in self.origins.items():
            text = text.replace(f"{origin}/page", name)
        return text.removeprefix(self.site)

    def errors(self, table: str, column: str) -> dict[str, str | None]:
        """Return the error of each row of a table that has one."""
        rows = getattr(self.audited.run, table).dropna(subset="error")
        return {self.place(row[column]): str(row["error"]) for _, row in rows.iterrows()}


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Audit]:
    audits = tmp_path_factory.mktemp("hostile")
    with ExitStack() as stack:
        site, canary = (stack.enter_context(Host()) for _ in range(2))
        hosts = robots()
        served = {name: stack.enter_context(Host()) for name in hosts}
        sitemaps = documents(canary.origin) + compression() + wire.sitemaps(OPENING)
        pages = compressed_pages() + wire.pages()
        for name, host in served.items():
            host.answers = {hosts[name].path: hosts[name].sent, "/page": fine(host, "/page", name)}
        site.answers = {attack.path: attack.sent for attack in sitemaps + pages}
        site.answers |= {path: fine(site, path) for path in FINE}
        listed = [site.origin + path for path in [*(page.path for page in pages), *FINE]]
        listed += [f"{host.origin}/page" for host in served.values()]
        site.answers["/pages.xml"] = text(urlset(listed), XML)
        files = ["/pages.xml", *(sitemap.path for sitemap in sitemaps)]
        declared = "".join(f"Sitemap: {site.origin}{file}\n" for file in files)
        site.answers["/robots.txt"] = text(declared, TEXT)
        arguments = {"site": site.origin}
        audited = measure(audits, arguments, SETTINGS, address_space=ADDRESS_SPACE)
        origins = {name: host.origin for name, host in served.items()}
        yield Audit(audited, sitemaps, pages, hosts, origins, site.origin, canary.asked)


def fine(host: Host, path: str, name: str = "") -> Sent:
    words = " ".join(f"{name}{path[6:]}word{number}" for number in range(200))
    link = f'<link rel="canonical" href="{host.origin}{path}">'
    head = f"<title>{path}</title>{link}"
    return text(f"<!doctype html><html lang=en>{head}<h1>{path}</h1><p>{words}</html>", HTML)


def test_each_attack_has_the_error_that_it_must_have(audit: Audit) -> None:
    expected = {attack.path: attack.error for attack in audit.sitemaps if attack.error}
    assert audit.errors("sitemaps", "sitemap") == expected
    pages = {attack.path: attack.error for attack in audit.pages if attack.error}
    pages |= {name: attack.error for name, attack in audit.hosts.items() if attack.error}
    assert audit.errors("urls", "url") == pages


def test_exactly_what_is_hostile_is_found(audit: Audit) -> None:
    expected = {
        *((rule, each.path) for each in audit.sitemaps + audit.pages for rule in each.rules),
        *((rule, name) for name, attack in audit.hosts.items() for rule in attack.rules),
        *(("loc-scheme-mismatch", name) for name in audit.hosts),
        ("audit-incomplete", "nan"),
    }
    findings = audit.audited.run.findings
    places = findings["url"].fillna(findings["sitemap"])
    found = [
        (rule, audit.place(place)) for rule, place in zip(findings["rule"], places, strict=True)
    ]
    assert set(found) == expected


def test_what_is_not_hostile_goes_on(audit: Audit) -> None:
    urls = audit.audited.run.urls
    verdicts = {
        audit.place(url): verdict for url, verdict in zip(urls["url"], urls["verdict"], strict=True)
    }
    assert {verdicts[path] for path in FINE} == {"indexable"}


def test_memory_and_time_are_bounded(audit: Audit) -> None:
    assert audit.audited.peak < MEMORY
    assert audit.audited.seconds < SECONDS
    assert "Traceback" not in audit.audited.log


def test_nothing_else_is_asked_for(audit: Audit) -> None:
    assert audit.canary == []


def test_what_was_read_in_part_is_counted_and_named(audit: Audit) -> None:
    manifest = audit.audited.run.manifest
    assert audit.audited.status == 3
    assert manifest.limits == {"the length of a sitemap": 6}
    assert "the length of a sitemap left out 6" in audit.audited.output

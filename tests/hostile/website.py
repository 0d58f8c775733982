"""The hostile website: all attacks, or some, along with harmless pages.

Attacks that wait and attacks that cost work are audited apart: on a busy machine, work may take
longer than the time-out that ends the waiting.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.hostile.attacks import URLSET_START, Attack, urlset
from tests.hostile.compression import compressed_pages, compressed_sitemaps
from tests.hostile.documents import documents
from tests.hostile.host import HTML, TEXT, XML, Host, Sender, response
from tests.hostile.oversized import oversized_pages, oversized_sitemaps
from tests.hostile.process import MEGABYTE, MeasuredAudit, measure
from tests.hostile.robots import robots
from tests.hostile.wire import broken_pages, broken_sitemaps

ADDRESS_SPACE: Final = 3_072 * MEGABYTE
"""The limit of the process; its programs and libraries take half of it at the start."""

HARMLESS: Final = [f"/fine/{number}" for number in range(40)]
SETTINGS: Final = {"RETRY_TIMES": "0", "AUDIT_PRIVATE_HOSTS": "127.0.0.1"}
SHORT: Final = {"DOWNLOAD_TIMEOUT": "8", "AUDIT_SITEMAP_TIMEOUT": "9"}
LONG: Final = {"DOWNLOAD_TIMEOUT": "200", "AUDIT_SITEMAP_TIMEOUT": "200"}


@dataclass(frozen=True)
class Website:
    """The servers; each of ``hosts`` attacks by its robots.txt, and has a harmless page."""

    site: Host
    sitemaps: Sequence[Attack]
    pages: Sequence[Attack]
    hosts: Mapping[str, Attack]
    origins: Mapping[str, str]
    canary: Host

    def audit(self, audits: Path) -> MeasuredAudit:
        """Audit the website in a process with limited memory."""
        attacks = [*self.sitemaps, *self.pages, *self.hosts.values()]
        settings = SETTINGS | (SHORT if any(attack.waits for attack in attacks) else LONG)
        return measure(audits, self.site.origin, settings, address_space=ADDRESS_SPACE)


@contextmanager
def serve(chosen: Callable[[str, Attack], bool], *, large: bool = True) -> Iterator[Website]:
    """Serve the chosen attacks; each has a path, or the name of a host.

    Those with large files, which take seconds to make, can be left out.
    """
    with ExitStack() as stack:
        site, canary = (stack.enter_context(Host()) for _ in range(2))
        hosts = {
            name: attack for name, attack in robots(large=large).items() if chosen(name, attack)
        }
        served = {name: stack.enter_context(Host()) for name in hosts}
        for name, host in served.items():
            host.responses = {
                hosts[name].path: hosts[name].sender,
                "/page": harmless_page(host, "/page", name),
            }
        sitemaps = documents(canary.origin)
        sitemaps += compressed_sitemaps() + oversized_sitemaps() if large else []
        sitemaps += broken_sitemaps(URLSET_START)
        sitemaps = [attack for attack in sitemaps if chosen(attack.path, attack)]
        pages = compressed_pages() + oversized_pages() if large else []
        pages += broken_pages()
        pages = [attack for attack in pages if chosen(attack.path, attack)]
        site.responses = {attack.path: attack.sender for attack in [*sitemaps, *pages]}
        site.responses |= {path: harmless_page(site, path) for path in HARMLESS}
        listed = [site.origin + path for path in [*(page.path for page in pages), *HARMLESS]]
        listed += [f"{host.origin}/page" for host in served.values()]
        site.responses["/pages.xml"] = response(urlset(listed), XML)
        files = ["/pages.xml", *(sitemap.path for sitemap in sitemaps)]
        declared = "".join(f"Sitemap: {site.origin}{file}\n" for file in files)
        site.responses["/robots.txt"] = response(declared, TEXT)
        origins = {name: host.origin for name, host in served.items()}
        yield Website(site, sitemaps, pages, hosts, origins, canary)


def harmless_page(host: Host, path: str, name: str = "") -> Sender:
    """Return a page without a fault."""
    words = " ".join(f"{name}{path[6:]}word{number}" for number in range(200))
    link = f'<link rel="canonical" href="{host.origin}{path}">'
    head = f"<title>{path}</title>{link}"
    return response(f"<!doctype html><html lang=en>{head}<h1>{path}</h1><p>{words}</html>", HTML)

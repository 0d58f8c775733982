"""The website that means harm: every attack, or some, beside pages that are fine."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.hostile import wire
from tests.hostile.attacks import OPENING, Attack, urlset
from tests.hostile.compression import compressed_pages, compression
from tests.hostile.documents import documents
from tests.hostile.host import HTML, TEXT, XML, Host, Sent, text
from tests.hostile.process import MEGABYTE, Measured, measure
from tests.hostile.robots import robots

ADDRESS_SPACE: Final = 3_072 * MEGABYTE
"""What the process may have; the programs that it is made of take half of it when they start."""

FINE: Final = [f"/fine/{number}" for number in range(40)]
SETTINGS: Final = {
    "DOWNLOAD_TIMEOUT": "6",
    "AUDIT_SITEMAP_TIMEOUT": "8",
    "RETRY_TIMES": "0",
    "AUDIT_PRIVATE_HOSTS": "127.0.0.1",
}


@dataclass(frozen=True)
class Website:
    """What is served; ``hosts`` have a robots.txt as an attack each, and a page that is fine."""

    site: Host
    sitemaps: Sequence[Attack]
    pages: Sequence[Attack]
    hosts: Mapping[str, Attack]
    origins: Mapping[str, str]
    canary: Host

    def audit(self, audits: Path) -> Measured:
        """Audit it in a process that may have so much memory and no more."""
        arguments = {"site": self.site.origin}
        return measure(audits, arguments, SETTINGS, address_space=ADDRESS_SPACE)


@contextmanager
def serve(chosen: Callable[[str], bool] = lambda _: True) -> Iterator[Website]:
    """Serve the attacks whose path, or name of a host, is chosen."""
    with ExitStack() as stack:
        site, canary = (stack.enter_context(Host()) for _ in range(2))
        hosts = {name: attack for name, attack in robots().items() if chosen(name)}
        served = {name: stack.enter_context(Host()) for name in hosts}
        for name, host in served.items():
            host.answers = {hosts[name].path: hosts[name].sent, "/page": fine(host, "/page", name)}
        sitemaps = documents(canary.origin) + compression() + wire.sitemaps(OPENING)
        sitemaps = [attack for attack in sitemaps if chosen(attack.path)]
        pages = [each for each in compressed_pages() + wire.pages() if chosen(each.path)]
        site.answers = {attack.path: attack.sent for attack in [*sitemaps, *pages]}
        site.answers |= {path: fine(site, path) for path in FINE}
        listed = [site.origin + path for path in [*(page.path for page in pages), *FINE]]
        listed += [f"{host.origin}/page" for host in served.values()]
        site.answers["/pages.xml"] = text(urlset(listed), XML)
        files = ["/pages.xml", *(sitemap.path for sitemap in sitemaps)]
        declared = "".join(f"Sitemap: {site.origin}{file}\n" for file in files)
        site.answers["/robots.txt"] = text(declared, TEXT)
        origins = {name: host.origin for name, host in served.items()}
        yield Website(site, sitemaps, pages, hosts, origins, canary)


def fine(host: Host, path: str, name: str = "") -> Sent:
    """Return a page in which nothing is wrong."""
    words = " ".join(f"{name}{path[6:]}word{number}" for number in range(200))
    link = f'<link rel="canonical" href="{host.origin}{path}">'
    head = f"<title>{path}</title>{link}"
    return text(f"<!doctype html><html lang=en>{head}<h1>{path}</h1><p>{words}</html>", HTML)

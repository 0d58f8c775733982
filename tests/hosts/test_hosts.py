"""Audits of more than one host: robots.txt of each is fetched once, and obeyed."""

from pathlib import Path

from sitemapaudit.demo.documents import TEXT, entry, index, page, urlset, xml
from sitemapaudit.demo.server import Reply, Server, ServerRequest
from tests.support.audits import Audited, crawl


class TwoHosts:
    """A site and another host: one server with two host names.

    A listed path that begins with ``~`` is a path of the other host.
    """

    def __init__(self, listed: list[str], replies: dict[str, Reply]) -> None:
        self.server = Server(self._reply)
        self._listed = listed
        self._replies = replies
        self.own: dict[str, Reply] = {}
        """Replies of the site, by path."""

    @property
    def other(self) -> str:
        return f"http://localhost:{self.server.port}"

    def count(self, url: str) -> int:
        return self.server.requests[url.removeprefix("http://")]

    def _reply(self, request: ServerRequest) -> Reply:
        if request.host.startswith("localhost"):
            default = page(f"Other {request.path}", canonical=self.other + request.path)
            return self._replies.get(request.path, default)
        if request.path in self.own:
            return self.own[request.path]
        if request.path == "/robots.txt":
            return Reply(f"Sitemap: {self.server.origin}/sitemap.xml\n", headers=[TEXT])
        if request.path == "/sitemap.xml":
            locs = [
                (self.other + path[1:] if path.startswith("~") else self.server.origin + path)
                for path in self._listed
            ]
            return xml(urlset(map(entry, locs)))
        if request.path == "/redirects":
            location = ("Location", f"{self.other}/target")
            return Reply(status=301, headers=[location])
        if request.path == "/canonicalized":
            return page("Canonicalized", canonical=f"{self.other}/canonical")
        return page(request.path, canonical=self.server.origin + request.path)


NO_ROBOTS = {"/robots.txt": Reply(status=404)}


def audit(tmp_path: Path, hosts: TwoHosts, **settings: str) -> Audited:
    chosen = {"AUDIT_PRIVATE_HOSTS": f"localhost:{hosts.server.port}", "RETRY_TIMES": "0"}
    with hosts.server:
        return crawl(tmp_path, {"site": hosts.server.origin}, chosen | settings)


def test_targets_on_another_host_are_fetched_once(tmp_path: Path) -> None:
    hosts = TwoHosts(["/redirects", "/canonicalized", "~/target"], NO_ROBOTS)
    audited = audit(tmp_path, hosts)
    assert hosts.count(f"{hosts.other}/robots.txt") == 1
    assert hosts.count(f"{hosts.other}/target") == 1
    assert hosts.count(f"{hosts.other}/canonical") == 1
    site = hosts.server.origin
    assert audited.findings() == [
        ("canonical-elsewhere", f"{site}/canonicalized"),
        ("canonical-offsite", f"{site}/canonicalized"),
        ("loc-host-mismatch", f"{hosts.other}/target"),
        ("page-redirect-offsite", f"{site}/redirects"),
        ("page-redirect-permanent", f"{site}/redirects"),
    ]


def test_robots_txt_is_fetched_once_for_a_child_sitemap_and_a_listed_page(tmp_path: Path) -> None:
    hosts = TwoHosts(["~/page"], {"/robots.txt": Reply("", delay=1, headers=[TEXT])})
    children = [f"{hosts.server.origin}/pages.xml", f"{hosts.other}/child.xml"]
    listed = xml(urlset([entry(f"{hosts.other}/page")]))
    hosts.own = {"/sitemap.xml": xml(index(children)), "/pages.xml": listed}
    audited = audit(tmp_path, hosts)
    assert hosts.count(f"{hosts.other}/robots.txt") == 1
    assert hosts.count(f"{hosts.other}/child.xml") == hosts.count(f"{hosts.other}/page") == 1
    assert len(audited.run.robots) == 2


def test_robots_txt_of_another_host_is_obeyed_and_not_audited(tmp_path: Path) -> None:
    robots = Reply("User-agent: *\nDisallow: /\n", headers=[TEXT])
    hosts = TwoHosts(["/redirects", "/canonicalized", "~/page"], {"/robots.txt": robots})
    audited = audit(tmp_path, hosts)
    requests = {place for place in hosts.server.requests if place.startswith("localhost")}
    assert requests == {f"localhost:{hosts.server.port}/robots.txt"}
    urls = audited.run.urls.set_index("url")
    assert urls.loc[f"{hosts.other}/page", "verdict"] == "blocked"
    assert "robots-no-sitemap-line" not in dict(audited.findings())


def test_no_page_is_fetched_from_a_host_without_a_readable_robots_txt(tmp_path: Path) -> None:
    hosts = TwoHosts(["~/1", "~/2", "/page"], {"/robots.txt": Reply(reset=True)})
    audited = audit(tmp_path, hosts)
    urls = audited.run.urls.set_index("url")
    assert urls["verdict"].to_dict() == {
        f"{hosts.other}/1": "unreachable",
        f"{hosts.other}/2": "unreachable",
        f"{hosts.server.origin}/page": "indexable",
    }
    messages = audited.run.findings["message"].tolist()
    assert len(messages) == 4  # Its pages are unreachable, and it may declare the sitemap.
    assert all("robots.txt" in message for message in messages)
    assert hosts.count(f"{hosts.other}/1") == 0


def test_a_slow_host_does_not_delay_the_others(tmp_path: Path) -> None:
    slow = [f"~/{number}" for number in range(60)]  # more than are fetched at once
    fast = [f"/{number}" for number in range(20)]
    hosts = TwoHosts(slow + fast, {"/robots.txt": Reply("", delay=3, headers=[TEXT])})
    audited = audit(tmp_path, hosts, DOWNLOAD_TIMEOUT="10")
    pages = audited.run.pages.sort_values("fetched_at")
    are_slow = ["localhost" in url for url in pages["url"]]
    assert are_slow == [False] * len(fast) + [True] * len(slow)
    assert dict(audited.findings()).keys() == {"loc-host-mismatch"}


def test_a_private_host_that_is_not_a_site_is_not_contacted(tmp_path: Path) -> None:
    hosts = TwoHosts(["~/1", "/redirects"], NO_ROBOTS)
    audited = audit(tmp_path, hosts, AUDIT_PRIVATE_HOSTS="")
    assert not [place for place in hosts.server.requests if place.startswith("localhost")]
    urls = audited.run.urls.set_index("url")
    assert urls.loc[f"{hosts.other}/1", "error"] == "private-address"


def test_the_number_of_other_hosts_is_limited(tmp_path: Path) -> None:
    hosts = TwoHosts(["~/1", "/page"], NO_ROBOTS)
    audited = audit(tmp_path, hosts, AUDIT_MAX_HOSTS="0")
    assert audited.status == 3
    urls = audited.run.urls.set_index("url")
    assert urls.loc[f"{hosts.other}/1", "verdict"] == "unchecked"
    assert urls.loc[f"{hosts.other}/1", "skip_reason"] == "hosts"

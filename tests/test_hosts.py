"""More than one host: robots.txt of each is read once, and what it forbids is not asked for."""

from pathlib import Path

from sitemapaudit.demo.documents import TEXT, entry, page, urlset, xml
from sitemapaudit.demo.server import Asked, Reply, Server
from tests.support import Audited, crawl


class Pair:
    """A site and its neighbour: one server, under two host names."""

    def __init__(self, listed: list[str], neighbour: dict[str, Reply]) -> None:
        self.server = Server(self._answer)
        self._listed = listed
        self._neighbour = neighbour

    @property
    def other(self) -> str:
        return f"http://localhost:{self.server.port}"

    def times(self, place: str) -> int:
        return self.server.asked[place.removeprefix("http://")]

    def _answer(self, asked: Asked) -> Reply:
        if asked.host.startswith("localhost"):
            fine = page(f"Neighbour {asked.path}", canonical=self.other + asked.path)
            return self._neighbour.get(asked.path, fine)
        if asked.path == "/robots.txt":
            return Reply(f"Sitemap: {self.server.origin}/sitemap.xml\n", headers=[TEXT])
        if asked.path == "/sitemap.xml":
            locs = [
                (self.other + path[1:] if path.startswith("~") else self.server.origin + path)
                for path in self._listed
            ]
            return xml(urlset(map(entry, locs)))
        if asked.path == "/leaves":
            location = ("Location", f"{self.other}/target")
            return Reply(status=301, headers=[location])
        if asked.path == "/points":
            return page("Points", canonical=f"{self.other}/canonical")
        return page(asked.path, canonical=self.server.origin + asked.path)


NO_ROBOTS = {"/robots.txt": Reply(status=404)}


def audit(tmp_path: Path, pair: Pair, **settings: str) -> Audited:
    chosen = {"AUDIT_PRIVATE_HOSTS": f"localhost:{pair.server.port}", "RETRY_TIMES": "0"}
    with pair.server:
        return crawl(tmp_path, {"site": pair.server.origin}, chosen | settings)


def test_targets_on_another_host_are_asked_for_once(tmp_path: Path) -> None:
    pair = Pair(["/leaves", "/points", "~/target"], NO_ROBOTS)
    audited = audit(tmp_path, pair)
    assert pair.times(f"{pair.other}/robots.txt") == 1
    assert pair.times(f"{pair.other}/target") == 1
    assert pair.times(f"{pair.other}/canonical") == 1
    site = pair.server.origin
    assert audited.findings() == [
        ("canonical-elsewhere", f"{site}/points"),
        ("canonical-offsite", f"{site}/points"),
        ("loc-host-mismatch", f"{pair.other}/target"),
        ("page-redirect-offsite", f"{site}/leaves"),
        ("page-redirect-permanent", f"{site}/leaves"),
    ]


def test_robots_txt_of_the_other_host_is_obeyed_and_not_judged(tmp_path: Path) -> None:
    robots = Reply("User-agent: *\nDisallow: /\n", headers=[TEXT])
    pair = Pair(["/leaves", "/points", "~/page"], {"/robots.txt": robots})
    audited = audit(tmp_path, pair)
    asked = {place for place in pair.server.asked if place.startswith("localhost")}
    assert asked == {f"localhost:{pair.server.port}/robots.txt"}
    urls = audited.run.urls.set_index("url")
    assert urls.loc[f"{pair.other}/page", "verdict"] == "blocked"
    assert "robots-no-sitemap-line" not in dict(audited.findings())


def test_a_host_whose_robots_txt_fails_is_asked_for_nothing_else(tmp_path: Path) -> None:
    pair = Pair(["~/1", "~/2", "/fine"], {"/robots.txt": Reply(reset=True)})
    audited = audit(tmp_path, pair)
    urls = audited.run.urls.set_index("url")
    assert urls["verdict"].to_dict() == {
        f"{pair.other}/1": "unreachable",
        f"{pair.other}/2": "unreachable",
        f"{pair.server.origin}/fine": "indexable",
    }
    messages = audited.run.findings["message"].tolist()
    assert len(messages) == 2
    assert all("robots.txt" in message for message in messages)
    assert pair.times(f"{pair.other}/1") == 0


def test_a_slow_host_holds_up_nobody_else(tmp_path: Path) -> None:
    slow = [f"~/{number}" for number in range(100)]
    fast = [f"/{number}" for number in range(100)]
    pair = Pair(slow + fast, {"/robots.txt": Reply("", delay=3, headers=[TEXT])})
    audited = audit(tmp_path, pair, DOWNLOAD_TIMEOUT="10")
    pages = audited.run.pages.sort_values("fetched_at")
    hosts = ["localhost" in url for url in pages["url"]]
    assert hosts == [False] * 100 + [True] * 100
    assert dict(audited.findings()).keys() == {"loc-host-mismatch"}


def test_a_private_host_that_is_no_site_is_not_connected_to(tmp_path: Path) -> None:
    pair = Pair(["~/1", "/leaves"], NO_ROBOTS)
    audited = audit(tmp_path, pair, AUDIT_PRIVATE_HOSTS="")
    assert not [place for place in pair.server.asked if place.startswith("localhost")]
    urls = audited.run.urls.set_index("url")
    assert urls.loc[f"{pair.other}/1", "error"] == "private-address"


def test_so_many_other_hosts_and_no_more(tmp_path: Path) -> None:
    pair = Pair(["~/1", "/fine"], NO_ROBOTS)
    audited = audit(tmp_path, pair, AUDIT_MAX_HOSTS="0")
    assert audited.status == 3
    urls = audited.run.urls.set_index("url")
    assert urls.loc[f"{pair.other}/1", "verdict"] == "unchecked"
    assert urls.loc[f"{pair.other}/1", "left_out"] == "hosts"

"""Each image and video is requested once, without a download."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from sitemapaudit import Run
from tests.crawling.media.site import ENDLESS, Answer, MediaSite, Request, url_element
from tests.support.audits import Audited, crawl
from tests.support.settings import QUICK

pytestmark = pytest.mark.xdist_group("media")

HTML: Final = {"Content-Type": "text/html"}
ROBOTS: Final = "User-agent: Googlebot\nDisallow: /robots/private/\n"
REFUSALS: Final = (200, 400, 403, 404, 405, 501, "reset")
"""The responses to HEAD. A server that then sends a page has refused it, too."""

FAILURES: Final = {
    "/failure/gone.jpg": 404,
    "/failure/down.jpg": 500,
    "/redirect/gone.jpg": 410,
}
"""The status of each image that nobody can fetch."""

TARGETS: Final = {
    "/redirect/moved.jpg": "/redirect/other.jpg",
    "/redirect/also.jpg": "/redirect/other.jpg",
    "/redirect/loop.jpg": "/redirect/back.jpg",
    "/redirect/back.jpg": "/redirect/loop.jpg",
    "/redirect/to-gone.jpg": "/redirect/gone.jpg",
    "/redirect/to-page.jpg": "/redirect/",
    "/redirect/nowhere.jpg": "ftp://127.0.0.1/a.jpg",
    "/robots/moved.jpg": "/robots/private/b.jpg",
}
"""The image or page to which each image redirects."""

LISTED: Final = {
    "/failure/": ["/failure/gone.jpg", "/failure/down.jpg"],
    "/refused/": [f"/refused/{refusal}.jpg" for refusal in REFUSALS],
    "/redirect/": [path for path in TARGETS if path.startswith("/redirect") and "back" not in path],
    "/robots/": ["/robots/private/a.jpg", "/robots/moved.jpg"],
    "/read/": ["/sitemap.xml", "/robots.txt"],
    "/endless/": ["/endless/a.jpg"],
}
"""The images of the pages of the website, in one folder for each fact."""


def answer_of(method: str, path: str) -> Answer | None:
    """Return the answer of the website, where it is not that of every page or image."""
    if path in TARGETS:
        return Answer(301, {"Location": TARGETS[path]}, b"")
    if path in FAILURES:
        return Answer(FAILURES[path], HTML)
    if path == "/endless/a.jpg":
        return Answer(405) if method == "HEAD" else Answer(endless=True)
    if not (path.startswith("/refused/") and path.endswith(".jpg")):
        return None
    if method != "HEAD":
        part = {"Content-Type": "image/png", "Content-Range": "bytes 0-0/1234"}
        return Answer(206, part, b"x")
    refusal = path.removeprefix("/refused/").removesuffix(".jpg")
    return Answer(reset=True) if refusal == "reset" else Answer(int(refusal), HTML)


def entries_of(origin: str, inside: str) -> Iterator[str]:
    """Yield the entries of the website, each on a line of its own."""
    for page, images in LISTED.items():
        yield url_element(origin + page, [origin + path for path in images])
    image, film = f"{origin}/once/a.jpg", f"{origin}/once/film.jpg"
    yield url_element(f"{origin}/once/", [image, f" {image} ", image.replace("http", "HTTP")])
    videos = {"content_loc": film, "player_loc": f"{origin}/once/player"}
    yield url_element(
        f"{origin}/once/b", [image, f"{origin}/once/b"], thumbnail_loc=image, **videos
    )
    private = [inside, "http://10.0.0.1", "http://169.254.169.254", "http://[::1]"]
    yield url_element(f"{origin}/private/", [f"{each}/a.jpg" for each in private])


def audit(audits: Path, site: MediaSite, **values: Any) -> Audited:
    """Audit a website and its images; upper-case values are settings."""
    given = {"site": site.origin, "media": "check", **values}
    settings = {name: given.pop(name) for name in list(given) if name.isupper()}
    return crawl(audits, given, settings)


@dataclass(frozen=True)
class Checked:
    """An audit of the website with all facts, the requests that it made, and what it was sent."""

    audited: Audited
    site: MediaSite
    requests: Sequence[Request]
    inside: Sequence[Request]
    """The requests that a server in the private network got."""

    def methods(self, folder: str) -> dict[str, list[str]]:
        """Return the methods of the requests for each path in a folder."""
        found: dict[str, list[str]] = {}
        for request in self.requests:
            if request.path.startswith(folder):
                found.setdefault(request.path, []).append(request.method)
        return found

    def rows(self, folder: str) -> dict[str, dict[str, Any]]:
        """Return the row of each path in a folder."""
        rows = rows_of(self.audited.run)
        start = self.site.origin + folder
        return {
            "/" + url.split("/", 3)[3]: row for url, row in rows.items() if url.startswith(start)
        }

    def messages(self, rule: str, folder: str) -> list[str]:
        """Return the messages of a rule about the images of a page."""
        findings = self.audited.run.findings
        about = findings["url"].str.startswith(self.site.origin + folder)
        return sorted(findings[about & (findings["rule"] == rule)]["message"])


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    """Return one audit of a website with a page for each fact."""
    with MediaSite(lambda _: []) as inside:

        def entries(origin: str) -> Sequence[str]:
            return [f"\n{entry}" for entry in entries_of(origin, inside.origin)]

        with MediaSite(entries, answer_of, ROBOTS) as site:
            audited = audit(tmp_path_factory.mktemp("checked"), site, RETRY_TIMES="2")
    return Checked(audited, site, site.requests, inside.requests)


def site_of(*paths: str) -> MediaSite:
    """Return a website whose page lists these images."""
    return MediaSite(lambda origin: [url_element(f"{origin}/", [origin + path for path in paths])])


def rows_of(run: Run) -> dict[str, dict[str, Any]]:
    """Return the row of each URL."""
    rows = json.loads(run.media.to_json(orient="records", date_format="iso"))
    return {str(row["url"]): row for row in rows}


def found_in(audited: Audited, rule: str) -> list[str]:
    """Return the messages of a rule."""
    findings = audited.run.findings
    return sorted(findings[findings["rule"] == rule]["message"])


def test_each_address_is_requested_once(checked: Checked) -> None:
    assert checked.methods("/once/") == {
        "/once/": ["GET"],
        "/once/b": ["GET"],
        "/once/a.jpg": ["HEAD"],
        "/once/film.jpg": ["HEAD"],
        "/once/player": ["HEAD", "GET"],
    }
    folders = {each.path.split("/")[1] for each in checked.requests}
    expected = {page.strip("/") for page in LISTED} | {"once", "private"}
    assert folders == expected | {"robots.txt", "sitemap.xml"}
    assert checked.audited.status == 0, checked.audited.log
    rows = checked.rows("/once/")
    assert {path: list(row["kinds"]) for path, row in rows.items()} == {
        "/once/a.jpg": ["image", "thumbnail"],
        "/once/b": ["image"],
        "/once/film.jpg": ["content"],
        "/once/player": ["player"],
    }
    assert [rows[path]["method"] for path in ("/once/a.jpg", "/once/b")] == ["HEAD", "GET"]
    image = rows["/once/a.jpg"]
    assert (image["content_type"], image["bytes"]) == ("image/jpeg", 3)
    assert checked.messages("image-not-image", "/once/") == [
        f"image {checked.site.origin}/once/b is sent as text/html"
    ]


def test_a_sitemap_that_is_listed_as_an_image_is_not_requested_again(checked: Checked) -> None:
    files = [each.path for each in checked.requests if each.path.endswith((".xml", ".txt"))]
    assert files == ["/robots.txt", "/sitemap.xml"]
    assert checked.methods("/read/") == {"/read/": ["GET"]}
    assert checked.rows("/sitemap.xml")["/sitemap.xml"]["content_type"] == "application/xml"
    assert checked.rows("/robots.txt")["/robots.txt"]["status"] == 200


def test_media_are_not_requested_by_default(tmp_path: Path) -> None:
    with site_of("/a.jpg") as site:
        audited = audit(tmp_path, site, **QUICK, media="none")
        assert site.methods() == {"/": ["GET"]}
    assert not (audited.run.path / "media.parquet").exists()
    with pytest.raises(FileNotFoundError, match="media=check"):
        _ = audited.run.media


@pytest.mark.parametrize("refusal", REFUSALS)
def test_where_head_is_refused_the_first_byte_is_requested(
    refusal: int | str, checked: Checked
) -> None:
    path = f"/refused/{refusal}.jpg"
    requests = [(each.method, each.range) for each in checked.requests if each.path == path]
    assert requests == [("HEAD", None), ("GET", "bytes=0-0")]
    row = checked.rows("/refused/")[path]
    assert (row["method"], row["status"], row["error"]) == ("GET", 206, None)
    assert (row["content_type"], row["bytes"]) == ("image/png", 1234)
    unreachable = checked.messages("image-unreachable", "/refused/")
    assert not [message for message in unreachable if path in message]


def test_the_download_of_a_server_that_ignores_ranges_is_stopped(checked: Checked) -> None:
    assert checked.site.sent["/endless/a.jpg"] < 64 * 2**20  # What the sockets between them hold.
    assert checked.audited.status == 0, checked.audited.log
    row = checked.rows("/endless/")["/endless/a.jpg"]
    assert (row["status"], row["bytes"]) == (200, ENDLESS)


def test_a_failure_is_confirmed(checked: Checked) -> None:
    origin, methods = checked.site.origin, checked.methods("/failure/")
    assert methods["/failure/gone.jpg"] == ["HEAD", "GET"]
    assert methods["/failure/down.jpg"] == ["HEAD", "GET", "GET"]
    assert checked.messages("image-unreachable", "/failure/") == [
        f"image {origin}/failure/down.jpg returns 500",
        f"image {origin}/failure/gone.jpg returns 404",
    ]
    findings = checked.audited.run.findings.query("rule == 'image-unreachable'")
    rows = findings[findings["message"].str.contains("/failure/")].to_dict("records")
    for finding in rows:
        place = (finding["url"], finding["sitemap"])
        assert place == (f"{origin}/failure/", f"{origin}/sitemap.xml")
        assert (finding["position"], finding["line"]) == (1, 2)
    assert len(rows) == 2


def test_redirects(checked: Checked) -> None:
    origin = checked.site.origin
    assert checked.methods("/redirect/") == {
        **{path: ["HEAD"] for path in TARGETS if path.startswith("/redirect/")},
        "/redirect/": ["GET"],
        "/redirect/other.jpg": ["HEAD"],
        "/redirect/gone.jpg": ["HEAD", "GET"],
    }
    rows = checked.rows("/redirect/")
    assert list(rows["/redirect/other.jpg"]["kinds"]) == []
    assert rows["/redirect/moved.jpg"]["target"] == f"{origin}/redirect/other.jpg"
    assert rows["/redirect/nowhere.jpg"]["error"] == "redirect-invalid"
    assert checked.messages("image-not-image", "/redirect/") == [
        f"image {origin}/redirect/to-page.jpg is sent as text/html"
    ]
    gone = f"redirects to {origin}/redirect/gone.jpg, which returns 410"
    assert checked.messages("image-unreachable", "/redirect/") == [
        f"image {origin}/redirect/loop.jpg redirects in a loop, or more than 20 times",
        f"image {origin}/redirect/nowhere.jpg redirects to no valid URL",
        f"image {origin}/redirect/to-gone.jpg {gone}",
    ]


def test_robots_txt_is_obeyed(checked: Checked) -> None:
    assert checked.methods("/robots/private/") == {}
    origin, reason = checked.site.origin, "is blocked: robots.txt disallows it for Googlebot"
    assert checked.messages("media-blocked-by-robots", "/robots/") == [
        f"image {origin}/robots/moved.jpg {reason}",
        f"image {origin}/robots/private/a.jpg {reason}",
    ]
    row = checked.rows("/robots/private/")["/robots/private/a.jpg"]
    assert (row["allowed"], row["method"]) == (False, None)


def test_private_addresses_are_refused(checked: Checked) -> None:
    assert not checked.inside
    rows = rows_of(checked.audited.run).items()
    errors = [row["error"] for url, row in rows if not url.startswith(checked.site.origin)]
    assert errors == ["private-address"] * 4
    assert checked.messages("image-unreachable", "/private/") == []


def test_other_hosts_count_against_the_limit(tmp_path: Path) -> None:
    with MediaSite(lambda _: []) as cdn:

        def entries(origin: str) -> Sequence[str]:
            return [url_element(f"{origin}/", [f"{cdn.origin}/a.jpg", f"{origin}/b.jpg"])]

        allowed = {**QUICK, "AUDIT_PRIVATE_HOSTS": cdn.origin.removeprefix("http://")}
        with MediaSite(entries) as site:
            one = audit(tmp_path / "one", site, **allowed)
            assert [each.path for each in cdn.requests] == ["/robots.txt", "/a.jpg"]
            none = audit(tmp_path / "none", site, **allowed, AUDIT_MAX_HOSTS="0")
            assert len(cdn.requests) == 2
    assert (len(one.run.media), len(none.run.media)) == (2, 1)
    assert (one.run.manifest.limits, none.run.manifest.limits) == ({}, {"AUDIT_MAX_HOSTS": 1})


def test_what_is_skipped_with_its_page(tmp_path: Path) -> None:
    def entries(origin: str) -> Sequence[str]:
        return [
            url_element(f"{origin}/{name}", [f"{origin}/{name}.jpg", f"{origin}/{name}-2.jpg"])
            for name in "abcdef"
        ]

    def images(**values: Any) -> int:
        folder = tmp_path / json.dumps(values).replace("/", "")
        audited = audit(folder, site, **QUICK, **values)
        paths = {each.path for each in site.take_requests() if each.path.endswith(".jpg")}
        assert len(audited.run.media) == len(paths)
        limits.append(audited.run.manifest.limits)
        assert audited.run.manifest.complete is not bool(limits[-1])
        return len(paths)

    limits: list[dict[str, int]] = []

    with MediaSite(entries) as site:
        assert images(AUDIT_MAX_URLS="2") == 2
        assert images(exclude="/[ab]$", pages="3") == 6
        assert images(pages="none") == 12
        # Four pages, and two images of the others.
        assert limits == [{"AUDIT_MAX_URLS": 4 + 2}, {}, {}]


def test_the_images_of_a_build_are_files(tmp_path: Path) -> None:
    build = tmp_path / "build"
    build.mkdir()
    (build / "a.jpg").write_bytes(b"\xff\xd8\xff")
    (build / "index.html").write_text("<!doctype html><title>Home</title>")
    site = "https://www.example.com"
    images = [f"{site}/a.jpg", f"{site}/gone.jpg", "https://cdn.example.com/a.jpg"]
    with MediaSite(lambda _: [url_element(f"{site}/", images)]) as server:
        (build / "sitemap.xml").write_bytes(server._sitemap())
    given = {"site": site, "folder": str(build), "media": "check"}
    audited = crawl(tmp_path / "audits", given)
    assert audited.status == 0, audited.log
    rows = rows_of(audited.run)
    assert [rows[url]["status"] for url in images[:2]] == [200, 404]
    assert rows[images[2]]["error"] == "not-in-build"
    assert found_in(audited, "image-unreachable") == [f"image {images[1]} returns 404"]


def test_images_on_staging(tmp_path: Path) -> None:
    site = "https://www.example.com"

    def answer(method: str, path: str) -> Answer | None:
        target = f"{server.origin}/b.jpg"
        return Answer(302, {"Location": target}, b"") if path == "/a.jpg" else None

    with MediaSite(lambda _: [url_element(f"{site}/", [f"{site}/a.jpg"])], answer) as server:
        given = {"site": site, "staging": server.origin, "media": "check"}
        audited = crawl(tmp_path, given, QUICK)
        assert audited.status == 0, audited.log
        assert server.methods() == {"/": ["GET"], "/a.jpg": ["HEAD"], "/b.jpg": ["HEAD"]}
    assert sorted(audited.run.media["url"]) == [f"{site}/a.jpg", f"{site}/b.jpg"]

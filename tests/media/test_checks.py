"""Each image and video is requested once, without a download."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sitemapaudit import Run
from tests.media.site import ENDLESS, Answer, Answers, MediaSite, url_element
from tests.support import QUICK, Audited, crawl

pytestmark = pytest.mark.xdist_group("media")

HTML = {"Content-Type": "text/html"}


def audit(audits: Path, site: MediaSite, **values: Any) -> Audited:
    """Audit a website and its images; upper-case values are settings."""
    given = {"site": site.origin, "media": "check", **values}
    settings = {name: given.pop(name) for name in list(given) if name.isupper()}
    return crawl(audits, given, settings)


def site_of(*paths: str, answer: Answers | None = None, robots: str = "") -> MediaSite:
    """Return a website whose page lists these images."""
    return MediaSite(
        lambda origin: [url_element(f"{origin}/", [origin + path for path in paths])],
        answer,
        robots,
    )


def rows_of(run: Run) -> dict[str, dict[str, Any]]:
    """Return the row of each path."""
    rows = json.loads(run.media.to_json(orient="records", date_format="iso"))
    return {"/" + str(row["url"]).split("/", 3)[3]: row for row in rows}


def found_in(audited: Audited, rule: str) -> list[str]:
    """Return the messages of a rule."""
    findings = audited.run.findings
    return sorted(findings[findings["rule"] == rule]["message"])


def test_each_address_is_requested_once(tmp_path: Path) -> None:
    def entries(origin: str) -> Sequence[str]:
        image = f"{origin}/a.jpg"
        film = {"content_loc": f"{origin}/film.jpg", "player_loc": f"{origin}/player"}
        return [
            url_element(f"{origin}/", [image, f" {image} ", image.replace("http", "HTTP")]),
            url_element(f"{origin}/b", [image, f"{origin}/b"], thumbnail_loc=image, **film),
        ]

    with MediaSite(entries) as site:
        audited = audit(tmp_path, site)
        assert site.methods() == {
            "/": ["GET"],
            "/b": ["GET"],
            "/a.jpg": ["HEAD"],
            "/film.jpg": ["HEAD"],
            "/player": ["HEAD"],
        }
    assert audited.status == 0, audited.log
    rows = rows_of(audited.run)
    assert {path: list(row["kinds"]) for path, row in rows.items()} == {
        "/a.jpg": ["image", "thumbnail"],
        "/b": ["image"],
        "/film.jpg": ["content"],
        "/player": ["player"],
    }
    assert [rows[path]["method"] for path in ("/a.jpg", "/b")] == ["HEAD", "GET"]
    assert (rows["/a.jpg"]["content_type"], rows["/a.jpg"]["bytes"]) == ("image/jpeg", 3)
    assert found_in(audited, "image-not-image") == [f"image {site.origin}/b is sent as text/html"]


def test_a_sitemap_that_is_listed_as_an_image_is_not_requested_again(tmp_path: Path) -> None:
    with site_of("/sitemap.xml", "/robots.txt") as site:
        audited = audit(tmp_path, site)
        assert [each.path for each in site.requests] == ["/robots.txt", "/sitemap.xml", "/"]
    rows = rows_of(audited.run)
    assert rows["/sitemap.xml"]["content_type"] == "application/xml"
    assert rows["/robots.txt"]["status"] == 200


def test_media_are_not_requested_by_default(tmp_path: Path) -> None:
    with site_of("/a.jpg") as site:
        audited = audit(tmp_path, site, media="none")
        assert site.methods() == {"/": ["GET"]}
    assert not (audited.run.path / "media.parquet").exists()
    with pytest.raises(FileNotFoundError, match="media=check"):
        _ = audited.run.media


@pytest.mark.parametrize("refusal", [400, 403, 404, 405, 501, "reset"])
def test_where_head_is_refused_the_first_byte_is_requested(
    refusal: int | str, tmp_path: Path
) -> None:
    def answer(method: str, path: str) -> Answer | None:
        if path != "/a.jpg":
            return None
        if method == "HEAD":
            return Answer(reset=True) if refusal == "reset" else Answer(int(refusal), HTML)
        part = {"Content-Type": "image/png", "Content-Range": "bytes 0-0/1234"}
        return Answer(206, part, b"x")

    with site_of("/a.jpg", answer=answer) as site:
        audited = audit(tmp_path, site)
        requests = [each for each in site.take_requests() if each.path == "/a.jpg"]
    assert [(each.method, each.range) for each in requests] == [
        ("HEAD", None),
        ("GET", "bytes=0-0"),
    ]
    row = rows_of(audited.run)["/a.jpg"]
    assert (row["method"], row["status"], row["error"]) == ("GET", 206, None)
    assert (row["content_type"], row["bytes"]) == ("image/png", 1234)
    assert found_in(audited, "image-unreachable") == []


def test_the_download_of_a_server_that_ignores_ranges_is_stopped(tmp_path: Path) -> None:
    def answer(method: str, path: str) -> Answer | None:
        if path != "/a.jpg":
            return None
        return Answer(405) if method == "HEAD" else Answer(endless=True)

    with site_of("/a.jpg", answer=answer) as site:
        audited = audit(tmp_path, site)
        assert site.sent["/a.jpg"] < 64 * 2**20  # What the sockets between them hold.
    assert audited.status == 0, audited.log
    row = rows_of(audited.run)["/a.jpg"]
    assert (row["status"], row["bytes"]) == (200, ENDLESS)


def test_a_failure_is_confirmed(tmp_path: Path) -> None:
    def answer(method: str, path: str) -> Answer | None:
        statuses = {"/gone.jpg": 404, "/down.jpg": 500}
        return Answer(statuses[path], HTML) if path in statuses else None

    with site_of("/gone.jpg", "/down.jpg", answer=answer) as site:
        audited = audit(tmp_path, site, RETRY_TIMES="2")
        methods = site.methods()
    assert methods["/gone.jpg"] == ["HEAD", "GET"]
    assert methods["/down.jpg"] == ["HEAD", "GET", "GET"]
    assert found_in(audited, "image-unreachable") == [
        f"image {site.origin}/down.jpg returns 500",
        f"image {site.origin}/gone.jpg returns 404",
    ]
    (finding, _) = audited.run.findings.query("rule == 'image-unreachable'").to_dict("records")
    assert (finding["url"], finding["sitemap"]) == (f"{site.origin}/", f"{site.origin}/sitemap.xml")
    assert (finding["position"], finding["line"]) == (1, 1)


def test_redirects(tmp_path: Path) -> None:
    targets = {
        "/moved.jpg": "/other.jpg",
        "/also.jpg": "/other.jpg",
        "/loop.jpg": "/back.jpg",
        "/back.jpg": "/loop.jpg",
        "/to-gone.jpg": "/gone.jpg",
        "/to-home.jpg": "/",
        "/nowhere.jpg": "ftp://127.0.0.1/a.jpg",
    }

    def answer(method: str, path: str) -> Answer | None:
        if path == "/gone.jpg":
            return Answer(410, HTML)
        return Answer(301, {"Location": targets[path]}, b"") if path in targets else None

    listed = [path for path in targets if path != "/back.jpg"]
    with site_of(*listed, answer=answer) as site:
        audited = audit(tmp_path, site)
        methods = site.methods()
    assert methods == {
        **{path: ["HEAD"] for path in targets},
        "/": ["GET"],
        "/other.jpg": ["HEAD"],
        "/gone.jpg": ["HEAD", "GET"],
    }
    rows = rows_of(audited.run)
    assert list(rows["/other.jpg"]["kinds"]) == []
    assert rows["/moved.jpg"]["target"] == f"{site.origin}/other.jpg"
    assert rows["/nowhere.jpg"]["error"] == "redirect-invalid"
    assert found_in(audited, "image-not-image") == [
        f"image {site.origin}/to-home.jpg is sent as text/html"
    ]
    assert found_in(audited, "image-unreachable") == [
        f"image {site.origin}/loop.jpg redirects in a loop, or more than 20 times",
        f"image {site.origin}/nowhere.jpg redirects to no valid URL",
        f"image {site.origin}/to-gone.jpg redirects to {site.origin}/gone.jpg, which returns 410",
    ]


def test_robots_txt_is_obeyed(tmp_path: Path) -> None:
    def answer(method: str, path: str) -> Answer | None:
        return Answer(301, {"Location": "/private/b.jpg"}, b"") if path == "/moved.jpg" else None

    robots = "User-agent: Googlebot\nDisallow: /private/\n"
    with site_of("/private/a.jpg", "/moved.jpg", answer=answer, robots=robots) as site:
        audited = audit(tmp_path, site)
        assert not [each for each in site.take_requests() if "private" in each.path]
    reason = "is blocked: robots.txt disallows it for Googlebot"
    assert found_in(audited, "media-blocked-by-robots") == [
        f"image {site.origin}/moved.jpg {reason}",
        f"image {site.origin}/private/a.jpg {reason}",
    ]
    row = rows_of(audited.run)["/private/a.jpg"]
    assert (row["allowed"], row["method"]) == (False, None)


def test_private_addresses_are_refused(tmp_path: Path) -> None:
    with MediaSite(lambda _: []) as inside:

        def entries(origin: str) -> Sequence[str]:
            private = [inside.origin, "http://10.0.0.1", "http://169.254.169.254", "http://[::1]"]
            return [url_element(f"{origin}/", [f"{each}/a.jpg" for each in private])]

        with MediaSite(entries) as site:
            audited = audit(tmp_path, site)
        assert inside.requests == []
    assert set(audited.run.media["error"]) == {"private-address"}
    assert len(audited.run.media) == 4
    assert found_in(audited, "image-unreachable") == []


def test_other_hosts_count_against_the_limit(tmp_path: Path) -> None:
    with MediaSite(lambda _: []) as cdn:

        def entries(origin: str) -> Sequence[str]:
            return [url_element(f"{origin}/", [f"{cdn.origin}/a.jpg", f"{origin}/b.jpg"])]

        allowed = {"AUDIT_PRIVATE_HOSTS": cdn.origin.removeprefix("http://")}
        with MediaSite(entries) as site:
            one = audit(tmp_path / "one", site, **allowed)
            assert [each.path for each in cdn.requests] == ["/robots.txt", "/a.jpg"]
            none = audit(tmp_path / "none", site, **allowed, AUDIT_MAX_HOSTS="0")
            assert len(cdn.requests) == 2
    assert (len(one.run.media), len(none.run.media)) == (2, 1)


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
        return len(paths)

    with MediaSite(entries) as site:
        assert images(exclude="/[abc]$") == 6
        assert images(AUDIT_MAX_URLS="2") == 2
        assert images(pages="4") == 8
        assert images(pages="none") == 12


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
    rows = {
        row["url"]: row
        for row in json.loads(audited.run.media.to_json(orient="records", date_format="iso"))
    }
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

"""GitHub Pages."""

from pathlib import Path

from tests.builds.builds import NOT_FOUND, TWINS, guide_row, replies_to

REPLIES = {
    "/both": "200 both.html",
    "/both/": "200 both/index.html",
    "/empty": "301 /empty/",
    "/empty/": "404",
    "/gone": "404",
}
JEKYLL = ("_next/a.js", "page.html", "404.html")


def test_the_guide(tmp_path: Path) -> None:
    assert guide_row(tmp_path, "github") == "ok 404 ok /folder/ ok ok ok ok ok ok"


def test_files(tmp_path: Path) -> None:
    assert replies_to(tmp_path, "github", TWINS, REPLIES) == REPLIES


def test_the_page_of_a_404(tmp_path: Path) -> None:
    expected = {"/blog/2026/gone": "404 404.html", "/gone/": "404 404.html"}
    assert replies_to(tmp_path, "github", NOT_FOUND, expected) == expected


def test_jekyll_may_leave_out_names(tmp_path: Path) -> None:
    expected = {
        "/_next/a.js": "unknown",
        "/a/.b": "unknown",
        "/page": "200 page.html",
        "/a_b": "404 404.html",
    }
    assert replies_to(tmp_path, "github", JEKYLL, expected) == expected


def test_nojekyll_publishes_all_names_but_git(tmp_path: Path) -> None:
    files = (*JEKYLL, ".nojekyll", "a/.git/config")
    expected = {"/_next/a.js": "200 _next/a.js", "/a/.git/config": "404 404.html"}
    assert replies_to(tmp_path, "github", files, expected) == expected

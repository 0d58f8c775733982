"""nginx with ``try_files`` and ``error_page``."""

from pathlib import Path

from tests.builds.builds import NOT_FOUND, TWINS, guide_row, replies_to

REPLIES = {
    "/both": "200 both.html",
    "/both/": "200 both/index.html",
    "/empty": "301 /empty/",
    "/empty/": "403",
    "//file.html": "200 file.html",
    "/gone": "404",
}
OTHER_HOSTINGS = {"../functions/page.js": "", "../middleware.ts": "", "page.html": ""}


def test_the_guide(tmp_path: Path) -> None:
    assert guide_row(tmp_path, "nginx") == "ok 404 ok /folder/ ok ok ok ok ok ok"


def test_files(tmp_path: Path) -> None:
    assert replies_to(tmp_path, "nginx", TWINS, REPLIES) == REPLIES


def test_the_page_of_a_404(tmp_path: Path) -> None:
    expected = {"/blog/2026/gone": "404 404.html", "/gone/": "404 404.html"}
    assert replies_to(tmp_path, "nginx", NOT_FOUND, expected) == expected


def test_no_code_answers(tmp_path: Path) -> None:
    expected = {"/page": "200 page.html"}
    assert replies_to(tmp_path, "nginx", OTHER_HOSTINGS, expected) == expected

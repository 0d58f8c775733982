"""CloudFront with the REST endpoint of a bucket, by its documentation."""

from pathlib import Path

from tests.builds.builds import NOT_FOUND, TWINS, guide_row, replies_to

REPLIES = {
    "/": "200 index.html",
    "/index.html": "200 index.html",
    "/empty": "404",
    "/twin": "200 twin",
    "//file.html": "404",
    "/file.html/": "404",
}


def test_the_guide(tmp_path: Path) -> None:
    assert guide_row(tmp_path, "cloudfront") == "404 404 ok 404 404 ok 404 404 ok ok"


def test_files(tmp_path: Path) -> None:
    assert replies_to(tmp_path, "cloudfront", TWINS, REPLIES) == REPLIES


def test_the_page_of_a_404(tmp_path: Path) -> None:
    expected = {"/blog/gone": "404 404.html", "/blog/": "404 404.html"}
    assert replies_to(tmp_path, "cloudfront", NOT_FOUND, expected) == expected

"""A web server without any configuration."""

from pathlib import Path

from tests.builds.builds import NOT_FOUND, TWINS, guide_row, replies_to

REPLIES = {"/": "200 index.html", "/empty": "301 /empty/", "/empty/": "404", "/gone": "404"}


def test_the_guide(tmp_path: Path) -> None:
    assert guide_row(tmp_path, "plain") == "404 404 ok /folder/ ok ok /both/ ok ok ok"


def test_files(tmp_path: Path) -> None:
    assert replies_to(tmp_path, "plain", TWINS, REPLIES) == REPLIES


def test_a_404_has_no_page(tmp_path: Path) -> None:
    assert set(replies_to(tmp_path, "plain", NOT_FOUND, ("/blog/gone", "/")).values()) == {
        "404",
        "200 index.html",
    }

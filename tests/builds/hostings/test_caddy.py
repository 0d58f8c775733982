"""Caddy's file server. The replies are those of Caddy 2.6.2."""

from pathlib import Path

from tests.builds.builds import TWINS, guide_row, replies_to

REPLIES = {
    "/both/": "200 both/index.html",
    "/empty": "404",
    "/empty/": "404",
    "//file.html": "200 file.html",
    "/file.html/": "404",
    "/empty%2Fa.txt": "200 empty/a.txt",
    "/gone": "404",
}


def test_the_guide(tmp_path: Path) -> None:
    row = guide_row(tmp_path, "caddy", 308)
    assert row == "404 404 ok /folder/ ok ok /both/ ok ok ok"


def test_files(tmp_path: Path) -> None:
    assert replies_to(tmp_path, "caddy", TWINS, REPLIES) == REPLIES


def test_its_configuration_is_not_served(tmp_path: Path) -> None:
    assert replies_to(tmp_path, "caddy", ("Caddyfile",), ["/Caddyfile"]) == {"/Caddyfile": "404"}

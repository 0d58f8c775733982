"""Firebase Hosting. The oracle compares globs, captures and files with those of its emulator."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builds.builds import (
    GUIDE,
    NOT_FOUND,
    PAGES,
    guide_row,
    only_problem,
    open_build,
    replies_to,
    reply_to,
    robots_tag,
)


def config(**hosting: Any) -> dict[str, str]:
    return {"../firebase.json": json.dumps({"hosting": {"public": "public", **hosting}})}


# The rows of the guide, by cleanUrls and trailingSlash.
ROWS: list[tuple[dict[str, bool], str]] = [
    ({}, "404 404 ok /folder/ ok ok /both/ ok ok ok"),
    ({"cleanUrls": True}, "ok 404 /file ok ok /folder ok ok /both /both"),
    (
        {"cleanUrls": True, "trailingSlash": False},
        "ok /file /file ok /folder /folder ok /both /both /both",
    ),
    (
        {"cleanUrls": True, "trailingSlash": True},
        "/file/ ok /file/ /folder/ ok /folder/ /both/ ok /both/ /both/",
    ),
    ({"trailingSlash": False}, "404 404 ok ok /folder ok ok /both ok ok"),
]


@pytest.mark.parametrize(("settings", "row"), ROWS)
def test_the_guide(tmp_path: Path, settings: dict[str, bool], row: str) -> None:
    assert guide_row(tmp_path, "firebase", files=config(**settings)) == row


def test_missing_pages(tmp_path: Path) -> None:
    expected = {"/blog/gone": "404 404.html", "/404.html": "404 404.html", "/__/auth": "unknown"}
    assert replies_to(tmp_path, "firebase", NOT_FOUND, expected) == expected


def test_rewrites_come_last(tmp_path: Path) -> None:
    rewrites = [
        {"source": "/api/**", "function": "api"},
        {"source": "/run{,/**}", "run": {"serviceId": "a"}},
        {"regex": "^/old/[0-9]+$", "destination": "/gone.html"},
        {"source": "**", "destination": "/index.html"},
    ]
    files = {**PAGES, **config(rewrites=rewrites)}
    expected = {
        "/page.html": "200 page.html",
        "/any/thing": "200 index.html",
        "/api/a": "unknown",
        "/run": "unknown",
        "/old/12": "404 404.html",
        "/.hidden": "404 404.html",
    }
    assert replies_to(tmp_path, "firebase", files, expected) == expected


def test_redirects_come_first_and_have_no_headers(tmp_path: Path) -> None:
    redirects = [
        {"source": "/news/:year/:slug*", "destination": "/blog/:slug*", "type": 302},
        {"regex": "^/u/(?P<name>[a-z]+)$", "destination": "https://o.example/:name"},
        {"source": "/page.html", "destination": "/"},
    ]
    headers = [{"source": "**", "headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}]
    files = {**PAGES, **config(redirects=redirects, headers=headers)}
    expected = {
        "/news/2026/a/b?x=1": "302 /blog/a/b?x=1",
        "/u/ann": "301 https://o.example/ann",
        "/page.html": "301 /",
    }
    assert replies_to(tmp_path, "firebase", files, expected) == expected
    build = open_build(tmp_path, "firebase", {})
    assert robots_tag(build.reply("example.com", "/page.html")) is None
    assert robots_tag(build.reply("example.com", "/")) == "noindex"


def test_ignored_files_and_content_by_language(tmp_path: Path) -> None:
    files = dict.fromkeys((*GUIDE, "local/fr/file.html", ".well-known/a", "x/.b", "n/a.map"), "")
    rules = config(ignore=["firebase.json", "**/.*", "n/**"], i18n={"root": "/local"})
    expected = {
        "/file.html": "unknown",
        "/both.html": "200 both.html",
        "/.well-known/a": "200 .well-known/a",
        "/x/.b": "404",
        "/n/a.map": "404",
    }
    assert replies_to(tmp_path, "firebase", {**files, **rules}, expected) == expected


def test_the_site_whose_folder_is_the_build(tmp_path: Path) -> None:
    sites = [{"public": "other"}, {"public": "public", "cleanUrls": True}]
    files = {"page.html": "", "../firebase.json": json.dumps({"hosting": sites})}
    assert reply_to(tmp_path, "firebase", files, "/page") == "200 page.html"
    files = {"../firebase.json": json.dumps({"hosting": sites[:1]})}
    reason = "none of its sites has this folder as public"
    assert only_problem(tmp_path, "firebase", files) == ("firebase.json", None, reason)


FAULTS = [
    ("{", 1, "is not a JSON object"),
    ("[]", None, "is not a JSON object"),
    ('{"hosting": {"redirects": {}}}', None, "redirects is not a list of at most 50,000 rules"),
    ('{"hosting": {"rewrites": [{}]}}', None, "rewrites 1: has no source"),
    ('{"hosting": {"rewrites": [{"regex": "("}]}}', None, "rewrites 1: the source cannot be pars"),
    (
        '{"hosting": {"redirects": [{"source": "/a"}]}}',
        None,
        "redirects 1: Object missing required field `destination`",
    ),
    ('{"hosting": {"ignore": 1}}', None, "ignore: Expected `array`, got `int`"),
    (
        json.dumps({"hosting": {"rewrites": [{"source": "/" + "{a,b}" * 9}]}}),
        None,
        "rewrites 1: the braces stand for more than 200 sources",
    ),
]


def test_faults_fail_the_deployment(tmp_path: Path) -> None:
    for number, (text, line, reason) in enumerate(FAULTS):
        folder = tmp_path / str(number)
        name, found, words = only_problem(folder, "firebase", {"../firebase.json": text})
        assert (name, found, words[: len(reason)]) == ("firebase.json", line, reason)
        assert open_build(folder, "firebase", {}).deployment_fault is not None

"""Azure Static Web Apps. The oracle compares routes with those of its emulator."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builds.builds import (
    NOT_FOUND,
    PAGES,
    guide_row,
    only_problem,
    open_build,
    replies_to,
    robots_tag,
)


def config(**settings: Any) -> dict[str, str]:
    return {"../staticwebapp.config.json": json.dumps(settings)}


# The rows of the guide, by trailingSlash: the first is measured, the others are documented.
ROWS: list[tuple[str | None, str]] = [
    (None, "ok /file ok ok ok ok ok ok ok ok"),
    ("auto", "ok /file /file /folder/ ok /folder/ ok ok /both /both/"),
    ("always", "/file/ ok /file/ /folder/ ok /folder/ /both/ ok /both/ /both/"),
    ("never", "ok /file /file ok /folder /folder ok /both /both /both"),
]


@pytest.mark.parametrize(("setting", "row"), ROWS)
def test_the_guide(tmp_path: Path, setting: str | None, row: str) -> None:
    files = config(trailingSlash=setting) if setting else {}
    assert guide_row(tmp_path, "azure", files=files) == row


def test_missing_pages(tmp_path: Path) -> None:
    expected = {"/blog/gone": "404 404.html", "/api/a": "unknown", "/.auth/me": "unknown"}
    assert replies_to(tmp_path, "azure", NOT_FOUND, expected) == expected


def test_routes_come_first(tmp_path: Path) -> None:
    routes = [
        {"route": "/page", "redirect": "/new", "statusCode": 301},
        {"route": "/old*", "rewrite": "/app/"},
        {"route": "/gone", "rewrite": "/page.html", "statusCode": 410},
        {"route": "/profile", "allowedRoles": ["authenticated"]},
        {"route": "/open", "allowedRoles": ["anonymous"], "rewrite": "page"},
        {"route": "/private/*", "statusCode": 404},
        {"route": "/form", "methods": ["POST"], "redirect": "/"},
        {"route": "/call", "rewrite": "/api/call"},
        {"route": "/nowhere", "rewrite": "/missing.html"},
        {"route": "/*.{css,map}", "statusCode": 403},
    ]
    overrides = {"401": {"redirect": "/login"}, "403": {"rewrite": "/en/404.html"}}
    expected = {
        "/page?a=1": "301 /new",
        "/old/1": "200 app/index.html",
        "/oldest": "200 app/index.html",
        "/gone": "410 page.html",
        "/profile": "302 /login",
        "/open": "200 page.html",
        "/private/a": "404 404.html",
        "/private": "unknown",
        "/form": "404 404.html",
        "/call": "unknown",
        "/nowhere": "404 404.html",
        "/static/a.css": "403 en/404.html",
    }
    files = {**PAGES, **config(routes=routes, responseOverrides=overrides)}
    assert replies_to(tmp_path, "azure", files, expected) == expected


def test_the_fallback_and_its_exclusions(tmp_path: Path) -> None:
    fallback = {"rewrite": "index.html", "exclude": ["/static/*", "/*.{png,jpg}"]}
    overrides = {"404": {"rewrite": "/en/404.html", "statusCode": 200}}
    expected = {
        "/any/thing": "200 index.html",
        "/page": "200 page.html",
        "/static/gone": "200 en/404.html",
        "/static/a.css": "200 static/a.css",
        "/a.png": "200 en/404.html",
        "/static": "unknown",
    }
    files = {**PAGES, **config(navigationFallback=fallback, responseOverrides=overrides)}
    assert replies_to(tmp_path, "azure", files, expected) == expected
    files = config(navigationFallback={"rewrite": "/none.html"})
    assert replies_to(tmp_path, "azure", files, ["/any"]) == {"/any": "404 404.html"}


def test_headers_and_content_types(tmp_path: Path) -> None:
    routes = [
        {"route": "/page", "headers": {"x-robots-tag": "none"}},
        {"route": "/app/*", "headers": {"X-Robots-Tag": ""}},
    ]
    settings = config(
        routes=routes,
        globalHeaders={"X-Robots-Tag": "noindex"},
        mimeTypes={".css": "text/special"},
    )
    build = open_build(tmp_path, "azure", {**PAGES, **settings})
    tags = {path: robots_tag(build.reply("a", path)) for path in ("/", "/page", "/app/index.html")}
    assert tags == {"/": "noindex", "/page": "none", "/app/index.html": None}
    assert ("Content-Type", "text/special") in build.reply("a", "/static/a.css").headers


@pytest.mark.parametrize(
    "settings",
    [
        {"networking": {"allowedIpRanges": ["10.0.0.0/24"]}},
        {"forwardingGateway": {"requiredHeaders": {"X-Azure-FDID": "a"}}},
    ],
)
def test_conditions_on_visitors(tmp_path: Path, settings: dict[str, Any]) -> None:
    files = {**PAGES, **config(**settings)}
    assert replies_to(tmp_path, "azure", files, ["/page"]) == {"/page": "unknown"}


FAULTS = [
    ("{", 1, "is not JSON"),
    ('{"trailingSlash": "yes"}', None, "Invalid enum value 'yes' - at `$.trailingSlash`"),
    ('{"routes": [{"route": "/a/*/b"}]}', None, "the star is neither at the end nor before an ext"),
    ('{"routes": [{"route": "/", "rewrite": "a", "redirect": "b"}]}', None, "has both a rewrite"),
    ('{"globalHeaders": {"a b": "c"}}', None, "is not a valid header"),
    ('{"mimeTypes": {".a": "b\\n"}}', None, "is not a valid header"),
    ('{"a": "' + "b" * 20_480 + '"}', None, "is larger than 20,480 bytes"),
]


def test_faults_fail_the_deployment(tmp_path: Path) -> None:
    for number, (text, line, reason) in enumerate(FAULTS):
        folder, files = tmp_path / str(number), {"../staticwebapp.config.json": text}
        name, found, words = only_problem(folder, "azure", files)
        assert (name, found) == ("staticwebapp.config.json", line)
        assert words.startswith(reason), words
        assert open_build(folder, "azure", {}).deployment_fault is not None

"""The website endpoint of Amazon S3, by its documentation."""

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
    reply_to,
)


def config(**website: Any) -> dict[str, str]:
    return {"../website.json": json.dumps(website)}


def rule(redirect: dict[str, str], **condition: str) -> dict[str, dict[str, str]]:
    return {"Redirect": redirect} | ({"Condition": condition} if condition else {})


def test_the_guide(tmp_path: Path) -> None:
    row = "404 404 ok /folder/ ok ok /both/ ok ok ok"
    assert guide_row(tmp_path, "s3", 302) == row


def test_missing_pages(tmp_path: Path) -> None:
    files = {**dict.fromkeys(NOT_FOUND, ""), "error.html": ""}
    assert reply_to(tmp_path, "s3", files, "/blog/gone") == "404 404.html"
    own = config(ErrorDocument={"Key": "error.html"}, IndexDocument={"Suffix": "404.html"})
    expected = {"/gone": "404 error.html", "/blog": "302 /blog/", "/blog/": "200 blog/404.html"}
    assert replies_to(tmp_path, "s3", own, expected) == expected
    none = config(ErrorDocument={"Key": "none.html"})
    assert reply_to(tmp_path, "s3", none, "/gone") == "404"


RULES = [
    rule({"ReplaceKeyPrefixWith": "documents/"}, KeyPrefixEquals="docs/"),
    rule({"ReplaceKeyWith": "page.html", "HttpRedirectCode": "302"}, KeyPrefixEquals="old"),
    rule({"HostName": "o.example", "Protocol": "https"}, KeyPrefixEquals="away/"),
    rule({"Protocol": "http"}, KeyPrefixEquals="app/"),
    rule(
        {"ReplaceKeyPrefixWith": "resize?key="},
        KeyPrefixEquals="img/",
        HttpErrorCodeReturnedEquals="404",
    ),
    rule({"ReplaceKeyWith": "x"}, KeyPrefixEquals="secret", HttpErrorCodeReturnedEquals="403"),
]
EXPECTED = {
    "/docs/a%20b?x=1": "301 /documents/a%20b?x=1",
    "/older": "302 /page.html",
    "/away/a": "301 https://o.example/away/a",
    "/app/index.html": "301 http://example.com/app/index.html",
    "/img/a.png": "301 /resize?key=img/a.png".replace("img/", ""),
    "/secret/a": "unknown",
    "/page.html": "200 page.html",
    "/gone": "404 404.html",
}
XML = """<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>
<WebsiteConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
  <!-- a comment -->
  <IndexDocument><Suffix>index.html</Suffix></IndexDocument>
  <RoutingRules>
    <RoutingRule>
      <Condition><KeyPrefixEquals>docs/</KeyPrefixEquals></Condition>
      <Redirect><ReplaceKeyPrefixWith>documents/</ReplaceKeyPrefixWith></Redirect>
    </RoutingRule>
  </RoutingRules>
</WebsiteConfiguration>"""


def test_routing_rules(tmp_path: Path) -> None:
    files = {**PAGES, **config(RoutingRules=RULES)}
    assert replies_to(tmp_path, "s3", files, EXPECTED) == EXPECTED
    files = {"../website.json": json.dumps(RULES)}
    assert replies_to(tmp_path, "s3", files, EXPECTED) == EXPECTED


def test_routing_rules_as_xml(tmp_path: Path) -> None:
    assert reply_to(tmp_path, "s3", {"../website.xml": XML}, "/docs/a") == "301 /documents/a"


def test_a_bucket_that_redirects_everything(tmp_path: Path) -> None:
    files = {**PAGES, **config(RedirectAllRequestsTo={"HostName": "o.example"})}
    assert reply_to(tmp_path, "s3", files, "/page.html") == "301 https://o.example/page.html"
    reply = open_build(tmp_path, "s3", {}).reply("example.com", "/", "http")
    assert dict(reply.headers)["Location"] == "http://o.example/"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("website.json", "{"),
        ("website.json", '{"IndexDocument": {"Suffix": "a/b"}}'),
        ("website.json", '[{"Redirect": {"HttpRedirectCode": "200"}}]'),
        ("website.json", '[{"Redirect": {"ReplaceKeyWith": "a", "ReplaceKeyPrefixWith": "b"}}]'),
        ("website.xml", "<a>"),
        ("website.xml", '<?xml version="1.0" encoding="nonsense"?><a/>'),
    ],
)
def test_a_file_that_is_not_valid(tmp_path: Path, name: str, text: str) -> None:
    file, line, reason = only_problem(tmp_path, "s3", {f"../{name}": text})
    assert (file, line, reason[:16]) == (name, None, "cannot be read: ")

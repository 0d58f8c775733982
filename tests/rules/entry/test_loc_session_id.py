"""loc-session-id: a parameter of the query or the path has the name of a session ID."""

import json
from xml.sax.saxutils import escape

import pytest

from sitemapaudit.audit import Audit
from sitemapaudit.config import AuditSettings
from sitemapaudit.config.options import ConfigError
from tests.rules.sitemap.files import atom, atom_entry, entries_of, index, item, rss, url, urlset
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP, listed

RULE = "loc-session-id"
HOST = "https://www.example.com"


@pytest.mark.parametrize(
    ("path", "parameter"),
    [
        ("/a?jsessionid=1", "jsessionid"),
        ("/a;jsessionid=1", "jsessionid"),
        ("/a;jsessionid=1?b=c", "jsessionid"),
        ("/a;JSESSIONID=1.node/b", "JSESSIONID"),
        ("/a?PHPSESSID=1", "PHPSESSID"),
        ("/a?b=c&PhpSessId=1", "PhpSessId"),
        ("/a?sid=1", "sid"),
        ("/a?SID=", "SID"),
        ("/?b=c;sid=1", "sid"),
        ("/a?sessionid=1", "sessionid"),
        ("/a?session_id=1", "session_id"),
        ("/a?ASPSESSIONID=1", "ASPSESSIONID"),
        ("/a?ASPSESSIONIDQQABCDEF=1", "ASPSESSIONIDQQABCDEF"),
        ("/a?%73id=1", "sid"),
        ("/(S(lit3py55t21z5v55vlm25s55))/a.aspx", "(S(…))"),
    ],
)
def test_session_ids(path: str, parameter: str) -> None:
    (entry,) = entries_of(urlset(url(escape(HOST + path))))
    (finding,) = found(RULE, entry)
    assert finding.severity == "warning"
    assert finding.message == f"loc contains a session ID: {parameter}"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/sid=1",
        "/sid/1",
        "/a?sid",
        "/a?side=1",
        "/a?asid=1",
        "/a?inside=1",
        "/a?x_sid=1",
        "/a?id=sid",
        "/a?q=jsessionid",
        "/a?phpsessids=1",
        "/a?session=1",
        "/a?aspsession=1",
        "/a#?sid=1",
        "/a#;jsessionid=1",
        "/a?q=x%26sid=1",
        "/(S(short))/a",
    ],
)
def test_urls_without_a_session_id(path: str) -> None:
    (entry,) = entries_of(urlset(url(escape(HOST + path))))
    assert severities(RULE, entry) == []


@pytest.mark.parametrize("loc", ["", "/a?sid=1", "ftp://a.example/?sid=1", "https://?sid=1"])
def test_invalid_urls_are_not_reported(loc: str) -> None:
    (entry,) = entries_of(urlset(url(loc)))
    assert severities(RULE, entry) == []


def test_in_every_format() -> None:
    written = f"{HOST}/a?sid=1"
    for body in (index(written), f"{written}\n", rss(item(written)), atom(atom_entry(written))):
        (entry,) = entries_of(body)
        assert severities(RULE, entry) == ["warning"]


def test_several_session_ids_are_one_finding() -> None:
    loc = f"{HOST}/a;jsessionid=1?sid=2"
    _, entry = entries_of(urlset(url(), url(loc)))
    (finding,) = found(RULE, entry)
    assert (finding.url, finding.sitemap, finding.position) == (loc, SITEMAP, 2)
    assert json.loads(finding.evidence or "") == {"parameter": "jsessionid", "loc": loc}


@pytest.mark.parametrize(
    ("names", "path", "expected"),
    [
        ("token,cf*", "/a?token=1", ["token"]),
        ("token,cf*", "/a;CFID=1", ["CFID"]),
        ("token,cf*", "/a?sid=1", []),
        ("to.ken", "/a?to.ken=1", ["to.ken"]),
        ("to.ken", "/a?toXken=1", []),
        ("", "/a?sid=1", []),
        ("", "/a?=1", []),
    ],
)
def test_a_setting_changes_the_names(names: str, path: str, expected: list[str]) -> None:
    settings = AuditSettings.from_scrapy({"AUDIT_SESSION_PARAMS": names})
    findings = Audit(rule_options=settings.rule_options).examine(listed(HOST + path))
    evidence = [json.loads(each.evidence or "") for each in findings if each.rule == RULE]
    assert [each["parameter"] for each in evidence] == expected


@pytest.mark.parametrize("name", ["a=b", "*", "a*b", "a b", "(sid|x)"])
def test_invalid_names_are_rejected(name: str) -> None:
    with pytest.raises(ConfigError, match="is not the name of a parameter"):
        AuditSettings.from_scrapy({"AUDIT_SESSION_PARAMS": name})

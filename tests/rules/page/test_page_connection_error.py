"""page-connection-error: DNS failure, refused, reset, or a response that is not HTTP."""

import json

from sitemapaudit.items import Error
from tests.pages.responses import SITE, URL, failed, page_of
from tests.rules.tables import rule_on, tables_of
from tests.support.rows import listed

RULE = "page-connection-error"


def test_a_response_that_cannot_be_decoded_is_reported() -> None:
    page = page_of(b"\x1f\x8b\x08 broken", "Content-Encoding: gzip")
    ((url, severity, message),) = rule_on(tables_of([listed(URL), page], RULE), RULE)
    assert (url, severity) == (URL, "error")
    assert message.startswith("returns no usable response (encoding: ")


def test_message_and_evidence_contain_the_error() -> None:
    page = failed(Error.DNS, "the host name cannot be resolved", retries=2)
    tables = tables_of([listed(URL), page], RULE)
    message = "returns no usable response (dns: the host name cannot be resolved)"
    assert rule_on(tables, RULE) == [(URL, "error", message)]
    evidence = json.loads(tables.findings["evidence"][0])
    assert (evidence["error"], evidence["retries"]) == ("dns", 2)


def test_message_says_that_robots_txt_failed() -> None:
    page = failed(Error.REFUSED, "robots.txt: the connection was refused")
    ((_, _, message),) = rule_on(tables_of([listed(URL), page], RULE), RULE)
    assert message == "returns no usable response (refused: robots.txt: the connection was refused)"


def test_each_error_that_has_no_rule_of_its_own() -> None:
    pages = [failed(error, "why", at=f"{SITE}/{error}") for error in Error]
    tables = tables_of([listed(*(page.url for page in pages)), *pages], RULE)
    assert {str(url).rpartition("/")[2] for url, *_ in rule_on(tables, RULE)} == {
        "dns", "encoding", "invalid-http", "private-address", "refused", "reset", "truncated"
    }  # fmt: skip

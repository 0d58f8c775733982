"""Any response becomes a page with a verdict that fits the ledger, and that no rule fails on."""

from sitemapaudit.caps import fit
from sitemapaudit.items import Page, Verdict
from sitemapaudit.pages.link_header import read_links
from sitemapaudit.pages.page_reader import read_page
from sitemapaudit.urls import normalize
from tests.fuzzing.message import parse_message
from tests.fuzzing.rows import check_rules, round_trip

WORDS = (
    b"status: 301\n", b"location: ", b"link: <", b">; rel=canonical",
    b">; rel=alternate; hreflang=", b"x-robots-tag: ", b"noindex", b"none",
    b"unavailable_after: ", b"googlebot: ", b"refresh: ",
    b"5; url=", b"content-type: text/html; charset=", b"utf-16", b"shift_jis", b"punycode",
    b"unicode_escape", b"content-encoding: gzip\n", b"content-encoding: br\n", b"last-modified: ",
    b"Sat, 21 Nov 2026 12:00:00 GMT", b"9999-12-31T23:59-14:00", b"cf-mitigated: challenge\n",
    b"<!doctype html>", b"<html lang='", b"<title>", b"</title>", b"<meta name=robots content='",
    b"<meta http-equiv=refresh content='", b"<meta charset=", b"'>", b"<base href='",
    b"<link rel=canonical href='", b"<link rel=alternate hreflang=de href='", b"</head>", b"<h1>",
    b"<main>", b"<svg>", b"<template>", b"<noscript>", b"<script>", b"</script>", b"<frameset>",
    b"<select>", b"<plaintext>", b"<![CDATA[", b"<!--", b"-->", b"&#xD800;", b"https://", b"//[::1",
    b"rel='canonical'", b"\xff\xfe", b"\xef\xbb\xbf", b"\0",
)  # fmt: skip


def check(data: bytes) -> None:
    """Read a response."""
    response = parse_message(data)
    if "content-type" not in response.headers:
        response.headers["content-type"] = ["text/html"]
    page = fit(read_page(response, Page(response.url, allowed=True), "Googlebot"))
    assert isinstance(page.verdict, Verdict)
    canonicals = [canonical.url for canonical in page.canonicals]
    alternates = [alternate.url for alternate in page.alternates]
    refreshes = [refresh.url for refresh in page.refreshes]
    for url in (page.target, *canonicals, *alternates, *refreshes):
        assert url is None or url == normalize(url)
    lines = response.header_lines("link")
    for link in read_links(lines):
        assert any(link.target in line for line in lines)
    assert fit(round_trip(page)) == page
    check_rules(page)

"""Run folders for the tests of the report: a site with faults and a hostile one."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sitemapaudit import Run, open_run
from sitemapaudit.items import (
    DeclaredSitemap,
    Entries,
    Entry,
    Error,
    Kind,
    Page,
    Permission,
    Rendering,
    Robots,
    Sitemap,
    SitemapSource,
    Statement,
)
from tests.support.rows import NOW, fetched_page, listed, rendered
from tests.support.runs import build_audited_run

SITE = "https://www.example.com"
INDEX = f"{SITE}/sitemap.xml"
GOOD, BAD = f"{SITE}/good.xml", f"{SITE}/bad.xml"
ELSEWHERE = f"{SITE}/elsewhere"

SCRIPT = "</script><script>window.caught = 1</script>"
IMAGE = "<img src=x onerror='window.caught = 1'>"
ATTRIBUTE = '" onmouseover="window.caught = 1" x=\''
JAVASCRIPT = "javascript:window.caught=1"
MARKUP = "<b>bold</b><a href='javascript:window.caught=1'>go</a> &lt;i&gt; --bad"
HOSTILE = (SCRIPT, IMAGE, ATTRIBUTE, JAVASCRIPT, MARKUP, "{{ 7 * 7 }} ${7*7}", "half \ud83d a pair")


def make_faulty_run(folder: Path, **arguments: Any) -> Run:
    """Make the run of a site with a good sitemap and a bad one."""
    return build_audited_run(folder, _faulty_items(), **{"site": SITE, **arguments})


def copy_run(run: Run, folder: Path) -> Run:
    """Copy a run that several tests share, for a test that changes its folder or its manifest."""
    return open_run(shutil.copytree(run.path, folder))


def _faulty_items() -> Iterator[Robots | Sitemap | Entries | Page | Rendering]:
    yield Robots(
        SITE,
        f"{SITE}/robots.txt",
        status=200,
        permission=Permission.RULES,
        sitemaps=[DeclaredSitemap(1, INDEX, INDEX)],
    )
    yield Sitemap(INDEX, source=SitemapSource.ROBOTS, status=200, kind=Kind.SITEMAPINDEX, entries=2)
    for sitemap in (GOOD, BAD):
        yield Sitemap(sitemap, parent=INDEX, status=200, kind=Kind.URLSET, entries=6, depth=1)
    yield listed(GOOD, BAD, sitemap=INDEX, kind=Kind.SITEMAPINDEX)
    good = [f"{SITE}/good/{number}" for number in range(40)]
    bad = [f"{SITE}/bad/{number}" for number in range(10)]
    yield _dated(listed(*good, sitemap=GOOD))
    wrong = listed(*bad, "not a url", sitemap=BAD)
    # One rule with two severities.
    wrong.rows[0].lastmod, wrong.rows[1].lastmod = "2026-13", "2026"
    yield wrong
    for number, url in enumerate(good):
        page = fetched_page(
            url, title=f"Page {number}", noindex=False, elapsed=number / 20, is_html=True
        )
        yield page
        if number == 0:
            yield rendered(page)
    for url in bad[:3]:
        yield fetched_page(url, 404, elapsed=0.2)
    for url in bad[3:5]:
        yield fetched_page(url, 301, location=ELSEWHERE, target=ELSEWHERE)
    yield fetched_page(bad[5], noindex=True, statements=[Statement("meta", None, "noindex", NOW)])
    yield fetched_page(bad[6], noindex=False, canonical=ELSEWHERE, canonical_source="tag")
    yield fetched_page(bad[7], None, error=Error.TIMEOUT, error_detail="it took too long")
    yield fetched_page(bad[8], 403)
    yield fetched_page(bad[9], 301, location=f"{SITE}/once", target=f"{SITE}/once")


def _dated(entries: Entries) -> Entries:
    rows = [
        replace(row, lastmod="2026-05-01", lastmod_at=datetime(2026, 1 + at % 9, 1, tzinfo=UTC))
        for at, row in enumerate(entries.rows)
    ]
    return Entries(entries.sitemap, rows)


def make_hostile_run(folder: Path) -> Run:
    """Make the run of a site that tries to run scripts in the report."""
    return build_audited_run(
        folder, _hostile_items(), site=SCRIPT, include=IMAGE, exclude=ATTRIBUTE
    )


def _hostile_items() -> Iterator[Robots | Sitemap | Entries | Page]:
    yield Robots(JAVASCRIPT, JAVASCRIPT, error=Error.DNS, error_detail=SCRIPT)
    yield Sitemap(f"{SITE}/{SCRIPT}", status=200, kind=Kind.SITEMAPINDEX)
    for at, text in enumerate(map(_encodable, HOSTILE)):
        sitemap = f"{SITE}/{at}/{text}"
        yield Sitemap(
            sitemap, parent=f"{SITE}/{SCRIPT}", status=200, kind=Kind.URLSET, xml_error=text
        )
        url = f"{SITE}/{at}?{text}"
        yield Entries(sitemap, [Entry(sitemap, 1, Kind.URLSET, text, url, lastmod=text)])
        yield Entries(sitemap, [Entry(sitemap, 2, Kind.URLSET, text, None, changefreq=text)])
        yield _hostile_page(at, url, text)


def _hostile_page(at: int, url: str, text: str) -> Page:
    texts: dict[str, Any] = {"title": text, "description": text, "h1": text, "content_type": text}
    match at % 3:
        case 0:
            return fetched_page(url, 301, location=text, target=text, **texts)
        case 1:
            return fetched_page(
                url, noindex=True, canonical=f"{SITE}/?{text}", directives=[text], **texts
            )
        case _:
            return fetched_page(url, None, error=Error.TLS, error_detail=text)


def _encodable(text: str) -> str:
    """Return a text that a table can contain."""
    return text.encode(errors="replace").decode()


def make_large_run(folder: Path) -> Run:
    """Make the run of a site with 300 pages with long addresses in five sitemaps."""
    urls = [
        f"{SITE}/de-de/k%C3%BCche-und-haushalt/kaffeem%C3%BChle-mit-keramikmahlwerk-{number:03}/"
        for number in range(300)
    ]
    faults: dict[int, dict[str, Any]] = {
        0: {"status": 404},
        1: {"status": 500},
        2: {"status": 301, "location": ELSEWHERE, "target": ELSEWHERE},
        3: {"noindex": True, "statements": [Statement("meta", None, "noindex", None)]},
        4: {"canonical": ELSEWHERE, "canonical_source": "tag"},
    }
    pages = [
        fetched_page(url, **{"is_html": True, "elapsed": at / 300, **faults.get(at % 12, {})})
        for at, url in enumerate(urls)
    ]
    listings = [
        listed(*urls[at::5], *urls[at : at + 3], sitemap=f"{SITE}/sitemap-{at}.xml")
        for at in range(5)
    ]
    files = [Sitemap(each.sitemap, status=200, kind=Kind.URLSET, entries=63) for each in listings]
    return build_audited_run(folder, [*files, *listings, *pages], site=SITE)

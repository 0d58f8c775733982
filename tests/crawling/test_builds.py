"""Audits of build folders: what is fetched, and what only the running site knows."""

from collections.abc import Mapping
from pathlib import Path

from tests.builds.builds import write_build
from tests.support.audits import Audited, crawl

SITE = "https://www.shop.com"
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
HTML = '<html lang="en"><title>{0}</title><body><p>The page {0} has a text of its own.'


def urlset(*paths: str) -> str:
    """Return a sitemap that lists paths of the site, or whole URLs."""
    locs = (path if "://" in path else SITE + path for path in paths)
    entries = "".join(f"<url><loc>{loc}</loc></url>\n" for loc in locs)
    return f'<?xml version="1.0"?>\n<urlset xmlns="{SITEMAP}">\n{entries}</urlset>\n'


def audit(
    project: Path, files: Mapping[str, str], settings: dict[str, str] | None = None, **given: str
) -> Audited:
    """Audit a build with these files."""
    folder = write_build(project, files)
    return crawl(project / "audits", {"site": SITE, "folder": str(folder), **given}, settings)


def verdicts(done: Audited) -> dict[str, str]:
    """Return the verdict of each listed URL, by its path."""
    urls = done.run.urls
    return dict(zip(urls.url.str.removeprefix(SITE), urls.verdict, strict=True))


def test_without_pages_only_urls_without_a_file_are_fetched(tmp_path: Path) -> None:
    files = {
        # The sitemap of another host cannot be read: that at the usual place is.
        "robots.txt": "Sitemap: http://localhost:1313/sitemap.xml\n",
        "sitemap.xml": urlset("/", "/gone/", "/moved/", "/cdn-cgi/x", "/skipped/", "/gone/"),
        "index.html": HTML.format("Home"),
        "new.html": HTML.format("New"),
        "_redirects": "/moved/ /new 301\n",
        "404.html": HTML.format("Error"),
    }
    done = audit(tmp_path, files, hosting="cloudflare", pages="none", exclude="skipped")
    assert verdicts(done) == {
        "/": "unchecked",
        "/cdn-cgi/x": "unchecked",
        "/gone/": "not-found",
        "/moved/": "redirected",
        "/skipped/": "unchecked",
    }
    assert dict(done.run.manifest.skipped) == {"pages": 2, "exclude": 1}
    rules = {rule for rule, _ in done.findings()}
    assert {"built-for-other-host", "page-not-found", "page-redirect-permanent"} <= rules


def test_a_build_below_a_path(tmp_path: Path) -> None:
    files = {
        "sitemap.xml": urlset("/my%20shop/", "/my%20shop/a", "/my%20shop/gone", "/", "/my-shop"),
        "index.html": HTML.format("Home") + '<a href="a">A</a>',
        "a.html": HTML.format("A") + '<link rel="canonical" href="/my%20shop/a">',
        "b.html": HTML.format("B"),
        "404.html": HTML.format("Error"),
    }
    site = f"{SITE}/my%20shop/"
    done = audit(tmp_path, files, site=site, hosting="github", links="record")
    assert verdicts(done) == {
        "/": "unchecked",
        "/my%20shop/": "indexable",
        "/my%20shop/a": "indexable",
        "/my%20shop/gone": "not-found",
        "/my-shop": "unchecked",
    }
    pages = done.run.pages.set_index("url")
    assert pages.file[f"{SITE}/my%20shop/gone"] == "404.html"
    assert pages.role[f"{SITE}/my%20shop/b"] == "built"
    outside = "is outside of /my shop/, where the build is published"
    assert pages.error_detail[f"{SITE}/"] == outside
    (probe,) = pages.index[pages.role == "probe"]
    assert (probe.startswith(site), pages.status[probe]) == (True, 404)
    urls = done.run.urls.set_index("url")
    assert urls.clicks[f"{SITE}/my%20shop/a"] == 1
    assert {rule for rule, _ in done.findings() if rule.startswith("robots")} == set()
    assert done.run.site == "www.shop.com-my-20shop-build"


def test_skipped_pages_are_not_fetched_as_unlisted_files(tmp_path: Path) -> None:
    pages = ("index", "a", "b", "c", "d", "drafts/new", "drafts/old")
    files = {f"{page}.html": HTML.format(page) for page in pages}
    files["sitemap.xml"] = urlset("/", "/drafts/old")
    files["vercel.json"] = '{"cleanUrls": true, "redirects": [{}]}'
    done = audit(tmp_path, files, {"AUDIT_MAX_URLS": "3"}, hosting="vercel", exclude="/drafts/|/c")
    pages_of_run = done.run.pages
    fetched = dict(zip(pages_of_run.url.str.removeprefix(SITE), pages_of_run.role, strict=True))
    assert fetched == {"/": "listed", "/a": "built", "/b": "built"}
    assert done.run.manifest.limits == {"AUDIT_MAX_URLS": 1}
    refused, limited = str(done.run.manifest.reason).split("; ")
    start = "the hosting refuses to publish the build: vercel.json: redirects 1: "
    assert refused.startswith(start)
    assert limited == "AUDIT_MAX_URLS skipped 1"
    assert done.status == 3


def test_files_that_are_not_pages_other_hosts_and_forbidden_folders(tmp_path: Path) -> None:
    elsewhere = '<link rel="canonical" href="https://blog.shop.org/a">'
    files = {
        "index.html": HTML.format("Home").replace("<body>", elsewhere),
        "empty/a.txt": "",
        "404.html": HTML.format("Error"),
        "en/404/index.html": HTML.format("Error"),
        "de/sitemap.xml": urlset("/de/"),
        "feed.xml": "<rss/>",
        "google0123456789abcdef.html": HTML.format("Google"),
        "sitemap.xml": urlset("/", "/empty/"),
    }
    done = audit(tmp_path, files, hosting="nginx")
    assert verdicts(done) == {"/": "canonicalized", "/empty/": "client-error"}
    built = done.run.pages[done.run.pages.role == "built"]
    assert [*built.file] == ["de/sitemap.xml"]
    rules = {rule for rule, _ in done.findings()}
    assert rules >= {"canonical-offsite", "page-client-error", "built-sitemap-undeclared"}
    assert not rules & {"built-not-listed", "canonical-to-error", "page-access-denied"}
    assert done.run.pages.set_index("url").file[f"{SITE}/empty/"] == "empty/"

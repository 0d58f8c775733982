"""nginx revalidates pages by date and by weak tags, because it compresses them."""

import os
from collections import Counter
from pathlib import Path

import pytest

from sitemapaudit import open_run
from sitemapaudit.demo.documents import prose
from tests.crawling.revalidating.nginx import free_port, serving
from tests.runs.killing import finish, start

PAGES = 10
LONG_AGO = 1_750_000_000

pytestmark = pytest.mark.xdist_group("revalidation")


def write_site(root: Path, origin: str) -> None:
    root.mkdir()
    names = [f"{number}.html" for number in range(PAGES)]
    for name in names:
        (root / name).write_text(f"<title>{name}</title><h1>{name}</h1><p>{prose(name)}</p>")
        os.utime(root / name, (LONG_AGO, LONG_AGO))
    locs = "".join(f"{origin}/{name}\n" for name in names)
    (root / "sitemap.txt").write_text(locs)
    (root / "robots.txt").write_text(f"Sitemap: {origin}/sitemap.txt\n")


def page_statuses(log: Path) -> Counter[str]:
    """Return how often nginx sent each status for a page."""
    lines = (line.split() for line in log.read_text().splitlines())
    return Counter(line[8] for line in lines if line[6].endswith(".html"))


def test_an_unchanged_site_is_not_sent_again(tmp_path: Path) -> None:
    port = free_port()
    origin, log = f"http://127.0.0.1:{port}", tmp_path / "nginx" / "access.log"
    root, audits = tmp_path / "root", tmp_path / "audits"
    write_site(root, origin)
    with serving(root, tmp_path / "nginx", port):
        finish(start(audits, f"site={origin}"))
        assert page_statuses(log) == {"200": PAGES}
        first = open_run(audits).pages
        assert first["etag"].dropna().str.startswith("W/").all()
        (root / "3.html").write_text(f"<title>new</title><p>{prose('new')}</p>")
        finish(start(audits, f"site={origin}", "reuse=latest", AUDIT_CONTROL_SHARE=0))
        assert page_statuses(log) == {"200": PAGES + 1, "304": PAGES - 1}
    second = open_run(audits)
    results = second.pages.set_index("url")["revalidation"]
    assert results[f"{origin}/3.html"] == "changed"
    assert results.value_counts().to_dict() == {"not-modified": PAGES - 1, "changed": 1}

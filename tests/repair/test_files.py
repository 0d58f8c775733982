"""The files of one origin: within the limits, with an index if there are several."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from sitemapaudit.repair import files as module
from sitemapaudit.repair.elements import url_element
from sitemapaudit.repair.files import OriginFiles

ORIGIN = "https://www.example.com"
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def row(path: str, **values: Any) -> dict[str, Any]:
    empty: dict[str, Any] = dict.fromkeys(("lastmod", "changefreq", "priority", "alternates"))
    lists: dict[str, Any] = {"images": [], "videos": [], "news": []}
    return {"url": ORIGIN + path, **empty, **lists, **values}


def write(
    folder: Path, rows: list[tuple[str, str]], *extensions: str, packed: bool = False
) -> list[str]:
    with OriginFiles(folder, ORIGIN, packed=packed) as written:
        for source, path in rows:
            written.add(source, extensions, url_element(row(path)))
    assert {file.name for file in folder.iterdir()} == set(written.names)
    return written.names


def locs(file: Path) -> list[str]:
    data = file.read_bytes()
    tree = etree.fromstring(gzip.decompress(data) if file.suffix == ".gz" else data)
    return [(element.text or "").removeprefix(ORIGIN) for element in tree.iter(f"{NAMESPACE}loc")]


def test_a_single_file_is_named_sitemap_xml(tmp_path: Path) -> None:
    assert write(tmp_path, [("https://x/some.xml", "/a"), ("https://x/some.xml", "/b")]) == [
        "sitemap.xml"
    ]
    assert locs(tmp_path / "sitemap.xml") == ["/a", "/b"]


def test_several_files_have_an_index_and_the_names_of_their_sources(tmp_path: Path) -> None:
    sources = [
        "https://x/shop/products.xml.gz",
        "https://x/blog/products.xml",
        "https://x/sitemap.xml",
        "https://x/feed.php?type=rss",
        "https://x/a.rss",
        "https://x/b.atom",
        "https://x/",
        "https://x/%C3%A4%20b.txt",
    ]
    names = write(tmp_path, [(source, f"/{n}") for n, source in enumerate(sources)])
    parts = ["products", "products-2", "entries", "feed", "a", "b", "entries-2", "b-2"]
    parts = [f"{name}.xml" for name in parts]
    assert names == ["sitemap.xml", *parts]
    assert locs(tmp_path / "sitemap.xml") == [f"/{name}" for name in parts]
    assert locs(tmp_path / "products-2.xml") == ["/1"]


def test_names_are_cut_off(tmp_path: Path) -> None:
    names = write(tmp_path, [(f"https://x/{'n' * 99}{end}", f"/{end}") for end in "ab"])
    assert names == ["sitemap.xml", f"{'n' * 80}.xml", f"{'n' * 80}-2.xml"]


def test_without_entries_no_file_is_written(tmp_path: Path) -> None:
    assert write(tmp_path, []) == []


def test_a_file_that_cannot_be_opened_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "b.xml").mkdir()
    with pytest.raises(IsADirectoryError):
        write(tmp_path, [("https://x/a.xml", "/a"), ("https://x/b.xml", "/b")])
    assert (tmp_path / "a.xml").read_text().endswith("</urlset>\n")


def test_compressed_files_have_a_plain_index(tmp_path: Path) -> None:
    names = write(tmp_path, [("https://x/a.xml", "/a"), ("https://x/b.xml", "/b")], packed=True)
    assert names == ["sitemap.xml", "a.xml.gz", "b.xml.gz"]
    assert locs(tmp_path / "b.xml.gz") == ["/b"]
    # Neither a name nor a time (RFC 1952, 2.3.1).
    assert (tmp_path / "b.xml.gz").read_bytes()[3:8] == bytes(5)


@pytest.mark.parametrize(
    ("number", "extensions", "parts"),
    [(4, [], [4]), (5, ["images"], [4, 1]), (9, [], [4, 4, 1]), (5, ["images", "news"], [3, 2])],
)
def test_a_file_with_too_many_entries_is_split(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    extensions: list[str],
    parts: list[int],
) -> None:
    monkeypatch.setattr(module, "MAX_ENTRIES", 4 / module.NEAR)
    monkeypatch.setattr(module, "MAX_NEWS", 3 / module.NEAR)
    write(tmp_path, [("https://x/a.xml", f"/{n}") for n in range(number)], *extensions)
    names = [f"a{f'-{n}' if n > 1 else ''}.xml" for n in range(1, len(parts) + 1)]
    if len(parts) == 1:
        names = ["sitemap.xml"]
    assert [len(locs(tmp_path / name)) for name in names] == parts


@pytest.mark.parametrize("extension", module._BINDINGS)
def test_a_file_that_is_too_large_is_split(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extension: str
) -> None:
    """Its size may be the limit, and not a byte more."""
    rows = [("https://x/a.xml", f"/{number}") for number in range(3)]
    write(tmp_path / "whole", rows, extension)
    size = (tmp_path / "whole" / "sitemap.xml").stat().st_size
    monkeypatch.setattr(module, "NEAR", 1)
    for limit, parts in ((size, [3]), (size - 1, [2, 1])):
        monkeypatch.setattr(module, "MAX_BYTES", limit)
        names = write(tmp_path / f"{limit}", rows, extension)
        assert [len(locs(tmp_path / f"{limit}" / name)) for name in names[-len(parts) :]] == parts


def test_an_element_has_its_children_in_the_order_of_the_schema() -> None:
    video = dict.fromkeys(
        ("content_loc", "player_loc", "duration", "expiration_date", "rating", "view_count",
         "publication_date", "family_friendly", "restriction", "restriction_relationship",
         "platform", "platform_relationship", "requires_subscription", "uploader",
         "uploader_info", "live")
    )  # fmt: skip
    video |= {"thumbnail_loc": "t", "title": "A & B", "description": "d", "tag": ["x", "y"]}
    video |= {"player_loc": "p", "restriction": "DE", "restriction_relationship": "allow"}
    video |= {"platform": "tv", "platform_relationship": "deny"}
    video |= {"uploader": "U", "uploader_info": "i"}
    element = url_element(
        row(
            "/a?b&c",
            lastmod="2026-11-21",
            changefreq="daily",
            priority="0.5",
            alternates=[{"code": "de", "href": f'{ORIGIN}/"'}],
            images=[{"loc": "i"}],
            videos=[video],
            news=[{"name": "N", "language": "en", "publication_date": "d", "title": "<T>"}],
        )
    )
    assert element == (
        f"<url><loc>{ORIGIN}/a?b&amp;c</loc><lastmod>2026-11-21</lastmod>"
        "<changefreq>daily</changefreq><priority>0.5</priority>"
        f'<xhtml:link rel="alternate" hreflang="de" href=\'{ORIGIN}/"\'/>'
        "<image:image><image:loc>i</image:loc></image:image>"
        "<video:video><video:thumbnail_loc>t</video:thumbnail_loc>"
        "<video:title>A &amp; B</video:title><video:description>d</video:description>"
        "<video:player_loc>p</video:player_loc>"
        '<video:restriction relationship="allow">DE</video:restriction>'
        '<video:platform relationship="deny">tv</video:platform>'
        '<video:uploader info="i">U</video:uploader>'
        "<video:tag>x</video:tag><video:tag>y</video:tag></video:video>"
        "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language>"
        "</news:publication><news:publication_date>d</news:publication_date>"
        "<news:title>&lt;T&gt;</news:title></news:news></url>\n"
    )

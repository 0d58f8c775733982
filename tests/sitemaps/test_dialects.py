"""The XML formats, and how entries of each format are read."""

from datetime import UTC, datetime

import pytest

from sitemapaudit.items import Kind
from tests.sitemaps.files import DECLARATION, NAMESPACE, entry, listing, locs, read, urlset

A, B = "https://example.com/a", "https://example.com/b"
IMAGE = "http://www.google.com/schemas/sitemap-image/1.1"
NAMESPACES = [
    NAMESPACE,
    "http://www.google.com/schemas/sitemap/0.84",
    "http://www.google.com/schemas/sitemap/0.9",
    "https://www.sitemaps.org/schemas/sitemap/0.9",
    "http://www.sitemaps.org/schemas/sitemap/0.9/",
    "urn:unknown",
]


def sitemap_with(root: str, child: str, prefix: str, namespace: str | None) -> str:
    """Return a sitemap that lists A and B, with this prefix and namespace."""
    colon = f"{prefix}:" if prefix else ""
    bound = f' xmlns{f":{prefix}" if prefix else ""}="{namespace}"' if namespace else ""
    children = "".join(
        f"<{colon}{child}><{colon}loc>{loc}</{colon}loc>"
        f"<{colon}lastmod>2026-01-02</{colon}lastmod></{colon}{child}>"
        for loc in (A, B)
    )
    return f"{DECLARATION}<{colon}{root}{bound}>{children}</{colon}{root}>"


@pytest.mark.parametrize(
    ("root", "child", "kind"),
    [("urlset", "url", Kind.URLSET), ("sitemapindex", "sitemap", Kind.SITEMAPINDEX)],
)
@pytest.mark.parametrize("prefix", ["", "s", "image", "ns0", "_"])
@pytest.mark.parametrize("namespace", NAMESPACES)
def test_any_prefix_and_namespace_are_read(
    root: str, child: str, kind: Kind, prefix: str, namespace: str
) -> None:
    row, entries = read(sitemap_with(root, child, prefix, namespace))
    assert row.kind is kind
    assert row.namespace == namespace
    assert row.namespaces == [namespace]
    assert row.version is None
    assert locs(entries) == [A, B]
    assert [entry.kind for entry in entries] == [kind, kind]
    assert {entry.lastmod for entry in entries} == {"2026-01-02"}


@pytest.mark.parametrize(("root", "child"), [("urlset", "url"), ("sitemapindex", "sitemap")])
def test_a_sitemap_without_a_namespace_is_read(root: str, child: str) -> None:
    row, entries = read(sitemap_with(root, child, "", None))
    assert row.namespace is None
    assert row.namespaces == []
    assert locs(entries) == [A, B]


def test_all_namespaces_of_the_root_are_recorded() -> None:
    row, _ = read(urlset(attributes=f' xmlns:i="{IMAGE}" xmlns:x="urn:x"'))
    assert sorted(row.namespaces) == sorted([NAMESPACE, IMAGE, "urn:x"])


OTHER_NAMES = [
    f'<x:url xmlns:x="urn:x"><x:loc>{B}</x:loc></x:url>',
    f"<sitemap><loc>{B}</loc></sitemap>",
    f"<URL><loc>{B}</loc></URL>",
    f"<urls><loc>{B}</loc></urls>",
    f"<loc>{B}</loc>",
    f'<url xmlns=""><loc>{B}</loc></url>',
]


@pytest.mark.parametrize("markup", OTHER_NAMES)
def test_elements_that_only_look_like_entries_are_ignored(markup: str) -> None:
    row, entries = read(urlset(entry(A), markup))
    assert locs(entries) == [A]
    assert row.xml_error is None


def test_all_fields_are_kept_as_written() -> None:
    fields = f"<loc> {A}?b&amp;c\n</loc><lastmod> 2026 </lastmod>"
    fields += "<changefreq>DAILY</changefreq><priority>1,0</priority>"
    _, (only,) = read(urlset(f"<url>{fields}</url>"))
    assert only.loc == f" {A}?b&c\n"
    assert only.url == f"{A}?b&c"
    assert only.lastmod == " 2026 "
    assert only.lastmod_at == datetime(2026, 1, 1, tzinfo=UTC)
    assert (only.changefreq, only.priority) == ("DAILY", "1,0")


FIELDS = [
    # markup of an entry, loc, url, lastmod
    ("", None, None, None),
    ("<loc/>", "", None, None),
    ("<loc></loc><lastmod></lastmod>", "", None, ""),
    ("<loc> </loc>", " ", None, None),
    ("<loc>/a</loc>", "/a", None, None),
    ("<loc>file:///etc/passwd</loc>", "file:///etc/passwd", None, None),
    (f"<lastmod>2026</lastmod><loc>{A}</loc>", A, A, "2026"),
    # The first of several that is not blank counts.
    (f"<loc>{A}</loc><loc>{B}</loc>", A, A, None),
    (f"<loc/><loc>{B}</loc>", B, B, None),
    (f"<loc>\n</loc><loc/><loc>{B}</loc><loc>{A}</loc>", B, B, None),
    ("<loc> </loc><loc/>", " ", None, None),
    (f"<loc>{A}</loc><lastmod/><lastmod>2026</lastmod>", A, A, "2026"),
    # Other names.
    (f"<x:loc xmlns:x='urn:x'>{B}</x:loc>", None, None, None),
    (f"<x:loc xmlns:x='urn:x'>{B}</x:loc><loc>{A}</loc>", A, A, None),
    (f"<Loc>{A}</Loc>", None, None, None),
    (f"<link>{A}</link>", None, None, None),
    (f"<b><loc>{A}</loc></b>", None, None, None),
    # Text, whatever its markup.
    (f"<loc><![CDATA[{A}?b&c]]></loc>", f"{A}?b&c", f"{A}?b&c", None),
    (f"<loc>\n  <![CDATA[{A}]]>\n</loc>", f"\n  {A}\n", A, None),
    (f"<loc><!-- b -->{A}<!-- c --></loc>", A, A, None),
    ("<loc>https://exam<!-- b -->ple.com/a</loc>", A, A, None),
    ("<loc>https://exam<?b?>ple.com/a</loc>", A, A, None),
    (f"<loc><a href='{B}'>{A}</a></loc>", A, A, None),
    ("<loc>&#104;ttps://example.com/&#x61;</loc>", A, A, None),
    (f"<loc>{A}\ufffd</loc>", f"{A}\ufffd", f"{A}%EF%BF%BD", None),
    (f"<loc xml:space='preserve' b='c'>{A}</loc>", A, A, None),
]


@pytest.mark.parametrize(("markup", "loc", "url", "lastmod"), FIELDS)
def test_the_fields_of_an_entry(
    markup: str, loc: str | None, url: str | None, lastmod: str | None
) -> None:
    row, (only,) = read(urlset(f"<url>{markup}</url>"))
    assert (only.loc, only.url, only.lastmod) == (loc, url, lastmod)
    assert row.xml_error is None


@pytest.mark.parametrize("lastmod", ["yesterday", "2026-13-01", "", "2026-01-01T10:20:30+0100"])
def test_an_invalid_date_is_kept_and_not_parsed(lastmod: str) -> None:
    _, (only,) = read(urlset(f"<url><loc>{A}</loc><lastmod>{lastmod}</lastmod></url>"))
    assert only.lastmod == lastmod
    assert only.lastmod_at is None


def test_repeated_locs_are_kept() -> None:
    assert locs(read(listing(A, A, B, A))[1]) == [A, A, B, A]


# RSS.


def rss(*items: str, root: str = '<rss version="2.0">') -> str:
    return f"{DECLARATION}{root}<channel><link>{B}</link>{''.join(items)}</channel></rss>"


RSS_ITEMS = [
    # markup of an item, loc, lastmod, parsed lastmod
    (f"<link>{A}</link>", A, None, None),
    (f"<link> {A}\n</link>", f" {A}\n", None, None),
    (f"<link><![CDATA[{A}]]></link>", A, None, None),
    (f"<guid>{A}</guid>", None, None, None),
    (f'<a:link xmlns:a="http://www.w3.org/2005/Atom" href="{B}"/><link>{A}</link>', A, None, None),
    (f'<a:link xmlns:a="http://www.w3.org/2005/Atom" href="{B}"/>', None, None, None),
    (f"<source><link>{B}</link></source>", None, None, None),
    (
        f"<link>{A}</link><pubDate>Sat, 07 Sep 2002 00:00:01 GMT</pubDate>",
        A,
        "Sat, 07 Sep 2002 00:00:01 GMT",
        datetime(2002, 9, 7, 0, 0, 1, tzinfo=UTC),
    ),
    (f"<link>{A}</link><pubDate>2026-01-01</pubDate>", A, "2026-01-01", None),
    (
        f'<link>{A}</link><d:date xmlns:d="http://purl.org/dc/elements/1.1/">2026-01</d:date>',
        A,
        "2026-01",
        datetime(2026, 1, 1, tzinfo=UTC),
    ),
]


@pytest.mark.parametrize(("markup", "loc", "lastmod", "moment"), RSS_ITEMS)
def test_rss_items(
    markup: str, loc: str | None, lastmod: str | None, moment: datetime | None
) -> None:
    row, (only,) = read(rss(f"<item>{markup}</item>"))
    assert row.kind is Kind.RSS
    assert (only.loc, only.lastmod, only.lastmod_at) == (loc, lastmod, moment)
    assert only.url == (A if loc else None)


@pytest.mark.parametrize("version", ["0.91", "0.92", "0.93", "2.0", "2.0.1"])
def test_rss_versions_are_recorded(version: str) -> None:
    row, entries = read(rss(f"<item><link>{A}</link></item>", root=f"<rss version='{version}'>"))
    assert (row.kind, row.version) == (Kind.RSS, version)
    assert locs(entries) == [A]


def test_rss_without_a_version_is_read() -> None:
    row, entries = read(rss(f"<item><link>{A}</link></item>", root="<rss>"))
    assert (row.kind, row.version) == (Kind.RSS, None)
    assert locs(entries) == [A]


RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


@pytest.mark.parametrize(
    ("namespace", "version"),
    [("http://purl.org/rss/1.0/", "1.0"), ("http://my.netscape.com/rdf/simple/0.9/", "0.90")],
)
def test_rss_in_rdf_is_read(namespace: str, version: str) -> None:
    items = "".join(
        f'<item rdf:about="{loc}"><title>t</title><link>{loc}</link><d:date>2026</d:date></item>'
        for loc in (A, B)
    )
    row, entries = read(
        f'{DECLARATION}<rdf:RDF xmlns:rdf="{RDF}" xmlns="{namespace}" '
        f'xmlns:d="http://purl.org/dc/elements/1.1/"><channel><link>{B}</link><items><rdf:Seq/>'
        f"</items></channel>{items}</rdf:RDF>"
    )
    assert row.kind is Kind.RSS
    assert row.version == version
    assert locs(entries) == [A, B]
    assert {entry.lastmod for entry in entries} == {"2026"}
    assert {entry.lastmod_at for entry in entries} == {datetime(2026, 1, 1, tzinfo=UTC)}


def test_other_rdf_is_unknown() -> None:
    row, entries = read(f'<RDF xmlns="urn:x"><item><link>{A}</link></item></RDF>')
    assert row.kind is Kind.UNKNOWN
    assert entries == []


# Atom.

ATOM = "http://www.w3.org/2005/Atom"


def atom(*entries: str, namespace: str = ATOM) -> str:
    return f'{DECLARATION}<feed xmlns="{namespace}"><link href="{B}"/>{"".join(entries)}</feed>'


ATOM_ENTRIES = [
    # markup of an entry, loc, lastmod
    (f'<link href="{A}"/>', A, None),
    (f'<link rel="alternate" href=" {A} "/>', f" {A} ", None),
    (f'<link rel="self" href="{B}"/><link rel="alternate" href="{A}"/>', A, None),
    (f'<link rel="alternate"/><link href="{A}"/>', A, None),
    (f'<link href="{A}"/><link href="{B}"/>', A, None),
    (f'<link rel="self" href="{B}"/>', None, None),
    (f"<link>{B}</link>", None, None),
    (f"<id>{B}</id>", None, None),
    (f'<x:link xmlns:x="urn:x" href="{B}"/>', None, None),
    (f'<source><link href="{B}"/></source>', None, None),
    (f'<link href="{A}?b&amp;c"/>', f"{A}?b&c", None),
    (f'<link href="{A}"/><updated>2026</updated>', A, "2026"),
    (f'<published>2025</published><updated>2026</updated><link href="{A}"/>', A, "2026"),
    (f'<link href="{A}"/><published>2026</published>', A, "2026"),
    (f'<link href="{A}"/><modified>2026</modified><issued>2025</issued>', A, "2026"),
    (f'<link href="{A}"/><issued>2026</issued>', A, "2026"),
]


@pytest.mark.parametrize(
    ("namespace", "version"), [(ATOM, "1.0"), ("http://purl.org/atom/ns#", "0.3")]
)
@pytest.mark.parametrize(("markup", "loc", "lastmod"), ATOM_ENTRIES)
def test_atom_entries(
    markup: str, loc: str | None, lastmod: str | None, namespace: str, version: str
) -> None:
    row, (only,) = read(atom(f"<entry>{markup}</entry>", namespace=namespace))
    assert (row.kind, row.version) == (Kind.ATOM, version)
    assert (only.loc, only.lastmod) == (loc, lastmod)
    assert only.url == (loc.strip() if loc else None)
    assert only.lastmod_at == (datetime(2026, 1, 1, tzinfo=UTC) if lastmod else None)


def test_an_atom_link_with_an_entity_has_no_url() -> None:
    entry = f'<entry><link href="{A}?{{}}"/></entry>'
    feed = atom(entry.format("a&x;"), entry.format("a&amp;b"))
    _, entries = read(feed.replace("<feed", '<!DOCTYPE feed [<!ENTITY x "y">]><feed'))
    assert [(each.loc, each.url) for each in entries] == [
        (f"{A}?a&x;", None),
        (f"{A}?a&b", f"{A}?a&b"),
    ]


def test_atom_with_a_prefix_is_read() -> None:
    body = f'<a:feed xmlns:a="{ATOM}"><a:entry><a:link href="{A}"/></a:entry></a:feed>'
    assert locs(read(body)[1]) == [A]


# Other XML.


@pytest.mark.parametrize(
    "body",
    [
        f"<sitemap><url><loc>{A}</loc></url></sitemap>",
        f"<URLSET><url><loc>{A}</loc></url></URLSET>",
        f"<s:urlset><s:url><s:loc>{A}</s:loc></s:url></s:urlset>",
        "<opml version='2.0'><body/></opml>",
        "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "<Error><Code>AccessDenied</Code></Error>",
    ],
)
def test_an_unknown_root_has_no_entries(body: str) -> None:
    row, entries = read(body)
    assert row.kind is Kind.UNKNOWN
    assert entries == []


@pytest.mark.parametrize(
    "body",
    [
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>",
        "<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.1//EN' 'a'><html>",
        "<?xml version='1.0'?><HTML><p>&nbsp;",
    ],
)
def test_xhtml_is_html(body: str) -> None:
    row, entries = read(body)
    assert row.kind is Kind.HTML
    assert entries == []


# After an error.


@pytest.mark.parametrize(
    ("head", "item", "tail"),
    [
        ('<rss version="2.0"><channel>', "<item><link>{}</link></item>", "</channel></rss>"),
        (f'<feed xmlns="{ATOM}">', '<entry><link href="{}"/></entry>', "</feed>"),
        (f'<a:feed xmlns:a="{ATOM}">', '<a:entry><a:link href="{}"/></a:entry>', "</a:feed>"),
        (f'<x:urlset xmlns:x="{NAMESPACE}">', "<x:url><x:loc>{}</x:loc></x:url>", "</x:urlset>"),
        (
            f'<r:RDF xmlns:r="{RDF}" xmlns="http://purl.org/rss/1.0/">',
            "<item><link>{}</link></item>",
            "</r:RDF>",
        ),
        (
            f'<sitemapindex xmlns="{NAMESPACE}">',
            "<sitemap><loc>{}</loc></sitemap>",
            "</sitemapindex>",
        ),
    ],
)
def test_entries_of_every_format_are_recovered(head: str, item: str, tail: str) -> None:
    broken = f"{A}?b=1&c=2"
    body = head + item.format(A) + item.format(broken) + item.format(B) + tail
    row, entries = read(body)
    assert locs(entries) == [A, broken, B]
    assert [entry.url for entry in entries] == [A, broken, B]
    assert [entry.recovered for entry in entries] == [False, True, True]
    assert row.xml_error_line == 1


RECOVERED = [
    # markup of an entry with a missing tag, loc, url, lastmod
    (f"<loc>{A}<lastmod>2026</lastmod>", A, A, "2026"),
    (f"<loc>{A}<lastmod>2026<priority>1</priority>", A, A, "2026"),
    (f"<loc>{A}</lock><lastmod>2026</lastmod>", A, A, "2026"),
    (f"<loc>{A}<loc><lastmod>2026</lastmod>", A, A, "2026"),
    (f"<lastmod>2026<loc>{A}</loc>", A, A, "2026"),
    (f"<loc>{A}<b>c</loc><lastmod>2026</lastmod>", f"{A}c", f"{A}c", "2026"),
    (f"<loc>{A}</loc<lastmod>2026</lastmod>", f"{A}</loc", None, "2026"),
    (f"<loc>{A}\0</loc><lastmod>2026</lastmod>", f"{A}\ufffd", None, "2026"),
]


@pytest.mark.parametrize(("markup", "loc", "url", "lastmod"), RECOVERED)
def test_fields_after_a_missing_tag_are_recovered(
    markup: str, loc: str, url: str | None, lastmod: str
) -> None:
    _, entries = read(urlset(f"<url>{markup}</url>", entry(B)))
    assert [(one.loc, one.url, one.lastmod) for one in entries] == [
        (loc, url, lastmod),
        (B, B, None),
    ]

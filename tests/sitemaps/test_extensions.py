"""Images, videos, news and alternates of an entry, detected by namespace."""

from datetime import UTC, datetime

import pytest

from sitemapaudit.items import Alternate, Entry, Image, News, Video
from tests.sitemaps.files import NAMESPACE, entry, locs, read, urlset

A, B = "https://example.com/a", "https://example.com/b"
GOOGLE = "http://www.google.com/schemas"
IMAGE = f"{GOOGLE}/sitemap-image/1.1"
VIDEO = f"{GOOGLE}/sitemap-video/1.1"
NEWS = f"{GOOGLE}/sitemap-news/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
BOUND = f' xmlns:image="{IMAGE}" xmlns:video="{VIDEO}" xmlns:news="{NEWS}" xmlns:xhtml="{XHTML}"'

IMAGES = """
<image:image>
  <image:loc>https://example.com/1.jpg?a&amp;b</image:loc>
  <image:title>First &lt;one&gt;</image:title>
  <image:caption><![CDATA[A & B]]></image:caption>
  <image:geo_location>Limerick</image:geo_location>
  <image:license>https://example.com/license</image:license>
</image:image>
<image:image><image:loc> 2.jpg </image:loc></image:image>
<image:image/>
"""
VIDEOS = """
<video:video>
  <video:thumbnail_loc>https://example.com/1.png</video:thumbnail_loc>
  <video:title>Title</video:title>
  <video:description>Description</video:description>
  <video:content_loc>https://example.com/1.mp4</video:content_loc>
  <video:player_loc>https://example.com/play?1</video:player_loc>
  <video:duration>600</video:duration>
  <video:expiration_date>2026-11-05T19:20:30+08:00</video:expiration_date>
  <video:rating>4.2</video:rating>
  <video:view_count>12345</video:view_count>
  <video:publication_date>2026-01-01</video:publication_date>
  <video:family_friendly>yes</video:family_friendly>
  <video:restriction relationship="allow">IE GB US</video:restriction>
  <video:platform relationship="deny">tv</video:platform>
  <video:price currency="EUR">1.99</video:price>
  <video:requires_subscription>no</video:requires_subscription>
  <video:uploader info="https://example.com/u">Somebody</video:uploader>
  <video:live>no</video:live>
  <video:tag>one</video:tag>
  <video:tag>two</video:tag>
  <video:tag>one</video:tag>
  <video:category>Category</video:category>
  <video:gallery_loc>https://example.com/gallery</video:gallery_loc>
  <video:tvshow>Show</video:tvshow>
</video:video>
<video:video><video:price>1</video:price><video:uploader/></video:video>
"""
NEWS_ITEM = """
<news:news>
  <news:publication>
    <news:name>The Example Times</news:name>
    <news:language>en</news:language>
  </news:publication>
  <news:publication_date>2026-01-01</news:publication_date>
  <news:title>Title</news:title>
  <news:access>Subscription</news:access>
  <news:genres>PressRelease, Blog</news:genres>
  <news:keywords>one, two</news:keywords>
  <news:stock_tickers>NASDAQ:A</news:stock_tickers>
</news:news>
<news:news><news:title>Second</news:title></news:news>
"""
LINKS = """
<xhtml:link rel="alternate" hreflang="de" href="HTTPS://Example.com/de?a&amp;b"/>
<xhtml:link rel="alternate" hreflang="x-default" href="/relative"/>
<xhtml:link hreflang="fr" href=" https://example.com/fr " media="print"/>
<xhtml:link rel="alternate" href=""/>
<xhtml:link/>
<xhtml:link rel="alternate" hreflang="de" href="https://example.com/de2"></xhtml:link>
"""

READ_IMAGES = [
    Image(
        loc="https://example.com/1.jpg?a&b",
        title="First <one>",
        caption="A & B",
        geo_location="Limerick",
        license="https://example.com/license",
    ),
    Image(loc=" 2.jpg "),
    Image(),
]
READ_VIDEOS = [
    Video(
        thumbnail_loc="https://example.com/1.png",
        title="Title",
        description="Description",
        content_loc="https://example.com/1.mp4",
        player_loc="https://example.com/play?1",
        duration="600",
        expiration_date="2026-11-05T19:20:30+08:00",
        rating="4.2",
        view_count="12345",
        publication_date="2026-01-01",
        family_friendly="yes",
        restriction="IE GB US",
        restriction_relationship="allow",
        platform="tv",
        platform_relationship="deny",
        price="1.99",
        price_currency="EUR",
        requires_subscription="no",
        uploader="Somebody",
        uploader_info="https://example.com/u",
        live="no",
        tag=["one", "two", "one"],
        category="Category",
        gallery_loc="https://example.com/gallery",
        tvshow="Show",
        published_at=datetime(2026, 1, 1, tzinfo=UTC),
        expires_at=datetime(2026, 11, 5, 11, 20, 30, tzinfo=UTC),
    ),
    Video(price="1", uploader=""),
]
READ_NEWS = [
    News(
        name="The Example Times",
        language="en",
        publication_date="2026-01-01",
        title="Title",
        access="Subscription",
        genres="PressRelease, Blog",
        keywords="one, two",
        stock_tickers="NASDAQ:A",
        published_at=datetime(2026, 1, 1, tzinfo=UTC),
    ),
    News(title="Second"),
]
READ_LINKS = [
    Alternate("sitemap", "alternate", "de", "HTTPS://Example.com/de?a&b", f"{A[:-1]}de?a&b"),
    Alternate("sitemap", "alternate", "x-default", "/relative", None),
    Alternate("sitemap", None, "fr", " https://example.com/fr ", f"{A[:-1]}fr", None, "print"),
    Alternate("sitemap", "alternate", None, "", None),
    Alternate("sitemap", None, None, None, None),
    Alternate("sitemap", "alternate", "de", f"{A[:-1]}de2", f"{A[:-1]}de2"),
]
ALL = IMAGES + VIDEOS + NEWS_ITEM + LINKS


def entry_with(markup: str, attributes: str = BOUND) -> Entry:
    """Return the entry of a urlset with the loc A and this markup."""
    row, (one,) = read(urlset(f"<url><loc>{A}</loc>{markup}</url>", attributes=attributes))
    assert row.xml_error is None
    assert one.loc == one.url == A
    return one


def check_all(one: Entry) -> None:
    assert one.images == READ_IMAGES
    assert one.videos == READ_VIDEOS
    assert one.news == READ_NEWS
    assert one.alternates == READ_LINKS


def test_all_extensions_are_read() -> None:
    check_all(entry_with(ALL))


def test_the_example_has_every_field_of_a_video() -> None:
    first = READ_VIDEOS[0]
    assert all(getattr(first, field) not in (None, []) for field in Video.__dataclass_fields__)


def test_an_entry_without_extensions_has_none() -> None:
    one = entry_with("")
    assert (one.images, one.videos, one.news, one.alternates) == ((), (), (), ())


@pytest.mark.parametrize("before", [ALL, ""])
def test_extensions_are_read_in_any_order(before: str) -> None:
    markup = f"<url>{before}<loc>{A}</loc>{'' if before else ALL}</url>"
    _, (one,) = read(urlset(markup, attributes=BOUND))
    assert one.loc == A
    check_all(one)


def test_the_prefix_does_not_matter() -> None:
    swapped = {"image": "video", "video": "news", "news": "xhtml", "xhtml": "image"}
    markup, attributes = ALL, BOUND
    for prefix in swapped:
        markup = markup.replace(f"<{prefix}:", f"<_{prefix}:")
        markup = markup.replace(f"</{prefix}:", f"</_{prefix}:")
        attributes = attributes.replace(f"xmlns:{prefix}=", f"xmlns:_{prefix}=")
    for prefix, other in swapped.items():
        markup = markup.replace(f"_{prefix}:", f"{other}:")
        attributes = attributes.replace(f"xmlns:_{prefix}=", f"xmlns:{other}=")
    check_all(entry_with(markup, attributes))


@pytest.mark.parametrize("prefix", ["i", "x-1", "loc", "sitemap", "xhtml", "ü"])
def test_unusual_prefixes_are_read(prefix: str) -> None:
    markup = IMAGES.replace("image:", f"{prefix}:")
    assert entry_with(markup, f' xmlns:{prefix}="{IMAGE}"').images == READ_IMAGES


def test_a_namespace_can_be_declared_on_the_element() -> None:
    markup = f'<image xmlns="{IMAGE}"><loc>{B}</loc></image>'
    assert entry_with(markup, "").images == [Image(loc=B)]
    markup = f'<link xmlns="{XHTML}" rel="alternate" hreflang="de" href="{B}"/>'
    assert entry_with(markup, "").alternates == [Alternate("sitemap", "alternate", "de", B, B)]


def test_extensions_in_the_default_namespace_are_read() -> None:
    body = (
        f'<s:urlset xmlns:s="{NAMESPACE}" xmlns="{IMAGE}"><s:url><image><loc>{B}</loc></image>'
        f"<s:loc>{A}</s:loc></s:url></s:urlset>"
    )
    _, (one,) = read(body)
    assert one.loc == A
    assert one.images == [Image(loc=B)]


OTHER = [
    # Elements named loc that are not the loc of the entry.
    f"<image:image><image:loc>{B}</image:loc></image:image>",
    f"<image:loc>{B}</image:loc>",
    f"<video:loc>{B}</video:loc>",
    f"<news:loc>{B}</news:loc>",
    f"<xhtml:loc>{B}</xhtml:loc>",
    f"<video:video><video:player_loc>{B}</video:player_loc></video:video>",
    f"<image:image><loc>{B}</loc></image:image>",
]


@pytest.mark.parametrize("markup", OTHER)
def test_a_loc_in_an_extension_is_not_the_loc_of_the_entry(markup: str) -> None:
    row, entries = read(urlset(f"<url>{markup}</url>", entry(A), attributes=BOUND))
    assert locs(entries) == [None, A]
    assert row.xml_error is None
    assert entry_with(markup).loc == A


@pytest.mark.parametrize("markup", OTHER)
def test_a_loc_in_an_extension_is_not_the_loc_of_a_recovered_entry(markup: str) -> None:
    _, entries = read(urlset("<url>&</url>", f"<url>{markup}</url>", entry(A), attributes=BOUND))
    assert locs(entries) == [None, None, A]
    assert all(one.recovered for one in entries)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (IMAGE, "https://www.google.com/schemas/sitemap-image/1.1"),
        (IMAGE, f"{IMAGE}/"),
        (VIDEO, f"{GOOGLE}/sitemap-video/1.0"),
        (NEWS, "http://www.google.com/schemas/sitemap-news/1.0"),
        (XHTML, "https://www.w3.org/1999/xhtml"),
        (XHTML, f"{XHTML}/"),
    ],
)
def test_an_extension_in_another_namespace_is_not_read(right: str, wrong: str) -> None:
    one = entry_with(ALL, BOUND.replace(f'"{right}"', f'"{wrong}"'))
    read_as = {IMAGE: one.images, VIDEO: one.videos, NEWS: one.news, XHTML: one.alternates}
    assert [uri for uri, items in read_as.items() if not items] == [right]


def test_fields_of_another_namespace_are_ignored() -> None:
    markup = f"<image:image><loc>{B}</loc><video:title>t</video:title></image:image>"
    assert entry_with(markup).images == [Image()]
    markup = "<video:video><image:title>t</image:title><tag>t</tag></video:video>"
    assert entry_with(markup).videos == [Video()]


def test_name_and_language_of_news_are_read_from_its_publication() -> None:
    inside = (
        "<news:publication><news:title>no</news:title><news:name>N</news:name></news:publication>"
    )
    outside = "<news:name>no</news:name><news:language>no</news:language><news:title>T</news:title>"
    assert entry_with(f"<news:news>{inside}{outside}</news:news>").news == [
        News(name="N", title="T")
    ]


def test_a_thousand_images_and_links_are_read() -> None:
    images = "".join(f"<image:image><image:loc>{n}</image:loc></image:image>" for n in range(1001))
    links = "".join(f'<xhtml:link hreflang="{n}"/>' for n in range(1001))
    one = entry_with(images + links)
    assert [image.loc for image in one.images] == [str(n) for n in range(1001)]
    assert [link.hreflang for link in one.alternates] == [str(n) for n in range(1001)]


def test_all_extensions_are_read_after_an_error() -> None:
    markup = f"<url><loc>{A}</loc>{ALL}</url>"
    _, (first, second) = read(urlset(entry("&"), markup, attributes=BOUND))
    assert first.recovered
    assert second.recovered
    assert second.loc == A
    check_all(second)


def test_unescaped_ampersands_are_recovered() -> None:
    image = "<image:image><image:loc>/i?a&b</image:loc></image:image>"
    link = f'<xhtml:link hreflang="de" href="{A}?b=1&c=2"/>'
    _, (one,) = read(urlset(f"<url><loc>{A}</loc>{image}{link}</url>", attributes=BOUND))
    assert one.images == [Image(loc="/i?a&b")]
    assert [(link.href, link.url) for link in one.alternates] == [(f"{A}?b=1&c=2",) * 2]


ENTITY = '<!DOCTYPE urlset [<!ENTITY e "https://example.com/secret">]>'


@pytest.mark.parametrize("broken", ["", "<url>&</url>"])
def test_entities_are_never_expanded(broken: str) -> None:
    extensions = (
        "<image:image><image:loc>&e;</image:loc></image:image>"
        '<video:video><video:price currency="&e;">&e;</video:price></video:video>'
        '<xhtml:link rel="&e;" hreflang="de" href="&e;"/>'
        f'<xhtml:link href="{A}"/>'
    )
    markup = f"<url><loc>{A}</loc>{extensions}</url>"
    _, entries = read(urlset(broken, markup, declaration=ENTITY, attributes=BOUND))
    one = entries[-1]
    assert one.loc == one.url == A
    assert one.images == [Image(loc="&e;")]
    assert one.videos == [Video(price="&e;", price_currency="&e;")]
    assert one.alternates == [
        Alternate("sitemap", "&e;", "de", "&e;", None),
        Alternate("sitemap", None, None, A, A),
    ]


def test_parsed_dates_come_only_from_the_elements_of_dates() -> None:
    one = entry_with(
        "<news:news><news:published_at>2026-01-01</news:published_at>"
        "<news:publication_date>yesterday</news:publication_date></news:news>"
        "<video:video><video:expires_at>2026-01-01</video:expires_at></video:video>"
    )
    assert one.news[0].published_at is None
    assert one.videos[0].expires_at is None


def test_an_invalid_language_code_is_explained() -> None:
    one = entry_with(
        '<xhtml:link rel="alternate" hreflang=" en-UK " href="https://example.com/en"/>'
    )
    assert one.alternates[0].hreflang == " en-UK "
    assert "'UK' is not an ISO 3166-1 alpha-2 region code" in (one.alternates[0].code_error or "")

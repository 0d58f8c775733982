"""Escapes broken markup, so that it parses as the text that it shows."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from sitemapaudit.sitemaps.escaping import escape_markup
from sitemapaudit.sitemaps.xml_stream import SAFE_OPTIONS, Element, text_of
from tests.sitemaps.files import MARKUP


def parse(markup: str) -> Element:
    parser = etree.XMLParser(recover=True, **SAFE_OPTIONS)
    return etree.fromstring(escape_markup(markup).encode(), parser)


ESCAPED = [
    # Well-formed markup stays.
    ("a", "a"),
    ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"),
    ("&#65;&#x42;&#0000067;", "ABC"),
    ("<![CDATA[a&b<c]]>", "a&b<c"),
    ("<![CDATA[&amp;]]>", "&amp;"),
    ("<![CDATA[]]>", ""),
    ("a<!-- & -->b", "ab"),
    ("a<!-- b -- c -->d", "ad"),
    ("a<?b &?>c", "ac"),
    ("<!--a-->b<!--c-->d<![CDATA[e]]>f<![CDATA[g]]>", "bdefg"),
    ("a--><!-- & -->b", "a-->b"),
    ("a<b c='>'>d</b>e", "ade"),
    ("\r\na\rb", "\na\nb"),
    # Ampersands.
    ("?a=1&b=2", "?a=1&b=2"),
    ("?a=1&b=2;&c", "?a=1&b=2;&c"),
    ("?a&&b", "?a&&b"),
    ("&", "&"),
    ("a & b", "a & b"),
    ("&;", "&;"),
    ("&amp", "&amp"),
    ("&AMP;", "&AMP;"),
    ("&#;", "&#;"),
    ("&#x;", "&#x;"),
    ("&#1x;", "&#1x;"),
    ("&amp;amp;", "&amp;"),
    ("<![CDATA[?a&b]]>&c", "?a&b&c"),
    # Undeclared entities are kept by name.
    ("a&nbsp;b", "a&nbsp;b"),
    ("&eacute;&é;&_:.-1;", "&eacute;&é;&_:.-1;"),
    # References to invalid characters are kept as they are.
    ("a&#0;b", "a&#0;b"),
    ("&#x1;&#8;&#xB;&#31;", "&#x1;&#8;&#xB;&#31;"),
    ("&#xD800;&#xDFFF;&#xFFFE;&#65535;", "&#xD800;&#xDFFF;&#xFFFE;&#65535;"),
    ("&#x110000;&#99999999;", "&#x110000;&#99999999;"),
    ("&#999999999999;", "&#999999999999;"),
    (
        "&#9;&#10;&#13;&#x20;&#xD7FF;&#xE000;&#xFFFD;&#x10FFFF;",
        "\t\n\r \ud7ff\ue000\ufffd\U0010ffff",
    ),
    # Characters that XML forbids.
    ("a\0b\x01c\x1fd", "a\ufffdb\ufffdc\ufffdd"),
    ("a\ufffeb\uffffc", "a\ufffdb\ufffdc"),
    ("<![CDATA[a\x02b]]>", "a\ufffdb"),
    ("a\x7f\x85b", "a\x7f\x85b"),
    # Angle brackets that start nothing.
    ("a<b", "a<b"),
    ("a < b", "a < b"),
    ("a<", "a<"),
    ("1<2>3", "1<2>3"),
    ("a<=b", "a<=b"),
    ("a<b<c", "a<b<c"),
    ("a<b c='d", "a<b c='d"),
    ("a<!b>c", "a<!b>c"),
    ("a<![CDATA[b", "a<![CDATA[b"),
    ("a<!--b", "a<!--b"),
    ("a]]>b", "a]]>b"),
    ("a>b", "a>b"),
    ("a</", "a</"),
    # Attributes.
    ("<b c='?d&e' f='&nbsp;&#1;&lt;' g=\"'>\"/>", ""),
    ("<b c=d e f='g' =h>i</b>", "i"),
]


@pytest.mark.parametrize(("markup", "expected"), ESCAPED)
def test_text_is_kept_as_written(markup: str, expected: str) -> None:
    assert text_of(parse(f"<a>{markup}</a>")) == expected


def test_attributes_are_kept_as_written() -> None:
    markup = "<b c='?d&e' f='&nbsp;&#1;&lt;&#65;' g=\"'>\" h=i j='\x01' k='l'/>"
    attributes = {"c": "?d&e", "f": "&nbsp;&#1;<A", "g": "'>", "j": "\ufffd", "k": "l"}
    assert dict(parse(markup).attrib.items()) == attributes


@given(st.text(st.characters(codec="utf-8", exclude_characters="<>\r"), max_size=30))
def test_any_text_without_markup_is_kept(text: str) -> None:
    forbidden = {*map(chr, range(32)), "\ufffe", "\uffff"} - {"\t", "\n"}
    written = "".join("\ufffd" if character in forbidden else character for character in text)
    assert text_of(parse(f"<a>{text.replace('&', '&amp;')}</a>")) == written
    assert text_of(parse(f"<a>{text.replace('&', '& ')}</a>")) == written.replace("&", "& ")


@given(MARKUP)
@example("<i:-->")
@example("</b c='d'>")
def test_escaped_markup_has_no_fatal_errors(markup: str) -> None:
    parser = etree.XMLParser(recover=True, **SAFE_OPTIONS)
    etree.fromstring(f"<a>{escape_markup(markup)}</a>".encode(), parser)
    allowed = {"ERR_TAG_NAME_MISMATCH", "ERR_DOCUMENT_END"}
    allowed |= {"NS_ERR_UNDEFINED_NAMESPACE", "NS_ERR_QNAME"}
    allowed |= {"WAR_UNDECLARED_ENTITY", "ERR_UNDECLARED_ENTITY", "ERR_ATTRIBUTE_REDEFINED"}
    assert {error.type_name for error in parser.error_log} <= allowed

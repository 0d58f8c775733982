"""The hreflang alternates in tags and in Link headers."""

import pytest

from tests.pages.responses import SITE, head, page_of

DE = f"{SITE}/de"


@pytest.mark.parametrize(
    ("body", "code", "href", "url"),
    [
        ("<link rel=alternate hreflang=de href=/de>", "de", "/de", DE),
        ("<LINK REL='Alternate' HREFLANG='de-AT' HREF=/de>", "de-AT", "/de", DE),
        ("<link rel='alternate nofollow' hreflang=x-default href=/de>", "x-default", "/de", DE),
        ("<link rel=alternate hreflang=' de ' href=' /de '>", "de", " /de ", DE),
        ("<link rel=alternate hreflang=de_DE href=/de>", "de_DE", "/de", DE),
        ("<link rel=alternate hreflang='' href=/de>", "", "/de", DE),
        ("<link rel=alternate hreflang href=/de>", "", "/de", DE),
        ("<link rel=alternate hreflang=de>", "de", None, None),
        ("<link rel=alternate hreflang=de href=''>", "de", "", None),
        ("<link rel=alternate hreflang=de href=' '>", "de", " ", None),
        ("<link rel=alternate hreflang=de href=mailto:x>", "de", "mailto:x", None),
        ("<link rel=alternate hreflang=de type=text/html media=all href=/de>", "de", "/de", DE),
        ("<link rel=alternate hreflang=de type='Text/HTML; charset=x' href=/de>", "de", "/de", DE),
        ("<base href=/x/><link rel=alternate hreflang=de href=de>", "de", "de", f"{SITE}/x/de"),
    ],
)
def test_alternates_in_tags(body: str, code: str, href: str | None, url: str | None) -> None:
    (alternate,) = page_of(body).alternates
    assert (alternate.source, alternate.rel) == ("tag", "alternate")
    assert (alternate.hreflang, alternate.href, alternate.url) == (code, href, url)


@pytest.mark.parametrize(
    "body",
    [
        "<link rel=alternate href=/de>",
        "<link rel=alternate type=application/rss+xml href=/feed>",
        "<link rel=alternate hreflang=de type=application/rss+xml href=/feed>",
        "<link rel=alternate hreflang=de type=application/atom+xml href=/feed>",
        "<link rel=alternate hreflang=de type=application/pdf href=/de.pdf>",
        "<link rel=alternate hreflang=de media='only screen and (max-width: 640px)' href=/m>",
        "<link rel=alternate hreflang=de media=handheld href=/m>",
        "<link rel=stylesheet hreflang=de href=/de>",
        "<link hreflang=de href=/de>",
        "<a rel=alternate hreflang=de href=/de>de</a>",
        "<body><link rel=alternate hreflang=de href=/de>",
        "<template><link rel=alternate hreflang=de href=/de></template>",
    ],
)
def test_other_elements_are_not_alternates(body: str) -> None:
    assert page_of(body).alternates == []


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        (["</de>; rel=alternate; hreflang=de"], [("de", DE)]),
        (['<de>; rel="alternate"; hreflang="de"'], [("de", DE)]),
        (
            ["</de>; rel=alternate; hreflang=de, </>; rel=alternate; hreflang=x-default"],
            [("de", DE), ("x-default", f"{SITE}/")],
        ),
        (
            ["</de>; rel=alternate; hreflang=de", "</>; REL=Alternate; HREFLANG=en"],
            [("de", DE), ("en", f"{SITE}/")],
        ),
        (["</de>; rel=alternate; hreflang"], [("", DE)]),
        (["<>; rel=alternate; hreflang=de"], [("de", None)]),
        (["</de>; rel=alternate"], []),
        (["</de>; rel=alternate; hreflang=de; type=text/html"], [("de", DE)]),
        (['</feed>; rel=alternate; hreflang=de; type="application/rss+xml"'], []),
        (['</m>; rel=alternate; hreflang=de; media="print"'], []),
        (["</de>; rel=next; hreflang=de"], []),
    ],
)
def test_alternates_in_headers(links: list[str], expected: list[tuple[str, str | None]]) -> None:
    page = page_of(head("<base href=/x/>"), *[f"Link: {link}" for link in links])
    assert {alternate.source for alternate in page.alternates} <= {"header"}
    assert [(alternate.hreflang, alternate.url) for alternate in page.alternates] == expected


def test_alternates_of_tags_and_headers_are_kept() -> None:
    body = head("<link rel=alternate hreflang=de href=/de>")
    page = page_of(body, "Link: </de>; rel=alternate; hreflang=de")
    assert sorted(alternate.source for alternate in page.alternates) == ["header", "tag"]

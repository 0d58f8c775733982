"""extension-deprecated: elements of images and videos that Google stopped supporting in 2022."""

import pytest

from tests.rules.entry.extended import entry_of, image, link, news, video
from tests.rules.sitemap.files import PAGE
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "extension-deprecated"
MESSAGE = "uses elements that Google no longer supports: "


@pytest.mark.parametrize("name", ["caption", "geo_location", "title", "license"])
@pytest.mark.parametrize("text", ["Words", ""])
def test_elements_of_an_image(name: str, text: str) -> None:
    (finding,) = found(RULE, entry_of(image(more=f"<image:{name}>{text}</image:{name}>")))
    assert (finding.severity, finding.message) == ("notice", f"{MESSAGE}image:{name}")


@pytest.mark.parametrize("name", ["category", "gallery_loc", "price", "tvshow"])
def test_elements_of_a_video(name: str) -> None:
    (finding,) = found(RULE, entry_of(video(f"<video:{name}>1.99</video:{name}>")))
    assert (finding.severity, finding.message) == ("notice", f"{MESSAGE}video:{name}")


@pytest.mark.parametrize(
    "extension",
    [
        "",
        image(),
        video(),
        news(),
        link(),
        video("<video:tag>a</video:tag><video:uploader info='https://a/'>B</video:uploader>"),
        video(duration="60", rating="5", view_count="1", live="no", family_friendly="yes"),
        video(requires_subscription="no", platform="web", restriction="DE"),
        news(access="Subscription", genres="Blog", keywords="a", stock_tickers="b"),
        image(more='<caption xmlns="https://other.example/">Words</caption>'),
    ],
)
def test_other_elements(extension: str) -> None:
    assert severities(RULE, entry_of(extension)) == []


def test_one_finding_per_entry() -> None:
    caption = "<image:caption>Words</image:caption>"
    first = image(more=f"{caption}<image:title>A</image:title>")
    entry = entry_of(image(), first, image(more=caption), video("<video:price>1</video:price>"))
    (finding,) = found(RULE, entry)
    assert finding.message == f"{MESSAGE}image:caption, image:title, video:price"
    assert (finding.url, finding.sitemap, finding.position) == (PAGE, SITEMAP, 1)

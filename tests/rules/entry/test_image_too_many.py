"""image-too-many: more than 1,000 images in one entry."""

import json

import pytest

from tests.rules.entry.extended import entry_of, image, video
from tests.rules.sitemap.files import PAGE, entries_of, url, urlset
from tests.support.findings import found, severities
from tests.support.rows import SITEMAP

RULE = "image-too-many"
LIMIT = 1_000


@pytest.mark.parametrize(
    ("images", "expected"), [(0, []), (1, []), (LIMIT, []), (LIMIT + 1, ["error"])]
)
def test_limit(images: int, expected: list[str]) -> None:
    assert severities(RULE, entry_of(image() * images)) == expected


def test_images_without_a_loc_count() -> None:
    assert severities(RULE, entry_of(image() * LIMIT, image(None))) == ["error"]


def test_the_limit_is_per_entry() -> None:
    for entry in entries_of(urlset(*[url(PAGE, image() * LIMIT)] * 2)):
        assert severities(RULE, entry) == []


def test_videos_do_not_count() -> None:
    assert severities(RULE, entry_of(image() * LIMIT, video() * 2)) == []


def test_message_evidence_and_place() -> None:
    (finding,) = found(RULE, entry_of(image() * 1_234))
    assert finding.message == "has 1,234 images; the limit is 1,000"
    assert (finding.url, finding.sitemap, finding.position) == (PAGE, SITEMAP, 1)
    assert json.loads(finding.evidence or "") == {"images": 1_234, "limit": LIMIT}

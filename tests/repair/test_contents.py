"""The values that are removed from entries, each with its count and its reason."""

from collections.abc import Iterable

from sitemapaudit.items import Entries, Sitemap
from tests.repair.in_memory import Found, Repair, repair_in_memory
from tests.rules.entry.extended import image, link, news, video
from tests.rules.sitemap.files import entries_of, read, response, url, urlset
from tests.support.rows import NOW, SITEMAP, fetched_page

HOST = "https://www.example.com"
A, B, C, D = (f"{HOST}/{name}" for name in "abcd")


def repair_entries(*entries: str, found: Iterable[Found] = ()) -> Repair:
    """Repair a file with these entries; C is noindex, the others were not fetched."""
    return repair_file(urlset(*entries), found)


def repair_file(body: str, found: Iterable[Found] = ()) -> Repair:
    """Repair a file, as ``repair_entries`` does."""
    row = read(response(body), Sitemap(SITEMAP))
    row.fetched_at = NOW
    rows = Entries(SITEMAP, entries_of(body))
    return repair_in_memory([row, rows, fetched_page(C, noindex=True)], found)


NOT_RETURNED = "no return link, or no link to the page itself"
DEPRECATED = "extension-deprecated"
UNSUPPORTED = "no longer supported: genres"

# The content of an entry, and the expected change, count and reason.
INVALID: list[tuple[str, str, int, str]] = [
    (image("nowhere"), "images removed", 1, "image-invalid"),
    (image() * 1_002, "images removed", 2, "image-too-many"),
    (video(thumbnail_loc=None), "videos removed", 1, "video-required-missing"),
    (video(thumbnail_loc="x"), "videos removed", 1, "video-value-invalid"),
    (video(rating="9"), "values of videos removed", 1, "video-value-invalid: rating"),
    (
        video(duration="0", publication_date="x", live="maybe"),
        "values of videos removed",
        3,
        "video-value-invalid: duration, live, publication_date",
    ),
    (video(content_loc="x"), "videos removed", 1, "video-value-invalid"),
    (
        video(content_loc="x", player_loc=f"{HOST}/p"),
        "values of videos removed",
        1,
        "video-value-invalid: content_loc",
    ),
    (video(content_loc=f"{HOST}/8"), "videos removed", 1, "video-location-is-page"),
    (video(title=None, rating="9"), "videos removed", 1, "video-required-missing"),
    (news(title=None), "news removed", 1, "news-required-missing"),
    (news(title=None, language="english"), "news removed", 1, "news-required-missing"),
    (news() + news(), "news removed", 2, "news-required-missing"),
    (news(language="english"), "news removed", 1, "news-value-invalid"),
    (news(publication_date="2026-11-01"), "news removed", 1, "news-stale"),
    (link(rel=None), "alternates removed", 1, "hreflang-link-invalid"),
    (link(hreflang=""), "alternates removed", 1, "hreflang-link-invalid"),
    (link(href="/b"), "alternates removed", 1, "hreflang-link-invalid"),
    (link(hreflang="en-UK"), "alternates removed", 1, "hreflang-code-invalid"),
    (link(href=D), "alternates removed", 1, "the target is not listed"),
    (link(href=C), "alternates removed", 1, "the target was dropped"),
    (link(href=B), "alternates removed", 1, NOT_RETURNED),
    (link(href=A) + link(href=B), "alternates removed", 2, "hreflang-duplicate-code"),
    (
        link(hreflang=None, href=B).replace("/>", ' media="handheld"/>'),
        "alternates removed",
        1,
        "link for other devices",
    ),
    ("<lastmod>yesterday</lastmod>", "lastmod removed", 1, "lastmod-invalid"),
    ("<lastmod>1969-12-31</lastmod>", "lastmod removed", 1, "lastmod-invalid"),
    ("<lastmod>2027-01-01</lastmod>", "lastmod removed", 1, "lastmod-future"),
    ("<lastmod>2026-10</lastmod>", "lastmod removed", 1, "no day"),
    ("<changefreq>often</changefreq>", "changefreq removed", 1, "changefreq-invalid"),
    ("<priority>1e-1</priority>", "priority removed", 1, "priority-invalid"),
    ("<priority>1.5</priority>", "priority removed", 1, "priority-invalid"),
    ("<author>x</author><rank/>", "elements removed", 2, "sitemap-element-invalid: author, rank"),
    (
        "<priority>0.1</priority><priority>0.2</priority>",
        "repeated elements removed",
        1,
        "sitemap-element-invalid: priority",
    ),
    (
        image(more="<image:title>T</image:title>"),
        "values of images removed",
        1,
        f"{DEPRECATED}: title",
    ),
    (
        video(category="c"),
        "values of videos removed",
        1,
        f"{DEPRECATED}: category",
    ),
    (news(genres="Blog"), "values of news removed", 1, UNSUPPORTED),
]


def place(number: int) -> str:
    return f"{HOST}/{number}"


def test_each_invalid_value_of_an_entry_is_removed_and_listed() -> None:
    entries = [url(place(number), content) for number, (content, *_) in enumerate(INVALID)]
    (stale,) = (number for number, row in enumerate(INVALID, start=1) if row[3] == "news-stale")
    # Of several rules the first one is the reason.
    also: list[Found] = [("image-unreachable", None, SITEMAP, 1)]
    also.append(("news-stale", None, SITEMAP, stale))
    repair = repair_entries(*entries, url(A), url(B), url(C), found=also)
    found = repair.list_changes("url", "change", "count", "reason")
    assert [row for row in found if row[0] not in (A, B, C)] == sorted(
        (place(number), *expected) for number, (_, *expected) in enumerate(INVALID)
    )


def test_only_invalid_images_and_videos_are_removed() -> None:
    images = "".join(image(loc) for loc in (f"{HOST}/1.png", "x", f"{HOST}/3.png", "y"))
    films = video(title=None) + video(title="1") + video(title="3")
    repair = repair_entries(url(A, images + films))
    assert repair.list_changes("change", "count", "reason") == [
        ("images removed", 2, "image-invalid"),
        ("videos removed", 1, "video-required-missing"),
    ]
    kept = repair.kept[A]
    assert [each["loc"] for each in kept["images"]] == [f"{HOST}/1.png", f"{HOST}/3.png"]
    assert [each["title"] for each in kept["videos"]] == ["1", "3"]


def test_a_video_is_kept_without_optional_values_that_are_invalid() -> None:
    tags = "".join(f"<video:tag>{number}</video:tag>" for number in range(40))
    films = video(title=None, rating="9") + video(title="2", rating="9", duration="10")
    repair = repair_entries(url(A, films + video(title="3", more=tags)))
    assert repair.list_changes("change", "count", "reason") == [
        ("values of videos removed", 2, "video-value-invalid: rating, tag"),
        ("videos removed", 1, "video-required-missing"),
    ]
    kept = [(each["title"], each["rating"], each["duration"]) for each in repair.kept[A]["videos"]]
    assert kept == [("2", None, "10"), ("3", None, None)]
    assert [len(each["tag"]) for each in repair.kept[A]["videos"]] == [0, 32]


# The date of an item of a feed, and the lastmod of its repaired entry.
FEED_DATES = [
    ("Sun, 01 Nov 2026 10:00:00 GMT", "2026-11-01T10:00:00Z"),
    ("Sun, 01 Nov 2026 10:00:00 +0100", "2026-11-01T09:00:00Z"),
    ("Sun, 01 Nov 2026 10:00:00 EST", "2026-11-01T15:00:00Z"),
    ("Sun, 01 Nov 2026", None),
    ("yesterday", None),
]


def test_dates_of_feeds_are_kept() -> None:
    items = "".join(
        f"<item><link>{place(number)}</link><pubDate>{date}</pubDate></item>"
        for number, (date, _) in enumerate(FEED_DATES)
    )
    repair = repair_file(f"<rss version='2.0'><channel>{items}</channel></rss>")
    kept = {place(number): lastmod for number, (_, lastmod) in enumerate(FEED_DATES)}
    assert {loc: entry["lastmod"] for loc, entry in repair.kept.items()} == kept
    assert repair.list_changes("url", "change", "reason") == [
        (place(number), "lastmod removed", "not a date of the feed's format") for number in (3, 4)
    ]

"""What a repair decides, writes and lists, for a site with each kind of URL, entry and file."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from sitemapaudit.http.redirects import MAX_HOPS
from sitemapaudit.items import (
    Alternate,
    Canonical,
    Entries,
    Entry,
    Error,
    Image,
    Kind,
    News,
    Page,
    Permission,
    Robots,
    Sitemap,
    SitemapSource,
    SkipReason,
    Verdict,
    Video,
)
from sitemapaudit.sitemaps.w3c_dates import w3c_datetime
from tests.repair.in_memory import Found, database_of, repair_in_memory
from tests.rules.tables import Item
from tests.support.rows import NOW, SITEMAP, fetched_page, listed, rendered

HOST, CLOSED, UNKNOWN, OPEN = (
    f"https://{name}.example" for name in ("www", "closed", "unknown", "open")
)


def at(name: str) -> str:
    return f"{HOST}/{name}"


def page(name: str, status: int | None = 200, **values: Any) -> Page:
    return fetched_page(at(name), status, **{"noindex": False, **values})


def copy(name: str, of: str) -> Page:
    return page(name, canonical=at(of), canonicals=[Canonical("tag", at(of), at(of))])


def moved(name: str, to: str | None) -> Page:
    target = to and at(to)
    return page(name, 301, target=target, location=target)


STRICT = (
    "duplicate-host-scheme",
    "duplicate-trailing-slash",
    "hreflang-code-invalid",
    "hreflang-duplicate-code",
    "hreflang-no-return",
    "hreflang-self-missing",
    "hreflang-sources-conflict",
    "hreflang-to-non-indexable",
    "page-html-too-large",
)
"""Rules whose URLs only a strict repair drops."""

LONG = f"{HOST}/{'x' * 2_100}"
PAGES = [
    page("ok"),
    page("new"),
    page("gone", 404),
    page("down", 503),
    page("denied", 403),
    page("late", None, error=Error.TIMEOUT),
    page("hidden", noindex=True),
    page("session?sid=1"),
    page("refresh"),
    page("50%-off"),
    moved("moved", "new"),
    moved("moved?sid=1", "new"),
    moved("moved-twice", "moved"),
    *(moved(f"hop-{n}", f"hop-{n - 1}" if n > 1 else "new") for n in range(1, MAX_HOPS + 1)),
    moved("moved-gone", "gone"),
    moved("moved-down", "down"),
    moved("moved-unfetched", "unfetched"),
    moved("moved-session", "session?sid=1"),
    moved("moved-broken", "50%-off"),
    moved("moved-away", None),
    moved("loop", "loop-2"),
    moved("loop-2", "loop"),
    copy("copy", "new"),
    copy("copy-hidden", "hidden"),
    copy("copy-unfetched", "unfetched"),
    copy("copy-moved", "moved-twice"),
    copy("copy-back", "back"),
    moved("back", "copy-back"),
    copy("copy-back?sid=1", "back-2"),
    moved("back-2", "copy-back?sid=1"),
    *map(page, STRICT),
    page("same-a", content_hash="same"),
    page("same-b", content_hash="same"),
    page("linked", words=500),
]
UNLISTED = {at("new"), at("unfetched"), at("loop-2"), at("linked")}
ITSELF = "itself"
KEPT = "kept unless unknown ones are dropped"
DECIDED: dict[str, str | None] = {
    "ok": ITSELF,
    "gone": None,
    "down": KEPT,
    "denied": KEPT,
    "late": KEPT,
    "hidden": None,
    "session?sid=1": None,
    "refresh": None,
    "50%-off": None,
    "moved": "new",
    "moved?sid=1": "new",
    "moved-twice": "new",
    f"hop-{MAX_HOPS - 1}": "new",
    f"hop-{MAX_HOPS}": None,
    "moved-gone": None,
    "moved-down": KEPT,
    "moved-unfetched": ITSELF,
    "moved-session": None,
    "moved-broken": None,
    "moved-away": None,
    "loop": None,
    "copy": "new",
    "copy-hidden": None,
    "copy-unfetched": ITSELF,
    "copy-moved": "new",
    "copy-back": ITSELF,
    "copy-back?sid=1": None,
    **dict.fromkeys(STRICT, ITSELF),
    "same-a": ITSELF,
    "same-b": ITSELF,
    "skipped": ITSELF,
}
"""What is written for each listed URL."""

REASONS = {
    "gone": "not-found",
    "down": "server-error",
    "denied": "denied",
    "late": "unreachable",
    "hidden": "noindex",
    "session?sid=1": "loc-session-id",
    "refresh": "page-meta-refresh",
    "50%-off": "loc-invalid",
    "moved": "redirected",
    "moved?sid=1": "redirected",
    "moved-twice": "redirected",
    f"hop-{MAX_HOPS - 1}": "redirected",
    f"hop-{MAX_HOPS}": "redirected without a usable target",
    "moved-gone": "redirected to a URL that is not indexable",
    "moved-down": "redirected to a URL that is not indexable",
    "moved-session": "redirected to a URL that is not indexable",
    "moved-broken": "redirected to a URL that is not indexable",
    "moved-away": "redirected without a usable target",
    "loop": "redirected without a usable target",
    "copy": "canonicalized",
    "copy-hidden": "canonicalized to a URL that is not indexable",
    "copy-moved": "canonicalized",
    "copy-back?sid=1": "loc-session-id",
}
FOUND = [
    *((rule, at(rule), None, None) for rule in STRICT),
    ("page-slow-of-others", at("ok"), None, None),
    *(("duplicate-content", at(name), None, None) for name in ("same-a", "same-b")),
    # Of several rules the first one is the reason.
    *(("page-meta-refresh", url, None, None) for url in (at("session?sid=1"), at("refresh"), LONG)),
]


def site() -> list[Item]:
    """Return a site with each kind of URL, on hosts whose robots.txt can and cannot be fetched."""
    hosts = (CLOSED, UNKNOWN, OPEN)
    late = [fetched_page(f"{host}/late", None, error=Error.TIMEOUT) for host in hosts]
    blocked = [fetched_page(f"{host}/a", None, allowed=False) for host in hosts]
    entries = listed(*map(at, DECIDED), LONG, *(row.url for row in (*late, *blocked)))
    for row in entries.rows:
        if row.url in (at("skipped"), LONG):
            row.skip_reason = SkipReason.SAMPLE
    permissions = {
        CLOSED: Permission.NONE,
        UNKNOWN: Permission.UNREACHABLE,
        OPEN: Permission.RULES,
    }
    robots = [
        Robots(host, f"{host}/robots.txt", permission=permission)
        for host, permission in permissions.items()
    ]
    return [*robots, entries, *PAGES, *blocked, *late]


def test_what_is_written_for_each_url() -> None:
    unfetched = [f"{host}/{name}" for host in (CLOSED, UNKNOWN) for name in ("a", "late")]
    unfetched.append(f"{OPEN}/late")
    others: dict[str, str | None] = {LONG: None, f"{OPEN}/a": None}
    others |= {url: url for url in unfetched}
    plain = repair_in_memory(site(), FOUND)
    assert plain.targets == others | {
        at(name): at(name) if to in (ITSELF, KEPT) else at(to) if to else None
        for name, to in DECIDED.items()
    }
    known = repair_in_memory(site(), FOUND, drop_unknown=True)
    assert {url for url, to in known.targets.items() if to != plain.targets[url]} == {
        f"{OPEN}/late",
        *(at(name) for name, to in DECIDED.items() if to == KEPT),
    }
    strict = repair_in_memory(site(), FOUND, strict=True)
    assert {url for url, to in strict.targets.items() if to != plain.targets[url]} == {
        *map(at, STRICT),
        at("same-b"),
    }
    found = {row["url"]: row["reason"] for row in strict.changes if row not in plain.changes}
    assert found == {at(rule): rule for rule in STRICT} | {at("same-b"): "duplicate-content"}
    assert plain.kept.keys() == {target for target in plain.targets.values() if target}
    changes = {row["url"]: row for row in known.changes if row["change"] in ("dropped", "replaced")}
    reasons = {at(name): reason for name, reason in REASONS.items()}
    reasons |= {LONG: "loc-too-long", f"{OPEN}/a": "blocked"}
    reasons[f"{OPEN}/late"] = "unreachable"
    assert {url: row["reason"] for url, row in changes.items()} == reasons
    assert {url: row["replacement"] for url, row in changes.items() if row["replacement"]} == {
        at(name): at(to) for name, to in DECIDED.items() if to == "new"
    }
    assert {row["sitemap"] for row in plain.changes} == {SITEMAP}
    merged = [row for row in plain.changes if row["url"] not in changes]
    assert merged == []


def test_what_scripts_set_is_written_in_place_of_the_url() -> None:
    old, copy, new = (fetched_page(at(name), noindex=False) for name in ("old", "copy", "new"))
    found = repair_in_memory(
        [
            listed(old.url, copy.url, new.url),
            *(old, copy, new),
            rendered(old, Verdict.REDIRECTED, final_url=new.url),
            rendered(copy, Verdict.CANONICALIZED, canonical=new.url),
        ]
    )
    assert found.targets == dict.fromkeys((old.url, copy.url, new.url), new.url)


def test_unchanged_urls_are_not_needed_for_a_forecast() -> None:
    plain = repair_in_memory(site())
    changed = {url: target for url, target in plain.targets.items() if url != target}
    with database_of(site(), only_changed=True) as connection:
        rows = connection.execute("select url, target from decided").fetchall()
    assert dict(rows) == changed


FILES = [
    (Sitemap(at("well-known.xml"), status=404, source=SitemapSource.WELL_KNOWN), None),
    (Sitemap(at("gone.xml"), status=404), ("unreadable", "status 404")),
    (Sitemap(at("199.xml"), status=199), ("unreadable", "status 199")),
    (Sitemap(at("300.xml"), status=300), ("unreadable", "status 300")),
    (Sitemap(at("503.xml"), status=503, kind=Kind.URLSET), ("unreadable", "status 503")),
    (Sitemap(at("299.xml"), status=299, kind=Kind.URLSET), None),
    (Sitemap(at("late.xml"), error=Error.TIMEOUT), ("unreadable", "timeout")),
    (Sitemap(at("cut.xml"), status=500, error=Error.ENCODING), ("unreadable", "encoding")),
    (
        Sitemap(at("gzip.xml"), status=200, kind=Kind.URLSET, gzip_error="x", truncated=True),
        ("unreadable", "sitemap-gzip-invalid"),
    ),
    (
        Sitemap(at("large.xml"), status=200, kind=Kind.URLSET, entries=1, truncated=True),
        ("partly read", "sitemap-too-large"),
    ),
    (
        Sitemap(at("half.xml"), status=200, kind=Kind.URLSET, complete=False, xml_error="x"),
        ("unreadable", "the run ended while reading it"),
    ),
    (
        Sitemap(at("broken.xml"), status=200, kind=Kind.URLSET, entries=2, xml_error="x"),
        ("partly read", "sitemap-xml-malformed"),
    ),
    (Sitemap(at("page.xml"), status=200, kind=Kind.HTML), ("unreadable", "not a sitemap")),
    (Sitemap(at("other.xml"), status=200, kind=Kind.UNKNOWN), ("unreadable", "not a sitemap")),
    (Sitemap(at("whole.xml"), status=200, kind=Kind.SITEMAPINDEX, entries=3), None),
]


def test_files_that_were_not_read_are_listed() -> None:
    index = listed(at("whole.xml"), "x", kind=Kind.SITEMAPINDEX, sitemap=at("whole.xml"))
    broken = listed("/b", " ", at("whole.xml"), "", sitemap=at("299.xml"))
    for number in (0, 1, 3):
        broken.rows[number].url = None
    broken.rows[3].loc = None
    index.rows[1].url = None
    repair = repair_in_memory([*(file for file, _ in FILES), index, broken])
    files = [(file.sitemap, *named) for file, named in FILES if named]
    found = repair.list_changes("sitemap", "change", "reason", "url", "count", "replacement")
    assert found == sorted(
        [
            *((*each, "", 1, None) for each in files),
            (at("299.xml"), "dropped", "no loc", "", 1, None),
            (at("299.xml"), "dropped", "no loc", " ", 1, None),
            (at("299.xml"), "dropped", "the loc is not a usable URL", "/b", 1, None),
        ]
    )


FIRST, SECOND = at("1.xml"), at("2.xml")


def entry(sitemap: str, position: int, name: str, **values: Any) -> Entry:
    return Entry(sitemap, position, Kind.URLSET, at(name), at(name), **values)


def test_several_entries_of_a_url_become_one() -> None:
    earlier, later = NOW - timedelta(days=9), NOW - timedelta(days=2)
    dates: dict[str, Any] = {"lastmod": "2026-11-12", "lastmod_at": earlier}
    newest: dict[str, Any] = {"lastmod": "2026-11-19", "lastmod_at": later}
    image, video = Image(at("1.png")), Video(thumbnail_loc=at("2.png"), title="T", description="D")
    video.content_loc = at("3.mp4")
    film, other = replace(video, title="Other"), Image(at("other.png"), title="deprecated")
    news = News("Name", "en", "2026-11-20", "Title", published_at=NOW)
    article = replace(news, title="Other")
    rows = [
        entry(SECOND, 1, "new", changefreq="weekly", priority=" ", lastmod=" "),
        entry(FIRST, 1, "moved", **newest, changefreq=" Daily", priority="0.3", images=[image]),
        entry(FIRST, 2, "ok", **dates, changefreq="often", priority="1.5", images=[]),
        entry(FIRST, 3, "ok", **newest, priority="+1.0", changefreq="never", videos=[video]),
        entry(SECOND, 2, "ok", images=[image], news=[news], changefreq="always", priority=".5"),
        entry(SECOND, 3, "ok", images=[other], videos=[film], news=[article], priority="-1"),
    ]
    items: list[Item] = [
        *(Sitemap(name, status=200, kind=Kind.URLSET, fetched_at=NOW) for name in (FIRST, SECOND)),
        *(Entries(name, [row for row in rows if row.sitemap == name]) for name in (FIRST, SECOND)),
        *(page(name) for name in ("ok", "new")),
        moved("moved", "new"),
    ]
    repair = repair_in_memory(items)
    ok, new = repair.kept[at("ok")], repair.kept[at("new")]
    assert [ok[name] for name in ("origin", "sitemap", "lastmod", "changefreq", "priority")] == [
        HOST,
        FIRST,
        "2026-11-19",
        "never",
        "+1.0",
    ]
    assert [each["loc"] for each in ok["images"]] == [at("1.png")]
    assert [each["title"] for each in ok["videos"]] == ["T"]
    assert [each["title"] for each in ok["news"]] == ["Title"]
    assert [new[name] for name in ("sitemap", "lastmod", "changefreq", "priority")] == [
        FIRST,
        None,
        "daily",
        "0.3",
    ]
    assert [each["loc"] for each in new["images"]] == [at("1.png")]
    ok_, moved_, new_ = at("ok"), at("moved"), at("new")
    has_one = "another entry of the URL has one"
    assert repair.list_changes("url", "sitemap", "change", "count", "reason") == sorted(
        [
            (moved_, FIRST, "replaced", 1, "redirected"),
            (moved_, FIRST, "lastmod removed", 1, "belongs to the replaced URL"),
            (new_, SECOND, "changefreq removed", 1, has_one),
            (ok_, FIRST, "merged", 4, "listed 4 times"),
            (ok_, FIRST, "lastmod removed", 1, "another entry of the URL has a later one"),
            (ok_, FIRST, "changefreq removed", 1, "changefreq-invalid"),
            (ok_, SECOND, "changefreq removed", 1, has_one),
            (ok_, FIRST, "priority removed", 1, "priority-invalid"),
            (ok_, SECOND, "priority removed", 1, "priority-invalid"),
            (ok_, SECOND, "priority removed", 1, has_one),
            (ok_, SECOND, "images removed", 1, "another entry of the URL has some"),
            (ok_, SECOND, "videos removed", 1, "another entry of the URL has some"),
            (ok_, SECOND, "news removed", 1, "another entry of the URL has some"),
        ]
    )


def test_lastmods_that_are_not_true_are_removed() -> None:
    """A lastmod needs a day, between 1970 and the time at which its sitemap was fetched."""
    dates = {
        "1969-12-31": None,
        "1970-01-01": "1970-01-01",
        "2026-11": None,
        " 2026-11-01 ": "2026-11-01",
        "2026-11-21T13:00:00+01:00": "2026-11-21T12:00:00Z",
        "2026-11-21T12:00:01Z": None,
    }
    rows = [
        entry(FIRST, n + 1, f"{n}", lastmod=written, lastmod_at=moment.at if moment else None)
        for n, (written, moment) in enumerate((each, w3c_datetime(each)) for each in dates)
    ]
    rows.append(entry(FIRST, 7, "7", lastmod="never"))
    tomorrow = NOW + timedelta(days=1)
    later = [
        entry(SECOND, n, name, lastmod="2026-11-22", lastmod_at=tomorrow)
        for n, name in enumerate("14")
    ]
    repair = repair_in_memory(
        [
            Sitemap(FIRST, status=200, kind=Kind.URLSET, fetched_at=NOW),
            Sitemap(SECOND, status=200, kind=Kind.URLSET, fetched_at=tomorrow),
            *(Entries(FIRST, rows), Entries(SECOND, later)),
        ]
    )
    kept = [repair.kept[at(str(number))]["lastmod"] for number in range(len(dates))]
    latest = dict.fromkeys(("1970-01-01", "2026-11-21T13:00:00+01:00"), "2026-11-22")
    assert kept == [*(dates | latest).values()]
    assert repair.list_changes("url", "reason") == [
        (at("0"), "lastmod-invalid"),
        (at("1"), "another entry of the URL has a later one"),
        (at("1"), "listed 2 times"),
        (at("2"), "no day"),
        (at("4"), "another entry of the URL has a later one"),
        (at("4"), "listed 2 times"),
        (at("5"), "lastmod-future"),
        (at("7"), "lastmod-invalid"),
    ]


def test_identical_lastmods_have_one_row_per_file() -> None:
    dates: dict[str, Any] = {"lastmod": "2026-11-12", "lastmod_at": NOW - timedelta(days=9)}
    rows = [entry(FIRST, 1, "a", **dates), entry(FIRST, 2, "b", **dates)]
    others = [entry(SECOND, 1, "c", **dates)]
    items: list[Item] = [
        *(Sitemap(name, status=200, kind=Kind.URLSET, fetched_at=NOW) for name in (FIRST, SECOND)),
        Entries(FIRST, rows),
        Entries(SECOND, others),
    ]
    repair = repair_in_memory(items, [("lastmod-identical", None, FIRST, None)])
    assert repair.list_changes("url", "sitemap", "change", "count", "reason") == [
        ("", FIRST, "lastmod removed", 2, "lastmod-identical")
    ]
    assert {url: row["lastmod"] for url, row in repair.kept.items()} == {
        at("a"): None,
        at("b"): None,
        at("c"): "2026-11-12",
    }


def alternates(name: str, **links: str) -> Entry:
    made = [
        Alternate(source="sitemap", rel="alternate", hreflang=code, href=at(to), url=at(to))
        for code, to in links.items()
    ]
    return entry(FIRST, 0, name, alternates=made)


def test_alternates_link_to_each_other() -> None:
    """Those of replaced URLs link to their replacements; those with a conflict are removed."""
    rows = [
        alternates("a", de="a", en="b", fr="old"),
        alternates("b", de="a", en="b", fr="c"),
        alternates("old", de="a", en="b", fr="old"),
        alternates("alone", de="alone"),
        alternates("others", en="others-2"),
        alternates("others-2", de="others"),
        alternates("one-way", de="one-way", en="a"),
        alternates("twice", de="twice", en="twice-2"),
        alternates("twice-2", de="twice", en="twice-2"),
        alternates("dropped", de="dropped", en="gone"),
        alternates("unknown", de="unknown", en="elsewhere"),
        alternates("gone", de="a", en="gone"),
    ]
    for position, row in enumerate(rows, start=1):
        row.position = position
    again = replace(rows[0], sitemap=SECOND, position=7)
    names = [row.url for row in rows if row.url not in (at("old"), at("gone"))]
    items: list[Item] = [
        Sitemap(FIRST, status=200, kind=Kind.URLSET, fetched_at=NOW),
        Entries(FIRST, rows),
        Entries(SECOND, [again]),
        *(fetched_page(name, noindex=False) for name in names if name),
        page("c"),
        moved("old", "c"),
        page("gone", 404),
    ]
    wrong = replace(rows[0].alternates[1], hreflang="en-UK", code_error="no region")
    rows[0].alternates = [*rows[0].alternates, wrong]
    conflicts: list[Found] = [
        ("hreflang-sources-conflict", at("twice-2"), None, None),
        # Of several rules the first one is the reason.
        *((rule, at("alone"), None, None) for rule in STRICT if rule.startswith("hreflang")),
    ]
    repair = repair_in_memory(items, conflicts)
    cluster = {"de": at("a"), "en": at("b"), "fr": at("c")}
    assert repair.alternates == {at(name): cluster for name in "abc"}
    removed = [row for row in repair.changes if row["change"] == "alternates removed"]
    none = "no return link, or no link to the page itself"
    assert sorted((row["url"], row["count"], row["reason"]) for row in removed) == sorted(
        [
            (at("a"), 1, "hreflang-code-invalid"),
            (at("alone"), 1, "hreflang-duplicate-code"),
            (at("others"), 1, none),
            (at("others-2"), 1, none),
            (at("one-way"), 2, none),
            (at("twice"), 1, "hreflang-sources-conflict"),
            (at("twice"), 1, none),
            (at("twice-2"), 2, "hreflang-sources-conflict"),
            (at("dropped"), 1, none),
            (at("dropped"), 1, "the target was dropped"),
            (at("unknown"), 1, none),
            (at("unknown"), 1, "the target is not listed"),
        ]
    )

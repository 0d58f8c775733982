"""Predictions of the rules that compare the pages and entries of a website."""

from collections import Counter
from collections.abc import Iterator

from sitemapaudit.items import Severity, Verdict
from tests.worlds.files import LASTMODS, PRIORITIES, USUAL, WorldEntry
from tests.worlds.findings.seen import Found, Seen
from tests.worlds.pages import OUTSIDE, WorldPage

_SITE = ""
"""The path of a finding on a whole website."""

_USABLE = (Verdict.INDEXABLE, Verdict.UNCHECKED, Verdict.BLOCKED, Verdict.DENIED)
"""The verdicts on a canonical after which a sitemap should list it."""


def canonical_target_missing_from_sitemap(seen: Seen) -> Iterator[Found]:
    for path in sorted(seen.checked):
        canonical = seen.world.pages[path].canonical
        if seen.verdict(path) != Verdict.CANONICALIZED or canonical is None:
            continue
        is_own = not canonical.startswith(OUTSIDE)
        is_unlisted = canonical not in seen.by_path and not seen.may_list_more
        if is_own and is_unlisted and seen.verdict(canonical) in _USABLE:
            yield seen.on_page(path, Severity.WARNING)


def duplicate_content(seen: Seen) -> Iterator[Found]:
    alike = [page for page in seen.pages if page.variant == "alike"]
    if len(alike) > 1:
        for page in alike:
            yield seen.on_page(page.path, Severity.WARNING)


def duplicate_trailing_slash(seen: Seen) -> Iterator[Found]:
    groups: dict[str, list[str]] = {}
    for path in sorted(seen.by_path):
        way, mark, query = path.lower().partition("?")
        groups.setdefault(way.rstrip("/") + mark + query, []).append(path)
    for paths in groups.values():
        best, *others = sorted(paths, key=lambda path: not _is_indexable(seen, path))
        for path in others:
            both = _is_indexable(seen, best) and _is_indexable(seen, path)
            is_same = both and _have_same_text(seen.world.pages[best], seen.world.pages[path])
            yield seen.on_page(path, Severity.ERROR if is_same else Severity.WARNING)


def lastmod_disagrees(seen: Seen) -> Iterator[Found]:
    for path, listings in sorted(seen.by_path.items()):
        dated = [each for each in listings if _is_date(each.entry)]
        if len({each.entry.lastmod[:3] for each in dated if each.entry.lastmod}) > 1:
            first = dated[0]
            yield Found(Severity.WARNING, path, first.file.path, first.position)


def lastmod_identical(seen: Seen) -> Iterator[Found]:
    others = Counter[str]()
    first = ""
    for file in seen.files:
        dates = Counter(entry.lastmod or "" for entry in file.entries if _is_date(entry))
        if _are_identical(dates):
            yield Found(Severity.WARNING, None, file.path)
        elif dates:
            others += dates
            first = first or file.path
    if _are_identical(others):
        yield Found(Severity.WARNING, _SITE, first)


def priority_identical(seen: Seen) -> Iterator[Found]:
    priorities = [
        (file.path, position)
        for file, position, entry in seen.entries()
        if entry.priority in PRIORITIES[:2]
    ]
    if len(priorities) >= 10:
        sitemap, position = priorities[0]
        yield Found(Severity.NOTICE, _SITE, sitemap, position)


def sitemap_unknown(seen: Seen) -> Iterator[Found]:
    world = seen.world
    if not world.is_closed and not world.declared and world.files[USUAL].fails:
        yield Found(Severity.WARNING, _SITE)


def unlisted_canonical_target(seen: Seen) -> Iterator[Found]:
    reported = {page.canonical for page in seen.pages}
    linked = _linked(seen)
    targets = {page.canonical for page in seen.unlisted if page.canonical != page.path}
    for page in seen.unlisted:
        is_reported = page.path in reported or page.path in linked
        if page.path in targets and page.verdict == Verdict.INDEXABLE and not is_reported:
            yield Found(_certainty(seen), page.path)


def unlisted_indexable(seen: Seen) -> Iterator[Found]:
    linked = _linked(seen)
    for page in seen.unlisted:
        if page.is_html and page.verdict == Verdict.INDEXABLE and page.path in linked:
            yield Found(_certainty(seen), page.path)


def url_in_multiple_sitemaps(seen: Seen) -> Iterator[Found]:
    for path, listings in seen.by_path.items():
        if len({each.file.path for each in listings}) > 1:
            yield seen.on_page(path, Severity.NOTICE)


def _certainty(seen: Seen) -> Severity:
    """Return the severity of a finding on a page that a sitemap that was not read may list."""
    return Severity.NOTICE if seen.may_list_more else Severity.WARNING


def _linked(seen: Seen) -> set[str]:
    """Return the pages to which others link, directly or by a redirect."""
    links = seen.world.links(set(seen.fetched)) if seen.links else set()
    return {
        reached
        for source, target in links
        for reached in (seen.world.redirects(target) if target in seen.fetched else (target,))
        if reached != source
    }


def _is_indexable(seen: Seen, path: str) -> bool:
    return path in seen.checked and seen.verdict(path) == Verdict.INDEXABLE


def _have_same_text(one: WorldPage, two: WorldPage) -> bool:
    """Return whether two pages have the same text, or one of them none."""
    return not (one.is_html and two.is_html) or one.variant == two.variant == "alike"


def _is_date(entry: WorldEntry) -> bool:
    """Return whether the lastmod of an entry is a date that exists."""
    return entry.lastmod in LASTMODS and entry.lastmod not in ("", "2020-13-01")


def _are_identical(dates: Counter[str]) -> bool:
    """Return whether nearly all of these dates name the same moment."""
    moments = Counter[str]()
    for date, number in dates.items():
        moments[{"2020-05-05T10:00:00+00:00": "2020-05-05T10:00:00"}.get(date, date)] += number
    return any(
        10 * number >= 9 * moments.total() and moments.total() >= (10 if ":" in date else 50)
        for date, number in moments.items()
    )

"""Predictions of the rules about entries of sitemaps."""

from collections.abc import Iterator

from sitemapaudit.items import Severity
from tests.worlds.files import CHANGEFREQS, PRIORITIES
from tests.worlds.findings.seen import Found, Seen, on_entry
from tests.worlds.pages import OUTSIDE

_INVALID_LASTMODS = {
    "2020": Severity.NOTICE,
    "2020-13-01": Severity.ERROR,
    "1969-12-31": Severity.WARNING,
    "": Severity.ERROR,
}


def changefreq_invalid(seen: Seen) -> Iterator[Found]:
    for file, position, entry in seen.entries():
        if entry.changefreq not in (None, CHANGEFREQS[0]):
            yield on_entry(file, position, entry, Severity.WARNING)


def lastmod_future(seen: Seen) -> Iterator[Found]:
    for file, position, entry in seen.entries():
        if (entry.lastmod or "").startswith("2999"):
            yield on_entry(file, position, entry, Severity.WARNING)


def lastmod_invalid(seen: Seen) -> Iterator[Found]:
    for file, position, entry in seen.entries():
        if entry.lastmod in _INVALID_LASTMODS:
            yield on_entry(file, position, entry, _INVALID_LASTMODS[entry.lastmod])


def lastmod_no_timezone(seen: Seen) -> Iterator[Found]:
    for file, position, entry in seen.entries():
        if (entry.lastmod or "").endswith(":00") and "+" not in (entry.lastmod or ""):
            yield on_entry(file, position, entry, Severity.WARNING)


def loc_above_directory(seen: Seen) -> Iterator[Found]:
    declared = _declared(seen)
    for file, position, entry in seen.listings:
        is_limited = file.path not in declared and file.path.count("/") > 1
        if is_limited and not entry.path.startswith(OUTSIDE):
            yield on_entry(file, position, entry, Severity.WARNING)


def loc_duplicate(seen: Seen) -> Iterator[Found]:
    known = set[tuple[str, str, bool]]()
    for file, position, entry in seen.listings:
        key = file.path, entry.path, entry.spelling == "fragment"
        if key in known:
            yield on_entry(file, position, entry, Severity.WARNING)
        known.add(key)


def loc_fragment(seen: Seen) -> Iterator[Found]:
    known = set[tuple[str, str]]()
    for file, position, entry in seen.listings:
        if entry.spelling == "fragment" and (file.path, entry.path) not in known:
            yield on_entry(file, position, entry, Severity.WARNING)
            known.add((file.path, entry.path))


def loc_host_mismatch(seen: Seen) -> Iterator[Found]:
    for file, position, entry in seen.listings:
        if entry.path.startswith(OUTSIDE):
            yield on_entry(file, position, entry, Severity.WARNING)


def loc_missing(seen: Seen) -> Iterator[Found]:
    return _spelled(seen, "none", Severity.ERROR)


def loc_not_absolute(seen: Seen) -> Iterator[Found]:
    return _spelled(seen, "relative", Severity.ERROR)


def loc_not_escaped(seen: Seen) -> Iterator[Found]:
    for found in _spelled(seen, "raw", Severity.NOTICE):
        if "%C3%A9" in (found.url or ""):
            yield found


def loc_session_id(seen: Seen) -> Iterator[Found]:
    for file, position, entry in seen.listings:
        if "?sid=" in entry.path.lower():
            yield on_entry(file, position, entry, Severity.WARNING)


def loc_whitespace(seen: Seen) -> Iterator[Found]:
    return _spelled(seen, "spaces", Severity.NOTICE)


def priority_invalid(seen: Seen) -> Iterator[Found]:
    for file, position, entry in seen.entries():
        if entry.priority in PRIORITIES[2:]:
            yield on_entry(file, position, entry, Severity.WARNING)


def _spelled(seen: Seen, spelling: str, severity: Severity) -> Iterator[Found]:
    for file, position, entry in seen.entries():
        if entry.spelling == spelling:
            yield on_entry(file, position, entry, severity)


def _declared(seen: Seen) -> set[str]:
    """Return the sitemaps that robots.txt declares, directly or through an index."""
    found, waiting = set[str](), [*seen.world.declared]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            file = seen.world.files[path]
            waiting += file.children if file.is_readable else ()
    return found

"""Predictions of the rules about sitemaps."""

from collections.abc import Iterator
from posixpath import dirname

from sitemapaudit.items import Severity
from tests.worlds.files import WorldFile
from tests.worlds.findings.seen import Found, Seen


def index_child_duplicate(seen: Seen) -> Iterator[Found]:
    for file, position, child in _children(seen):
        if child in file.children[: position - 1]:
            yield Found(Severity.NOTICE, None, file.path, position)


def index_child_out_of_scope(seen: Seen) -> Iterator[Found]:
    for file, position, child in _children(seen):
        is_below = child.startswith(dirname(file.path).rstrip("/") + "/")
        if not is_below and child not in seen.world.declared:
            yield Found(Severity.WARNING, None, file.path, position)


def index_cycle(seen: Seen) -> Iterator[Found]:
    for file, _, child in _children(seen):
        if child == file.path:
            yield Found(Severity.ERROR, None, file.path)


def index_nested(seen: Seen) -> Iterator[Found]:
    listed = {child for file, _, child in _children(seen) if child != file.path}
    for file in _read(seen, "index"):
        if file.path in listed and file.path not in seen.world.declared:
            yield Found(Severity.ERROR, None, file.path)


def lastmod_missing(seen: Seen) -> Iterator[Found]:
    for file in seen.files:
        if file.format != "text" and any(entry.lastmod is None for entry in file.entries):
            yield Found(Severity.NOTICE, None, file.path)


def sitemap_access_denied(seen: Seen) -> Iterator[Found]:
    return _with_flaw(seen, "denied", Severity.WARNING)


def sitemap_body_empty(seen: Seen) -> Iterator[Found]:
    for file in seen.files:
        if file.is_empty:
            yield Found(Severity.ERROR, None, file.path)


def sitemap_content_type(seen: Seen) -> Iterator[Found]:
    for found in _with_flaw(seen, "wrong-type", Severity.NOTICE):
        if not seen.world.files[found.sitemap or ""].is_empty:
            yield found


def sitemap_doctype(seen: Seen) -> Iterator[Found]:
    return _with_flaw(seen, "doctype", Severity.WARNING)


def sitemap_element_order(seen: Seen) -> Iterator[Found]:
    for file in seen.files:
        if file.flaw == "unordered" and file.is_readable:
            moved = [
                position
                for position, entry in file.places
                if (entry.lastmod, entry.changefreq, entry.priority) != (None, None, None)
            ]
            if moved:
                yield Found(Severity.NOTICE, None, file.path, moved[0])


def sitemap_http_error(seen: Seen) -> Iterator[Found]:
    yield from _with_flaw(seen, "missing", Severity.ERROR)
    yield from _with_flaw(seen, "error", Severity.ERROR)


def sitemap_is_html(seen: Seen) -> Iterator[Found]:
    return _with_flaw(seen, "html", Severity.ERROR)


def sitemap_leading_content(seen: Seen) -> Iterator[Found]:
    return _with_flaw(seen, "leading", Severity.ERROR)


def sitemap_namespace(seen: Seen) -> Iterator[Found]:
    return _with_flaw(seen, "no-namespace", Severity.ERROR)


def sitemap_no_entries(seen: Seen) -> Iterator[Found]:
    for file in _read(seen, "urlset", "urlset.gz"):
        if not file.entries:
            yield Found(Severity.ERROR, None, file.path)


def sitemap_redirected(seen: Seen) -> Iterator[Found]:
    return _with_flaw(seen, "moved", Severity.NOTICE)


def sitemap_unreachable(seen: Seen) -> Iterator[Found]:
    for file in seen.files:
        if file.error:
            yield Found(Severity.ERROR, None, file.path)


def sitemap_xml_malformed(seen: Seen) -> Iterator[Found]:
    for file in seen.files:
        if file.whole and file.is_readable:
            yield Found(Severity.ERROR, None, file.path)


def _with_flaw(seen: Seen, flaw: str, severity: Severity) -> Iterator[Found]:
    """Yield a finding on each sitemap with a flaw that responds."""
    for file in seen.files:
        if file.flaw == flaw and not file.error:
            yield Found(severity, None, file.path)


def _read(seen: Seen, *formats: str) -> Iterator[WorldFile]:
    return (file for file in seen.files if file.is_readable and file.format in formats)


def _children(seen: Seen) -> Iterator[tuple[WorldFile, int, str]]:
    """Yield the entries of indexes: the index, the position and the path of the child."""
    for file in _read(seen, "index"):
        for position, child in enumerate(file.children, start=1):
            yield file, position, child

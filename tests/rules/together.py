"""All cases of a table in one audit: to build its tables takes most of the time of a case.

Each case has domains of its own: ``www.example.com`` of case 3 is ``www.example-3.com``.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass, replace
from hashlib import blake2b
from typing import Any, Final

from sitemapaudit.pages.links import EDGE_BYTES, PageLinks
from sitemapaudit.runs.ledger.link_log import LinkRecord, parse_block
from sitemapaudit.urls import digest_bytes
from tests.rules.tables import Item, tables_of

Finding = dict[str, Any]
"""The row of a finding."""

_MAX_NAME: Final = 500
"""The most characters of a case in the message of a failure."""

_DOMAIN: Final = re.compile(r"\b(?:example|EXAMPLE|Example)\b")
_MOVED: Final = re.compile(r"(example)-(\d+)", re.IGNORECASE)


def check(
    rule: str,
    table: Iterable[tuple[Any, ...]],
    items_of: Callable[..., Iterable[Item]],
    see: Callable[[list[Finding]], object],
    **arguments: Any,
) -> None:
    """Audit all cases of a table at once.

    Each row has what ``items_of`` needs, and last what ``see`` returns of the findings of the case.
    """
    cases = list(table)
    tables = tables_of(_items(cases, items_of), rule, **arguments)
    assert tables.broken == {}
    rows = sorted((row for row in tables.rows if row["rule"] == rule), key=_order)
    _compare(cases, map(see, _by_case(len(cases), rows)))


def check_verdicts(
    rule: str, table: Iterable[tuple[Any, ...]], items_of: Callable[..., Iterable[Item]]
) -> None:
    """Check the verdicts of the listed URLs of each case, with which the rows of a table end."""
    cases = list(table)
    urls = tables_of(_items(cases, items_of), rule).urls
    rows = [
        {"url": url, "verdict": verdict}
        for url, verdict in zip(urls["url"], urls["verdict"], strict=True)
    ]
    seen = _by_case(len(cases), rows)
    _compare(cases, [{row["url"]: row["verdict"] for row in found} for found in seen])


def _items(cases: list[tuple[Any, ...]], items_of: Callable[..., Iterable[Item]]) -> Iterator[Item]:
    for number, case in enumerate(cases):
        yield from (moved(number, item) for item in items_of(*case[:-1]))


def _by_case(count: int, rows: Iterable[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the rows of each case, on the domains that it was written with."""
    found: list[list[dict[str, Any]]] = [[] for _ in range(count)]
    for row in rows:
        place = _MOVED.search(row["url"] or row["sitemap"] or row["message"])
        assert place, row
        texts = {
            name: _MOVED.sub(r"\1", value) for name, value in row.items() if type(value) is str
        }
        found[int(place[2])].append(row | texts)
    return found


def _compare(cases: list[tuple[Any, ...]], seen: Iterable[object]) -> None:
    pairs = zip(cases, seen, strict=True)
    wrong = [
        f"{str(case[:-1])[:_MAX_NAME]}: {found}, not {case[-1]}"
        for case, found in pairs
        if found != case[-1]
    ]
    assert not wrong, "\n".join(wrong)


def _order(finding: Finding) -> tuple[bool, str, int]:
    return finding["url"] is None, finding["url"] or "", finding["position"] or 0


def column(name: str) -> Callable[[list[Finding]], list[Any]]:
    """Return what sees one column of the findings."""
    return lambda found: [finding[name] for finding in found]


urls, severities, messages = map(column, ("url", "severity", "message"))


def places(found: list[Finding]) -> list[tuple[str | None, str]]:
    """Return URL and severity of each finding."""
    return [(finding["url"], finding["severity"]) for finding in found]


def sentences(found: list[Finding]) -> list[tuple[str | None, str, str]]:
    """Return URL, severity and message of each finding."""
    return [(finding["url"], finding["severity"], finding["message"]) for finding in found]


def moved(case: int, value: Any) -> Any:
    """Return a row with its URLs on the domains of a case, and a content that no other case has."""
    if isinstance(value, list):
        return [moved(case, each) for each in value]
    if isinstance(value, LinkRecord):
        return _moved_links(case, value)
    if is_dataclass(value) and not isinstance(value, type):
        given = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
        if content := given.get("content_hash"):
            given["content_hash"] = f"{content}-{case}"
        if content := given.get("fingerprint"):
            mask = blake2b(b"%d" % case, digest_size=len(content) // 2).hexdigest()
            given["fingerprint"] = f"{int(content, 16) ^ int(mask, 16):0{len(content)}x}"
        return replace(value, **{name: moved(case, each) for name, each in given.items()})
    return _DOMAIN.sub(rf"\g<0>-{case}", value) if type(value) is str else value


def _moved_links(case: int, record: LinkRecord) -> LinkRecord:
    block = parse_block(memoryview(record.block), 0)
    assert block
    digests = {digest_bytes(name): moved(case, name) for name in record.names}
    names = {digest_bytes(name): name for name in moved(case, record.names)}
    source, *targets = names
    places = range(0, len(block.edges), EDGE_BYTES)
    edges = [bytes(block.edges[place : place + EDGE_BYTES]) for place in places]
    moved_edges = b"".join(digest_bytes(digests[edge[:8]]) + edge[8:] for edge in edges)
    links = PageLinks(names[source], source, targets, moved_edges, names, block.dropped)
    return LinkRecord.of(links)


def original(text: str) -> tuple[int, str]:
    """Return the case of a text with a moved URL, and the text as it was written."""
    place = _MOVED.search(text)
    assert place, text
    return int(place[2]), _MOVED.sub(r"\1", text)

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import quote

from sitemapaudit.items import Finding, Robots, Severity
from sitemapaudit.robots.groups import PATH_FIELDS, read_groups
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_ROBOTS, RFC_9309


class RobotsPathNotEncoded(RowRule[Robots]):
    r"""robots.txt has a path that is not percent-encoded

    When: the path of an Allow or Disallow line contains a character outside ASCII, a space, or one
    of `" < > \ ^ { } |` and the backtick. All such lines of a file are one finding. In the audit,
    `/café` and `/caf%C3%A9` match the same URLs, as they do for Google.

    Why: URLs are percent-encoded, and crawlers compare them with the path. Google asks for
    percent-encoded paths; a crawler that does not encode the path itself ignores the line.

    Fix: Percent-encode the path as UTF-8.
    """

    severity = Severity.NOTICE
    message = "line {line} has a path that is not percent-encoded: {path}{others}"
    references = (
        GOOGLE_ROBOTS,
        RFC_9309,
    )

    _unencoded: Final = re.compile(r'[^\x21-\x7e]|["<>\\^{}|`]')

    def check(self, row: Robots) -> Iterator[Finding]:
        if not row.audited or row.is_html or not row.text:
            return
        lines = [
            line
            for group in read_groups(row.text)
            for line in group.lines
            if line.field in PATH_FIELDS and self._unencoded.search(line.value)
        ]
        if lines:
            first = lines[0]
            yield self.finding(
                row,
                line=first.number,
                path=first.value,
                encoded=self._unencoded.sub(_encode, first.value),
                others=f", and {len(lines) - 1:,} more" if len(lines) > 1 else "",
                lines=[line.number for line in lines[:20]],
            )


def _encode(match: re.Match[str]) -> str:
    return quote(match[0])

import re
from collections.abc import Iterator

from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.concerns import is_unusual
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.sources import GOOGLE_URLS, PROTOCOL, RFC_3986
from sitemapaudit.urls import strip_whitespace


class LocNotEscaped(RowRule[Entry]):
    r"""loc is not percent-encoded

    When: after the host, a loc with a valid URL contains a character outside ASCII, or one of
    `" < > [ \ ] ^ { } |` and the backtick, that is not percent-encoded. Characters of the host do
    not count.

    Why: The protocol requires URL escaping, and Google requires it for reserved characters; after
    the host, brackets have no other meaning. The protocol mentions IRIs too, and search engines
    escape such characters themselves. But other parsers may not, or do it differently.

    Fix: Percent-encode the characters as UTF-8.
    """

    severity = Severity.NOTICE
    message = "loc contains characters that are not percent-encoded: {characters}"
    cause = "have a loc with characters that are not percent-encoded"
    concern = is_unusual
    references = (
        PROTOCOL,
        RFC_3986,
        GOOGLE_URLS,
    )

    _unescaped = re.compile(r'[^\x00-\x7f]|["<>[\\\]^{}|`]')
    _after_host = re.compile(r"\s*https?://[^/?#\\]*(.*)", re.IGNORECASE | re.DOTALL)

    def check(self, row: Entry) -> Iterator[Finding]:
        if row.url is None or row.loc is None:
            return
        match = self._after_host.match(row.loc)
        found = self._unescaped.findall(strip_whitespace(match[1])) if match else []
        if found:
            distinct = list(dict.fromkeys(found))
            characters = " ".join(distinct[:10]) + (" …" if len(distinct) > 10 else "")
            yield self.finding(row, characters=characters, loc=row.loc)

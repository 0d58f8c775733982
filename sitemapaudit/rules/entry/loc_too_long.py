from collections.abc import Iterator

from sitemapaudit.caps import MAX_TEXT
from sitemapaudit.items import Entry, Finding, Severity
from sitemapaudit.rules.concerns import Concern
from sitemapaudit.rules.needs import Choice
from sitemapaudit.rules.rule import RowRule
from sitemapaudit.rules.rule_options import DEFAULTS, RuleOptions
from sitemapaudit.rules.sources import PROTOCOL, YANDEX
from sitemapaudit.urls import MAX_LENGTH, strip_whitespace


class LocTooLong(RowRule[Entry]):
    """loc is too long

    When: the loc has 2,048 characters or more, counted after entities are decoded and whitespace
    around it is trimmed: error. 2,047 characters are allowed. With
    `AUDIT_LOC_NOTICE_LENGTH=1024`, the limit of Yandex, a loc with more than 1,024 and fewer than
    2,048 characters: notice.

    Why: The protocol requires fewer than 2,048 characters. Search engines may drop the entry.

    Fix: Shorten the URL.
    """

    severity = Severity.ERROR
    message = "loc has {length} characters{note}; the limit is {limit}"
    references = (
        PROTOCOL,
        YANDEX,
    )
    depends_on = (Choice("loc_notice_length", str),)

    def __init__(self, rule_options: RuleOptions = DEFAULTS) -> None:
        super().__init__(rule_options)
        self._allowed = min(rule_options.loc_notice_length or MAX_LENGTH, MAX_LENGTH - 1)

    @property
    def own_concern(self) -> Concern:
        """Locs with too many characters, white space included."""
        allowed = self._allowed
        return lambda row: row.loc is not None and len(row.loc) > allowed

    def check(self, row: Entry) -> Iterator[Finding]:
        loc = row.loc or ""
        length = len(strip_whitespace(loc))
        if length >= MAX_LENGTH:
            limit, severity = MAX_LENGTH - 1, Severity.ERROR
        elif length > self._allowed:
            limit, severity = self._allowed, Severity.NOTICE
        else:
            return
        length, note = (MAX_TEXT, " or more") if length > MAX_TEXT else (length, "")
        yield self.finding(row, severity, length=length, note=note, limit=limit, loc=loc[:200])

"""The base classes of rules.

A row rule checks one row while crawling. A query rule is one SQL statement over the tables of a
run, a comparison rule over the tables of two runs.
"""

import inspect
import sys
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, ClassVar, Final, Generic, TypeVar

import msgspec

from sitemapaudit.items import Entry, Finding, Page, Robots, Severity, Sitemap, Subject
from sitemapaudit.numbers import fill
from sitemapaudit.rules.concerns import Concern
from sitemapaudit.rules.needs import Choice, Need
from sitemapaudit.rules.rule_options import DEFAULTS, RuleOptions
from sitemapaudit.rules.sources import Reference

Row = Robots | Sitemap | Entry | Page
RowT = TypeVar("RowT", Robots, Sitemap, Entry, Page)

SECTIONS: Final = ("When", "Why", "Fix")
"""The sections of a rule's docstring after its title; each begins with its name and a colon."""


class Rule:
    """A check.

    The docstring of a rule is its page. The first line is its title. ``When:`` is the exact
    condition, ``Why:`` the consequence, ``Fix:`` the remedy. ``id`` is the name of its file,
    ``subject`` the name of its folder; a file elsewhere sets ``subject`` itself.
    """

    id: ClassVar[str]
    subject: ClassVar[Subject]
    severity: ClassVar[Severity]
    """The highest severity of its findings."""
    message: ClassVar[str]
    """The problem, with names of evidence in braces; completes "URL: …"."""
    cause: ClassVar[str | None] = None
    """The problem that more than a hundred findings in a sitemap share; completes "250 entries …".
    Such findings are merged. None if each concerns a single URL."""
    compares_pages: ClassVar[bool] = False
    """True if a finding on a page depends on other listed pages: a sample of pages then has other
    findings than all of them."""
    about_sitemaps: ClassVar[bool] = False
    """True if it is about a sitemap, or about what one lists or should list: it is off if a list of
    URLs is audited without one. Rules about sitemaps and entries are, unless they say otherwise."""
    references: ClassVar[tuple[Reference, ...]]
    """The specifications and documentation that say so."""
    depends_on: ClassVar[tuple[Choice, ...]] = ()
    """The arguments and settings that decide what it can find."""
    version: ClassVar[int] = 1
    """Raised when it finds something else in the same rows: comparisons then call findings "not
    checked before". Rules of AUDIT_RULE_MODULES need none: their source is compared."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        *_, folder, name = ("", *cls.__module__.split("."))
        cls.id = name.replace("_", "-")
        if folder in set(Subject):
            cls.subject = Subject(folder)
        if "about_sitemaps" not in vars(cls):
            subject = getattr(cls, "subject", None)
            cls.about_sitemaps = subject in (Subject.SITEMAP, Subject.ENTRY)

    @classmethod
    def title(cls) -> str:
        """Return the first line of its page."""
        return (cls.__doc__ or "").partition("\n")[0].strip()

    @classmethod
    def edition(cls) -> str:
        """Return its version, or a digest of its source if it is not a built-in rule."""
        if cls.__module__.startswith(f"{__package__}."):
            return str(cls.version)
        try:
            source = inspect.getsource(sys.modules[cls.__module__])
        except (OSError, TypeError):  # It is installed without its source.
            return str(cls.version)
        return blake2b(source.encode(), digest_size=8).hexdigest()

    @classmethod
    def section(cls, name: str) -> str:
        """Return the text of a section as one line; empty if there is none."""
        for paragraph in inspect.cleandoc(cls.__doc__ or "").split("\n\n"):
            head, colon, text = paragraph.partition(":")
            if colon and head == name:
                return " ".join(text.split())
        return ""


class RowRule(Rule, Generic[RowT]):
    """A rule that checks one row."""

    concern: ClassVar[Concern | None] = None
    """Says whether the rule may find something in a row; None means in any row."""

    def __init__(self, rule_options: RuleOptions = DEFAULTS) -> None:
        self.rule_options = rule_options

    @property
    def own_concern(self) -> Concern | None:
        """The concern of this rule with its options."""
        return type(self).concern

    def check(self, row: RowT) -> Iterable[Finding]:
        """Yield the findings on a row."""
        raise NotImplementedError

    def finding(self, row: RowT, severity: Severity | None = None, **evidence: Any) -> Finding:
        """Return a finding on a row; ``severity`` if it is lower than the rule's."""
        url, sitemap, position, line = _place(row)
        return Finding(
            rule=self.id,
            severity=Severity(severity or self.severity),
            subject=self.subject,
            url=url,
            sitemap=sitemap,
            position=position,
            line=line,
            message=fill(self.message, evidence),
            evidence=msgspec.json.encode(evidence).decode() if evidence else None,
            cause=self.cause and fill(self.cause, evidence),
        )


class QueryRule(Rule):
    """A rule that compares rows: each row of its SQL query is a finding.

    The columns ``url``, ``sitemap``, ``position`` and ``severity`` become those of the finding.
    All other columns fill the message, and are its evidence unless their names begin with ``_``.
    """

    query: ClassVar[str]
    needs: ClassVar[tuple[Need, ...]] = ()
    """The query runs only if one of these is met: otherwise it finds nothing. Without needs, it
    always runs."""


class ComparisonRule(QueryRule):
    """A query rule over two runs, used by comparisons only.

    The tables are in the schemas ``old`` and ``new``. ``new.run`` has one row: whether the later
    run was ``stopped`` before its end.
    """


def _place(row: Row) -> tuple[str | None, str | None, int | None, int | None]:
    match row:
        case Entry():
            return row.url, row.sitemap, row.position, row.line
        case Sitemap():
            return None, row.sitemap, None, None
        case _:
            return row.url, None, None, None

"""What a rule is: a row rule judges one row as it goes by, a query compares rows, or two runs."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, ClassVar, Generic, TypeVar

import msgspec

from sitemapaudit.items import Entry, Finding, Page, Robots, Severity, Sitemap, Subject
from sitemapaudit.rules.preferences import DEFAULTS, Preferences
from sitemapaudit.rules.sources import Reference

Row = Robots | Sitemap | Entry | Page
RowT = TypeVar("RowT", Robots, Sitemap, Entry, Page)

SECTIONS = ("When", "Why", "Fix")
"""The parts of a rule's docstring that follow its title, each begun by its name and a colon."""


class Rule(ABC):
    """A check.

    The docstring of a rule is its page: the first line is its title; ``When:``
    gives the exact condition, ``Why:`` what it costs, ``Fix:`` what to do.
    ``id`` is the name of its file, ``subject`` that of its folder.
    """

    id: ClassVar[str]
    subject: ClassVar[Subject]
    severity: ClassVar[Severity]
    """The gravest severity that its findings have."""
    message: ClassVar[str]
    """The sentence, with the names of evidence in braces."""
    references: ClassVar[tuple[Reference, ...]]
    """Where a specification or an engine says so."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        *_, folder, name = cls.__module__.split(".")
        if folder in set(Subject):
            cls.id = name.replace("_", "-")
            cls.subject = Subject(folder)

    @classmethod
    def title(cls) -> str:
        """The first line of its page."""
        return inspect.cleandoc(cls.__doc__ or "").partition("\n")[0]

    @classmethod
    def section(cls, name: str) -> str:
        """The text of one of its sections, as one line; empty if there is none."""
        for paragraph in inspect.cleandoc(cls.__doc__ or "").split("\n\n"):
            head, colon, text = paragraph.partition(":")
            if colon and head == name:
                return " ".join(text.split())
        return ""


class RowRule(Rule, Generic[RowT]):
    """A rule that looks at one row."""

    def __init__(self, preferences: Preferences = DEFAULTS) -> None:
        self.preferences = preferences

    @abstractmethod
    def check(self, row: RowT) -> Iterable[Finding]:
        """Yield a finding for each fault of the row."""

    def finding(self, row: RowT, severity: Severity | None = None, **evidence: Any) -> Finding:
        """Make a finding about a row; ``severity`` where it is milder than the rule's."""
        url, sitemap, position = _place(row)
        return Finding(
            rule=self.id,
            severity=severity or self.severity,
            subject=self.subject,
            url=url,
            sitemap=sitemap,
            position=position,
            message=self.message.format_map(evidence),
            evidence=msgspec.json.encode(evidence).decode() if evidence else None,
        )


class Query(Rule):
    """A rule that compares rows: one SQL statement over the tables, each row of it a finding.

    Columns named ``url``, ``sitemap``, ``position`` and ``severity`` go where
    their name says; every other column is evidence, and fills the message.
    """

    query: ClassVar[str]


class Comparing(Query):
    """A query that compares two runs: a comparison asks it, and none that judges one run.

    The tables are in the schemas ``old`` and ``new``; ``new.run`` has one row: whether the later
    run was ``stopped`` before its end.
    """


def _place(row: Row) -> tuple[str | None, str | None, int | None]:
    match row:
        case Entry():
            return row.url, row.sitemap, row.position
        case Sitemap():
            return None, row.sitemap, None
        case _:
            return row.url, None, None

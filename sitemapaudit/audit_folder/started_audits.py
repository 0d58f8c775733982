"""Audits that a server starts for its users: processes that end with it, and can be resumed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Self

from sitemapaudit.config.arguments import Arguments
from sitemapaudit.config.audit_settings import PREFIX, AuditSettings
from sitemapaudit.config.options import ConfigError, OptionDescription
from sitemapaudit.numbers import count_noun
from sitemapaudit.runs.child_audit import ChildAudit
from sitemapaudit.runs.progress_report import ProgressReport

SITE: Final = "site"

OPTIONS: Final = ("pages", "links", "render", f"{PREFIX}SPEED")
"""The arguments and settings that users may give with the site; no other reaches an audit."""

MAX_RUNNING: Final = 4
"""Limit for audits that run at the same time."""

MAX_KEPT: Final = 20
"""Limit for ended audits that are remembered."""


def option_descriptions() -> dict[str, OptionDescription]:
    """Return what users may give, by the name on the command line without its hyphens."""
    known = {option.name: option for option in (*Arguments.describe(), *AuditSettings.describe())}
    return {known[name].key: known[name] for name in (SITE, *OPTIONS)}


def audit_words(given: Mapping[str, str]) -> list[str]:
    """Return the words of an audit with these options, by their keys. Raises ConfigError.

    No value becomes another option: it is joined to its own, and the site comes after ``--``.
    """
    known = option_descriptions()
    for key in given:
        if key not in known:
            raise ConfigError(f"{key} is not one of {', '.join(known)}.")
    options = {known[key].name: text for key, text in given.items() if text}
    if not options.get(SITE, "").strip(" ,"):
        raise ConfigError("site: it is missing.")
    Arguments.read({name: text for name, text in options.items() if not name.isupper()})
    AuditSettings.read({name: text for name, text in options.items() if name.isupper()})
    words = [f"--{key}={text}" for key, text in given.items() if text and key != SITE]
    return [*words, "--", given[SITE]]


class StartedAudit:
    """An audit that was started here; ``site`` is what was given."""

    def __init__(self, number: int, site: str, words: list[str]) -> None:
        self.number, self.site = number, site
        self.progress = ProgressReport()
        self.child = ChildAudit(words, self._note)

    def _note(self, report: ProgressReport) -> None:
        self.progress = report

    @property
    def run(self) -> Path | None:
        """Its run folder, as soon as there is one."""
        return Path(self.progress.run) if self.progress.run else None


class StartedAudits:
    """The audits that were started here; a context manager that stops them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._audits: list[StartedAudit] = []
        self._count = 0

    def list(self) -> list[StartedAudit]:
        """Return them, the newest first."""
        return self._audits[::-1]

    def find(self, number: int) -> StartedAudit | None:
        """Return one of them."""
        return next((each for each in self._audits if each.number == number), None)

    def start(self, given: Mapping[str, str]) -> StartedAudit:
        """Start an audit with these options, by their keys. Raises ConfigError."""
        return self._start(given.get(SITE, ""), audit_words(given))

    def resume(self, run: Path) -> StartedAudit:
        """Continue a run of the folder. Raises ConfigError."""
        return self._start(run.parent.name, [f"--resume={run}"])

    def _start(self, site: str, words: Sequence[str]) -> StartedAudit:
        if sum(each.child.status is None for each in self._audits) >= MAX_RUNNING:
            raise ConfigError(f"{count_noun(MAX_RUNNING, 'audit')} at a time: wait, or stop one.")
        for ended in [each for each in self._audits[:-MAX_KEPT] if each.child.status is not None]:
            self._audits.remove(ended)
            ended.child.close()
        self._count += 1
        audit = StartedAudit(self._count, site, ["audit", f"--dir={self._folder}", *words])
        self._audits.append(audit)
        return audit

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for audit in self._audits:
            audit.child.ask_to_stop()
        for audit in self._audits:
            audit.child.stop()
            audit.child.close()

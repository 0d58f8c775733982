"""Tools that read runs."""

from collections.abc import Callable
from typing import Annotated, Any, Final

import msgspec
from pydantic import Field

from sitemapaudit import urls
from sitemapaudit.audit_folder import answers
from sitemapaudit.audit_folder.comparing import compare_runs
from sitemapaudit.audit_folder.folder import AuditFolder
from sitemapaudit.audit_folder.guarded_query import run_query
from sitemapaudit.config.options import suggest_name
from sitemapaudit.items import Severity, Verdict
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.rules.rule_page import rule_page

MAX_ROWS: Final = 200

_Run = Annotated[str, Field(description="a run, `site/start`, or a site: its newest run")]
_Offset = Annotated[int, Field(ge=0, description="rows to skip: `next_offset` of the last answer")]
_Limit = Annotated[int, Field(ge=1, le=MAX_ROWS, description="rows to return at most")]
_Answer = dict[str, Any]


class RunTools:
    """The tools that read the runs of a folder; their docstrings are for assistants."""

    def __init__(self, folder: AuditFolder) -> None:
        self._folder = folder

    def tools(self) -> list[Callable[..., _Answer]]:
        """Return them."""
        return [
            self.list_runs,
            self.summarize_run,
            self.list_findings,
            self.list_urls,
            self.describe_url,
            self.explain_rule,
            self.compare_runs,
            self.query_run,
        ]

    def list_runs(
        self,
        site: Annotated[str, Field(description="only this site, as named in a run")] = "",
        offset: _Offset = 0,
        limit: _Limit = 20,
    ) -> _Answer:
        """List the audits, the newest first: site, start, status, share of indexable URLs."""
        return answers.list_runs(self._folder, site, offset, limit)

    def summarize_run(self, run: _Run) -> _Answer:
        """Summarize an audit: whether it is complete, URLs per verdict, findings per rule."""
        return answers.summarize(self._folder, self._folder.find(run))

    def list_findings(
        self,
        run: _Run,
        rule: Annotated[str, Field(description="only findings of this rule")] = "",
        severity: Severity | None = None,
        url: Annotated[str, Field(description="only findings about this URL")] = "",
        offset: _Offset = 0,
        limit: _Limit = 50,
    ) -> _Answer:
        """List findings, the most severe first: place, message and evidence."""
        given = {"rule": rule, "severity": severity, "url": url and (urls.normalize(url) or url)}
        chosen = {name: str(value) for name, value in given.items() if value}
        found = answers.list_findings(self._folder.find_built(run), chosen, offset, limit)
        if rule and not found["total"]:
            _check_rule(rule)  # The user's own rules are known by their findings.
        return found

    def list_urls(
        self,
        run: _Run,
        verdict: Verdict | None = None,
        containing: Annotated[str, Field(description="only URLs with this text")] = "",
        offset: _Offset = 0,
        limit: _Limit = 50,
    ) -> _Answer:
        """List URLs of the sitemaps, all or those with one verdict."""
        found = self._folder.find_built(run)
        return answers.list_urls(found, verdict or "", containing, offset, limit)

    def describe_url(self, run: _Run, url: str) -> _Answer:
        """Return all that an audit knows about a listed URL: facts, findings, sitemap entries."""
        found = answers.describe_url(self._folder.find_built(run), url)
        if found is None:
            raise LookupError(f"No sitemap of this run lists {url!r}")
        return found

    def explain_rule(self, rule: str) -> _Answer:
        """Explain a rule: when it finds something, why that matters, how to fix it."""
        _check_rule(rule)
        return {"rule": rule, "page": rule_page(catalog()[rule])}

    def compare_runs(
        self,
        later: _Run,
        earlier: Annotated[
            str, Field(description="a run; by default the one before `later`, of its site")
        ] = "",
        limit: _Limit = 50,
    ) -> _Answer:
        """Compare two audits: findings that are new or fixed, URLs added, removed or changed."""
        new = self._folder.find_built(later)
        before = self._folder.find_earlier(new, earlier)
        names = {"earlier_run": self._folder.name(before), "later_run": self._folder.name(new)}
        return names | answers.describe_comparison(compare_runs(before, new), limit)

    def query_run(
        self,
        run: _Run,
        sql: Annotated[str, Field(description="one SELECT statement of DuckDB")],
        limit: _Limit = 50,
    ) -> _Answer:
        """Query the tables of an audit with SQL.

        The tables are urls, findings, entries, pages, sitemaps, robots, occurrences and
        alternates, and links, media or comparison if the audit has them. `describe urls` lists
        columns. Rows, bytes and time are limited; nothing can be written.
        """
        found = run_query(self._folder.find_built(run), sql, limit)
        values: _Answer = msgspec.to_builtins(found)
        return {name: value for name, value in values.items() if name != "error"}


def _check_rule(rule: str) -> None:
    """Raise LookupError if there is no such rule."""
    known = catalog()
    if rule not in known:
        offer = suggest_name(rule, known) or "summarize_run names those with findings"
        raise LookupError(f"There is no rule {rule!r}; {offer}")

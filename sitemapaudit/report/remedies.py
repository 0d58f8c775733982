"""The remedies of findings: actions, and the rules that each fixes."""

import fnmatch
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from sitemapaudit.items import Verdict
from sitemapaudit.rules.catalog import Catalog

CONSEQUENCES: Final = frozenset({"sitemap-dirt-rate", "audit-incomplete"})
"""Rules that summarize findings of other rules, and need no separate action."""

UNREADABLE: Final = "Make {what} readable"

KEPT: Final = "kept"
"""A URL that a repair would not change."""


class Remedy(Struct, frozen=True, kw_only=True):
    """Rules with one remedy, as patterns of their ids.

    ``title`` is the action: ``{what}`` becomes the number of places (``41 dead URLs``), ``{where}``
    the number of sitemaps that list them (`` 2 sitemaps``). ``repairs`` says whether
    ``sitemapaudit repair`` writes sitemaps without the fault, ``first`` whether the fault keeps
    pages out of the index.
    """

    rules: tuple[str, ...]
    title: str
    noun: str
    how: str
    repairs: bool = False
    first: bool = False


class VerdictRemedy(Remedy, frozen=True, kw_only=True):
    """The remedy for listed URLs with one of these verdicts.

    ``change`` is what a repair does with them: ``dropped``, ``replaced`` or ``kept``; None if that
    does not matter.
    """

    verdicts: tuple[Verdict, ...]
    change: str | None = None
    first: bool = True


_REDIRECTS: Final = ("page-redirect-*", "page-meta-refresh", "render-js-redirect")
_CANONICALS: Final = (
    *("canonical-elsewhere", "canonical-chain", "canonical-offsite", "canonical-to-*"),
    *("canonical-target-missing-from-sitemap", "render-canonical-differs"),
)
_DEAD: Final = ("page-not-found", "page-client-error")
_FAILED: Final = ("page-timeout", "page-connection-error", "page-tls-error")

VERDICT_REMEDIES: Final = (
    VerdictRemedy(
        rules=_DEAD,
        verdicts=(Verdict.NOT_FOUND, Verdict.CLIENT_ERROR),
        title="Remove {what} from {where}",
        noun="dead URL",
        how="Restore a page first if it was deleted by mistake.",
        repairs=True,
    ),
    VerdictRemedy(
        rules=_REDIRECTS,
        verdicts=(Verdict.REDIRECTED,),
        change="replaced",
        title="Replace {what} in {where} by their targets",
        noun="redirecting URL",
        how="List the URL at which each redirect ends.",
        repairs=True,
    ),
    VerdictRemedy(
        rules=_CANONICALS,
        verdicts=(Verdict.CANONICALIZED,),
        change="replaced",
        title="Replace {what} in {where} by their canonicals",
        noun="canonicalized URL",
        how="If the canonical is wrong, correct it instead.",
        repairs=True,
    ),
    VerdictRemedy(
        rules=(*_REDIRECTS, *_CANONICALS, *_DEAD, *_FAILED, "page-server-error", "page-soft-404"),
        verdicts=(Verdict.REDIRECTED, Verdict.CANONICALIZED),
        change="dropped",
        title="Remove {what} from {where}",
        noun="dead-end URL",
        how="The target of each redirect or canonical is not indexable.",
        repairs=True,
    ),
    VerdictRemedy(
        rules=(*_REDIRECTS, *_CANONICALS),
        verdicts=(Verdict.REDIRECTED, Verdict.CANONICALIZED),
        change=KEPT,
        title="Check the targets of {what}",
        noun="redirecting or canonicalized URL",
        how="List each target that is indexable in place of the URL. If the targets were not"
        " fetched, audit with follow=redirect,canonical.",
    ),
    VerdictRemedy(
        rules=("noindex-*", "render-noindex-differs"),
        verdicts=(Verdict.NOINDEX,),
        title="Remove {what} from {where}",
        noun="noindex URL",
        how="If the page belongs in search results, remove the directive instead.",
        repairs=True,
    ),
    VerdictRemedy(
        rules=("page-not-html",),
        verdicts=(Verdict.UNSUPPORTED_TYPE,),
        title="Remove {what} from {where}",
        noun="unsupported file",
        how="Google does not index files of their types.",
        repairs=True,
    ),
    VerdictRemedy(
        rules=("page-soft-404", "page-status-unusual"),
        verdicts=(Verdict.SOFT_404,),
        title="Make {what} return 404, or content",
        noun="empty or missing page",
        how="Search engines treat pages that only look like error pages as missing.",
    ),
    VerdictRemedy(
        rules=("page-server-error",),
        verdicts=(Verdict.SERVER_ERROR,),
        title="Fix the server errors of {what}",
        noun="URL",
        how="The log of the server has the reason.",
    ),
    VerdictRemedy(
        rules=_FAILED,
        verdicts=(Verdict.UNREACHABLE,),
        title="Make {what} respond",
        noun="unreachable URL",
        how="Check DNS, certificate and speed of the host.",
    ),
    VerdictRemedy(
        rules=("page-blocked-by-robots",),
        verdicts=(Verdict.BLOCKED,),
        title="Allow {what} in robots.txt, or remove the entries",
        noun="blocked URL",
        how="Search engines do not fetch what robots.txt disallows.",
    ),
    VerdictRemedy(
        rules=("page-access-denied",),
        verdicts=(Verdict.DENIED,),
        title="Find out whether search engines can read {what}",
        noun="denied URL",
        how="Check them with the tools of the search engines, and let the auditor in.",
    ),
)
"""The remedies for what keeps listed URLs out of the index."""

REMEDIES: Final = (
    Remedy(
        rules=("robots-access-denied", "sitemap-unknown"),
        title="Let the auditor read robots.txt and the sitemaps",
        noun="site",
        how="Allow it in the firewall, or pass the URL of the sitemap and the login to the audit.",
        first=True,
    ),
    Remedy(
        rules=("robots-unreachable",),
        title="Make robots.txt respond with 200, or with 404 if there is none",
        noun="site",
        how="While it is unreachable, search engines fetch nothing.",
        first=True,
    ),
    Remedy(
        rules=(
            *("sitemap-http-error", "sitemap-unreachable", "sitemap-access-denied"),
            *("sitemap-is-html", "sitemap-format-unknown", "sitemap-archive-unsupported"),
            *("sitemap-gzip-invalid", "sitemap-xml-malformed", "sitemap-body-empty"),
        ),
        title=UNREADABLE,
        noun="sitemap",
        how="Search engines find none of the URLs in a sitemap that they cannot read.",
        first=True,
    ),
    Remedy(
        rules=("loc-duplicate", "loc-fragment", "url-in-multiple-sitemaps"),
        title="List {what} only once",
        noun="URL",
        how="Keep one entry for each URL.",
        repairs=True,
    ),
    Remedy(
        rules=("duplicate-host-scheme", "duplicate-trailing-slash"),
        title="Choose one spelling of {what}",
        noun="URL",
        how="Redirect the other spellings to it, and list only the first.",
    ),
    Remedy(
        rules=("orphan-*",),
        title="Link to {what}",
        noun="orphan",
        how="Link to each from a page that visitors find; orphans.csv suggests some.",
    ),
    Remedy(
        rules=("hreflang-x-default-missing",),
        title="Declare an x-default for {what}",
        noun="URL",
        how="It is optional: the version for visitors of other languages.",
    ),
    Remedy(
        rules=("hreflang-*",),
        title="Correct the hreflang alternates of {what}",
        noun="URL",
        how="Declare every version of a page on every version, itself included.",
    ),
    Remedy(
        rules=("canonical-*",),
        title="Correct the canonicals of {what}",
        noun="page",
        how="Declare one absolute canonical in the head of each page.",
    ),
    Remedy(
        rules=("loc-*",),
        title="Correct the locs of {what}",
        noun="URL",
        how="Write absolute, percent-encoded URLs of the same host.",
    ),
    Remedy(
        rules=("lastmod-*",),
        title="Write true lastmods for {what}",
        noun="URL",
        how="Write the date when each page last changed, or omit lastmod.",
    ),
)
"""The first remedy that matches a rule is the remedy of its findings."""


def matches(rule: str, patterns: Iterable[str]) -> bool:
    """Return whether a rule matches one of these patterns."""
    return any(fnmatch.fnmatchcase(rule, pattern) for pattern in patterns)


def is_of_verdict(rule: str) -> bool:
    """Return whether the action of a verdict is about what this rule finds."""
    return any(matches(rule, remedy.rules) for remedy in VERDICT_REMEDIES)


def find_remedy(rule: str, rules: Catalog) -> Remedy:
    """Return the remedy of a rule's findings; by default, the rule itself is the remedy."""
    for remedy in REMEDIES:
        if matches(rule, remedy.rules):
            return remedy
    known = rules.get(rule)
    title = known.title() if known else rule
    how = known.section("Fix") if known else ""
    title = title.replace("{", "{{").replace("}", "}}")
    how = how[:1].upper() + how[1:]
    return Remedy(rules=(rule,), title=f"{title} ({{what}})", noun="URL", how=how)

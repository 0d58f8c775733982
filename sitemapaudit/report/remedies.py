"""The remedies of findings: actions, and the rules that each fixes."""

import fnmatch
from typing import Final

from msgspec import Struct

from sitemapaudit.rules.catalog import Catalog

CONSEQUENCES: Final = frozenset({"sitemap-dirt-rate", "audit-incomplete"})
"""Rules that summarize findings of other rules, and need no separate action."""

UNREADABLE: Final = "Make {what} readable"


class Remedy(Struct, frozen=True):
    """Rules with one remedy, as patterns of their ids.

    ``title`` is the action: ``{what}`` becomes the number of places (``41 dead URLs``), ``{where}``
    the number of sitemaps that list them (`` 2 sitemaps``). ``repairs`` says whether
    ``sitemapaudit repair`` writes sitemaps without the fault.
    """

    rules: tuple[str, ...]
    title: str
    noun: str
    how: str
    repairs: bool = False


REMEDIES: Final = (
    Remedy(
        ("page-not-found", "page-client-error", "unavailable-after-past"),
        "Remove {what} from {where}",
        "dead URL",
        "Restore a page first if it was deleted by mistake.",
        repairs=True,
    ),
    Remedy(
        ("page-redirect-*", "page-meta-refresh", "render-js-redirect"),
        "Replace {what} in {where} by their targets",
        "redirecting URL",
        "List the URL at which each redirect ends.",
        repairs=True,
    ),
    Remedy(
        ("noindex-*", "render-noindex-differs"),
        "Remove {what} from {where}",
        "noindex URL",
        "If the page belongs in search results, remove the directive instead.",
        repairs=True,
    ),
    Remedy(
        (
            *("canonical-elsewhere", "canonical-chain", "canonical-offsite", "canonical-to-*"),
            *("canonical-target-missing-from-sitemap", "render-canonical-differs"),
        ),
        "Replace {what} in {where} by their canonicals",
        "canonicalized URL",
        "If the canonical is wrong, correct it instead.",
        repairs=True,
    ),
    Remedy(
        ("page-soft-404", "page-status-unusual"),
        "Make {what} return 404, or content",
        "empty or missing page",
        "Search engines treat pages that only look like error pages as missing.",
    ),
    Remedy(
        ("page-server-error",),
        "Fix the server errors of {what}",
        "URL",
        "The log of the server has the reason.",
    ),
    Remedy(
        ("page-timeout", "page-connection-error", "page-tls-error"),
        "Make {what} respond",
        "unreachable URL",
        "Check DNS, certificate and speed of the host.",
    ),
    Remedy(
        ("robots-access-denied", "sitemap-unknown"),
        "Let the auditor read robots.txt and the sitemaps",
        "site",
        "Allow it in the firewall, or pass the URL of the sitemap and the login to the audit.",
    ),
    Remedy(
        ("robots-unreachable",),
        "Make robots.txt respond with 200, or with 404 if there is none",
        "site",
        "While it is unreachable, search engines fetch nothing.",
    ),
    Remedy(
        ("page-blocked-by-robots",),
        "Allow {what} in robots.txt, or remove the entries",
        "blocked URL",
        "Search engines do not fetch what robots.txt disallows.",
    ),
    Remedy(
        ("page-access-denied",),
        "Find out whether search engines can read {what}",
        "URL that denied access",
        "Check them with the tools of the search engines, and let the auditor in.",
    ),
    Remedy(
        (
            *("sitemap-http-error", "sitemap-unreachable", "sitemap-access-denied"),
            *("sitemap-is-html", "sitemap-format-unknown", "sitemap-archive-unsupported"),
            *("sitemap-gzip-invalid", "sitemap-xml-malformed", "sitemap-body-empty"),
        ),
        UNREADABLE,
        "sitemap",
        "Search engines find none of the URLs in a sitemap that they cannot read.",
    ),
    Remedy(
        ("loc-duplicate", "loc-fragment", "url-in-multiple-sitemaps"),
        "List {what} only once",
        "URL",
        "Keep one entry for each URL.",
        repairs=True,
    ),
    Remedy(
        ("duplicate-host-scheme", "duplicate-trailing-slash"),
        "Choose one spelling of {what}",
        "URL",
        "Redirect the other spellings to it, and list only the first.",
    ),
    Remedy(
        ("orphan-*",),
        "Link to {what}",
        "orphan",
        "Link to each from a page that visitors find; orphans.csv suggests some.",
    ),
    Remedy(
        ("hreflang-*",),
        "Correct the hreflang alternates of {what}",
        "URL",
        "Declare every version of a page on every version, itself included.",
    ),
    Remedy(
        ("canonical-*",),
        "Correct the canonicals of {what}",
        "page",
        "Declare one absolute canonical in the head of each page.",
    ),
    Remedy(
        ("loc-*",),
        "Correct the locs of {what}",
        "URL",
        "Write absolute, percent-encoded URLs of the same host.",
    ),
    Remedy(
        ("lastmod-*",),
        "Write true lastmods for {what}",
        "URL",
        "Write the date when each page last changed, or omit lastmod.",
    ),
)
"""The first remedy that matches a rule is the remedy of its findings."""


def find_remedy(rule: str, rules: Catalog) -> Remedy:
    """Return the remedy of a rule's findings; by default, the rule itself is the remedy."""
    for remedy in REMEDIES:
        if any(fnmatch.fnmatchcase(rule, pattern) for pattern in remedy.rules):
            return remedy
    known = rules.get(rule)
    title = known.title() if known else rule
    how = known.section("Fix") if known else ""
    title = title.replace("{", "{{").replace("}", "}}")
    return Remedy((rule,), f"{title} ({{what}})", "URL", how[:1].upper() + how[1:])

"""The messages of Google Search Console, and what an audit calls them."""

from __future__ import annotations

from itertools import groupby

from docs.generated.markdown import table
from sitemapaudit.rules.catalog import catalog
from sitemapaudit.rules.search_console import MESSAGES, REPORTS, Message


def messages() -> str:
    """Return a section about each report."""
    return "\n\n".join(
        f"## {report}\n\nGoogle explains these messages [here]({REPORTS[report]}).\n\n"
        + table(("message", "verdict", "rules"), map(_row, group))
        for report, group in groupby(MESSAGES, key=lambda message: message.report)
    )


def _row(message: Message) -> tuple[str, str, str]:
    rules = ", ".join(f"[{rule}](../rules/{rule}.md)" for rule in message.rules(catalog()))
    text = message.text.replace("<", "&lt;")
    return text, ", ".join(f"`{verdict}`" for verdict in message.verdicts), rules or "none"

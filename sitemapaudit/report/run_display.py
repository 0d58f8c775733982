"""A run as notebooks display it: the summary, and a chart of its verdicts, without scripts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from markupsafe import Markup

from sitemapaudit.numbers import count_noun
from sitemapaudit.report.charts.svg import mark
from sitemapaudit.report.overview import State, VerdictRow, list_verdicts, site_of
from sitemapaudit.report.wording import describe_share
from sitemapaudit.runs.manifest import Manifest

_WIDTH: Final = 240
"""Pixels of the longest bar."""

_COLORS: Final = {State.INDEXABLE: "#0072B2", State.NOT_INDEXABLE: "#D55E00", State.UNKNOWN: "#999"}
"""Colors of the palette of Okabe and Ito, which is safe for color-blind readers."""

_ROW: Final = Markup(
    '<tr><th scope="row" style="text-align:left">%s</th><td style="text-align:right">%s</td>'
    '<td style="text-align:right">%s</td><td style="text-align:left">%s</td></tr>'
)


def render_run(manifest: Manifest, folder: Path) -> str:
    """Return the HTML of a run."""
    state = "complete" if manifest.complete else f"incomplete: {manifest.reason}"
    lines = [
        Markup("<p><strong>Sitemap audit of %s</strong> (%s, %s)</p>")
        % (site_of(manifest), manifest.started, state)
    ]
    if rows := list(list_verdicts(manifest)):
        lines.append(Markup("<p>%s</p>") % describe_share(manifest.share))
        lines.append(_table(rows))
    lines.append(Markup("<p>%s</p>") % ", ".join(_describe_findings(manifest)))
    lines.append(Markup("<p><code>%s</code></p>") % folder)
    return str(Markup("<div>%s</div>") % Markup("").join(lines))


def _table(rows: list[VerdictRow]) -> Markup:
    most = max(row.count for row in rows)
    body = Markup("").join(
        _ROW % (row.verdict, f"{row.count:,}", row.share_text, _bar(row, most)) for row in rows
    )
    names = ("verdict", "URLs", "share", "")
    head = Markup("").join(Markup('<th scope="col">%s</th>') % name for name in names)
    return Markup("<table><thead><tr>%s</tr></thead><tbody>%s</tbody></table>") % (head, body)


def _bar(row: VerdictRow, most: int) -> Markup:
    width = max(1.0, _WIDTH * row.count / most)
    filled = mark("rect", width=width, height=12, fill=_COLORS[row.state])
    label = f"{count_noun(row.count, 'URL')}: {row.state}"
    return mark(
        "svg", mark("title", label) + filled, width=_WIDTH, height=12, role="img", aria_label=label
    )


def _describe_findings(manifest: Manifest) -> Iterator[str]:
    yield count_noun(manifest.finding_count, "finding")
    for severity, number in manifest.severities.items():
        yield count_noun(number, severity)

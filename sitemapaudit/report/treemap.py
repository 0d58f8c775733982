"""The sitemaps as a treemap: its areas are the URLs listed, its shades the share of the bad."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from sitemapaudit.report.charts import Chart, plain
from sitemapaudit.report.embedding import cut
from sitemapaudit.report.sitemaps import File, Files
from sitemapaudit.report.wording import counted, percent

NODES: Final = 250
"""Files that are drawn; the others of an index are one area."""

SHADES: Final = (
    (0.0, "none bad"),
    (0.01, "up to 1 % bad"),
    (0.05, "up to 5 %"),
    (0.25, "up to 25 %"),
    (1.0, "more than 25 %"),
)
"""The share of bad entries up to which a shade goes, and what the legend says of it."""

UNKNOWN: Final = "--shade-unknown"
_NONE: Final = ""
_ROOT: Final = "all"
"""Stands above the files that no index lists; Plotly wants just one at the top."""


def treemap(files: Files) -> Chart | None:
    """Return the treemap, if more than one file lists something."""
    asked = any(file.asked for file in files.shown)
    sizes = {file.sitemap: file.asked if asked else file.urls for file in files.shown}
    listing = [file for file in files.shown if sizes[file.sitemap]]
    if len(listing) < 2:
        return None
    parents = _parents(files)
    drawn = sorted(listing, key=lambda file: (-file.bad, -sizes[file.sitemap]))[:NODES]
    nodes = list(_nodes(drawn, listing, parents, sizes))
    # Addresses can be long, and each would stand there for every child.
    short = {_NONE: _NONE} | {node["id"]: str(at) for at, node in enumerate(nodes)}
    data = {
        "type": "treemap",
        "branchvalues": "remainder",
        "ids": [short[node["id"]] for node in nodes],
        "labels": [node["label"] for node in nodes],
        "parents": [short[node["parent"]] for node in nodes],
        "values": [node["value"] for node in nodes],
        "text": [node["text"] for node in nodes],
        "textfont": {"color": [node["colour"].replace("--", "--on-", 1) for node in nodes]},
        "marker": {"colors": [node["colour"] for node in nodes], "line": {"color": "--card"}},
        "textinfo": "label+text",
        "hovertemplate": "%{label}<br>%{text}<extra></extra>",
        "tiling": {"pad": 2},
        "root": {"color": "--card"},
        "pathbar": {"textfont": {"color": "--text", "size": 13}},
    }
    worst = drawn[0]
    label = (
        f"{len(listing):,} sitemaps by the URLs that they list, shaded by the share of bad ones."
    )
    if worst.bad:
        label += f" Most bad ones are in {cut(worst.sitemap)}: {_told(worst)}."
    layout = {
        "margin": {"l": 0, "r": 0, "t": 4, "b": 0},
        "uniformtext": {"mode": "hide", "minsize": 11},
    }
    return Chart("treemap", label, 420, [data], layout)


def shade(share: float | None) -> str:
    """Return the name of the colour for a share of bad entries."""
    if share is None:
        return UNKNOWN
    at = next(at for at, (limit, _) in enumerate(SHADES) if share <= limit)
    return f"--shade-{at}"


def _parents(files: Files) -> dict[str, str]:
    """Return the index of each file that has one; none where indexes lead in a circle."""
    known = {file.sitemap: file.parent for file in files.shown}
    return {name: parent for name, parent in known.items() if parent and not _circular(name, known)}


def _circular(name: str, parents: Mapping[str, str | None]) -> bool:
    seen = {name}
    above = parents.get(name)
    while above:
        if above in seen:
            return True
        seen.add(above)
        above = parents.get(above)
    return False


def _nodes(
    drawn: list[File],
    listing: list[File],
    parents: Mapping[str, str],
    sizes: Mapping[str, int],
) -> Iterator[dict[str, Any]]:
    shown = {file.sitemap for file in drawn}
    yield _node(_ROOT, _NONE, "all sitemaps", 0, "", "--shade-index")
    for name in _indexes(shown, parents, listing):
        yield _node(name, parents.get(name, _ROOT), _name(name), 0, "index", "--shade-index")
    for file in drawn:
        parent = parents.get(file.sitemap, _ROOT)
        colour, size = shade(file.share), sizes[file.sitemap]
        yield _node(file.sitemap, parent, _name(file.sitemap), size, _told(file), colour)
    others: dict[str, list[File]] = defaultdict(list)
    for file in listing:
        if file.sitemap not in shown:
            others[parents.get(file.sitemap, _ROOT)].append(file)
    for parent, files in others.items():
        label, size = (
            counted(len(files), "other sitemap"),
            sum(sizes[each.sitemap] for each in files),
        )
        whole = _together(files)
        yield _node(whole.sitemap, parent, label, size, _told(whole), shade(whole.share))


def _together(files: list[File]) -> File:
    """Return files as if they were one."""
    return replace(
        files[0],
        sitemap=f"others beside {files[0].sitemap}",
        urls=sum(file.urls for file in files),
        good=sum(file.good for file in files),
        bad=sum(file.bad for file in files),
    )


def _indexes(shown: set[str], parents: Mapping[str, str], listing: list[File]) -> list[str]:
    """Return what stands above the files, and is not drawn as one of them."""
    found: dict[str, None] = {}
    for file in listing:
        above = parents.get(file.sitemap, _ROOT)
        while above != _ROOT:
            if above not in shown:
                found[above] = None
            above = parents.get(above, _ROOT)
    return list(found)


def _node(name: str, parent: str, label: str, value: int, text: str, colour: str) -> dict[str, Any]:
    return {
        "id": name,
        "parent": parent,
        "label": plain(label),
        "value": value,
        "text": text,
        "colour": colour,
    }


def _name(url: str) -> str:
    """Return the end of an address, by which people know a file."""
    return url.rstrip("/").rpartition("/")[2] or url


def _told(file: File) -> str:
    if file.share is None:
        return f"{counted(file.urls, 'URL')}, none known"
    return f"{counted(file.urls, 'URL')}, {percent(file.share)} bad"

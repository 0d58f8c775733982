"""Builds the treemap of sitemaps: areas are listed URLs, shades the share of bad entries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from sitemapaudit.report.charts import Chart, plain
from sitemapaudit.report.embedding import shorten
from sitemapaudit.report.sitemap_files import File, Files
from sitemapaudit.report.wording import count_noun, percent

MAX_NODES: Final = 250
"""Files with an area of their own; the others of an index share one."""

SHADES: Final = (
    (0.0, "none bad"),
    (0.01, "up to 1 % bad"),
    (0.05, "up to 5 %"),
    (0.25, "up to 25 %"),
    (1.0, "more than 25 %"),
)
"""The largest share of bad entries of each shade, and its name in the legend."""

UNKNOWN: Final = "--shade-unknown"
_NONE: Final = ""
_ROOT: Final = "all"
"""The parent of files that no index lists: Plotly requires a single root."""


def build_treemap(files: Files) -> Chart | None:
    """Return the treemap if more than one file lists URLs."""
    selected = any(file.selected for file in files.worst)
    sizes = {file.sitemap: file.selected if selected else file.urls for file in files.worst}
    listing = [file for file in files.worst if sizes[file.sitemap]]
    if len(listing) < 2:
        return None
    parents = _parents(files)
    drawn = sorted(listing, key=lambda file: (-file.bad, -sizes[file.sitemap]))[:MAX_NODES]
    nodes = list(_nodes(drawn, listing, parents, sizes))
    # URLs can be long, and each would be repeated for every child.
    short = {_NONE: _NONE} | {node["id"]: str(at) for at, node in enumerate(nodes)}
    data = {
        "type": "treemap",
        "branchvalues": "remainder",
        "ids": [short[node["id"]] for node in nodes],
        "labels": [node["label"] for node in nodes],
        "parents": [short[node["parent"]] for node in nodes],
        "values": [node["value"] for node in nodes],
        "text": [node["text"] for node in nodes],
        "textfont": {"color": [node["color"].replace("--", "--on-", 1) for node in nodes]},
        "marker": {"colors": [node["color"] for node in nodes], "line": {"color": "--card"}},
        "textinfo": "label+text",
        "hovertemplate": "%{label}<br>%{text}<extra></extra>",
        "tiling": {"pad": 2},
        "root": {"color": "--card"},
        "pathbar": {"textfont": {"color": "--text", "size": 13}},
    }
    worst = drawn[0]
    label = (
        f"{len(listing):,} sitemaps by number of listed URLs, shaded by the share of bad entries."
    )
    if worst.bad:
        label += f" The most bad entries are in {shorten(worst.sitemap)}: {_describe(worst)}."
    layout = {
        "margin": {"l": 0, "r": 0, "t": 4, "b": 0},
        "uniformtext": {"mode": "hide", "minsize": 11},
    }
    return Chart("treemap", label, 420, [data], layout)


def find_shade(share: float | None) -> str:
    """Return the name of the color for a share of bad entries."""
    if share is None:
        return UNKNOWN
    at = next(at for at, (limit, _) in enumerate(SHADES) if share <= limit)
    return f"--shade-{at}"


def _parents(files: Files) -> dict[str, str]:
    """Return the index that lists each file; a file in a cycle of indexes has none."""
    parents = {file.sitemap: file.parent for file in files.worst}
    return {
        name: parent for name, parent in parents.items() if parent and not _in_cycle(name, parents)
    }


def _in_cycle(name: str, parents: Mapping[str, str | None]) -> bool:
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
    names = {file.sitemap for file in drawn}
    yield _node(_ROOT, _NONE, "all sitemaps", 0, "", "--shade-index")
    for name in _indexes(names, parents, listing):
        yield _node(name, parents.get(name, _ROOT), _file_name(name), 0, "index", "--shade-index")
    for file in drawn:
        parent = parents.get(file.sitemap, _ROOT)
        color, size = find_shade(file.share), sizes[file.sitemap]
        yield _node(file.sitemap, parent, _file_name(file.sitemap), size, _describe(file), color)
    others: dict[str, list[File]] = defaultdict(list)
    for file in listing:
        if file.sitemap not in names:
            others[parents.get(file.sitemap, _ROOT)].append(file)
    for parent, files in others.items():
        label = count_noun(len(files), "other sitemap")
        size = sum(sizes[each.sitemap] for each in files)
        merged = _merge(files)
        yield _node(
            merged.sitemap, parent, label, size, _describe(merged), find_shade(merged.share)
        )


def _merge(files: list[File]) -> File:
    """Return one file with the counts of several."""
    return replace(
        files[0],
        sitemap=f"others like {files[0].sitemap}",
        urls=sum(file.urls for file in files),
        good=sum(file.good for file in files),
        bad=sum(file.bad for file in files),
    )


def _indexes(drawn: set[str], parents: Mapping[str, str], listing: list[File]) -> list[str]:
    """Return the indexes above the files that are not drawn as files themselves."""
    found: dict[str, None] = {}
    for file in listing:
        above = parents.get(file.sitemap, _ROOT)
        while above != _ROOT:
            if above not in drawn:
                found[above] = None
            above = parents.get(above, _ROOT)
    return list(found)


def _node(name: str, parent: str, label: str, value: int, text: str, color: str) -> dict[str, Any]:
    return {
        "id": name,
        "parent": parent,
        "label": plain(label),
        "value": value,
        "text": text,
        "color": color,
    }


def _file_name(url: str) -> str:
    return url.rstrip("/").rpartition("/")[2] or url


def _describe(file: File) -> str:
    if file.share is None:
        return f"{count_noun(file.urls, 'URL')}, state unknown"
    return f"{count_noun(file.urls, 'URL')}, {percent(file.share)} bad"

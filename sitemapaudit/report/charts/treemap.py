"""Builds the treemap of sitemaps: areas are listed URLs, shades the share of bad entries."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import quote

from markupsafe import Markup
from msgspec import Struct
from msgspec.structs import replace

from sitemapaudit.numbers import count_noun, percent
from sitemapaudit.report.charts.overview_charts import Chart
from sitemapaudit.report.charts.svg import Value, group, mark, titled
from sitemapaudit.report.charts.tiling import Area, tile
from sitemapaudit.report.embedding import shorten
from sitemapaudit.report.sitemap_files import File, Files

MAX_NODES: Final = 250
"""Files with a separate area; the others of an index share one."""

SHADES: Final = (
    (0.0, "none bad"),
    (0.01, f"up to {percent(0.01)} bad"),
    (0.05, f"up to {percent(0.05)}"),
    (0.25, f"up to {percent(0.25)}"),
    (1.0, f"more than {percent(0.25)}"),
)
"""The largest share of bad entries of each shade, and its name in the legend."""

UNKNOWN: Final = "shade-unknown"
_ROOT: Final = ""
"""The parent of files that no index lists."""

WIDTH: Final = 1_100
HEIGHT: Final = 420
"""The size in pixels at which areas are nearly square; the width on the page can differ."""

HEAD: Final = 20
MIN_LABEL: Final = 40
"""The height of a label, and the minimum width of an area with a label."""


class Node(Struct, frozen=True):
    """A sitemap, an index, or several sitemaps together."""

    name: str
    parent: str
    label: str
    value: int
    text: str
    shade: str
    href: str = ""


def build_treemap(files: Files) -> Chart | None:
    """Return the treemap if more than one file lists URLs."""
    selected = any(file.selected for file in files.worst)
    sizes = {file.sitemap: file.selected if selected else file.urls for file in files.worst}
    listing = [file for file in files.worst if sizes[file.sitemap]]
    if len(listing) < 2:
        return None
    drawn = sorted(listing, key=lambda file: (-file.bad, -sizes[file.sitemap]))[:MAX_NODES]
    nodes = build_nodes(drawn, listing, _parents(files), sizes)
    worst = drawn[0]
    label = (
        f"{len(listing):,} sitemaps by number of listed URLs, shaded by the share of bad entries."
    )
    if worst.bad:
        label += f" The most bad entries are in {shorten(worst.sitemap)}: {_describe(worst)}."
    marks = group(*_draw(_ROOT, nodes, Area(0, 0, WIDTH, HEIGHT)))
    return Chart("treemap", label, HEIGHT, marks, linked=True)


def _draw(name: str, nodes: Mapping[str, list[Node]], area: Area) -> Iterator[Markup]:
    """Yield the areas of the nodes below a node, the largest first."""
    below = sorted(nodes.get(name, ()), key=lambda node: (-node.value, node.name))
    for node, tiled in zip(below, tile([node.value for node in below], area), strict=True):
        yield _cell(node, tiled)
        if node.name in nodes:
            inner = Area(tiled.x + 2, tiled.y + HEAD, tiled.width - 4, tiled.height - HEAD - 2)
            if inner.width > 0 and inner.height > 0:
                yield from _draw(node.name, nodes, inner)


def _cell(node: Node, area: Area) -> Markup:
    """Return a node; an inner picture clips its label."""
    x, width = (f"{100 * each / WIDTH:.3f}%" for each in (area.x, area.width))
    y, height = round(area.y, 1), round(area.height, 1)
    marks = [mark("rect", class_=f"cell {node.shade}", width="100%", height="100%")]
    if area.height >= HEAD and area.width >= MIN_LABEL:
        text: dict[str, Value] = {"class_": f"on-{node.shade}", "x": 6}
        marks.append(mark("text", node.label, y=14, **text))
        if area.height >= 2 * HEAD and node.href:
            marks.append(mark("text", node.text, y=31, **text))
    place = mark("svg", group(*marks), x=x, y=y, width=width, height=height)
    return titled(f"{node.label}: {node.text}", place, href=node.href)


def find_shade(share: float | None) -> str:
    """Return the name of the color for a share of bad entries."""
    if share is None:
        return UNKNOWN
    at = next(at for at, (limit, _) in enumerate(SHADES) if share <= limit)
    return f"shade-{at}"


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


def build_nodes(
    drawn: list[File],
    listing: list[File],
    parents: Mapping[str, str],
    sizes: Mapping[str, int],
) -> dict[str, list[Node]]:
    """Return the nodes below each index; the value of an index is that of all nodes below it."""
    names = {file.sitemap for file in drawn}
    leaves = [
        Node(
            file.sitemap,
            parents.get(file.sitemap, _ROOT),
            _file_name(file.sitemap),
            sizes[file.sitemap],
            _describe(file),
            find_shade(file.share),
            f"#sitemap={quote(file.sitemap, safe='')}",
        )
        for file in drawn
    ]
    others: dict[str, list[File]] = defaultdict(list)
    for file in listing:
        if file.sitemap not in names:
            others[parents.get(file.sitemap, _ROOT)].append(file)
    for parent, files in others.items():
        merged, size = _merge(files), sum(sizes[each.sitemap] for each in files)
        label, shade = count_noun(len(files), "other sitemap"), find_shade(merged.share)
        leaves.append(Node(merged.sitemap, parent, label, size, _describe(merged), shade))
    return _with_indexes(leaves, parents)


def _with_indexes(leaves: list[Node], parents: Mapping[str, str]) -> dict[str, list[Node]]:
    """Add the indexes above the leaves; a file that is also an index is a leaf of itself."""
    above = {leaf.parent for leaf in leaves}
    values: Counter[str] = Counter()
    for leaf in leaves:
        parent = leaf.name if leaf.name in above else leaf.parent
        while parent != _ROOT:
            values[parent] += leaf.value
            parent = parents.get(parent, _ROOT)
    nodes: dict[str, list[Node]] = defaultdict(list)
    for name, value in values.items():
        text = f"index, {count_noun(value, 'URL')}"
        nodes[parents.get(name, _ROOT)].append(
            Node(name, parents.get(name, _ROOT), _file_name(name), value, text, "shade-index")
        )
    for leaf in leaves:
        if leaf.name in values:
            nodes[leaf.name].append(replace(leaf, name=f"{leaf.name} itself", parent=leaf.name))
        else:
            nodes[leaf.parent].append(leaf)
    return dict(nodes)


def _merge(files: list[File]) -> File:
    """Return one file with the counts of several."""
    return replace(
        files[0],
        sitemap=f"others like {files[0].sitemap}",
        urls=sum(file.urls for file in files),
        good=sum(file.good for file in files),
        bad=sum(file.bad for file in files),
    )


def _file_name(url: str) -> str:
    return url.rstrip("/").rpartition("/")[2] or url


def _describe(file: File) -> str:
    if file.share is None:
        return f"{count_noun(file.urls, 'URL')}, state unknown"
    return f"{count_noun(file.urls, 'URL')}, {percent(file.share)} bad"

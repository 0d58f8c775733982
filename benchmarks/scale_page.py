"""Writes the page with the results of ``scale.py``.

``python benchmarks/scale_page.py`` writes it again from scale.json.
"""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from scale_data import FILE, KINDS, PHASES, Scale
from scale_picture import draw
from scale_prediction import ALLOWED, URLS, costs, page_seconds, predictions

PAGE = FILE.with_suffix(".md")
CHART = FILE.with_suffix(".svg")

_HOUR, _DAY = 3_600, 86_400


def write_page(scale: Scale) -> None:
    """Write the page and its chart."""
    draw(scale.read, CHART)
    # The template is Markdown and has no foreign input: nothing needs to be escaped.
    environment = Environment(
        loader=FileSystemLoader(FILE.parent), undefined=StrictUndefined, keep_trailing_newline=True
    )
    environment.filters |= {"count": _count, "period": _period}
    PAGE.write_text(environment.get_template("scale.md.jinja").render(_values(scale)), "utf-8")


def _values(scale: Scale) -> dict[str, Any]:
    rows = [*scale.read, *scale.fetched]
    page = None
    if len(scale.fetched) > 1:
        kinds = {"wall": False, "cpu": True}
        page = {name: page_seconds(scale, cpu=cpu) * 1e6 for name, cpu in kinds.items()}
    return {
        **{name: getattr(scale, name) for name in scale.__dataclass_fields__},
        "days": sorted({row.taken for row in rows}),
        "loads": [row.load for row in rows],
        "phases": list(PHASES),
        "kinds": list(KINDS)[:-1],
        "page": page,
        "urls": URLS,
        "allowed": ALLOWED,
        "costs": costs(scale),
        "predictions": list(predictions(scale)),
    }


def _count(number: float, digits: int = 0) -> str:
    return f"{number:,.{digits}f}"


def _period(seconds: float) -> str:
    """Return a duration in hours or days."""
    if not seconds:
        return "none"
    if seconds < 2 * _DAY:
        return f"{seconds / _HOUR:,.1f} hours"
    return f"{seconds / _DAY:,.1f} days"


if __name__ == "__main__":
    write_page(Scale.read_file())

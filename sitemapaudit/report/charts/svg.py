"""Builds SVG: marks as escaped text, in the colors of the style sheet.

A chart has no view box. Horizontal positions are percentages, heights and letters are pixels: so a
chart fills its place on a screen and on paper, and its text keeps its size.
"""

from typing import Final

from markupsafe import Markup

Value = str | int | float

_PATTERNS: Final = {"bad": "stripes", "unknown": "dots"}
"""The pattern of a class, by its id in the frame of the page."""


def mark(name: str, content: str = "", /, **attributes: Value) -> Markup:
    """Return an element; ``class_`` and ``text_anchor`` become class and text-anchor."""
    written = Markup("").join(
        Markup(' %s="%s"') % (key.rstrip("_").replace("_", "-"), _plain(value))
        for key, value in attributes.items()
    )
    return Markup("<%s%s>%s</%s>") % (name, written, content, name)


def group(*marks: str) -> Markup:
    """Return marks one after the other."""
    return Markup("").join(marks)


def titled(title: str, *marks: str, href: str = "") -> Markup:
    """Return marks with a tooltip; with ``href``, they are a link."""
    content = group(mark("title", title), *marks)
    return mark("a", content, href=href) if href else mark("g", content)


def bar(css: str, *, x: float, y: float, width: float, height: float) -> Markup:
    """Return a rectangle with the pattern of its state: color is not the only difference."""
    place: dict[str, Value] = {"x": f"{x:.3f}%", "y": y, "width": f"{width:.3f}%", "height": height}
    filled = mark("rect", class_=css, **place)
    if css in _PATTERNS:
        return group(filled, mark("rect", fill=f"url(#{_PATTERNS[css]})", **place))
    return filled


def _plain(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)

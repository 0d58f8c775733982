"""Reads the color of a report, which must be readable on white."""

import re
from typing import Any, Final

MIN_CONTRAST: Final = 4.5
"""The lowest contrast of a text to its background (WCAG 2.2, success criterion 1.4.3, AA)."""

_HEX: Final = re.compile(r"#(?:[0-9a-f]{3}|[0-9a-f]{6})")


def read_color(given: Any) -> str:
    """Return a color as ``#rrggbb``; empty if there is none. Raises ValueError."""
    text = str(given or "").strip().lower()
    if not text:
        return ""
    if not _HEX.fullmatch(text):
        raise ValueError(f"{given!r} is not a color such as #0b57c2")
    digits = text[1:] if len(text) == 7 else "".join(2 * each for each in text[1:])
    contrast = contrast_to_white(digits)
    if contrast < MIN_CONTRAST:
        raise ValueError(
            f"{given!r} is too light: its contrast to white is {contrast:.1f}, and text needs"
            f" {MIN_CONTRAST}"
        )
    return f"#{digits}"


def contrast_to_white(digits: str) -> float:
    """Return the contrast ratio of a color in six hexadecimal digits (WCAG 2.2)."""
    red, green, blue = (_linear(int(digits[place : place + 2], 16) / 255) for place in (0, 2, 4))
    return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

"""Formats numbers for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_SPACE: Final = "\N{NO-BREAK SPACE}"


def percent(share: float) -> str:
    """Return a share in percent; only 0 gives 0 %, and only 1 gives 100 %."""
    if 0 < share < 0.001:
        return f"under 0.1{_SPACE}%"
    if 0.999 < share < 1:
        return f"over 99.9{_SPACE}%"
    return f"{round(share * 100, 1):g}{_SPACE}%"


def count_noun(number: int, noun: str) -> str:
    """Return a count with its noun, such as ``2 URLs``."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def seconds(time: float) -> str:
    """Return a duration with its unit."""
    return f"{time:.2f}{_SPACE}s" if time >= 1 else f"{max(time * 1000, 1):.0f}{_SPACE}ms"


def describe_waits(refused: Mapping[str, int], rested: float) -> str:
    """Say how many responses asked to wait, per status, and how many seconds hosts rested."""
    return (
        f"{count_noun(sum(refused.values()), 'response')} with status {' or '.join(refused)} "
        f"asked to wait, and hosts rested for {rested:,.1f} seconds in all"
    )

"""Numbers as people read them: commas, one decimal of a percent, "1 URL" but "2 URLs"."""

import math
import re
from typing import Any, Final

_SPACE: Final = "\N{NO-BREAK SPACE}"


def percent(share: float, space: str = _SPACE) -> str:
    """Return a share in percent, rounded down; only 0 gives 0.0 %, and only 1 gives 100.0 %.

    ``space`` is an ordinary one in the data of a run.
    """
    if 0 < share < 0.001:
        return f"under 0.1{space}%"
    # A product such as 0.57 * 1000 is slightly less than 570.
    return f"{math.floor(share * 1000 + 1e-7) / 10:.1f}{space}%"


def count_noun(number: int, noun: str) -> str:
    """Return a count with its noun, such as ``2 URLs``."""
    return f"{number:,} {noun if number == 1 else _plural(noun)}"


def _plural(noun: str) -> str:
    return re.sub(r"(?<![aeiou])ys$", "ies", f"{noun}s")


def seconds(time: float) -> str:
    """Return a duration with its unit."""
    return f"{time:.2f}{_SPACE}s" if time >= 1 else f"{max(time * 1000, 1):.0f}{_SPACE}ms"


class _Count(int):
    def __format__(self, specification: str) -> str:
        return int.__format__(self, specification or ",")


def fill(template: str, values: dict[str, Any]) -> str:
    """Return a message with these values; integers get commas."""
    large = {
        name: _Count(each) for name, each in values.items() if type(each) is int and each > 999
    }
    return template.format_map(values | large if large else values)


_INTEGERS: Final = ("UTINYINT", "USMALLINT", "INTEGER", "UINTEGER", "BIGINT", "UBIGINT", "HUGEINT")

MACROS: Final = f"""
    create or replace macro percent(share) as if(
        share > 0 and share < 0.001, 'under 0.1 %',
        format('{{:.1f}} %', floor(share * 1000 + 1e-7) / 10)
    );
    create or replace macro count_noun(number, noun) as format('{{:,}} ', number)
        || if(number = 1, noun, regexp_replace(noun || 's', '([^aeiou])ys$', '\\1ies'));
    create or replace macro in_message(value) as if(
        typeof(value) in {_INTEGERS}, format('{{:,}}', try_cast(value as bigint)), value::varchar
    );
    create or replace macro without_numbers(message) as regexp_replace(regexp_replace(
        regexp_replace(regexp_replace(regexp_replace(regexp_replace(
            message, '(under )?[0-9][0-9.,:]*', '#', 'g'
        ), '\\bhas\\b', 'have', 'g'), '\\bis\\b', 'are', 'g'), '\\bwas\\b', 'were', 'g'),
        '(# (?:[A-Za-z-]+ ){{0,2}}?[A-Za-z]+?)ies\\b', '\\1y', 'g'
    ), '(# (?:[A-Za-z-]+ ){{0,2}}?[A-Za-z]+?)s\\b', '\\1', 'g');
"""
"""The same for SQL, with an ordinary space; ``in_message`` gives integers commas.

``without_numbers`` gives the same text for two messages that differ only in numbers, and in the
plurals and verbs that depend on them.
"""

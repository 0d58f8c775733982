"""The main texts of listed pages, and the pairs of them that are compared with each other."""

from typing import Final

from sitemapaudit.datasets.build import Build, Relation
from sitemapaudit.items import Role, Verdict

PARTS: Final = 8
"""The parts of a fingerprint."""

AT_ONCE: Final = 8_000_000
"""Texts or parts that are grouped at once: the memory of a grouping grows with its groups."""

LISTED_TEXTS: Final = f"""
    select url, hash(content_hash) as text, fingerprint
    from pages
    where role = '{Role.LISTED}' and verdict = '{Verdict.INDEXABLE}' and words >= 50
        and content_hash is not null
"""
"""The main texts of listed, indexable pages, if they have at least 50 words."""

REPEATED_TEXTS: Final = "(text ubigint)"
"""The texts of several pages."""

_REPEATED: Final = """
    insert into repeated_texts
    select text from listed_texts where text % $groups::ubigint = $number::ubigint
    group by text having count(*) > 1
"""

SIMILAR_TEXTS: Final = "(text ubigint, other ubigint)"
"""The texts that share one of the eight parts of their fingerprints; a pair can occur twice.

Two of the texts that share a part are compared with all of them.
"""

# The xor selects a different pair for each part.
_PAIRS: Final = """
    insert into similar_texts
    with parts as not materialized (
        select text, bits
        from (
            select text, hash(part, substring(fingerprint, 8 * part - 7, 8)) as bits
            from listed_texts, range($first, $end) as numbers(part)
            where fingerprint is not null
        )
        where bits % $groups::ubigint = $number::ubigint
    ), shared as (
        select bits, min(xor(text, bits)) as low, max(xor(text, bits)) as high
        from parts
        group by bits
        having low < high
    )
    from (
        select distinct text, xor(unnest([low, high]), bits) as other
        from parts join shared using (bits)
    )
    where text <> other
"""


def store_listed_texts(build: Build, relation: Relation) -> None:
    """Create the view of the texts: they need not be stored again."""
    build.connection.execute(f"create view {relation.name} as {relation.sql}")


def fill_repeated_texts(build: Build) -> None:
    """Fill the table ``repeated_texts``."""
    groups = -(-_count_pages(build) // AT_ONCE)
    for number in range(groups):
        build.connection.execute(_REPEATED, {"groups": groups, "number": number})


def fill_similar_texts(build: Build) -> None:
    """Fill the table ``similar_texts``, with a few parts of all fingerprints at once."""
    pages = _count_pages(build)
    step = min(PARTS, max(1, AT_ONCE // max(pages, 1)))
    groups = -(-pages * step // AT_ONCE)
    for first in range(1, PARTS + 1, step):
        for number in range(groups):
            values = {"first": first, "end": min(first + step, PARTS + 1), "groups": groups}
            build.connection.execute(_PAIRS, values | {"number": number})


def _count_pages(build: Build) -> int:
    (pages,) = build.connection.execute("select count(*) from pages").fetchall()[0]
    return int(pages)

"""The generator of a page: what the page says of itself, or marks of known generators."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from sitemapaudit.generators.content_systems import CONTENT_SYSTEMS
from sitemapaudit.generators.documentation import DOCUMENTATION
from sitemapaudit.generators.frameworks import FRAMEWORKS
from sitemapaudit.generators.generator import Setting
from sitemapaudit.generators.static_sites import STATIC_SITES

GENERATORS: Final = {
    generator.name: generator
    for generator in (*DOCUMENTATION, *STATIC_SITES, *FRAMEWORKS, *CONTENT_SYSTEMS)
}
"""All known generators by name."""

GENERATOR: Final = "generator"
"""The name of the meta element in which a generator writes its name (HTML Standard, 4.2.5.1)."""

GENERATOR_HEADERS: Final = ("x-generator", "x-powered-by")
"""The headers in which a generator writes its name."""

_BEGINNINGS: Final = {
    beginning: generator.name
    for generator in GENERATORS.values()
    for beginning in (generator.name.lower(), *generator.meta)
}
_HEADER_BEGINNINGS: Final = tuple(
    (beginning, generator.name)
    for generator in GENERATORS.values()
    for beginning in generator.headers
)
_MARKS: Final = tuple(
    (mark, generator.name) for generator in GENERATORS.values() for mark in generator.marks
)


_MAX_ADVISED: Final = 2
"""Generators of one site whose settings are shown."""


class Advice(Struct, frozen=True):
    """A setting of a generator, and the page of its manual that describes it."""

    generator: str
    how: str
    source: str


def advise(stated: Mapping[str, int], rules: Sequence[str]) -> list[Advice]:
    """Return the first setting of each generator of a site that corrects what rules find.

    ``stated`` counts the pages that name a generator, with its version. The first rule counts
    first.
    """
    counts: Counter[str] = Counter()
    for text, number in stated.items():
        if name := known_name(text):
            counts[name] += number
    advised = []
    for name, _ in counts.most_common(_MAX_ADVISED):
        settings = (each for rule in rules for each in GENERATORS[name].settings_for(rule))
        if first := next(settings, None):
            advised.append(Advice(name, first.how, first.source))
    return advised


def settings_for(rule: str) -> list[tuple[str, Setting]]:
    """Return what corrects what a rule finds, with the name of each generator."""
    return [
        (name, each)
        for name, generator in GENERATORS.items()
        for each in generator.settings_for(rule)
    ]


def find_generator(
    stated: Iterable[str], headers: Iterable[str], assets: Iterable[str]
) -> str | None:
    """Return the generator of a page, as the page says it, or its name; None if it is unknown.

    ``stated`` are the contents of its meta elements, ``headers`` the values of headers, ``assets``
    the addresses of its scripts and style sheets. A page can name plugins, too: a known generator
    comes first.
    """
    names = [" ".join(each.split()) for each in stated]
    known = next((each for each in names if known_name(each)), None)
    known = known or next(_named_by_header(headers), None)
    known = known or next(_marked_by(assets), None)
    return known or next(filter(None, names), None)


def known_name(text: str) -> str | None:
    """Return the name of the known generator that a text names at its beginning, if any."""
    lowered = text.lower()
    return next((name for each, name in _BEGINNINGS.items() if lowered.startswith(each)), None)


def _marked_by(assets: Iterable[str]) -> Iterator[str]:
    together = "\n".join(assets)
    return (name for mark, name in _MARKS if mark in together)


def _named_by_header(headers: Iterable[str]) -> Iterator[str]:
    lowered = [each.strip().lower() for each in headers]
    return (
        name
        for value in lowered
        for beginning, name in _HEADER_BEGINNINGS
        if value.startswith(beginning)
    )

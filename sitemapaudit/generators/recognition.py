"""The generator of a site: what its pages say, or signs of known generators anywhere."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from sitemapaudit.generators.content_systems import CONTENT_SYSTEMS
from sitemapaudit.generators.documentation import DOCUMENTATION
from sitemapaudit.generators.frameworks import FRAMEWORKS
from sitemapaudit.generators.generator import Setting, Where
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

_SIGNS: Final = {
    where: tuple(
        (sign.text, generator.name)
        for generator in GENERATORS.values()
        for sign in generator.signs
        if sign.where is where
    )
    for where in Where
}
_BEGINNINGS: Final = (
    *_SIGNS[Where.META],
    *((name.lower(), name) for name in GENERATORS),
)

_MAX_ADVISED: Final = 2
"""Generators of one site whose settings are shown."""


class Advice(Struct, frozen=True):
    """A setting of a generator for what a rule finds, and the page of its manual about it."""

    generator: str
    rule: str
    how: str
    source: str


def advise(
    stated: Mapping[str, int],
    rules: Sequence[str],
    *,
    any_indexable: bool = False,
    unlike: str | None = None,
) -> list[Advice]:
    """Return the first setting of each generator of a site that corrects what rules find.

    ``stated`` counts the pages that name a generator, with its version. The first rule counts
    first. ``any_indexable`` says whether a URL of the site is indexable. What also corrects the
    rule ``unlike`` is not meant.
    """
    counts: Counter[str] = Counter()
    for text, number in stated.items():
        if name := known_name(text):
            counts[name] += number
    advised = []
    for name, _ in counts.most_common(_MAX_ADVISED):
        settings = (
            (rule, each)
            for rule in rules
            for each in GENERATORS[name].settings_for(rule)
            if not (each.whole_site and any_indexable) and not (unlike and each.corrects(unlike))
        )
        if first := next(settings, None):
            rule, setting = first
            advised.append(Advice(name, rule, setting.how, setting.source))
    return advised


def settings_for(rule: str) -> list[tuple[str, Setting]]:
    """Return what corrects what a rule finds, with the name of each generator."""
    return [
        (name, each)
        for name, generator in GENERATORS.items()
        for each in generator.settings_for(rule)
    ]


def find_generator(
    stated: Iterable[str],
    headers: Iterable[str],
    assets: Iterable[str] = (),
    comments: Iterable[str] = (),
) -> str | None:
    """Return the generator of a page, as the page says it, or its name; None if it is unknown.

    ``stated`` are the contents of its meta elements, ``headers`` the values of headers, ``assets``
    the addresses of its scripts and style sheets. A page can name plugins, too: a known generator
    comes first. ``comments`` are read only if nothing else shows one.
    """
    names = [" ".join(each.split()) for each in stated]
    known = next((each for each in names if known_name(each)), None)
    known = known or next(_named_by_header(headers), None)
    known = known or _shown_by(Where.ASSET, assets) or _shown_by(Where.COMMENT, comments)
    return known or next(filter(None, names), None)


def find_generator_of_sitemap(beginning: str) -> str | None:
    """Return the name of the known generator that the text before the first entry shows."""
    return _shown_by(Where.SITEMAP, [beginning])


def find_generator_of_files(where: Where, exists: Callable[[str], bool]) -> str | None:
    """Return the name of the known generator whose file or folder exists in a build, or above."""
    return next((name for path, name in _SIGNS[where] if exists(path)), None)


def known_name(text: str) -> str | None:
    """Return the name of the known generator that a text names at its beginning, if any."""
    lowered = text.lower()
    return next((name for each, name in _BEGINNINGS if lowered.startswith(each)), None)


def _shown_by(where: Where, texts: Iterable[str]) -> str | None:
    together = "\n".join(texts).lower()
    return next((name for text, name in _SIGNS[where] if text in together), None)


def _named_by_header(headers: Iterable[str]) -> Iterator[str]:
    lowered = [each.strip().lower() for each in headers]
    return (
        name
        for value in lowered
        for beginning, name in _SIGNS[Where.HEADER]
        if value.startswith(beginning)
    )

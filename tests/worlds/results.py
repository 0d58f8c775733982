"""The tables of a run as plain Python values, by website and path."""

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from sitemapaudit import Run
from tests.worlds.pages import OUTSIDE
from tests.worlds.served import Served

Place = tuple[int, str]
"""A website, by its number, and a path; the path of the website itself is empty."""

Finding = tuple[str, str, Place | None, Place | None, int | None]
"""A rule, a severity, the place of the page or website, that of the sitemap, and a position."""


class Results:
    """The tables of a run about websites."""

    def __init__(self, site: Served, run: Run) -> None:
        self._site = site
        self._run = run
        self._urls: Any = run.urls
        self._places = [self._place(url) for url in self._urls.url]

    @cached_property
    def verdicts(self) -> dict[Place, str]:
        return self._column("verdict")

    @cached_property
    def listings(self) -> dict[Place, int]:
        """The number of entries of each listed page."""
        return self._column("listings")

    @cached_property
    def errors(self) -> dict[Place, str]:
        """The errors of listed pages."""
        errors = self._column("error")
        return {place: error for place, error in errors.items() if isinstance(error, str)}

    @cached_property
    def ways(self) -> dict[Place, tuple[str, ...]]:
        """The redirects from each listed page: the paths on the way, and the last one."""
        rows = zip(
            self._places, self._urls.redirect_chain, self._urls.hops, self._urls.final_url,
            strict=True,
        )  # fmt: skip
        return {
            place: tuple(self._place(url)[1] for url in (*chain[:hops], final))
            for place, chain, hops, final in rows
        }

    @cached_property
    def files(self) -> dict[Place, str | None]:
        """The sitemaps with their errors."""
        return {
            self._place(sitemap): error if isinstance(error, str) else None
            for sitemap, error in _rows(self._run.sitemaps, "sitemap", "error")
        }

    @cached_property
    def locs(self) -> Counter[tuple[Place, str | None]]:
        """The locs as written, with their sitemaps."""
        rows = _rows(self._run.entries, "sitemap", "loc")
        return Counter((self._place(sitemap), loc) for sitemap, loc in rows)

    @cached_property
    def findings(self) -> Counter[Finding]:
        columns = ("rule", "severity", "url", "sitemap", "position")
        return Counter(
            (
                rule,
                severity,
                None if url is None else self._place(url),
                None if sitemap is None else self._place(sitemap),
                position,
            )
            for rule, severity, url, sitemap, position in _rows(self._run.findings, *columns)
        )

    @cached_property
    def links(self) -> set[tuple[Place, Place]]:
        rows = _rows(self._run.links, "source", "target")
        return {(self._place(source), self._place(target)) for source, target in rows}

    def _column(self, name: str) -> dict[Place, Any]:
        return dict(zip(self._places, self._urls[name], strict=True))

    def _place(self, url: str) -> Place:
        if url.startswith(self._site.outside):
            number, _, path = url.removeprefix(f"{self._site.outside}/").partition("/")
            return int(number), f"{OUTSIDE}/{path}"
        scheme, _, host, *rest = url.split("/", 3)
        path = "".join(f"/{each}" for each in rest)
        return self._site.origins.index(f"{scheme}//{host}"), path


def _rows(table: Any, *columns: str) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of columns of a table; a missing value is None."""
    chosen = table[list(columns)].astype(object)
    rows: Iterator[tuple[Any, ...]] = map(tuple, chosen.where(chosen.notna(), None).to_numpy())
    return rows

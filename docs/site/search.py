"""The search of the site."""

from __future__ import annotations

from functools import cache
from typing import Final

from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

_MARK: Final = "_"
"""Precedes numbers in the index and in queries: Sphinx ignores words that have only digits."""

_SPLIT_QUERY: Final = f"""
function splitQuery(query) {{
  return query
    .split(/[^\\p{{Letter}}\\p{{Number}}_]+/gu)
    .filter((word) => word)
    .map((word) => (/^\\d+$/.test(word) ? "{_MARK}" + word : word));
}}
"""


class Search(SearchEnglish):
    """The search of English words and of numbers, such as statuses."""

    js_splitter_code = _SPLIT_QUERY

    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        # The same words are on every page.
        self.stem = cache(self.stem)  # type: ignore[method-assign]

    def split(self, input: str) -> list[str]:  # noqa: A002 - Sphinx's name
        """Return the words of a text, with marked numbers."""
        return [_MARK + word if word.isdigit() else word for word in super().split(input)]


def setup(app: Sphinx) -> None:
    """Replace the search of English words."""
    app.add_search_language(Search)

"""A user's frame joined with the URLs of a run, both in normal form."""

from typing import Final

import pandas as pd

from sitemapaudit.urls import normalize, strip_whitespace

LISTED: Final = "listed"
LISTED_URL: Final = "listed_url"
"""The columns that a join adds besides those of the run."""

SUFFIX: Final = "_run"
"""The suffix of columns of the run that the frame has too."""


def join_urls(frame: pd.DataFrame, on: str, urls: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with the columns of ``urls``; see ``Run.join``."""
    if on not in frame.columns:
        raise KeyError(f"the frame has no column {on!r}; name the one with URLs: on=…")
    taken = {LISTED, LISTED_URL} & set(frame.columns)
    if taken:
        raise ValueError(f"the frame has a column {min(taken)!r} already; rename it")
    known = urls.set_index("url", drop=True)
    renamed = {name: f"{name}{SUFFIX}" for name in known if name in frame.columns}
    for name in renamed.values():
        if name in frame.columns:
            raise ValueError(f"the frame has a column {name!r} already; rename it")
    known = known.rename(columns=renamed)
    addresses = normal_forms(frame[on])
    rows = known.reindex(addresses.to_numpy()).set_axis(frame.index)
    marks = pd.DataFrame(
        {LISTED_URL: addresses, LISTED: addresses.isin(known.index)}, index=frame.index
    )
    return pd.concat([frame, marks, rows], axis="columns")


def normal_forms(addresses: pd.Series) -> pd.Series:
    """Return the normal form of each address; null for what is not a usable address."""
    return addresses.map(_normal_form).astype("str")


def _normal_form(address: object) -> str | None:
    return normalize(strip_whitespace(address)) if isinstance(address, str) else None

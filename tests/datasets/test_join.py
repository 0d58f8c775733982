"""Run.join: frames with URLs in any form, and what the run knows of them."""

import pandas as pd
import pytest

from sitemapaudit import Run, open_run
from tests.support.rows import fetched_page, listed
from tests.support.shared_runs import shared_run

A, B = "https://www.example.com/~a", "https://www.example.com/b"


@pytest.fixture
def run() -> Run:
    return open_run(shared_run([listed(A, B), fetched_page(A, 404)]))


@pytest.mark.parametrize(
    "address",
    [
        A,
        f" {A}\n",
        "HTTPS://WWW.Example.com:443/%7Ea#part",
        "https://www.example.com/x/../%7ea",
    ],
)
def test_addresses_are_normalized_as_the_audit_does(run: Run, address: str) -> None:
    joined = run.join(pd.DataFrame({"url": [address]}))
    assert joined.loc[0, "verdict"] == "not-found"
    assert joined.loc[0, "status"] == 404
    assert joined.loc[0, "listed_url"] == A
    assert joined.loc[0, "url"] == address


def test_each_row_stays_where_it_is(run: Run) -> None:
    given = [B, "https://www.example.com/other", "not an address", None, A, B]
    frame = pd.DataFrame({"Top pages": given, "clicks": range(6)}, index=list("uvwxyz"))
    joined = run.join(frame, on="Top pages")
    assert joined.index.tolist() == list("uvwxyz")
    assert joined["clicks"].tolist() == list(range(6))
    assert joined["listed"].tolist() == [True, False, False, False, True, True]
    assert joined["verdict"].fillna("-").tolist() == [
        *("unchecked", "-", "-", "-"),
        *("not-found", "unchecked"),
    ]
    assert joined["listed_url"].isna().tolist() == [False, False, True, True, False, False]
    assert joined["status"].astype("object").tolist()[4] == 404


def test_columns_of_both_keep_their_names_apart(run: Run) -> None:
    joined = run.join(pd.DataFrame({"url": [A], "status": ["Excluded"]}))
    assert (joined.loc[0, "status"], joined.loc[0, "status_run"]) == ("Excluded", 404)


def test_an_empty_frame_gets_the_columns(run: Run) -> None:
    joined = run.join(pd.DataFrame({"url": []}))
    assert len(joined) == 0
    assert {"listed", "listed_url", "verdict"} <= set(joined.columns)


def test_mistakes_say_what_to_do(run: Run) -> None:
    with pytest.raises(KeyError, match="name the one with URLs"):
        run.join(pd.DataFrame({"Page": [A]}))
    with pytest.raises(ValueError, match="'listed' already"):
        run.join(pd.DataFrame({"url": [A], "listed": [1]}))
    with pytest.raises(ValueError, match="'status_run' already"):
        run.join(pd.DataFrame({"url": [A], "status": [1], "status_run": [2]}))

"""Regular expressions of others take little time, and match what Python's module matches."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitemapaudit.regexes import BUDGET, RegexError, SlowRegexError, compile_regex
from tests.support.effort import cpu_limit

PIECES = ["a", "b", ".", "[^/]", "/", r"\.", r"\d", "(?:ab)", "(a|b)", "(?!a)", "(?=b)", "^", "$"]
EXPRESSIONS = st.lists(
    st.tuples(st.sampled_from(PIECES[:9]), st.sampled_from(["", "*", "+", "?", "{,2}", "+?"])).map(
        "".join
    )
    | st.sampled_from(PIECES),
    max_size=6,
).map("".join)


@given(EXPRESSIONS, st.text("ab/.1", max_size=8))
def test_they_match_as_those_of_python_do(expression: str, text: str) -> None:
    ours, pythons = compile_regex(expression), re.compile(expression)
    for mine, theirs in (
        (ours.fullmatch(text), pythons.fullmatch(text)),
        (ours.search(text), pythons.search(text)),
    ):
        assert (mine and (mine[0], mine.groups())) == (theirs and (theirs[0], theirs.groups()))


@pytest.mark.parametrize("expression", ["((?:a+)+)b", "(a|a)*b", "/(.*a){12}b"])
def test_expressions_without_lookarounds_take_linear_time(expression: str) -> None:
    with cpu_limit(1):
        assert compile_regex(expression).search("/" + "a" * 2_000) is None


def test_a_slow_expression_is_given_up_once() -> None:
    slow = compile_regex("(?=a)(?:a|a)*[bc]")
    assert slow.fullmatch("aab")
    with cpu_limit(2 * BUDGET):
        for _ in range(100):
            with pytest.raises(SlowRegexError, match=re.escape(slow.pattern)):
                slow.fullmatch("a" * 100)


@pytest.mark.parametrize("text", ["(", "a{2,1}", "[", "(?P<a>x)(?P<a>y)"])
def test_other_texts_are_no_expressions(text: str) -> None:
    with pytest.raises(RegexError):
        compile_regex(text)

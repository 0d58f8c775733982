"""Fingerprints tell how alike two texts are."""

import random

import pytest

from sitemapaudit.pages.fingerprint import BITS, MAX_WORDS, fingerprint, similarity

DICE = random.Random(20261121)
WORDS = [f"word{number}" for number in range(5_000)]


def text(length: int = 600) -> list[str]:
    return DICE.choices(WORDS, k=length)


def changed(words: list[str], number: int) -> list[str]:
    """Return a text with some words replaced."""
    other = list(words)
    for place in DICE.sample(range(len(words)), number):
        other[place] = "other"
    return other


def jaccard(one: list[str], other: list[str]) -> float:
    first, second = (set(zip(words, words[1:], words[2:], strict=False)) for words in (one, other))
    return len(first & second) / len(first | second)


def printed(words: list[str]) -> str:
    mark = fingerprint(words)
    assert mark is not None
    return mark


def test_the_same_text_has_the_same_fingerprint() -> None:
    words = text()
    assert fingerprint(words) == fingerprint(list(words))
    assert len(printed(words)) * 4 == BITS


@pytest.mark.parametrize("number", [1, 6, 20, 100])
def test_the_estimate_is_near_the_truth(number: int) -> None:
    errors = []
    for _ in range(30):
        words = text()
        other = changed(words, number)
        errors.append(similarity(printed(words), printed(other)) - jaccard(words, other))
    assert abs(sum(errors) / len(errors)) < 0.03
    assert all(abs(error) < 0.2 for error in errors)


def test_different_texts_are_not_alike() -> None:
    assert all(similarity(printed(text()), printed(text())) < 0.3 for _ in range(50))


@pytest.mark.parametrize(("length", "there"), [(0, False), (2, False), (3, True)])
def test_a_text_without_three_words_has_none(length: int, *, there: bool) -> None:
    assert (fingerprint(text(length)) is not None) is there


def test_what_stands_behind_the_limit_does_not_count() -> None:
    words = text(MAX_WORDS)
    assert fingerprint([*words, *text()]) == fingerprint(words)

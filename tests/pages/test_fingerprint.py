"""Fingerprints estimate the similarity of two texts."""

import random

import pytest

from sitemapaudit.pages.fingerprint import BITS, MAX_WORDS, fingerprint, similarity

RANDOM = random.Random(20261121)
WORDS = [f"word{number}" for number in range(5_000)]


def random_words(length: int = 600) -> list[str]:
    return RANDOM.choices(WORDS, k=length)


def replace_words(words: list[str], number: int) -> list[str]:
    """Return a copy with some words replaced."""
    other = list(words)
    for index in RANDOM.sample(range(len(words)), number):
        other[index] = "other"
    return other


def jaccard(one: list[str], other: list[str]) -> float:
    first, second = (set(zip(words, words[1:], words[2:], strict=False)) for words in (one, other))
    return len(first & second) / len(first | second)


def known_fingerprint(words: list[str]) -> str:
    known = fingerprint(words)
    assert known is not None
    return known


def test_the_same_text_has_the_same_fingerprint() -> None:
    words = random_words()
    assert fingerprint(words) == fingerprint(list(words))
    assert len(known_fingerprint(words)) * 4 == BITS


@pytest.mark.parametrize("number", [1, 6, 20, 100])
def test_the_estimate_is_close_to_the_similarity(number: int) -> None:
    errors = []
    for _ in range(30):
        words = random_words()
        other = replace_words(words, number)
        errors.append(
            similarity(known_fingerprint(words), known_fingerprint(other)) - jaccard(words, other)
        )
    assert abs(sum(errors) / len(errors)) < 0.03
    assert all(abs(error) < 0.2 for error in errors)


def test_different_texts_are_not_similar() -> None:
    assert all(
        similarity(known_fingerprint(random_words()), known_fingerprint(random_words())) < 0.3
        for _ in range(50)
    )


@pytest.mark.parametrize(("length", "exists"), [(0, False), (2, False), (3, True)])
def test_a_text_needs_three_words(length: int, *, exists: bool) -> None:
    assert (fingerprint(random_words(length)) is not None) is exists


def test_words_after_the_limit_do_not_count() -> None:
    words = random_words(MAX_WORDS)
    assert fingerprint([*words, *random_words()]) == fingerprint(words)

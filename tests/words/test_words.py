"""The project is written in the English of its field."""

import re

import pytest

from tests.words.idioms import FIRST_WORDS, find_idioms
from tests.words.texts import PACKAGE, ROOT, Text, plain_texts, python_texts

pytestmark = pytest.mark.xdist_group("words")


@pytest.fixture(scope="module")
def texts() -> list[Text]:
    modules = sorted(PACKAGE.rglob("*.py"))
    return [*(text for file in modules for text in python_texts(file)), *plain_texts()]


def place(text: Text, line: int = 0) -> str:
    return f"{text.file.relative_to(ROOT)}:{text.line + line}"


def test_no_text_has_an_idiom(texts: list[Text]) -> None:
    found = [
        f"{place(text, line)}: {idiom!r}: {instead}"
        for text in texts
        for line, idiom, instead in find_idioms(text.text)
    ]
    assert not found, "\n".join(found)


def test_no_docstring_begins_with_a_question(texts: list[Text]) -> None:
    found = [
        place(text) for text in texts if text.is_docstring and re.match(FIRST_WORDS, text.text)
    ]
    assert not found, "\n".join(found)

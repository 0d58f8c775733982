"""The main text of a page: its words, and a hash that changes with it."""

import pytest

from sitemapaudit.pages.html import read_html
from sitemapaudit.pages.main_text import MainText


def text_of(body: str) -> MainText:
    return read_html(body.encode(), "utf-8").text


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("", 0),
        ("<p>", 0),
        ("<p>one", 1),
        ("<p>one two</p><p>three</p>", 3),
        ("<p>one</p>two", 2),
        ("<p>one<br>two", 2),
        ("<ul><li>one<li>two</ul>", 2),
        ("<table><tr><td>one<td>two</table>", 2),
        (" \n one\t two \n", 2),
        ("<title>not this</title><p>one", 1),
        ("<p>one<script>var two = 3</script>", 1),
        ("<p>one<style>p { }</style>", 1),
        ("<p>one<!-- two -->", 1),
        ("<p>one<template>two</template>", 1),
        ("<p>one<noscript>two</noscript>", 1),
        ("<p>one<iframe>two</iframe>", 1),
        ("<p>one<object>two</object>", 1),
        ("<p>one<dialog open>two</dialog>", 1),
        ("<p>one<svg><text>two</text></svg>", 1),
        ("<nav>a b</nav><header>c</header><p>one</p><aside>d</aside><footer>e</footer>", 1),
        ("<form>a <input value=b></form><p>one", 1),
        ("<p>outside</p><main>one two</main>", 2),
        ("<p>outside</p><div role=main>one two</div>", 2),
        ("<main><nav>a b c</nav>one</main>", 1),
        ("<main></main><p>outside", 0),
        (f"<main></main><p>{'word ' * 49}<nav>menu</nav>", 0),
        (f"<main></main><p>{'word ' * 50}<nav>menu</nav>", 50),
        # A header or a footer of an article is content; that of the page is not.
        ("<main><article><header><h1>one two</h1></header><p>three</article></main>", 3),
        ("<main><header><h1>one</h1></header>two</main>", 2),
        ("<article><header>one</header>two<footer>three</footer></article>", 3),
        ("<section><div><header>one</header></div>two</section><footer>x</footer>", 2),
        ("<header>x</header><div><footer>x</footer></div><p>one", 1),
        # What contains the content is no frame, although its name says so.
        ("<header>x<header>x</header><p>one<footer>x</footer>", 2),
        ("<header>x<p>one<main>two</main>", 1),
        ("<form><header>x</header><nav>x</nav><p>one <form>two<footer>x</footer></form>", 2),
        ("<form><h1>one</h1><p>two</form>", 2),
        ("<nav>x<footer>y</footer><p>one", 2),
        ("<aside><article>x</article></aside><p>one", 1),
        ("<nav><h1>x</h1></nav><p>one", 1),
        ("<header><nav>x</nav><h1>x</h1></header><p>one", 1),
        ("<p>&lt;one&gt; &amp;", 2),
        ("<p>don't self-made 3.5", 3),
        ("<p>Привет, мир", 2),
        ("<p>日本語", 3),
        ("<p>日本語 and English", 5),
        ("<p>한국어 단어", 2),
    ],
)
def test_words_are_counted(body: str, words: int) -> None:
    assert text_of(body).words == words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<p>a b c", "<div>a  b\n c</div>"),
        ("<p>a b c", "<nav>menu</nav><p>a b c<footer>2026</footer>"),
        ("<p>a b c", "<title>T</title><p class=x>a <b>b</b> c"),
        ("<main>a b c</main>", "<p>frame</p><main>a b c</main>"),
    ],
)
def test_the_same_text_has_the_same_hash(one: str, other: str) -> None:
    assert text_of(one) == text_of(other)
    assert text_of(one).hash


@pytest.mark.parametrize("other", ["<p>a b", "<p>a b c d", "<p>a c b", "<p>A b c", "<p>abc"])
def test_another_text_has_another_hash(other: str) -> None:
    assert text_of("<p>a b c").hash != text_of(other).hash


def test_an_empty_text_has_no_hash() -> None:
    assert text_of("<nav>menu</nav>") == MainText(0, None)

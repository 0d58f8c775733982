"""Signs of a soft 404: words in the title or h1 of a page with little text, or no text."""

import pytest

from sitemapaudit.items import Page
from sitemapaudit.pages.soft404 import find_soft_404_sign


def make_page(title: str | None = None, h1: str | None = None, words: int | None = 40) -> Page:
    return Page("https://www.example.com/a", status=200, title=title, h1=h1, words=words)


@pytest.mark.parametrize(
    "text",
    [
        "Page not found",
        "Oops! That page can\N{RIGHT SINGLE QUOTATION MARK}t be found.",
        "PAGE NOT FOUND | Example",
        "404 Error",
        "Error 404: gone fishing",
        "404",
        "Not Found",
        "Seite nicht gefunden | Beispiel",
        "Fehler 404",
        "Página no encontrada",
        "Page introuvable",
        "Página não encontrada",
        "Страница не найдена",
        "Pagina non trovata",
        "Pagina niet gevonden",
        "Strona nie istnieje",
        "お探しのページが見つかりませんでした",
    ],
)
def test_words_of_an_error_page_are_a_sign(text: str) -> None:
    assert find_soft_404_sign(make_page(title=text)) is not None
    assert find_soft_404_sign(make_page(title="Example", h1=text)) is not None


@pytest.mark.parametrize(
    "text",
    [
        "Peugeot 404",
        "404 things to do in Atlanta",
        "Area code 404",
        "Lost and found",
        "Found not wanting",
        "Errors and how to avoid them",
        "Foundation",
        "",
    ],
)
def test_other_words_are_not_a_sign(text: str) -> None:
    assert find_soft_404_sign(make_page(title=text, h1=text)) is None


def test_an_article_about_error_pages_is_not_a_soft_404() -> None:
    title = "Why a 404 error hurts: page not found"
    assert find_soft_404_sign(make_page(title, words=149)) == (
        "its title says '404 error', and its main text has 149 words"
    )
    assert find_soft_404_sign(make_page(title, words=150)) is None


def test_an_empty_main_text_is_a_sign() -> None:
    assert find_soft_404_sign(make_page("Welcome", words=0)) == "its main text is empty"
    assert find_soft_404_sign(make_page("Welcome", words=1)) is None


def test_a_page_that_is_not_html_is_not_checked() -> None:
    assert find_soft_404_sign(make_page("Page not found", words=None)) is None

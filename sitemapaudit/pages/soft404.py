"""Signs that a page with status 200 is an error page."""

import re
from typing import Final

from sitemapaudit.items import Page

THIN_TEXT_WORDS: Final = 150
"""A page with fewer words in its main text may be an error page."""

# The ten most common languages of websites.
_NOT_FOUND: Final = {
    "en": (
        "page not found", "file not found", "not found", "page cannot be found",
        "page can't be found", "page could not be found", "page couldn't be found",
        "page does not exist", "page doesn't exist", "page no longer exists",
        "page is not available", "page isn't available", "page is unavailable",
        "nothing was found", "no longer available",
    ),
    "es": ("página no encontrada", "no encontrada", "no encontrado", "página no existe"),
    "de": (
        "seite nicht gefunden", "nicht gefunden", "seite existiert nicht",
        "seite wurde nicht gefunden", "seite nicht vorhanden",
    ),
    "ja": ("ページが見つかりません", "見つかりませんでした", "ページは存在しません"),
    "fr": ("page non trouvée", "page introuvable", "page n'existe pas", "non trouvé"),
    "pt": ("página não encontrada", "não encontrada", "não encontrado", "página não existe"),
    "ru": ("страница не найдена", "не найдено", "страница не существует"),
    "it": ("pagina non trovata", "non trovata", "non trovato", "pagina non esiste"),
    "nl": ("pagina niet gevonden", "niet gevonden", "pagina bestaat niet"),
    "pl": ("strona nie została znaleziona", "nie znaleziono", "strona nie istnieje"),
}  # fmt: skip
_ERROR: Final = "error|fehler|erreur|erro|errore|fout|błąd|ошибка|エラー"
_UNSPACED: Final = "ja"


def _any_of(*languages: str) -> str:
    return "|".join(re.escape(words) for language in languages for words in _NOT_FOUND[language])


_SIGN: Final = re.compile(
    rf"\b(?:(?:{_ERROR})[\s:-]*404\b|404[\s:-]*(?:{_ERROR})\b)"
    rf"|\b(?:{_any_of(*(name for name in _NOT_FOUND if name != _UNSPACED))})\b"
    rf"|{_any_of(_UNSPACED)}"
    r"|^\W*404\W*$",
    re.IGNORECASE,
)


def find_soft_404_sign(page: Page) -> str | None:
    """Say why a page looks like a soft 404; return None if it does not, or is not HTML."""
    if page.words is None or page.words >= THIN_TEXT_WORDS:
        return None
    for element, text in (("title", page.title), ("h1", page.h1)):
        sign = _SIGN.search((text or "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
        if sign:
            return f"its {element} says {sign.group()!r}, and its main text has {page.words} words"
    return "its main text is empty" if page.words == 0 else None

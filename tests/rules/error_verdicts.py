"""Whether a listed URL with an error about its page can be indexable, answered per rule."""

from typing import Final

IGNORED: Final = "Google ignores such canonicals and chooses one itself: perhaps this page"

ANSWERS: Final = {
    "canonical-chain": (False, "it names another page as its canonical"),
    "canonical-elsewhere": (False, "it names another page as its canonical"),
    "canonical-header-conflict": (True, IGNORED),
    "canonical-multiple": (True, IGNORED),
    "canonical-offsite": (False, "it names another page as its canonical"),
    "canonical-outside-head": (True, IGNORED),
    "canonical-to-error": (False, "it names another page as its canonical"),
    "canonical-to-noindex": (False, "it names another page as its canonical"),
    "canonical-to-redirect": (False, "it names another page as its canonical"),
    "noindex-agent": (False, "the agent must not index it"),
    "noindex-header": (False, "no engine may index it"),
    "noindex-meta": (False, "no engine may index it"),
    "page-blocked-by-robots": (False, "its content is unknown"),
    "page-client-error": (False, "it returns an error, or redirects to one"),
    "page-connection-error": (False, "its content is unknown"),
    "page-meta-refresh": (False, "without a delay, it is a permanent redirect"),
    "page-not-found": (False, "it returns an error, or redirects to one"),
    "page-not-html": (False, "Google does not index the type of the file"),
    "page-redirect-chain": (False, "it redirects"),
    "page-redirect-invalid": (False, "it redirects"),
    "page-redirect-loop": (False, "it redirects"),
    "page-redirect-offsite": (False, "it redirects"),
    "page-redirect-permanent": (False, "it redirects"),
    "page-server-error": (False, "it returns an error, or redirects to one"),
    "page-timeout": (False, "its content is unknown"),
    "page-tls-error": (False, "its content is unknown"),
    "render-canonical-differs": (True, "scripts can add a second canonical, and Google chooses"),
    "render-noindex-differs": (False, "noindex counts, wherever it is"),
    "unavailable-after-past": (False, "no engine may index it any longer"),
}
"""The rules about pages that report errors: whether the URL can be indexable, and why."""

MAY_BE_INDEXABLE: Final = {rule for rule, (answer, _) in ANSWERS.items() if answer}

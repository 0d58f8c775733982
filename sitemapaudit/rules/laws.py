"""The laws that every rule keeps, for the tests of this project and of users' own rules.

``broken_laws(rule)`` returns what is wrong with a rule, as sentences::

    from sitemapaudit.rules.catalog import catalog
    from sitemapaudit.rules.laws import broken_laws

    def test_rules():
        for rule in catalog(("my_rules",)).values():
            assert broken_laws(rule) == []
"""

import inspect
import re
import string
from collections.abc import Callable, Iterator
from typing import Final

from sitemapaudit.items import Severity, Subject
from sitemapaudit.rules.needs import Choice, Need
from sitemapaudit.rules.rule import SECTIONS, QueryRule, RowRule, Rule
from sitemapaudit.rules.rule_options import DEFAULTS
from sitemapaudit.rules.sources import Reference

_ID: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def broken_laws(rule: type[Rule]) -> list[str]:
    """Return what is wrong with a rule; an empty list if nothing is."""
    return [problem for law in (*_NECESSARY, *_LAWS) for problem in law(rule)]


def unusable(rule: type[Rule]) -> Iterator[str]:
    """Yield why an audit cannot use a rule; other laws concern its texts."""
    for law in _NECESSARY:
        yield from law(rule)


def _has_an_id(rule: type[Rule]) -> Iterator[str]:
    if not _ID.fullmatch(rule.id):
        yield f"the id {rule.id!r} is not lower-case words joined by hyphens"
    if rule.__name__.lower() != rule.id.replace("-", ""):
        yield f"the class {rule.__name__} does not have the name of its file"


def _is_of_one_kind(rule: type[Rule]) -> Iterator[str]:
    if issubclass(rule, RowRule) is issubclass(rule, QueryRule):
        yield "it is neither a RowRule nor a QueryRule"
    elif issubclass(rule, RowRule):
        if rule.subject is Subject.SITE:
            yield "a rule about the site must be a QueryRule"
        if rule.check is RowRule.check:
            yield "it has no method check"
    elif not isinstance(getattr(rule, "query", None), str):
        yield "it has no query"


def _has_a_severity(rule: type[Rule]) -> Iterator[str]:
    if not isinstance(getattr(rule, "severity", None), Severity):
        yield "it has no severity"


def _has_a_title(rule: type[Rule]) -> Iterator[str]:
    title = rule.title()
    if not title or title != title.strip() or title[-1] in ".:!":
        yield f"the title {title!r} is not a headline without a full stop"


def _has_every_section(rule: type[Rule]) -> Iterator[str]:
    for name in SECTIONS:
        if not rule.section(name).endswith((".", "!", "?")):
            yield f"the section {name} is missing or is not a sentence"
    paragraphs = inspect.cleandoc(rule.__doc__ or "").split("\n\n")
    heads = [paragraph.partition(":")[0] for paragraph in paragraphs]
    if [head for head in heads if head in SECTIONS] != list(SECTIONS):
        yield f"its sections are not {', '.join(SECTIONS)} in this order"


def _has_references(rule: type[Rule]) -> Iterator[str]:
    references = getattr(rule, "references", ())
    if not references:
        yield "it has no references; PRACTICE of sitemapaudit.rules.sources is one"
    elif not _is_tuple_of(Reference, references):
        yield "its references are not a tuple of Reference"
    elif len(set(references)) != len(references):
        yield "it has a reference twice"


def _has_a_message(rule: type[Rule]) -> Iterator[str]:
    message = getattr(rule, "message", "")
    if message != message.strip() or message.endswith("."):
        yield f"the message {message!r} does not complete a sentence"
    cause = rule.cause or "same"
    if cause != cause.strip() or cause.endswith("."):
        yield f"the cause {cause!r} does not complete a sentence"


def _has_a_template(rule: type[Rule]) -> Iterator[str]:
    message, cause = getattr(rule, "message", None), rule.cause or ""
    if not message or not isinstance(message, str) or not isinstance(cause, str):
        yield "it has no message, or its message or cause is not a text"
        return
    try:
        fields = [*string.Formatter().parse(f"{message} {cause}")]
    except ValueError as error:
        yield f"the message {message!r} cannot be filled ({error})"
        return
    for _, name, specification, conversion in fields:
        if name is not None and not name.isidentifier():
            yield f"the message has a field that is not a name: {name!r}"
        plain = (specification, conversion) in ((None, None), ("", None))
        if issubclass(rule, QueryRule) and not plain:
            yield f"the message of a query formats {name!r}; format it in SQL"


def _has_conditions_in_tuples(rule: type[Rule]) -> Iterator[str]:
    if issubclass(rule, QueryRule) and not _is_tuple_of(Need, rule.needs):
        yield "its needs are not a tuple of Need"
    if not _is_tuple_of(Choice, rule.depends_on):
        yield "depends_on is not a tuple of Choice"


def _can_be_created(rule: type[Rule]) -> Iterator[str]:
    if issubclass(rule, RowRule):
        try:
            rule(DEFAULTS)
        except Exception as error:  # noqa: BLE001 - code of a user
            yield f"it cannot be created ({type(error).__name__}: {error})"


def _is_tuple_of(kind: type, values: object) -> bool:
    # A named tuple is a tuple, too.
    return type(values) is tuple and all(isinstance(value, kind) for value in values)


_Law = Callable[[type[Rule]], Iterator[str]]

_NECESSARY: Final[tuple[_Law, ...]] = (
    _is_of_one_kind,
    _has_a_severity,
    _has_references,
    _has_a_template,
    _has_conditions_in_tuples,
    _can_be_created,
)
_LAWS: Final[tuple[_Law, ...]] = (
    _has_an_id,
    _has_a_title,
    _has_every_section,
    _has_a_message,
)

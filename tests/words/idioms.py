"""Idioms that sound translated, and what to write instead. A space is any white space."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

IDIOMS: Final[Mapping[str, str]] = {
    r"(?<!there )\b(?:is|are|was|were|be) no (?!longer|more than|less than|later)": "is not",
    r"(?<!there )\b(?:is|are|was|were|be) (?-i:none)\b": "is not",
    r"\b(?:knows?|opens?|takes?|does|sees?|reads?|gives?|allows?|costs?) no\b": "does not …",
    r"\b(?:as|so) far as\b": "where, if, up to",
    r"\bor else\b": "otherwise",
    r"\bin between\b": "between, meanwhile",
    r"\bbeside\b": "next to, besides",
    r"\btell(?:s|ing)?\b|\btold\b": "say, report, distinguish",
    r"\bof (?:one's|its|their|your|our|his) own\b": "its own X, a separate X",
    r"\bso many\b": "that many",
    r"\bholds?\b": "contain, apply",
    r"\beach time when\b": "whenever",
    r"\bat the (?:least|most)\b": "at least, at most",
    r"\banew\b": "again",
    r"\bas ever\b": "as before",
    r"\ball the same\b": "anyway, still",
    r"\bmend(?:s|ed|ing)?\b": "fix",
    r"\bgrave(?:r|st|ly)?\b": "severe",
    r"\basked for\b": "requested, enabled",
    r"\bgets? to know\b": "learns",
    r"\b(?:left|leaves?|leaving) (?:it |them )?out\b": "skip, omit, remove",
    r"\bby hand of\b": "with",
    r"\b(?:is|are) to be\b": "must be",
    r"\bones? that\b": "repeat the noun",
    r"\bof which\b": "two sentences",
    r"\b(?:some|no)body\b": "name who: a receiver, the site; no one",
    r"\bgreatest\b(?!\()": "highest, largest",
    r"\bno more\b(?! than)": "no longer",
    r"\bfor good\b(?! practice)": "permanently",
    r"\bbelongs? into\b": "belong in",
    r"\bof the (?:form|kind) of\b": "like",
    r"\bwhat follows\b": "its follow-ups",
}
"""What nobody writes who speaks English at work, as regular expressions."""

FIRST_WORDS: Final = r"(?:What|Which|How|Whether|Who|Where|Why)\b"
"""A docstring is the name of a thing, or says what a function does: it begins with neither."""

EXCEPTIONS: Final[Mapping[str, str]] = {}
"""Phrases that are English, each with the reason."""

_IDIOMS: Final = [
    (re.compile(re.sub("(?<!there) ", " +", each), re.IGNORECASE), instead)
    for each, instead in IDIOMS.items()
]
_CODE: Final = re.compile(r"```.*?```|``.*?``|`[^`\n]*`|\{[{%].*?[%}]\}|\]\([^)\s]*\)", re.DOTALL)


def find_idioms(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line of each idiom in a text, the idiom, and what to write instead."""
    prose = _CODE.sub(lambda code: re.sub(r"\S", "`", code[0]), text)
    line = re.sub(r"\s", " ", prose)
    for pattern, instead in _IDIOMS:
        for match in pattern.finditer(line):
            yield prose.count("\n", 0, match.start()), match[0], instead

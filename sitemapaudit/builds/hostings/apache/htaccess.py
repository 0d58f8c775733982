"""``.htaccess``: its directives, and the rules that they make."""

import re
import shlex
from collections.abc import Callable
from enum import IntEnum
from functools import partial
from typing import Final

from msgspec import Struct, field

from sitemapaudit.builds.rule_file import IgnoredError, RuleFile
from sitemapaudit.regexes import Regex, RegexError, compile_regex

HARMLESS: Final = frozenset(
    {
        *("addcharset", "adddefaultcharset", "addlanguage", "addoutputfilterbytype"),
        *("expiresactive", "expiresbytype", "expiresdefault", "fileetag", "serversignature"),
        *("setoutputfilter", "rewriteoptions", "setenv", "setenvif", "setenvifnocase"),
        *("browsermatch", "browsermatchnocase", "php_flag", "php_value"),
    }
)
"""Directives that change neither the status nor the page of a reply."""

_MODULES: Final = frozenset(
    form.format(name)
    for name in ("alias", "dir", "headers", "rewrite")
    for form in ("mod_{}.c", "{}_module")
)
"""The modules that every server has; what is in a section about others is in force or not."""

_SECTIONS: Final = ("<files", "<filesmatch", "<ifmodule")
_READ_HEADERS: Final = frozenset(
    {
        *("content-encoding", "content-location", "content-type", "link", "location", "refresh"),
        *("status", "x-robots-tag"),
    }
)
"""The headers by which a reply is judged."""

_ASSETS: Final = frozenset(
    {
        *("avif", "css", "eot", "ico", "js", "json", "jsonld", "map", "mjs", "mp4", "ogg", "otf"),
        *("svg", "svgz", "ttc", "ttf", "wasm", "webm", "webmanifest", "webp", "woff", "woff2"),
    }
)
"""Extensions of files that no sitemap lists as pages."""

_STATUSES: Final = {"permanent": 301, "temp": 302, "seeother": 303, "gone": 410}
_UNREAD: Final = re.compile(r"[%\\#]|\$\{")
REDIRECTS: Final = (301, 302, 303, 307, 308)

_FLAGS: Final = {
    **dict.fromkeys(("l", "last", "end", "nc"), 0),
    **dict.fromkeys(("r", "redirect"), 302),
    **{f"r={code}": code for code in REDIRECTS},
    **dict.fromkeys(("f", "forbidden"), 403),
    **dict.fromkeys(("g", "gone"), 410),
}
"""The flags of a rewrite, and their status."""


class Section(IntEnum):
    """The state of the directives in a section."""

    SKIPPED = 0
    UNKNOWN = 1
    IN_FORCE = 2


class Rule(Struct, frozen=True):
    """A redirect or rewrite: ``pattern`` is found in a decoded path.

    ``unread`` is the reason for which its effect is unknown. ``target`` is None for a status that
    does not redirect; ``status`` is None for a rewrite to another path.
    """

    name: str
    pattern: Regex
    target: str | None = None
    status: int | None = None
    is_last: bool = True
    unread: str | None = None
    adds_rest: bool = False
    """The rest of the path is added to the target."""


class Rules(Struct):
    """The rules of a file; ``unread`` says why they cannot determine any reply."""

    redirects: list[Rule] = field(default_factory=list)
    rewrites: list[Rule] = field(default_factory=list)
    error_documents: dict[str, str] = field(default_factory=dict)
    index: list[str] = field(default_factory=list)
    """Names of index files; without any, ``index.html``."""
    sections: list[Section] = field(default_factory=list)
    """The sections around the line that is read."""
    adds_slash: bool = True
    rewrites_apply: bool = False
    has_base: bool = False
    has_condition: bool = False
    unread: str | None = None


def read_rules(file: RuleFile) -> Rules:
    """Read the file; what Apache refuses is a problem, and makes every reply an error there."""
    rules = Rules()
    for number, line in file.lines():
        with file.ignoring(number):
            _read_line(rules, f"{file.name}:{number}", line)
    if file.problems:
        rules.unread = "has an error in .htaccess"
    return rules


def _read_line(rules: Rules, name: str, line: str) -> None:
    if line.endswith("\\"):
        raise IgnoredError("continues on the next line, which is not read")
    try:
        directive, *words = shlex.split(line.replace("\\", "\\\\"))
    except ValueError as error:
        raise IgnoredError(f"cannot be parsed: {error}") from error
    key, lower = directive.lower(), [word.lower() for word in words]
    section = min(rules.sections, default=Section.IN_FORCE)
    if key in _SECTIONS:
        rules.sections.append(min(section, _section(key, lower)))
    elif key.startswith("</") and rules.sections:
        rules.sections.pop()
    elif section is Section.SKIPPED or _is_harmless(key, lower):
        return
    elif key in _READERS and section is Section.IN_FORCE:
        _READERS[key](rules, name, words)
    else:
        rules.unread = f"depends on {directive} in .htaccess, which is not read"


def _section(key: str, words: list[str]) -> Section:
    """Return whether the directives of a section are in force."""
    (module,) = [word.rstrip(">") for word in words[:1]] or [""]
    if key != "<ifmodule" or module.removeprefix("!") not in _MODULES:
        return Section.UNKNOWN
    return Section.SKIPPED if module.startswith("!") else Section.IN_FORCE


def _is_harmless(key: str, words: list[str]) -> bool:
    if key == "header":
        return _READ_HEADERS.isdisjoint(words)
    if key == "addtype":
        return {word.removeprefix(".") for word in words[1:]} <= _ASSETS
    if key == "options":
        return {*words} <= {"-indexes", "-multiviews", "+followsymlinks", "followsymlinks"}
    return key in HARMLESS


def _compile(pattern: str, *, ignore_case: bool = False) -> Regex:
    try:
        return compile_regex(f"(?i:{pattern})" if ignore_case else pattern)
    except RegexError as error:
        raise IgnoredError(f"the pattern cannot be parsed: {error}") from error


def _read_redirect(rules: Rules, name: str, words: list[str], *, is_pattern: bool) -> None:
    status = 302
    first = words[0].lower() if words else ""
    if first in _STATUSES or first.isdecimal():
        status = _STATUSES.get(first) or int(first)
        words = words[1:]
    is_redirect = 300 <= status < 400
    if len(words) != 1 + is_redirect:
        raise IgnoredError("does not have a path, and a target if its status redirects")
    path, target = words[0], words[1] if is_redirect else None
    if not is_pattern and not path.startswith("/"):
        raise IgnoredError("the path does not begin with a slash")
    unread = _unread(target or "")
    pattern = _compile(path if is_pattern else _prefix(path))
    rules.redirects.append(
        Rule(name, pattern, target, status, unread=unread, adds_rest=not is_pattern)
    )


def _prefix(path: str) -> str:
    rest = "(.*)" if path.endswith("/") else "((?:/.*)?)"
    return f"^{re.escape(path)}{rest}$"


def _unread(text: str) -> str | None:
    return f"depends on {text!r} in .htaccess" if _UNREAD.search(text) else None


def _read_permanent(rules: Rules, name: str, words: list[str]) -> None:
    _read_redirect(rules, name, ["permanent", *words], is_pattern=False)


def _read_temp(rules: Rules, name: str, words: list[str]) -> None:
    _read_redirect(rules, name, ["temp", *words], is_pattern=False)


def _read_rewrite(rules: Rules, name: str, words: list[str]) -> None:
    if not 2 <= len(words) <= 3:
        raise IgnoredError("does not have a pattern and a target")
    pattern, target, flags = [*words, "[]"][:3]
    names = {flag.strip().lower() for flag in flags.strip("[]").split(",")} - {""}
    statuses = [_FLAGS[flag] for flag in names & _FLAGS.keys() if _FLAGS[flag]]
    unread = _unread(target)
    if names - _FLAGS.keys():
        unread = f"depends on the flags {flags} in .htaccess"
    if "end" in names and not statuses and target != "-":
        unread = f"depends on the flags {flags} in .htaccess"
    if rules.has_condition or pattern.startswith("!"):
        unread = "depends on a condition in .htaccess"
    rules.has_condition = False
    rules.rewrites.append(
        Rule(
            name,
            _compile("" if pattern.startswith("!") else pattern, ignore_case="nc" in names),
            target,
            statuses[0] if statuses else None,
            is_last=bool(names & {"l", "last", "end"}) or any(code >= 400 for code in statuses),
            unread=unread,
        )
    )


def _read_condition(rules: Rules, _name: str, _words: list[str]) -> None:
    rules.has_condition = True


def _read_engine(rules: Rules, _name: str, words: list[str]) -> None:
    rules.rewrites_apply = [word.lower() for word in words] == ["on"]


def _read_base(rules: Rules, _name: str, words: list[str]) -> None:
    rules.has_base = words == ["/"]
    if not rules.has_base:
        rules.unread = "depends on RewriteBase in .htaccess"


def _read_error(rules: Rules, _name: str, words: list[str]) -> None:
    if len(words) < 2:
        raise IgnoredError("does not have a status and a page")
    rules.error_documents[words[0]] = words[1]


def _read_index(rules: Rules, _name: str, words: list[str]) -> None:
    rules.index += words


def _read_slash(rules: Rules, _name: str, words: list[str]) -> None:
    rules.adds_slash = [word.lower() for word in words] == ["on"]


_READERS: Final[dict[str, Callable[[Rules, str, list[str]], None]]] = {
    "redirect": partial(_read_redirect, is_pattern=False),
    "redirectmatch": partial(_read_redirect, is_pattern=True),
    "redirectpermanent": _read_permanent,
    "redirecttemp": _read_temp,
    "rewriteengine": _read_engine,
    "rewritebase": _read_base,
    "rewritecond": _read_condition,
    "rewriterule": _read_rewrite,
    "errordocument": _read_error,
    "directoryindex": _read_index,
    "directoryslash": _read_slash,
}

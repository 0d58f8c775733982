"""Mutants of a module: the operators of mutmut, and those of sql.py in texts with SQL."""

import difflib
import random
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

from tests.mutants.mutant import Mutant
from tests.mutants.sql import changes, is_sql

_TYPES: Final = {"cast", "TypeVar", "NewType", "ParamSpec"}
"""Calls whose arguments are types."""

_NOT_EXECUTED: Final = (cst.Annotation, cst.Decorator, cst.Import, cst.ImportFrom, cst.Assert)


class _Site(NamedTuple):
    """A node of a module that can be replaced by another one; ``line`` is that of the change."""

    file: str
    module: Any
    node: Any
    replacement: Any
    line: int


def sample(
    project: Path, files: Iterable[str], texts: Collection[str], number: int, seed: str
) -> list[Mutant]:
    """Return as many random mutants of these files, or all if there are fewer.

    Constants with the names ``texts`` are not changed.
    """
    sources = {file: (project / file).read_text("utf-8") for file in files}
    sites = [site for file, text in sources.items() for site in _sites(file, text, texts)]
    random.Random(seed).shuffle(sites)
    made: dict[str, Mutant] = {}
    for site in sites:
        if len(made) == number:
            break
        if mutant := _make(site):
            made.setdefault(mutant.source, mutant)
    return sorted(made.values(), key=lambda mutant: (mutant.file, mutant.line, mutant.now))


def mutants_of(file: str, source: str) -> list[Mutant]:
    """Return all mutants of a module."""
    return [mutant for site in _sites(file, source) if (mutant := _make(site))]


def _sites(file: str, source: str, texts: Collection[str] = ()) -> Iterator[_Site]:
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    lines = wrapper.resolve(PositionProvider)
    for node in _executed(wrapper.module, {*texts, "__all__"}):
        at = lines[node].start.line if node in lines else 0
        for replacement, offset in _replacements(wrapper.module, node):
            yield _Site(file, wrapper.module, node, replacement, at + offset)


def _executed(node: Any, skipped: set[str]) -> Iterator[Any]:
    """Yield the nodes below one, without types, decorators, imports, docstrings and texts."""
    if isinstance(node, cst.ClassDef):
        yield from _executed(node.body, skipped)
        return
    is_docstring = isinstance(node, cst.Expr) and isinstance(
        node.value, cst.SimpleString | cst.ConcatenatedString
    )
    is_text = not skipped.isdisjoint(_assigned(node))
    is_type = isinstance(node, cst.Call) and getattr(node.func, "value", None) in _TYPES
    if is_docstring or is_text or is_type or isinstance(node, _NOT_EXECUTED):
        return
    yield node
    for child in node.children:
        yield from _executed(child, skipped)


def _assigned(node: Any) -> list[str]:
    """Return the names to which a statement assigns."""
    if isinstance(node, cst.AnnAssign):
        targets = [node.target]
    else:
        targets = [each.target for each in node.targets] if isinstance(node, cst.Assign) else []
    return [str(getattr(target, "value", "")) for target in targets]


def _replacements(module: Any, node: Any) -> Iterator[tuple[Any, int]]:
    """Yield what can replace a node, and after how many lines it differs."""
    if isinstance(node, cst.SimpleString | cst.FormattedString):
        text = _text(module, node)
        if is_sql(text):
            for part, text_of_part, before in _parts(module, node, text):
                yield from _in_sql(node, part, text_of_part, before)
            return
    for kind, operator in mutation_operators:
        if isinstance(node, kind):
            new: Sequence[Any] = [*operator(node)]
            # The others change the case of letters.
            for replacement in new[:1] if isinstance(node, cst.SimpleString) else new:
                yield replacement, 0


def _text(module: Any, node: Any) -> str:
    """Return the text of a literal; letters stand for expressions in it."""
    if isinstance(node, cst.SimpleString):
        return str(node.raw_value)
    return "".join(_of_part(module, part) for part in node.parts)


def _of_part(module: Any, part: Any) -> str:
    if isinstance(part, cst.FormattedStringText):
        return str(part.value)
    return "x" * len(module.code_for_node(part))


def _parts(module: Any, node: Any, text: str) -> Iterator[tuple[int | None, str, int]]:
    """Yield the parts of a literal: their number, the text of all, and where they begin."""
    if isinstance(node, cst.SimpleString):
        yield None, text, 0
        return
    before = 0
    for number, part in enumerate(node.parts):
        if isinstance(part, cst.FormattedStringText):
            yield number, text, before
        before += len(_of_part(module, part))


def _in_sql(node: Any, number: int | None, text: str, before: int) -> Iterator[tuple[Any, int]]:
    value = text if number is None else node.parts[number].value
    for change in changes(text):
        if not before <= change.start < change.end <= before + len(value):
            continue
        lines = text.count("\n", 0, change.start)
        local = change._replace(start=change.start - before, end=change.end - before)
        if number is None:
            quotes = node.prefix + node.quote, node.quote
            yield node.with_changes(value=local.apply(value).join(quotes)), lines
        else:
            part = node.parts[number].with_changes(value=local.apply(value))
            parts = [*node.parts[:number], part, *node.parts[number + 1 :]]
            yield node.with_changes(parts=parts), lines


def _make(site: _Site) -> Mutant | None:
    """Return the mutant; None if it is no Python, or means the same as before."""
    source, old = site.module.deep_replace(site.node, site.replacement).code, site.module.code
    try:
        with warnings.catch_warnings(action="ignore"):
            compile(source, site.file, "exec", dont_inherit=True)
    except SyntaxError:
        return None
    changed = [
        line
        for line in difflib.unified_diff(old.splitlines(), source.splitlines(), n=0, lineterm="")
        if not line.startswith(("---", "+++", "@@"))
    ]
    was, now = (_joined(line[1:] for line in changed if line[0] == sign) for sign in "-+")
    if not changed or was.replace("False", "None") == now.replace("False", "None"):
        return None  # Both mean the same in our code, and types tell them apart.
    return Mutant(site.file, site.line, was, now, source)


def _joined(lines: Iterable[str]) -> str:
    return " ".join(line.strip() for line in lines)

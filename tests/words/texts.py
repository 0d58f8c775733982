"""The texts of the project: docstrings, comments, messages, templates, documentation."""

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = ROOT / "sitemapaudit"
PLAIN: Final = (
    "*.md",
    "*.toml",
    "**/requirements.txt",
    "Makefile",
    "benchmarks/*.md",
    "docs/**/*.md",
    "sitemapaudit/report/assets/*",
    "sitemapaudit/report/templates/*",
    "tests/**/*.md",
)


class Text(NamedTuple):
    """A piece of text, and the line it begins in; ``is_docstring`` also of attributes."""

    file: Path
    line: int
    text: str
    is_docstring: bool = False


def python_texts(file: Path) -> Iterator[Text]:
    """Yield the docstrings, literals and comments of a module."""
    source = file.read_text()
    tree = ast.parse(source)
    yield from (Text(file, *each) for each in _literals(tree))
    yield from (Text(file, *each) for each in _comments(source))


def _literals(tree: ast.Module) -> Iterator[tuple[int, str, bool]]:
    """Yield what contains a space: a literal without one is a name."""
    inside: set[ast.AST] = set()
    docstrings: set[ast.AST] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str()) as value):
                docstrings.add(value)
            case ast.JoinedStr(values=values):
                inside.update(each for each in values if isinstance(each, ast.Constant))
                yield node.lineno, "".join(map(_part, values)), False
            case ast.Constant(value=str(text)) if node not in inside and " " in text:
                yield node.lineno, text, node in docstrings


def _part(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else "{}"


def _comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield comments; lines that follow each other are one."""
    begin, lines = 0, list[str]()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        row = token.start[0]
        if lines and row != begin + len(lines):
            yield begin, "\n".join(lines)
            lines = []
        if not lines:
            begin = row
        lines.append(token.string.lstrip("#: "))
    if lines:
        yield begin, "\n".join(lines)


def plain_texts() -> Iterator[Text]:
    """Yield the files that are text."""
    for pattern in PLAIN:
        for file in sorted(ROOT.glob(pattern)):
            if not {".venv", "_build", "_generated"} & set(file.parts):
                yield Text(file, 1, file.read_text())

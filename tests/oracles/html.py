"""HTML: what is read of a head, and where the head ends."""

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any, Final

from msgspec import Struct, field
from selectolax.lexbor import LexborHTMLParser

from sitemapaudit.pages.html import Html, read_html
from sitemapaudit.pages.selecting import Elements
from tests.builds.oracles.tools import Tools
from tests.oracles.oracle import Comparison, Explanation, Oracle, words

_PIECES: Final = (
    *(
        "<title>a</title>",
        "<title> b\n c </title>",
        "<title>",
        "</title>",
        "<base href=/b/>",
        "<base>",
    ),
    *("<link rel=canonical href=/c>", "<link rel='Alternate x' hreflang=de href=d>", "<link>"),
    *(
        "<meta name=robots content=noindex>",
        "<meta http-equiv=refresh content='0;url=/r'>",
        "<meta>",
    ),
    *("<head>", "</head>", "<body>", "</body>", "<html lang=en>", "</html>", "<!doctype html>"),
    *("<!-- x -->", "<!--", "-->", "<script>", "</script>", "<style>", "</style>", "<noscript>"),
    *("</noscript>", "<template>", "</template>", "<svg>", "</svg>", "<math>", "<p>", "</p>", "a"),
    *(" ", "\n", "<div>", "</div>", "<h1>h</h1>", "<img src=i>", "<br>", "<a href=x>", "</a>"),
    *(
        "<table>",
        "<td>",
        "</table>",
        "<desc>",
        "<mi>",
        "<frameset>",
        "<foreignObject>",
        "<b>",
    ),
    *(
        "<iframe>",
        "</iframe>",
        "<textarea>",
        "</textarea>",
        "<form>",
        "<bgsound>",
        "<meta/>",
        "</br>",
    ),
)
_HTML: Final = "html"
_SPACES: Final = "\t\n\f\r "
_RELATIONS: Final = ("canonical", "alternate")


class Node(Struct):
    """An element of a tree with the texts and elements in it."""

    name: str
    namespace: str = _HTML
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Node | str"] = field(default_factory=list)

    def elements(self) -> Iterator[tuple["Node", "Node"]]:
        """Yield the elements below this one, each with its parent; templates are empty."""
        for child in self.children:
            if isinstance(child, Node):
                yield child, self
                yield from child.elements()

    def text(self) -> str:
        """Return the text in an element."""
        return "".join(each if isinstance(each, str) else each.text() for each in self.children)


class Head(Struct, frozen=True):
    """What is read of a document; ``head`` are the names of the elements in the head."""

    title: str | None
    h1: str | None
    base: str | None
    metas: tuple[tuple[str, ...], ...]
    links: tuple[tuple[str, str | None, bool], ...]
    lang: str | None
    head: tuple[str, ...]


def _read(document: str) -> Head:
    """Return what we read of a document."""
    names: list[str] = []

    def read_head(tree: LexborHTMLParser, _html: Html, _elements: Elements) -> None:
        child = tree.head.child if tree.head else None
        while child is not None:
            names.extend([child.tag or ""] if child.is_element_node else [])
            child = child.next

    html = read_html(document.encode(), "utf-8", also=read_head)
    links = (
        (link.attributes.get("rel") or "", link.get("href"), link.in_head) for link in html.links
    )
    return Head(
        html.title, html.h1, html.base, tuple(html.metas), tuple(links), html.lang, tuple(names)
    )


def _summarize(root: Node) -> Head:
    """Return what a reader must find in a tree."""
    found = [*root.elements()]
    html = [(node, parent) for node, parent in found if node.namespace == _HTML]

    def first(name: str) -> str | None:
        texts = (" ".join(node.text().split()) for node, _ in html if node.name == name)
        return next(texts, None)

    bases = (
        node.attributes["href"]
        for node, _ in html
        if node.name == "base" and "href" in node.attributes
    )
    metas = (
        tuple(node.attributes.get(name, "") for name in ("name", "http-equiv", "content"))
        for node, _ in html
        if node.name == "meta"
    )
    links = (
        (node.attributes.get("rel", ""), node.attributes.get("href"), parent.name == "head")
        for node, parent in found  # Those in drawings are not in the head.
        if node.name == "link"
        and any(name in node.attributes.get("rel", "").lower() for name in _RELATIONS)
    )
    top = next((node for node, _ in html if node.name == "html"), Node(""))
    heads = (node for node, parent in html if node.name == "head" and parent is top)
    head = next(heads, Node(""))
    names = (child.name for child in head.children if isinstance(child, Node))
    lang = top.attributes.get("lang", "").strip() or None
    return Head(
        first("title"),
        first("h1"),
        next(bases, None),
        tuple(metas),
        tuple(links),
        lang,
        tuple(names),
    )


class _Trees(Oracle[str]):
    """Trees of HTML documents."""

    def ours(self, cases: Sequence[str]) -> Iterable[Head]:
        return map(_read, cases)


class _TestData(_Trees):
    """The tests of browsers and parsers: tree construction of html5lib-tests."""

    name = "html5lib-tests"
    number = 0

    def install(self, tools: Tools) -> str:
        release = version("html5lib")
        folder = tools.source("html5lib", release) / "html5lib" / "tests" / "testdata"
        files = sorted((folder / "tree-construction").glob("**/*.dat"))
        self._trees = {document: tree for file in files for document, tree in _read_tests(file)}
        return f"html5lib-tests of html5lib {release}"

    def known_cases(self) -> Iterable[str]:
        return self._trees

    def theirs(self, cases: Sequence[str]) -> Iterable[Head]:
        return (_summarize(self._trees[case]) for case in cases)


def _read_tests(file: Path) -> Iterator[tuple[str, Node]]:
    """Yield the documents of a file with their trees: those with scripting, and no fragments."""
    for test in file.read_bytes().decode().split("#data\n")[1:]:
        document, _, rest = test.partition("\n#errors\n")
        _, mark, tree = rest.partition("#document\n")
        if mark and "#document-fragment" not in rest and "#script-off" not in rest:
            yield document, _read_tree(tree)


_ELEMENT: Final = re.compile(r"<(?:(svg|math) )?([^ >]+)>")
_ATTRIBUTE: Final = re.compile(r'([^=]+)="(.*)"', re.DOTALL)


def _read_tree(text: str) -> Node:
    """Return the tree of a test: a line for each node, with two spaces for each level."""
    path = [Node("#document")]
    for line in re.split(r"\n\| ", "\n" + text.strip("\n"))[1:]:
        level = (len(line) - len(line.lstrip(" "))) // 2
        content = line.lstrip(" ")
        del path[level + 1 :]
        if content == "content":  # Of a template: it is another document.
            path.append(Node("#content"))
        elif element := _ELEMENT.fullmatch(content):
            node = Node(element[2], element[1] or _HTML)
            path[-1].children.append(node)
            path.append(node)
        elif content.startswith('"'):
            path[-1].children.append(content[1:-1])
        elif attribute := _ATTRIBUTE.fullmatch(content):
            path[-1].attributes[attribute[1]] = attribute[2]
    return path[0]


class _Html5lib(_Trees):
    """html5lib itself, with random heads."""

    name = "html5lib"
    explanations = (
        Explanation(
            "html5lib fails",
            "an assertion of its own",
            lambda _case, theirs, _ours: theirs is None,
            "<table><svg><html>",
        ),
        Explanation(
            "html5lib reads a template as any other element",
            "HTML Standard, 13.2.6.4.4: it can be in a head; html5lib-tests has tests of it",
            lambda case, _theirs, _ours: "<template>" in case,
            "<template><title>a</title></template><title>b</title>",
        ),
        Explanation(
            "html5lib drops most elements in a select",
            "HTML Standard, since 2025: a select contains what a div does",
            lambda case, _theirs, _ours: "<select>" in case,
            "<select><meta name=robots content=noindex>",
        ),
        Explanation(
            "html5lib allows a frameset after </br>",
            "HTML Standard, 13.2.6.4.7: it is read as <br>, which forbids one",
            lambda case, _theirs, _ours: "</br>" in case and "<frameset>" in case,
            "</br><frameset><h1>h</h1>",
        ),
        Explanation(
            "html5lib does not end svg and math at </br> and </p>",
            "HTML Standard, 13.2.6.5, since 2020",
            lambda case, _theirs, _ours: re.search("<(svg|math)>.*</(br|p)>", case, re.DOTALL),
            "<svg></p><base href=/b/>",
        ),
    )

    def install(self, _tools: Tools) -> str:
        return f"html5lib {version('html5lib')}"

    def random_case(self, random: Random) -> str:
        return words(random, _PIECES, 14)

    def theirs(self, cases: Sequence[str]) -> Iterator[Head | None]:
        import html5lib  # noqa: PLC0415 - is not installed for tests

        parser = html5lib.HTMLParser(html5lib.getTreeBuilder("etree"))
        for case in cases:
            try:
                tree = parser.parse(case, scripting=True)
            except AssertionError:
                yield None
            else:
                yield _summarize(_convert(tree))


def _convert(root: Any) -> Node:
    """Return a tree of html5lib."""
    document = Node("#document")
    document.children.append(_convert_element(root))
    return document


def _convert_element(element: Any) -> Node:
    namespace, _, name = element.tag.removeprefix("{").partition("}")
    node = Node(
        name, namespace.removeprefix("http://www.w3.org/1999/xhtml") or _HTML, dict(element.attrib)
    )
    if name == "template" and node.namespace == _HTML:
        return node
    node.children.append(element.text or "")
    for child in element:
        node.children += [_convert_element(child)] if isinstance(child.tag, str) else []
        node.children.append(child.tail or "")
    return node


COMPARISONS: Final[Sequence[Comparison]] = (_TestData(), _Html5lib())

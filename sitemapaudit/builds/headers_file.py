"""``_headers``: blocks of a path and its headers."""

import re
from collections.abc import Callable

from msgspec import Struct, field

from sitemapaudit.builds.header_rules import HeaderBlock, PathHeaders, check_header
from sitemapaudit.builds.rule_file import MAX_RULES, IgnoredError, RuleFile


class _Block(Struct):
    line: int
    path: str
    headers: dict[str, tuple[str, str]] = field(default_factory=dict)
    removed: list[str] = field(default_factory=list)

    def add(self, line: str, *, removes: bool) -> None:
        name, colon, value = (part.strip() for part in line.partition(":"))
        if removes and not colon and line.startswith("! "):
            self.removed.append(line[2:].strip())
            return
        name, value = check_header(name, value)
        _, earlier = self.headers.get(name.lower(), ("", ""))
        self.headers[name.lower()] = (name, f"{earlier}, {value}" if earlier else value)


def read_headers(
    file: RuleFile,
    make: Callable[[str, HeaderBlock], PathHeaders],
    *,
    begins_path: re.Pattern[str] = re.compile("/"),
    removes: bool = False,
    max_rules: int = MAX_RULES,
) -> list[PathHeaders]:
    """Read the blocks of a file.

    ``make`` makes the rule of a block from its path, or raises ``IgnoredError``; ``begins_path``
    is the start of a line with a path; ``removes``: a line ``! Name`` removes a header.
    """
    rules: list[PathHeaders] = []
    for block in _read_blocks(file, begins_path, removes=removes):
        with file.ignoring(block.line):
            if not block.headers and not block.removed:
                raise IgnoredError("has no headers")
            if len(rules) >= max_rules:
                raise IgnoredError(f"there are more than {max_rules:,} paths")
            headers = HeaderBlock(tuple(block.headers.values()), tuple(block.removed))
            rules.append(make(block.path, headers))
    return rules


def _read_blocks(file: RuleFile, begins_path: re.Pattern[str], *, removes: bool) -> list[_Block]:
    blocks: list[_Block] = []
    for number, line in file.lines():
        with file.ignoring(number):
            if begins_path.match(line):
                blocks.append(_Block(number, line))
            elif blocks:
                blocks[-1].add(line, removes=removes)
            else:
                raise IgnoredError("comes before the first path")
    return blocks

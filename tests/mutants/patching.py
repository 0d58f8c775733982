"""Puts the code of a mutant into a running process, and takes it out again.

Nothing is written to a file. Functions get the code of the mutant. Where the code of a module or
of a class differs, it is executed beside the old one: then constants, attributes of classes and
default values that differ are replaced.
"""

import gc
import inspect
import re
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, Self

_ADDRESS: Final = re.compile(r" at 0x[0-9a-f]+")
_MISSING: Final = object()
_DEFAULTS: Final = ("__defaults__", "__kwdefaults__")

Functions = Mapping[CodeType, list[FunctionType]]
"""The functions of a process, by their code."""


def find_functions(files: Iterable[str]) -> Functions:
    """Return the functions that these files, given by their full paths, define."""
    wanted, found = {*files}, defaultdict(list)
    gc.unfreeze()  # The objects that tests/plugins/scheduling.py freezes are not listed.
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename in wanted:
            found[each.__code__].append(each)
    gc.freeze()
    return found


class Patch:
    """The code of a mutant in the place of the original.

    ``path`` is that of the file. ``is_whole`` is false if part of the mutant cannot be put into a
    process that has imported the module, ``is_top`` true if it is not in a function alone.
    """

    def __init__(
        self, functions: Functions, module: ModuleType, path: str, original: str, mutated: str
    ) -> None:
        self._undo: list[Callable[[], None]] = []
        self._functions, self._module = functions, module
        old, new = (compile_quietly(source, path) for source in (original, mutated))
        pairs = [*_pairs(old, new)]
        self.is_top = any(_is_body(before) and _differ(before, after) for before, after in pairs)
        self._pairs, self._code = pairs, new
        self.is_whole = True

    def __enter__(self) -> Self:
        """Put the mutant in; raises what the module raises when it is imported."""
        if self.is_top:
            space = dict(vars(self._module))
            exec(self._code, space)
            self._take_over(space)
        for before, after in self._pairs:
            if before != after and not _is_body(before):
                self._replace_code(before, after)
        self.is_whole = bool(self._undo)
        return self

    def __exit__(self, *exception: object) -> None:
        while self._undo:
            self._undo.pop()()

    def _replace_code(self, before: CodeType, after: CodeType) -> None:
        for function in self._functions.get(before, ()):
            if before.co_freevars == after.co_freevars:
                self._set(function, "__code__", after)

    def _take_over(self, space: Mapping[str, Any]) -> None:
        for name, new in space.items():
            old = vars(self._module).get(name, _MISSING)
            if _are_own(self._module, old, new):
                self._take_over_attributes(old, new)
            elif isinstance(new, FunctionType):
                self._take_over_defaults(old, new)
            elif old is not new and not name.startswith("__") and _are_different(old, new):
                self._replace_constant(name, old, new)

    def _replace_constant(self, name: str, old: Any, new: Any) -> None:
        for module in [*sys.modules.values()]:
            package = getattr(module, "__name__", "").partition(".")[0]
            is_ours = module is self._module or package in ("sitemapaudit", "tests")
            if is_ours and vars(module).get(name, _MISSING) is old and old is not _MISSING:
                self._set(module, name, new)

    def _take_over_attributes(self, old: type, new: type) -> None:
        for name, value in vars(new).items():
            before = vars(old).get(name, _MISSING)
            if isinstance(value, FunctionType):
                self._take_over_defaults(before, value)
            elif not name.startswith("__") and _are_different(before, value):
                self._set(old, name, value)

    def _take_over_defaults(self, old: Any, new: FunctionType) -> None:
        for name in _DEFAULTS if isinstance(old, FunctionType) else ():
            if _are_different(getattr(old, name), getattr(new, name)):
                self._set(old, name, getattr(new, name))

    def _set(self, holder: Any, name: str, value: Any) -> None:
        try:
            before = getattr(holder, name)
            setattr(holder, name, value)
        except (AttributeError, TypeError, ValueError):
            return
        self._undo.append(partial(setattr, holder, name, before))


def compile_quietly(source: str, path: str) -> CodeType:
    """Compile a module without warnings."""
    with warnings.catch_warnings(action="ignore"):
        return compile(source, path, "exec", dont_inherit=True)


def _pairs(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Yield the code of each scope with that of the mutant."""
    yield old, new
    inner = [[each for each in code.co_consts if isinstance(each, CodeType)] for code in (old, new)]
    names = [[code.co_name for code in codes] for codes in inner]
    if names[0] == names[1]:
        for before, after in zip(*inner, strict=True):
            yield from _pairs(before, after)


def _is_body(code: CodeType) -> bool:
    """Return whether this is the code of a module or of a class."""
    return not code.co_flags & inspect.CO_NEWLOCALS


def _differ(old: CodeType, new: CodeType) -> bool:
    """Return whether scopes differ, apart from those in them."""
    return _without_inner(old) != _without_inner(new)


def _without_inner(code: CodeType) -> tuple[object, ...]:
    constants = [
        "code" if isinstance(each, CodeType) else (type(each), each) for each in code.co_consts
    ]
    return code.co_code, code.co_names, constants


def _are_own(module: ModuleType, old: Any, new: Any) -> bool:
    """Return whether these are two versions of a class of the module."""
    return (
        isinstance(old, type) and isinstance(new, type) and old.__module__ == module.__name__
    ) and old is not new


def _are_different(old: Any, new: Any) -> bool:
    if type(old).__name__ != type(new).__name__:
        return True
    if old == new:
        return False
    if isinstance(old, re.Pattern):
        return True
    return _ADDRESS.sub("", repr(old)) != _ADDRESS.sub("", repr(new))

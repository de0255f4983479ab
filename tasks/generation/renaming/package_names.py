"""Which names of a package can be renamed by their spelling alone."""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import libcst as cst

from harness.patches import FileState
from tasks.generation.corrupting.source_tree import is_target_file
from tasks.generation.renaming.renamer import PYTHON, StringKinds, words

_MIN_LENGTH = 3
_CONVENTIONAL = frozenset({"self", "cls", "mcs", "args", "kwargs", "main", "setup", "teardown"})
_SETTINGS = (".toml", ".cfg", ".ini")
_DOTTED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[.:][A-Za-z_][A-Za-z0-9_]*)*")
_MAX_DOTTED_LENGTH = 300
# Modules of the standard library that do something when they are imported.
_NOT_IMPORTED = frozenset({"antigravity", "this", "idlelib", "turtledemo", "__main__"})
_TYPES = (str, bytes, bytearray, int, float, complex, list, tuple, dict, set, frozenset, type, object, range)


@dataclass(slots=True)
class PackageNames:
    """The names that a package defines, without those that others may mean by the same spelling.

    `names`: functions, classes, methods and parameters. `modules`: modules and packages below the top-level one.
    `identifiers`: all of the repository and its tests, so that no new name is one of them.
    """

    names: set[str] = field(default_factory=set)
    modules: set[str] = field(default_factory=set)
    identifiers: set[str] = field(default_factory=set)


def package_names(source: Iterable[FileState], tests: Iterable[FileState]) -> PackageNames:
    """Finds the names. Left out are names of the standard library's parts that are imported, and of builtin types,
    names that are imported from outside, names in settings files, and names in texts
    that are an identifier or a dotted path, which may be looked up when the code runs.
    """
    files = {file.path: file for file in source}
    found, excluded = PackageNames(), _External()
    packages = {path.rpartition("/")[0] for path in files if path.endswith("/__init__.py")}
    tops = {path.rpartition("/")[2] for path in packages if path.rpartition("/")[0] not in packages}
    tops |= {
        _stem(path) for path in files if path.endswith(PYTHON) and path.rpartition("/")[0] not in packages
    }
    for path, tree, text in _parsed([*files.values(), *tests]):
        found.identifiers |= words(text)
        excluded.read(tree, text, tops)
        if files.get(path) is not None and is_target_file(path):
            found.names |= set(_defined(tree))
            directory = path.rpartition("/")[0]
            if directory in packages:
                found.modules.add(_stem(path))
                found.modules.update(
                    {one.rpartition("/")[2] for one in packages if path.startswith(f"{one}/")}
                )
    for file in files.values():
        if file.path.endswith(_SETTINGS):
            excluded.names |= words((file.content or b"").decode("utf-8", "replace"))
    wrong = excluded.all() | tops | _CONVENTIONAL
    found.modules = {name for name in found.modules if _is_fit(name) and name not in wrong}
    found.names = {name for name in found.names if _is_fit(name) and name not in wrong} - found.modules
    return found


@dataclass(slots=True)
class _External:
    """What the code means that the package does not define."""

    names: set[str] = field(default_factory=set)
    imported: set[str] = field(default_factory=set)

    def read(self, tree: ast.Module, text: str, tops: set[str]) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self._import(alias.name, [], tops)
            elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
                self._import(node.module, [alias.name for alias in node.names], tops)
        reader = _LookedUp()
        with suppress(cst.ParserSyntaxError, RecursionError):
            cst.parse_module(text).visit(reader)
        self.names |= reader.found

    def _import(self, module: str, names: list[str], tops: set[str]) -> None:
        if module.partition(".")[0] not in tops:
            self.imported.add(module)
            self.names.update(module.split("."), names)

    def all(self) -> set[str]:
        known = [module for module in self.imported if module.partition(".")[0] in sys.stdlib_module_names]
        return self.names | set(_names_of_library(sorted(known)))


def _names_of_library(modules: Iterable[str]) -> Iterator[str]:
    """The names of builtins and of these modules, of their classes, and of the parameters of their functions."""
    for kind in _TYPES:
        yield from dir(kind)
    for name in ["builtins", "typing", *modules]:
        if name.partition(".")[0] in _NOT_IMPORTED:
            continue
        with suppress(Exception):
            module = builtins if name == "builtins" else importlib.import_module(name)
            for member in dir(module):
                yield member
                value = getattr(module, member)
                if isinstance(value, type):
                    yield from dir(value)
                if callable(value):
                    with suppress(ValueError, TypeError):
                        yield from inspect.signature(value).parameters


class _LookedUp(StringKinds):
    """Collects the parts of texts that are dotted paths."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()

    def visit_SimpleString(self, node: cst.SimpleString) -> None:  # noqa: N802 # libcst's name
        text = node.raw_value
        if (
            not self.in_names
            and not self.in_text
            and len(text) <= _MAX_DOTTED_LENGTH
            and _DOTTED.fullmatch(text)
        ):
            self.found |= words(text)


def _defined(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.arg):
            yield node.arg


def _parsed(files: Iterable[FileState]) -> Iterator[tuple[str, ast.Module, str]]:
    for file in files:
        if file.path.endswith(PYTHON) and file.content is not None and not file.link:
            with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
                text = file.content.decode("utf-8")
                yield file.path, ast.parse(text), text


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


def _is_fit(name: str) -> bool:
    return len(name) >= _MIN_LENGTH and not name.startswith(("__", "test", "Test", "pytest"))

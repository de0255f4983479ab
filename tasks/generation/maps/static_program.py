"""Finds the functions of source files, measures them, and resolves their calls. A program of its own, with limits,
because the source is hostile and its analysis cannot be interrupted.

    static_program.py < REQUEST

The request is JSON: `root` (a directory that holds the files and nothing else), `cache` (an empty directory), `files`
(paths below the root), `calls` (whether to resolve calls). One line of JSON is written for each file and then for the
calls of each Python file: `path`, and `functions` (name, occurrence, kind, start, end, measures), `problem` (why the
file was not read) or `calls` (caller and callee), `sites` and `resolved` (how many calls there are, and how many of
them lead to a function of these files).
"""

from __future__ import annotations

import ast
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import jedi

from harness.functions import Function, UnreadableSource, functions_in
from harness.functions.definition import lines_of
from tasks.generation.maps.function_measures import measures, span

Place = tuple[str, str, int]  # path, qualified name, occurrence
_Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def main() -> None:
    """Answers the request on standard input."""
    request = json.load(sys.stdin)
    root = Path(request["root"])
    found: dict[str, tuple[Function, ...]] = {}
    for path in request["files"]:
        _say(path=path)
        try:
            text = _read(root / path)
            functions = functions_in(path, text)
            values = measures(path, text, functions)
        except (UnreadableSource, RecursionError, MemoryError) as error:
            _say(path=path, problem=str(error) or type(error).__name__)
            continue
        found[path] = functions
        rows = [
            [one.name, one.occurrence, one.kind, one.start, one.end, measured]
            for one, measured in zip(functions, values, strict=True)
        ]
        _say(path=path, functions=rows)
    if request["calls"]:
        jedi.settings.cache_directory = request["cache"]
        resolver = Resolver(root, found)
        for path in found:
            if path.endswith(".py"):
                _say(path=path, **resolver.calls_in(path))


def _say(**line: Any) -> None:
    print(json.dumps(line), flush=True)


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8")  # with its line ends


class Resolver:
    """Resolves calls within the files below `root`, whose functions are `found`."""

    def __init__(self, root: Path, found: Mapping[str, Sequence[Function]]) -> None:
        self._root = root
        self._found = found
        self._named: dict[tuple[str, str], list[Function]] = defaultdict(list)
        for path, functions in found.items():
            for function in functions:
                self._named[path, function.name.rpartition(".")[2]].append(function)
        # Only these files are imported from, and never executed; this program's own packages are not theirs.
        roots = [str(root / each) for each in import_roots(found)]
        self._project = jedi.Project(root, sys_path=roots, smart_sys_path=False)
        self._environment = jedi.InterpreterEnvironment()

    def calls_in(self, path: str) -> Mapping[str, Any]:
        """The calls in one file."""
        text = _read(self._root / path)
        lines = lines_of(text)
        functions = {(one.start, one.end, one.name.rpartition(".")[2]): one for one in self._found[path]}
        script = jedi.Script(
            text, path=self._root / path, project=self._project, environment=self._environment
        )
        calls: set[tuple[Place, Place]] = set()
        sites = resolved = 0
        for caller, called in call_sites(ast.parse(text), functions):
            sites += 1
            targets = self._targets(script, called, lines)
            resolved += bool(targets)
            if caller:
                calls.update(((path, caller.name, caller.occurrence), target) for target in targets)
        return {"calls": sorted(calls), "sites": sites, "resolved": resolved}

    def _targets(self, script: jedi.Script, called: ast.expr, lines: Sequence[str]) -> list[Place]:
        if not isinstance(called, ast.Name | ast.Attribute):
            return []
        row, end = called.end_lineno or called.lineno, called.end_col_offset or 0
        # The tree counts bytes, jedi counts characters. The last one of a name is in the name.
        column = len(lines[row - 1].encode()[:end].decode("utf-8", "ignore")) - 1
        try:
            names = script.goto(row, column, follow_imports=True)
            return [place for name in names if (place := self._place(name))]
        except Exception:  # jedi raises all kinds of them about code that it does not understand
            return []

    def _place(self, name: Any) -> Place | None:
        if name.type not in {"function", "class"} or not name.module_path or name.line is None:
            return None
        try:
            path = str(PurePosixPath(name.module_path).relative_to(self._root))
        except ValueError:
            return None
        for one in self._named[path, name.name]:
            if one.start <= name.line <= one.header_end:
                return path, one.name, one.occurrence
        return None


def call_sites(
    tree: ast.AST, functions: Mapping[tuple[int, int, str], Function], inside: Function | None = None
) -> Iterator[tuple[Function | None, ast.expr]]:
    """Each called expression with the innermost function or class whose body the call is in.

    Decorators, default values, annotations and base classes belong to what is around; so do lambdas and comprehensions.
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Call):
            yield inside, node.func
        if not isinstance(node, _Named):
            yield from call_sites(node, functions, inside)
            continue
        for decorator in node.decorator_list:
            if not isinstance(decorator, ast.Call):
                yield inside, decorator
        body = ast.Module(body=node.body, type_ignores=[])
        header = [child for child in ast.iter_child_nodes(node) if child not in node.body]
        yield from call_sites(ast.Module(body=header, type_ignores=[]), functions, inside)  # type: ignore[arg-type]
        yield from call_sites(body, functions, functions.get(span(node), inside))


def import_roots(paths: Mapping[str, object]) -> list[str]:
    """The directories from which these files are imported: those above the outermost packages."""
    roots = {"."}
    for path in paths:
        directory = PurePosixPath(path).parent
        while str(directory / "__init__.py") in paths:
            directory = directory.parent
        roots.add(str(directory))
    return sorted(roots)


if __name__ == "__main__":
    main()

"""Functions, their measures and their calls, from source that is read and never executed.

The source is hostile: it is parsed in a process with limits of memory and time (`static_program`).
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import HarnessError
from harness.functions import is_source
from harness.scratch import scratch
from tasks.generation.maps import static_program
from tasks.generation.maps.code_map import FunctionKey, Node

SECONDS = 900.0
MAX_FILE_BYTES = 2 << 20
MAX_BYTES = 64 << 20  # of all files together
_MEMORY_MB = 3072
_LIMITED = ("/bin/sh", "-c", f'ulimit -v {_MEMORY_MB << 10} 2>/dev/null; exec "$@"', "sh")
_NAMED = 3
CONSTRUCTORS = ("__init__", "__new__")


class AnalysisFailed(HarnessError):
    """The source could not be analysed. The message names the file and the remedy."""


@dataclass(frozen=True, slots=True)
class StaticAnalysis:
    """What was read. `calls`: caller and callee, both functions of these files; a call of a class is one of its
    constructor, too. `sites`: how many calls the files have; `resolved`: how many lead to one of their functions.

    `notes`: sentences about files that were not read and calls that were not resolved in time.
    """

    nodes: tuple[Node, ...]
    calls: frozenset[tuple[FunctionKey, FunctionKey]]
    sites: int
    resolved: int
    notes: tuple[str, ...]


def analyse(files: Mapping[str, bytes], *, resolve: bool = True, seconds: float = SECONDS) -> StaticAnalysis:
    """Reads source files, by their relative paths; others are ignored.

    `resolve`: whether to resolve the calls of Python, which takes most of the time.
    A call that jedi cannot resolve is left out; so are implicit calls, such as those of properties and operators. Calls
    belong to the innermost function or class whose body they are in; calls of modules have no caller and are left out.
    After `seconds`, what has been resolved is returned with a note. Raises AnalysisFailed.
    """
    if (total := sum(map(len, files.values()))) > MAX_BYTES:
        raise AnalysisFailed(
            f"the source has {total >> 20} MB; at most {MAX_BYTES >> 20} MB are read: leave files out"
        )
    texts, notes = _texts(files)
    with scratch("map") as directory:
        root, cache = directory / "source", directory / "cache"
        for place in (root, cache):
            place.mkdir()
        for path, text in texts.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(text)
        request = {"root": str(root), "cache": str(cache), "files": sorted(texts), "calls": resolve}
        lines, ending = _run(json.dumps(request).encode(), seconds)
    return _joined(lines, ending, sorted(texts) if resolve else [], sorted(texts), notes)


def _texts(files: Mapping[str, bytes]) -> tuple[dict[str, bytes], list[str]]:
    """The files that can be read, and a note about each other one."""
    texts, notes = {}, []
    for path, content in sorted(files.items()):
        if not is_source(path):
            continue
        if len(content) > MAX_FILE_BYTES:
            notes.append(f"{path} was not read: it has more than {MAX_FILE_BYTES >> 20} MB.")
            continue
        try:
            content.decode("utf-8")
        except UnicodeDecodeError:
            notes.append(f"{path} was not read: it is not UTF-8.")
            continue
        texts[path] = content
    return texts, notes


def _run(request: bytes, seconds: float) -> tuple[list[dict[str, Any]], str]:
    """The lines of the program, and why it ended early; '' if it did not."""
    command = [*_LIMITED, sys.executable, "-I", "-B", str(Path(static_program.__file__))]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        ending = ""
        try:
            output, errors = process.communicate(request, timeout=seconds)
        except subprocess.TimeoutExpired:
            ending = f"it took more than {seconds:.0f} s"
            process.kill()
            output, errors = process.communicate()
        finally:
            process.kill()
    if process.returncode and not ending:
        words = errors.decode("utf-8", "replace").strip()
        ending = words[-300:] or f"it was ended by signal {-process.returncode}"
    whole = output[: output.rfind(b"\n") + 1].splitlines()
    return [json.loads(line) for line in whole], ending


def _joined(
    lines: Sequence[Mapping[str, Any]],
    ending: str,
    resolvable: Sequence[str],
    paths: Sequence[str],
    notes: list[str],
) -> StaticAnalysis:
    nodes: list[Node] = []
    calls: set[tuple[FunctionKey, FunctionKey]] = set()
    read, resolved, sites, found = set(), set(), 0, 0
    for line in lines:
        path = line["path"]
        if "problem" in line:
            notes.append(f"{path} was not read: {line['problem']}.")
            read.add(path)
        elif "functions" in line:
            nodes.extend(Node(path, *row) for row in line["functions"])
            read.add(path)
        elif "calls" in line:
            calls.update((_key(caller), _key(callee)) for caller, callee in line["calls"])
            resolved.add(path)
            sites, found = sites + line["sites"], found + line["resolved"]
    if unread := [path for path in paths if path not in read]:
        raise AnalysisFailed(f"{unread[0]}: the analysis of this file failed: {ending}; leave the file out")
    waiting = [path for path in resolvable if path.endswith(".py") and path not in resolved]
    if ending and waiting:
        named = ", ".join(waiting[:_NAMED]) + (" and others" if len(waiting) > _NAMED else "")
        notes.append(f"Calls in {len(waiting)} files were not resolved ({named}): {ending}.")
    constructors = constructors_of(nodes)
    calls.update((caller, one) for caller, called in list(calls) for one in constructors.get(called, ()))
    return StaticAnalysis(tuple(nodes), frozenset(calls), sites, found, tuple(notes))


def constructors_of(nodes: Sequence[Node]) -> Mapping[FunctionKey, list[FunctionKey]]:
    """The own constructors of each class that has some."""
    classes = defaultdict(list)
    for node in nodes:
        if node.kind == "class":
            classes[node.path, node.name].append(node)
    found = defaultdict(list)
    for node in nodes:
        outer, _, name = node.name.rpartition(".")
        for of in classes[node.path, outer] if name in CONSTRUCTORS else ():
            if of.start <= node.start <= of.end:
                found[of.key].append(node.key)
    return found


def _key(row: Sequence[Any]) -> FunctionKey:
    path, name, occurrence = row
    return path, name, occurrence

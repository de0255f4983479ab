"""Calls between functions while a repository's own tests run, in a container.

An edge is one frame that was entered directly from another frame, both of the repository's source. So:

- A chain source → library → source is no edge: what a library calls back is called by the library. A function of C
  (`sorted`, `map`) has no frame, so that what it calls back is called by the source.
- Tests are no source: what they call has no caller. Neither has what a module executes when it is imported.
- A generator or coroutine is called by the frame that first resumes it: usually the loop of its caller.
- Comprehensions, generator expressions and lambdas belong to the function or class around them, as callers and as
  callees.
- A decorated function is called by the frame that enters it: by the decorator's wrapper if that is source. The wrapper
  itself is called by the caller.
- The body of a class is a frame, and an edge to the class from the function that defines it.
- A call of `__init__` or `__new__` is a call of its class, too, unless a constructor makes it (`super().__init__()`).
- A function that calls itself is its own callee.
- Properties, operators and other methods that the interpreter calls are calls of the frame that uses them.
- Child processes are not traced.
"""

from __future__ import annotations

import json
import shlex
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from harness.dataset import Repository
from harness.errors import AgentError, HarnessError
from harness.patches import FileState
from harness.sandbox.base import CommandResult, ContainerUse, Engine
from harness.scratch import scratch
from tasks.generation.maps import benchbench_trace
from tasks.generation.maps.benchbench_trace import OUTPUT, SETTINGS
from tasks.generation.maps.code_map import FunctionKey, Node, Suite
from tasks.generation.maps.static_calls import constructors_of

DIRECTORY = ".benchbench_trace"
SECONDS = 600.0
MAX_TESTS = 100_000
_SHOWN = 1500  # characters of output in an error
_PLUGIN = Path(benchbench_trace.__file__)
_SCRIPT = """\
export PYTHONPATH="$PWD/{directory}:$PWD:$PWD/src${{PYTHONPATH:+:$PYTHONPATH}}"
exec {python} -m pytest -q -p {plugin} -p no:cacheprovider {arguments}
"""


class TraceFailed(HarnessError):
    """The tests could not be traced. The message ends with what they printed."""


@dataclass(frozen=True, slots=True)
class PytestCommand:
    """How the repository's tests are run. `python`: the interpreter; `arguments`: of pytest, such as paths.

    `seconds`: the time limit of each run.
    """

    python: str = "python3"
    arguments: tuple[str, ...] = ()
    seconds: float = SECONDS


@dataclass(frozen=True, slots=True)
class Trace:
    """What the tests executed. `suite.reached` is in the order of the nodes that were given."""

    calls: frozenset[tuple[FunctionKey, FunctionKey]]
    suite: Suite


def trace(
    engine: Engine,
    repository: Repository,
    nodes: Sequence[Node],
    tests: Sequence[FileState],
    *,
    use: ContainerUse,
    command: PytestCommand = PytestCommand(),
) -> Trace:
    """Runs the tests twice, each time in a clean container: without tracing, for their CPU time, and traced.

    `nodes`: the functions of the source. `tests`: files that are added to the source. Raises TraceFailed if there is no
    record or no test ran, InfrastructureError for failures of the engine. Failing tests are no error: they are named in
    `suite.failed`.
    """
    files = sorted({node.path for node in nodes})
    records = []
    for calls in (False, True):
        with (
            engine.grader(repository, use) as grader,
            scratch("trace") as directory,
        ):
            script = directory / "run_tests.sh"
            script.write_text(
                _SCRIPT.format(
                    directory=DIRECTORY,
                    python=shlex.quote(command.python),
                    plugin=_PLUGIN.stem,
                    arguments=shlex.join(command.arguments),
                )
            )
            settings = {"files": files, "calls": calls}
            added = [
                *tests,
                FileState(f"{DIRECTORY}/{_PLUGIN.name}", _PLUGIN.read_bytes()),
                FileState(f"{DIRECTORY}/{SETTINGS}", json.dumps(settings).encode()),
            ]
            try:
                ran = grader.run(files=(), tests=added, script=script, task="trace", timeout=command.seconds)
            except AgentError as error:
                raise TraceFailed(f"the tests could not be traced: {error}") from error
        records.append(_record(*ran, command))
    plain, traced = records
    return joined(nodes, files, traced, plain_cpu_seconds=plain["cpu_seconds"])


def _record(result: CommandResult, results: Mapping[str, bytes], command: PytestCommand) -> Mapping[str, Any]:
    """The checked record of one run."""
    if result.exit_code is None:
        raise TraceFailed(f"the tests were stopped after {command.seconds:.0f} s: {result.output[-_SHOWN:]}")
    if OUTPUT not in results:
        raise TraceFailed(f"the tests left no trace: {result.output[-_SHOWN:]}")
    found = read_record(results[OUTPUT])
    if not found["tests"]:
        raise TraceFailed(f"no test ran: {result.output[-_SHOWN:]}")
    return found


def read_record(data: bytes) -> Mapping[str, Any]:
    """What the plugin recorded, see `benchbench_trace`, checked. Raises TraceFailed."""
    try:
        value = json.loads(data)
        places = [(int(file), int(line), str(name)) for file, line, name in value["places"]]
        tests = [str(test) for test in value["tests"]]
        reached = [[int(place) for place in row] for row in value["reached"]]
        calls = [(int(caller), int(callee)) for caller, callee in value["calls"]]
        seconds = float(value["cpu_seconds"])
        known = range(len(places))
        if not isfinite(seconds) or len(reached) != len(tests) or len(tests) > MAX_TESTS:
            raise ValueError(f"{len(tests)} tests, {len(reached)} rows, {seconds} s")
        if not all(place in known for row in (*reached, *calls) for place in row):
            raise ValueError("unknown places")
        failed = [str(test) for test in value["failed"]]
        return {
            "places": places,
            "tests": tests,
            "reached": reached,
            "calls": calls,
            "failed": failed,
            "cpu_seconds": seconds,
        }
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise TraceFailed(f"the trace of the tests is damaged: {error!r}") from error


def joined(
    nodes: Sequence[Node], files: Sequence[str], record: Mapping[str, Any], *, plain_cpu_seconds: float
) -> Trace:
    """A record's calls and tests with the functions that they are of. `files`: in the order of the record's numbers."""
    at = _Places(nodes)
    owners = [
        at.owner(files[file], line, name) if 0 <= file < len(files) else None
        for file, line, name in record["places"]
    ]
    calls: set[tuple[FunctionKey, FunctionKey]] = set()
    for caller, callee in record["calls"]:
        source, target = owners[caller], owners[callee]
        if source is None or target is None:
            continue
        if _is_inner(record["places"][callee][2]) and source == target:
            continue  # a comprehension in its own function
        calls.add((source, target))
        if (of := at.constructed(target)) and not at.constructed(source) and source != of:
            calls.add((source, of))
    tests = list(dict.fromkeys(record["tests"]))
    numbers = {test: number for number, test in enumerate(tests)}
    reached: dict[FunctionKey, set[int]] = defaultdict(set)
    for test, row in zip(record["tests"], record["reached"], strict=True):
        for owner in {owners[place] for place in row} - {None}:
            assert owner is not None
            reached[owner].add(numbers[test])
    suite = Suite(
        tests=tuple(tests),
        failed=tuple(test for test in tests if test in set(record["failed"])),
        cpu_seconds=round(plain_cpu_seconds, 3),
        traced_cpu_seconds=round(record["cpu_seconds"], 3),
        reached=tuple(tuple(sorted(reached[node.key])) for node in nodes),
    )
    return Trace(frozenset(calls), suite)


def _is_inner(name: str) -> bool:
    """Whether this code object is a lambda, a comprehension or a generator expression."""
    return name.startswith("<") and name != "<module>"


class _Places:
    """Finds the function that a code object belongs to."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self._exact: dict[tuple[str, int, str], Node] = {}
        self._within: dict[str, list[Node]] = defaultdict(list)
        for node in nodes:
            self._exact[node.path, node.start, node.name.rpartition(".")[2]] = node
            self._within[node.path].append(node)
        self._constructors = {
            constructor: of for of, found in constructors_of(nodes).items() for constructor in found
        }

    def owner(self, path: str, line: int, name: str) -> FunctionKey | None:
        """The function itself, or the one around a comprehension or lambda; None for the code of a module."""
        if not _is_inner(name):
            node = self._exact.get((path, line, name))
            return node.key if node else None
        around = [node for node in self._within[path] if node.start <= line <= node.end]
        return max(around, key=lambda node: (node.start, -node.end)).key if around else None

    def constructed(self, key: FunctionKey) -> FunctionKey | None:
        """The class whose constructor this is."""
        return self._constructors.get(key)

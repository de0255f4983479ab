"""The map of a repository's code: its functions and classes, and who calls whom (Breakpoint, section 3.1)."""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from functools import cache, cached_property, partial
from math import isfinite
from pathlib import Path
from typing import Literal

from harness.errors import HarnessError

SCHEMA_VERSION = 1
MAX_BYTES = 64 << 20  # of a map file
_DIGITS = 12  # of numbers in files: the last ones depend on the machine

CENTRALITIES = (
    "harmonic",
    "harmonic_normalised",
    "distance_discount",
    "pagerank",
    "betweenness",
    "in_degree",
    "out_degree",
    "degree",
)
"""The names of what `centralities.centralities` computes."""

FunctionKey = tuple[str, str, int]
"""A function: path, qualified name, and its occurrence among those of this name in the file."""


class InvalidCodeMap(HarnessError):
    """A file is no code map of this version. The message names the place."""


class Graph(StrEnum):
    """Which calls count: those that static analysis found, those that the tests executed, or both."""

    STATIC = "static"
    TRACED = "traced"
    UNION = "union"


@dataclass(frozen=True, slots=True)
class Node:
    """A function or class. `start`, `end`: its lines, from 1, with decorators. `measures`: see `function_measures`."""

    path: str
    name: str
    occurrence: int
    kind: Literal["function", "class"]
    start: int
    end: int
    measures: Mapping[str, float] = field(default_factory=dict)

    @property
    def key(self) -> FunctionKey:
        """What identifies it in any map of this code."""
        return self.path, self.name, self.occurrence


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    """A call: `caller` and `callee` are numbers of nodes. `static`, `traced`: which analyses found it; one of them."""

    caller: int
    callee: int
    static: bool
    traced: bool

    def belongs(self, graph: Graph) -> bool:
        """Whether this graph has the call."""
        return graph is Graph.UNION or (self.static if graph is Graph.STATIC else self.traced)


@dataclass(frozen=True, slots=True)
class Suite:
    """How the repository's own tests ran. `tests`: the ids of those that ran, in order; `failed`: of those that failed.

    `cpu_seconds`: of the run without tracing, its child processes included; `traced_cpu_seconds`: of the traced run.
    `reached`: for each node of the map, the numbers of the tests (places in `tests`) during which it was executed;
    empty if that was not recorded.
    """

    tests: tuple[str, ...]
    failed: tuple[str, ...]
    cpu_seconds: float
    traced_cpu_seconds: float
    reached: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class CodeMap:
    """A map. `digest`: of the repository's source. `centralities`: by graph and name, a value for each node.

    `suite`: None if no tests were traced. `notes`: sentences about what the map lacks.
    """

    repository: str
    digest: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    centralities: Mapping[Graph, Mapping[str, tuple[float, ...]]]
    suite: Suite | None = None
    notes: tuple[str, ...] = ()

    @cached_property
    def numbers(self) -> Mapping[FunctionKey, int]:
        """The number of each node."""
        return {node.key: number for number, node in enumerate(self.nodes)}

    def calls(self, graph: Graph = Graph.UNION) -> list[tuple[int, int]]:
        """The calls of one graph: numbers of caller and callee."""
        return [(edge.caller, edge.callee) for edge in self.edges if edge.belongs(graph)]

    def callers(self, number: int, graph: Graph = Graph.UNION) -> list[int]:
        """Who calls a node."""
        return [edge.caller for edge in self.edges if edge.callee == number and edge.belongs(graph)]

    def callees(self, number: int, graph: Graph = Graph.UNION) -> list[int]:
        """Whom a node calls."""
        return [edge.callee for edge in self.edges if edge.caller == number and edge.belongs(graph)]

    def measures_of(self, key: FunctionKey, graph: Graph = Graph.UNION) -> Mapping[str, float]:
        """All measures and centralities of one function, by name. Raises KeyError if the map has no such function."""
        number = self.numbers[key]
        central = {name: values[number] for name, values in self.centralities[graph].items()}
        return {**self.nodes[number].measures, **central}

    def tests_of(self, key: FunctionKey) -> tuple[str, ...]:
        """The ids of the tests that execute one function; () if that was not recorded. KeyError as above."""
        number = self.numbers[key]
        if self.suite is None or not self.suite.reached:
            return ()
        return tuple(self.suite.tests[test] for test in self.suite.reached[number])


def build(
    repository: str,
    digest: str,
    nodes: Iterable[Node],
    *,
    static: Iterable[tuple[FunctionKey, FunctionKey]],
    traced: Iterable[tuple[FunctionKey, FunctionKey]] = (),
    suite: Suite | None = None,
    notes: Sequence[str] = (),
) -> CodeMap:
    """A map with the centralities of its graphs. Calls from or to functions that are no nodes are left out.

    The nodes are sorted; `suite.reached` is in the order of the sorted nodes. Raises GraphTooLarge.
    """
    places = sorted(nodes, key=lambda node: (node.path, node.start, node.name, node.occurrence))
    ordered = tuple(
        replace(node, measures={name: _round(value) for name, value in node.measures.items()})
        for node in places
    )
    numbers = {node.key: number for number, node in enumerate(ordered)}
    found = {
        graph: {(numbers[a], numbers[b]) for a, b in calls if a in numbers and b in numbers}
        for graph, calls in ((Graph.STATIC, static), (Graph.TRACED, traced))
    }
    edges = tuple(
        Edge(*call, static=call in found[Graph.STATIC], traced=call in found[Graph.TRACED])
        for call in sorted(found[Graph.STATIC] | found[Graph.TRACED])
    )
    values = cache(partial(_centralities, len(ordered)))  # two graphs may be equal
    central = {
        graph: values(tuple((one.caller, one.callee) for one in edges if one.belongs(graph)))
        for graph in Graph
    }
    return CodeMap(repository, digest, ordered, edges, central, suite, tuple(notes))


def _centralities(nodes: int, calls: tuple[tuple[int, int], ...]) -> Mapping[str, tuple[float, ...]]:
    # Every process of a site reads maps, and none makes one: rustworkx and SciPy take a sixth of its start.
    from tasks.generation.maps.centralities import centralities  # noqa: PLC0415

    return {name: tuple(map(_round, row)) for name, row in centralities(nodes, calls).items()}


def dumps(code_map: CodeMap) -> bytes:
    """The map as JSON. Equal maps have equal bytes."""
    suite = code_map.suite
    value = {
        "schema_version": SCHEMA_VERSION,
        "repository": code_map.repository,
        "digest": code_map.digest,
        "nodes": [asdict(node) for node in code_map.nodes],
        "edges": [[edge.caller, edge.callee, _origin(edge)] for edge in code_map.edges],
        "centralities": code_map.centralities,
        "suite": None if suite is None else asdict(suite),
        "notes": list(code_map.notes),
    }
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode() + b"\n"


def read_packed(path: Path) -> CodeMap:
    """The map in a file that was compressed with xz. Raises InvalidCodeMap and OSError."""
    with path.open("rb") as file:
        packed = file.read(MAX_BYTES + 1)
    try:
        return loads(lzma.LZMADecompressor().decompress(packed, MAX_BYTES + 1))
    except lzma.LZMAError as error:
        raise InvalidCodeMap(f"this is no file of xz: {error}") from error


def loads(data: bytes) -> CodeMap:
    """The map in a file. Raises InvalidCodeMap."""
    if len(data) > MAX_BYTES:
        raise InvalidCodeMap(f"a code map has at most {MAX_BYTES >> 20} MB, this one has {len(data) >> 20}")
    try:
        value = json.loads(data)
        version = value["schema_version"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise InvalidCodeMap(f"this is no code map: {error!r}") from error
    if version != SCHEMA_VERSION:
        raise InvalidCodeMap(
            f"schema_version is {version!r}; it must be {SCHEMA_VERSION}: make the map again"
        )
    try:
        suite = value["suite"]
        found = CodeMap(
            repository=str(value["repository"]),
            digest=str(value["digest"]),
            nodes=tuple(_node(**node) for node in value["nodes"]),
            edges=tuple(_edge(*edge) for edge in value["edges"]),
            centralities={
                graph: {
                    name: tuple(map(_number, value["centralities"][graph][name])) for name in CENTRALITIES
                }
                for graph in Graph
            },
            suite=None if suite is None else _suite(**suite),
            notes=tuple(map(str, value["notes"])),
        )
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise InvalidCodeMap(f"the code map is damaged: {error!r}") from error
    _check(found)
    return found


def _node(
    *, path: str, name: str, occurrence: int, kind: str, start: int, end: int, measures: Mapping[str, float]
) -> Node:
    if kind not in ("function", "class"):
        raise ValueError(f"kind {kind!r}")
    values = {str(key): _number(one) for key, one in measures.items()}
    shape: Literal["function", "class"] = "class" if kind == "class" else "function"
    return Node(str(path), str(name), int(occurrence), shape, int(start), int(end), values)


def _edge(caller: int, callee: int, origin: str) -> Edge:
    graph = Graph(origin)
    return Edge(int(caller), int(callee), graph is not Graph.TRACED, graph is not Graph.STATIC)


def _suite(
    *,
    tests: Sequence[str],
    failed: Sequence[str],
    cpu_seconds: float,
    traced_cpu_seconds: float,
    reached: Sequence[Sequence[int]],
) -> Suite:
    return Suite(
        tuple(map(str, tests)),
        tuple(map(str, failed)),
        _number(cpu_seconds),
        _number(traced_cpu_seconds),
        tuple(tuple(map(int, row)) for row in reached),
    )


def _number(value: float) -> float:
    if not isfinite(value):
        raise ValueError(f"{value} is no number")
    return float(value)


def _check(found: CodeMap) -> None:
    """Raises InvalidCodeMap for numbers that name nothing."""
    count = len(found.nodes)
    if len(found.numbers) != count:
        raise InvalidCodeMap("the code map is damaged: nodes: the same function twice")
    for place, edge in enumerate(found.edges):
        if not (0 <= edge.caller < count and 0 <= edge.callee < count):
            raise InvalidCodeMap(f"the code map is damaged: edges, {place}: there are {count} nodes")
    for graph, values in found.centralities.items():
        for name, row in values.items():
            if len(row) != count:
                raise InvalidCodeMap(
                    f"the code map is damaged: centralities, {graph}, {name}: not {count} values"
                )
    if found.suite and found.suite.reached:
        tests = range(len(found.suite.tests))
        if len(found.suite.reached) != count or not all(
            test in tests for row in found.suite.reached for test in row
        ):
            raise InvalidCodeMap("the code map is damaged: suite, reached: unknown functions or tests")


def _origin(edge: Edge) -> Graph:
    if edge.static and edge.traced:
        return Graph.UNION
    return Graph.STATIC if edge.static else Graph.TRACED


def _round(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")

"""Maps of code, and their files."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tasks.generation.maps.code_map import (
    CodeMap,
    Edge,
    FunctionKey,
    Graph,
    InvalidCodeMap,
    Node,
    Suite,
    build,
    dumps,
    loads,
)

READ, PARSE, WRITE = ("io.py", "read", 0), ("io.py", "parse", 0), ("io.py", "write", 0)


def node(key: FunctionKey, start: int) -> Node:
    return Node(*key, "function", start, start + 2, {"code_lines": 3.0})


def a_map() -> CodeMap:
    return build(
        "shop",
        "d1",
        [node(WRITE, 9), node(READ, 1), node(PARSE, 5)],
        static=[(READ, PARSE), (READ, ("other.py", "unknown", 0))],
        traced=[(READ, PARSE), (PARSE, WRITE)],
        suite=Suite(("t1", "t2"), ("t2",), 1.5, 3.0, ((0, 1), (0,), ())),
        notes=("One file is missing.",),
    )


def test_a_map_joins_static_and_executed_calls_of_its_functions() -> None:
    found = a_map()
    assert [one.name for one in found.nodes] == ["read", "parse", "write"]
    assert found.edges == (Edge(0, 1, static=True, traced=True), Edge(1, 2, static=False, traced=True))
    assert found.calls(Graph.STATIC) == [(0, 1)]
    assert found.calls(Graph.TRACED) == found.calls(Graph.UNION) == [(0, 1), (1, 2)]
    assert (found.callers(1), found.callees(1)) == ([0], [2])


def test_measures_of_a_function_hold_its_size_and_its_centralities_in_one_graph() -> None:
    found = a_map()
    assert found.measures_of(READ)["harmonic"] == 1.5
    assert found.measures_of(READ, Graph.STATIC)["harmonic"] == 1
    assert found.measures_of(READ)["code_lines"] == 3
    with pytest.raises(KeyError):
        found.measures_of(("io.py", "read", 1))


def test_a_map_names_the_tests_that_execute_a_function() -> None:
    assert a_map().tests_of(READ) == ("t1", "t2")
    assert a_map().tests_of(WRITE) == ()
    assert replace(a_map(), suite=None).tests_of(READ) == ()


def test_a_file_holds_the_whole_map_and_equal_maps_have_equal_bytes() -> None:
    data = dumps(a_map())
    assert loads(data) == a_map()
    assert dumps(loads(data)) == data == dumps(a_map())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"schema_version": 7}, "schema_version is 7; it must be 1"),
        ({"nodes": [{"path": "a.py"}]}, "damaged"),
        ({"edges": [[0, 3, "static"]]}, "edges, 0: there are 3 nodes"),
        ({"edges": [[0, 1, "guessed"]]}, "guessed"),
        ({"centralities": {}}, "static"),
        ({"suite": {"tests": []}}, "missing"),
        ({"notes": None}, "damaged"),
    ],
)
def test_a_damaged_file_is_refused_with_its_place(change: dict[str, object], message: str) -> None:
    value = json.loads(dumps(a_map()))
    with pytest.raises(InvalidCodeMap, match=message):
        loads(json.dumps({**value, **change}).encode())


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff", b"[" * 100_000])
def test_what_is_no_map_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidCodeMap, match="no code map"):
        loads(data)

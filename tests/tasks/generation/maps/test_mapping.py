"""The map of a whole repository."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from harness.dataset import Repository
from harness.sandbox.local import LocalEngine
from tasks.generation.maps.code_map import CodeMap, Graph
from tasks.generation.maps.mapping import hidden_tests, map_repository, places_of
from tasks.generation.maps.traced_calls import PytestCommand
from tests.harness.worlds import tiny_dataset, write_tree


@pytest.fixture
def calc(tmp_path: Path) -> Repository:
    return tiny_dataset(tmp_path).repository("calc")


def names(found: CodeMap, graph: Graph) -> set[tuple[str, str]]:
    return {(found.nodes[a].name, found.nodes[b].name) for a, b in found.calls(graph)}


def test_a_map_joins_what_the_source_says_and_what_its_hidden_tests_execute(calc: Repository) -> None:
    stages: list[str] = []
    command = PytestCommand(sys.executable, tuple(places_of(hidden_tests(calc))))
    found = map_repository(calc, LocalEngine(), command=command, notify=stages.append)
    assert (found.repository, found.digest, found.notes) == ("calc", calc.digest, ())
    assert ("add", "spell") in names(found, Graph.STATIC) & names(found, Graph.TRACED)
    assert names(found, Graph.UNION) == names(found, Graph.STATIC) | names(found, Graph.TRACED)
    assert found.suite is not None
    assert len(found.suite.tests) == 8
    assert len(found.suite.failed) == 5
    parse = next(node.key for node in found.nodes if node.name == "parse")
    assert any("test_adds_one_number" in test for test in found.tests_of(parse))
    assert [stage.partition(" ")[0] for stage in stages] == [str(len(found.nodes)), "8"]


def test_without_an_engine_only_the_source_is_read(calc: Repository) -> None:
    found = map_repository(calc, None)
    assert found.suite is None
    assert found.calls(Graph.TRACED) == []
    assert found.calls(Graph.STATIC) == found.calls(Graph.UNION) != []
    assert found.notes == ("The tests were not traced: only calls that static analysis finds are known.",)


def test_a_repository_in_another_language_has_functions_without_calls(calc: Repository) -> None:
    for path in calc.source.paths():
        path.unlink()
    write_tree(calc.source.root, {"sum.c": "int add(int a, int b) {\n  return a + b;\n}\n"})
    found = map_repository(calc, LocalEngine())
    assert [(node.name, node.measures) for node in found.nodes] == [("add", {"code_lines": 3})]
    assert found.notes[0] == "Calls in languages other than Python are not known."


def test_hidden_tests_are_those_that_tasks_share_or_those_of_all_tasks(calc: Repository) -> None:
    assert places_of(hidden_tests(calc)) == ["hidden"]
    write_tree(calc.directory / "tests", {"checks/test_a.py": "", "conftest.py": "", "test_b.py": ""})
    assert [file.path for file in hidden_tests(calc)] == ["checks/test_a.py", "conftest.py", "test_b.py"]
    assert places_of(hidden_tests(calc)) == ["checks", "test_b.py"]

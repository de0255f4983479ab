"""What each tool of every task takes, through the check of calls."""

from __future__ import annotations

import json
from typing import Any

import pytest

from harness.tools.schema import validate
from tests.harness.tools.test_schema import refusal


def test_operations_may_be_a_json_string() -> None:
    operations = [{"type": "DELETE", "start_line": 2}]
    arguments = {"explanation": "cut", "path": "a", "operations": json.dumps(operations)}
    assert validate("edit_file", arguments)["operations"] == operations


@pytest.mark.parametrize(
    ("operation", "problem"),
    [
        (
            {"type": "MOVE", "start_line": 1},
            "operations.0.type should be 'REPLACE', 'INSERT' or 'DELETE', not 'MOVE'",
        ),
        ({"type": "REPLACE", "start_line": 1}, "operations.0: REPLACE needs content"),
        ({"type": "INSERT", "start_line": 1}, "operations.0: INSERT needs content"),
        (
            {"type": "INSERT", "start_line": 1, "end_line": 2, "content": "x"},
            "operations.0: INSERT takes no end_line",
        ),
        ({"type": "DELETE", "start_line": 1, "content": "x"}, "operations.0: DELETE takes no content"),
        (
            {"type": "DELETE", "start_line": 3, "end_line": 2},
            "operations.0: end_line 2 is before start_line 3",
        ),
        (
            {"type": "DELETE", "start_line": 0},
            "operations.0.start_line should be greater than or equal to 1, not 0",
        ),
    ],
)
def test_a_bad_operation_is_named(operation: dict[str, Any], problem: str) -> None:
    assert problem in refusal("edit_file", {"explanation": "x", "path": "a", "operations": [operation]})


def test_a_search_by_words_takes_no_case() -> None:
    call = {"explanation": "x", "query": "a b", "mode": "keywords", "case_sensitive": True}
    assert "case_sensitive goes with mode literal" in refusal("codebase_search", call)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"action": "insert"}, "insert needs content"),
        ({"action": "insert", "content": "", "index": 0, "cell_id": "a"}, "give index or cell_id, not both"),
        ({"action": "replace", "index": 0}, "replace needs content, cell_type or both"),
        ({"action": "replace", "content": "x"}, "replace needs index or cell_id"),
        ({"action": "delete"}, "delete needs index or cell_id"),
        ({"action": "delete", "index": 0, "content": ""}, "delete takes no content and no cell_type"),
        ({"action": "delete", "index": -1}, "index should be greater than or equal to 0, not -1"),
        ({"action": "run", "index": 0}, "action should be 'insert', 'replace' or 'delete', not 'run'"),
    ],
)
def test_an_edit_of_a_notebook_says_which_cell_and_what(arguments: dict[str, Any], problem: str) -> None:
    assert problem in refusal("edit_notebook", {"explanation": "x", "path": "a.ipynb", **arguments})


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({}, "give either command, to start one, or handle"),
        ({"command": "ls", "handle": "bg-1"}, "give either command, to start one, or handle"),
        ({"command": "ls", "stop": True}, "stop needs the handle of a background command"),
        ({"handle": "bg-1", "separate_streams": True}, "separate_streams goes with command, not with handle"),
        ({"handle": "bg-1", "background": True}, "background goes with command, not with handle"),
        ({"command": "ls", "background": True, "timeout": 5}, "a background command has no timeout"),
        ({"command": "ls", "timeout": 601}, "timeout should be less than or equal to 600, not 601"),
        ({"command": "ls", "timeout": float("nan")}, "timeout should be less than or equal to 600, not nan"),
    ],
)
def test_a_terminal_command_has_one_purpose(arguments: dict[str, Any], problem: str) -> None:
    assert problem in refusal("run_terminal_cmd", {"explanation": "x", **arguments})

"""What the tools of the papers' sets take, through the check of calls."""

from __future__ import annotations

from typing import Any

import pytest

from harness.tools.schema import ToolArgumentError, validate
from harness.tools.selection import SETS


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("list_directory", {}),
        ("search_code", {"pattern": "a.b", "regex": True, "path": "src"}),
        ("str_replace", {"path": "a", "old": "x", "new": ""}),
        ("list_file_functions", {"path": "a.py"}),
        ("read_function", {"path": "a.py", "name": "C.f", "occurrence": 1}),
        ("submit_attempt", {"code": "def f(): ..."}),
        ("replace_function", {"path": "a.py", "name": "f", "code": "def f(): ..."}),
        ("run_tests", {"path": "tests"}),
        ("submit_patch", {}),
    ],
)
def test_a_call_passes_unchanged(tool: str, arguments: dict[str, Any]) -> None:
    given = {"explanation": "why", **arguments}
    assert validate(tool, given, (), {tool}) == given


@pytest.mark.parametrize(
    ("tool", "arguments", "problem"),
    [
        ("search_code", {"pattern": ""}, "pattern"),
        ("read_function", {"path": "a.py", "name": "f", "occurrence": -1}, "occurrence"),
        ("submit_attempt", {}, "code: missing"),
        ("replace_function", {"code": "x", "name": "f"}, "path: missing"),
        ("submit_patch", {"force": True}, "force: there is no such argument"),
    ],
)
def test_a_wrong_argument_is_named(tool: str, arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(ToolArgumentError, match=problem):
        validate(tool, {"explanation": "why", **arguments}, (), SETS["remove"] | SETS["discovery"] | {tool})

"""The tools that an agent may use."""

from __future__ import annotations

import pytest

from harness.errors import ConfigurationError
from harness.tools.schema import TOOLS
from harness.tools.selection import SETS, selected


def test_a_set_has_a_name() -> None:
    assert list(SETS) == ["all", "shell", "read-edit"]
    assert selected("all") == set(TOOLS)
    assert selected("shell") == {"run_terminal_cmd"}
    assert {"read_file", "grep_search", "edit_file"} <= selected("read-edit")
    assert selected("read-edit").isdisjoint({"run_terminal_cmd", "api_call", "ui_test"})


def test_a_list_names_tools() -> None:
    assert selected(["read_file", "ui_test"]) == {"read_file", "ui_test"}


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("shel", "tools: expected one of all, shell, read-edit, or a list of names of tools, not 'shel'"),
        (5, "tools: expected one of all, shell, read-edit, or a list of names of tools, not 5"),
        ([1], r"tools: expected one of all, shell, read-edit, or a list of names of tools, not \[1\]"),
        (["cat", "read_file"], "tools: there is no tool 'cat'; there are: read_file, list_dir, .*, ui_test"),
        (["read_file", "read_file"], "tools: a name comes twice in read_file, read_file"),
        (["ui_test"], "tools: expected at least one tool that every task offers, not ui_test"),
        ([], "tools: expected at least one tool that every task offers, not an empty list"),
    ],
)
def test_anything_else_is_refused_with_what_there_is(value: object, problem: str) -> None:
    with pytest.raises(ConfigurationError, match=f"^{problem}$"):
        selected(value)

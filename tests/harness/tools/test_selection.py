"""The tools that an agent may use."""

from __future__ import annotations

import pytest

from harness.errors import ConfigurationError
from harness.tools.schema import TOOLS
from harness.tools.selection import SETS, selected, with_own_names

KNOWN = "all, shell, read-edit, remove, discovery, pull_request, by_mode"


def test_a_set_has_a_name() -> None:
    assert list(SETS) == ["all", "shell", "read-edit", "remove", "discovery", "pull_request"]
    assert selected("all") == {name for name, tool in TOOLS.items() if not tool.only_in_sets}
    assert selected("shell") == {"run_terminal_cmd"}
    assert {"read_file", "grep_search", "edit_file"} <= selected("read-edit")
    assert selected("read-edit").isdisjoint({"run_terminal_cmd", "api_call", "ui_test", "str_replace"})


def test_the_sets_of_the_papers_have_their_tools() -> None:
    looking = {"list_directory", "search_code", "read_file", "list_file_functions", "read_function"}
    assert selected("remove") == selected("by_mode", "remove") == {*looking, "submit_attempt"}
    assert selected("discovery") == {*looking, "replace_function"}
    assert {selected("by_mode", mode) for mode in ("discovery", "code", "")} == {selected("discovery")}
    assert len(selected("pull_request")) == 7
    assert selected("pull_request") - {"write_file", "str_replace", "run_tests", "submit_patch"} == {
        *("list_directory", "search_code", "read_file")
    }


def test_a_refusal_recommends_tools_by_the_names_that_the_agent_has() -> None:
    text = "'src' is a directory; list_dir shows what is in it, or use grep_search and run_terminal_cmd"
    assert with_own_names(text, SETS["remove"]) == (
        "'src' is a directory; list_directory shows what is in it, or use search_code and run_terminal_cmd"
    )
    for name in ("all", "read-edit", "shell"):
        assert with_own_names(text, SETS[name]) == text


def test_a_list_names_tools() -> None:
    assert selected(["read_file", "ui_test"]) == {"read_file", "ui_test"}


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("shel", f"tools: expected one of {KNOWN}, or a list of names of tools, not 'shel'"),
        (5, f"tools: expected one of {KNOWN}, or a list of names of tools, not 5"),
        ([1], rf"tools: expected one of {KNOWN}, or a list of names of tools, not \[1\]"),
        (["cat", "read_file"], "tools: there is no tool 'cat'; there are: read_file, list_dir, .*, ui_test"),
        (["read_file", "read_file"], "tools: a name comes twice in read_file, read_file"),
        (["ui_test"], "tools: expected at least one tool that every task offers, not ui_test"),
        ([], "tools: expected at least one tool that every task offers, not an empty list"),
    ],
)
def test_anything_else_is_refused_with_what_there_is(value: object, problem: str) -> None:
    with pytest.raises(ConfigurationError, match=f"^{problem}$"):
        selected(value)
